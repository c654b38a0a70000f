import Foundation
import GRDB

/// A stored tracking plan.
struct PlanRecord: Sendable {
  /// A number that is new for each change.
  var revision: Int
  /// The text, in YAML or JSON.
  var text: String
  var at: Date
  var by: String
}

/// The plans of rule sets on disk, one for each. Every change is one transaction, with its entry in the audit log.
struct PlanStore: Sendable {
  private let pool: DatabasePool

  init(_ store: Store) { pool = store.library }

  /// Returns the plan of a rule set; nil if there is none.
  func plan(of name: String) throws -> PlanRecord? {
    try pool.read { try Self.plan(of: name, $0) }
  }

  /// Replaces the plan, or creates it.
  ///
  /// - Parameter expected: The revisions that may be replaced, 0 for no plan; nil for any.
  /// - Returns: The new plan.
  /// - Throws: ``RuleSetConflict`` if the revision is another one.
  func set(_ text: String, of name: String, expecting expected: Set<Int>?, by: String) throws -> PlanRecord {
    try pool.change { try Self.set(text, of: name, expecting: expected, by: by, $0) }
  }

  /// Does the same as ``set(_:of:expecting:by:)`` in a transaction that has begun.
  static func set(
    _ text: String, of name: String, expecting expected: Set<Int>?, by: String, _ database: Database
  ) throws -> PlanRecord {
    try check(name, expected, database)
    let new = PlanRecord(revision: try RuleSetStore.nextRevision(of: name, database), text: text, at: Date(), by: by)
    try database.execute(
      sql: "INSERT OR REPLACE INTO rule_set_plans (rule_set, revision, text, at, by) VALUES (?, ?, ?, ?, ?)",
      arguments: [name, new.revision, text, new.at.timeIntervalSince1970, by])
    try AuditStore.record(
      "plan.change", of: "rulesets/\(name)", by: by, detail: "revision \(new.revision)", in: database)
    return new
  }

  /// Removes the plan.
  ///
  /// - Returns: True if the plan existed.
  /// - Throws: ``RuleSetConflict`` if the revision is another one.
  func remove(of name: String, expecting expected: Set<Int>?, by: String) throws -> Bool {
    try pool.change { database in
      try Self.check(name, expected, database)
      guard let old = try Self.plan(of: name, database) else { return false }
      try Self.delete(name, database)
      try AuditStore.record(
        "plan.remove", of: "rulesets/\(name)", by: by, detail: "revision \(old.revision)", in: database)
      return true
    }
  }

  static func delete(_ name: String, _ database: Database) throws {
    try database.execute(sql: "DELETE FROM rule_set_plans WHERE rule_set = ?", arguments: [name])
  }

  private static func check(_ name: String, _ expected: Set<Int>?, _ database: Database) throws {
    guard try RuleSetStore.currentVersion(of: name, database) != nil else { throw RuleSetConflict.unknown }
    let found = try plan(of: name, database)?.revision ?? 0
    if let expected, !expected.contains(found) { throw RuleSetConflict.stale(current: found) }
  }

  private static func plan(of name: String, _ database: Database) throws -> PlanRecord? {
    try Row.fetchOne(
      database, sql: "SELECT revision, text, at, by FROM rule_set_plans WHERE rule_set = ?", arguments: [name]
    ).map { row in
      PlanRecord(revision: row[0], text: row[1], at: Date(timeIntervalSince1970: row[2]), by: row[3])
    }
  }
}
