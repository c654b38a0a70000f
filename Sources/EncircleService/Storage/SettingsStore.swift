import Foundation
import GRDB

/// Settings on disk, as JSON by name.
struct SettingsStore: Sendable {
  private let pool: DatabasePool

  init(_ store: Store) { pool = store.library }

  /// Returns the JSON of a setting; nil if it was never set.
  func value(_ name: String) throws -> Data? {
    try pool.read { database in
      try String.fetchOne(database, sql: "SELECT value FROM settings WHERE name = ?", arguments: [name])
        .map { Data($0.utf8) }
    }
  }

  func set(_ name: String, to value: Data, by: String, detail: String) throws {
    try pool.change { database in
      try database.execute(
        sql: "INSERT OR REPLACE INTO settings (name, value) VALUES (?, ?)",
        arguments: [name, String(decoding: value, as: UTF8.self)])
      try AuditStore.record("settings.change", of: name, by: by, detail: detail, in: database)
    }
  }
}
