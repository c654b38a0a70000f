import GRDB

/// The settings on disk, as JSON.
struct SettingsStore: Sendable {
  private static let name = "settings"
  private let pool: DatabasePool

  init(_ store: Store) { pool = store.library }

  /// Returns the JSON of the settings; nil if none were ever set.
  func json() throws -> String? {
    try pool.read { database in
      try String.fetchOne(database, sql: "SELECT value FROM settings WHERE name = ?", arguments: [Self.name])
    }
  }

  func set(_ json: String, by: String) throws {
    try pool.change { database in
      try database.execute(
        sql: "INSERT OR REPLACE INTO settings (name, value) VALUES (?, ?)", arguments: [Self.name, json])
      try AuditStore.record("settings.change", of: Self.name, by: by, detail: json, in: database)
    }
  }
}
