import Foundation
import GRDB

/// The audit log: an entry for every change that a person makes, written in the transaction of the change.
struct AuditStore: Sendable {
  /// A change in the audit log.
  struct Entry: Sendable, Encodable {
    var at: Date
    /// The name of the token, or `anonymous`.
    var by: String
    /// The action: `ruleset.publish`, `token.add`.
    var action: String
    /// The subject of the action, as the paths of the API name it.
    var subject: String
    var detail: String
  }

  private let pool: DatabasePool

  init(_ store: Store) { pool = store.library }

  /// Returns entries, newest first, and the number of all entries.
  func entries(offset: Int, limit: Int) throws -> (entries: [Entry], total: Int) {
    try pool.read { database in
      let rows = try Row.fetchAll(
        database, sql: "SELECT * FROM audit ORDER BY id DESC LIMIT ? OFFSET ?", arguments: [limit, offset])
      let total = try Int.fetchOne(database, sql: "SELECT count(*) FROM audit") ?? 0
      return (
        rows.map {
          Entry(
            at: Date(timeIntervalSince1970: $0["at"]), by: $0["by"], action: $0["action"], subject: $0["subject"],
            detail: $0["detail"])
        }, total
      )
    }
  }

  /// Adds an entry for an action that changes nothing else on disk.
  func record(_ action: String, of subject: String, by: String, detail: String) throws {
    try pool.change { try Self.record(action, of: subject, by: by, detail: detail, in: $0) }
  }

  /// Adds an entry in a transaction on the library's file.
  static func record(
    _ action: String, of subject: String, by: String, detail: String, in database: Database
  ) throws {
    try database.execute(
      sql: "INSERT INTO audit (at, by, action, subject, detail) VALUES (?, ?, ?, ?, ?)",
      arguments: [Date().timeIntervalSince1970, by, action, subject, detail])
  }
}
