import Foundation
import GRDB

/// Elements that somebody has set aside with one clause: they are deliberately left without a rule.
struct SetAsideRecord: Sendable {
  let id: Int64
  /// The clause that selects the elements, as JSON.
  let clause: String
  let reason: String
  let at: Date
  let by: String
}

/// The items set aside for rule sets, on disk. Every change is one transaction, with its entry in the audit log.
struct SetAsideStore: Sendable {
  private let pool: DatabasePool

  init(_ store: Store) { pool = store.library }

  /// Returns the items of a rule set, oldest first.
  func items(of name: String) throws -> [SetAsideRecord] {
    try pool.read { database in
      let rows = try Row.fetchAll(
        database, sql: "SELECT id, clause, reason, at, by FROM rule_set_aside WHERE rule_set = ? ORDER BY id",
        arguments: [name])
      return rows.map {
        SetAsideRecord(id: $0[0], clause: $0[1], reason: $0[2], at: Date(timeIntervalSince1970: $0[3]), by: $0[4])
      }
    }
  }

  /// Adds an item, and returns its id; nil if there are already `most` items.
  ///
  /// - Throws: ``RuleSetConflict`` for an unknown rule set.
  func add(_ clause: String, reason: String, to name: String, most: Int, by: String) throws -> Int64? {
    try pool.change { database in
      guard try RuleSetStore.currentVersion(of: name, database) != nil else { throw RuleSetConflict.unknown }
      let count = try Int.fetchOne(
        database, sql: "SELECT count(*) FROM rule_set_aside WHERE rule_set = ?", arguments: [name])
      guard count ?? 0 < most else { return nil }
      try database.execute(
        sql: "INSERT INTO rule_set_aside (rule_set, clause, reason, at, by) VALUES (?, ?, ?, ?, ?)",
        arguments: [name, clause, reason, Date().timeIntervalSince1970, by])
      let id = database.lastInsertedRowID
      try AuditStore.record("coverage.set-aside", of: "rulesets/\(name)", by: by, detail: "item \(id)", in: database)
      return id
    }
  }

  /// Removes an item, and returns whether it existed.
  func remove(_ id: Int64, of name: String, by: String) throws -> Bool {
    try pool.change { database in
      try database.execute(
        sql: "DELETE FROM rule_set_aside WHERE rule_set = ? AND id = ?", arguments: [name, id])
      guard database.changesCount > 0 else { return false }
      try AuditStore.record("coverage.take-back", of: "rulesets/\(name)", by: by, detail: "item \(id)", in: database)
      return true
    }
  }

  static func delete(_ name: String, _ database: Database) throws {
    try database.execute(sql: "DELETE FROM rule_set_aside WHERE rule_set = ?", arguments: [name])
  }
}
