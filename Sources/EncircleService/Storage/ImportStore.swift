import EncircleText
import Foundation
import GRDB

/// The rules of an import from a tool.
struct ImportRecord: Sendable {
  var tool: String
  /// The rules, as `ImportState` writes them.
  var rules: String
  /// The rules of the import before this one, from which they were made; nil if there was none.
  var before: String?
}

/// The last import into each rule set from each tool, so that the next import can distinguish changes in the tool from edits in
/// the service.
///
/// An import into a draft counts once the draft is published, and is forgotten if the draft is discarded.
struct ImportStore: Sendable {
  private let pool: DatabasePool

  init(_ store: Store) { pool = store.library }

  /// Returns the rules of the last import, as `ImportState` writes them; nil if there are none.
  func rules(of name: String, from tool: String) throws -> String? {
    try pool.read { try Self.rules(of: name, from: tool, $0) }
  }

  private static func rules(of name: String, from tool: String, _ database: Database) throws -> String? {
    try String.fetchOne(
      database, sql: "SELECT coalesce(draft_rules, rules) FROM rule_set_imports WHERE rule_set = ? AND tool = ?",
      arguments: [name, tool])
  }

  /// Replaces the rules of the last import, as part of the draft if there is one.
  ///
  /// - Parameter draft: The revision of the draft that the caller has seen, 0 for no draft.
  /// - Throws: ``RuleSetConflict`` if the last import is not the one from which the rules were made.
  func set(_ record: ImportRecord, of name: String, draft: Int) throws {
    try pool.change { try Self.set(record, of: name, draft: draft, $0) }
  }

  /// Does the same as ``set(_:of:draft:)`` in a transaction that has begun.
  static func set(_ record: ImportRecord, of name: String, draft: Int, _ database: Database) throws {
    guard sameText(try rules(of: name, from: record.tool, database), record.before) else {
      throw RuleSetConflict.stale(current: draft)
    }
    let hasDraft =
      try Int.fetchOne(database, sql: "SELECT 1 FROM rule_set_drafts WHERE rule_set = ?", arguments: [name]) != nil
    let column = hasDraft ? "draft_rules" : "rules"
    try database.execute(
      sql: """
        INSERT INTO rule_set_imports (rule_set, tool, \(column), at) VALUES (?, ?, ?, ?)
        ON CONFLICT (rule_set, tool) DO UPDATE SET \(column) = excluded.\(column), at = excluded.at
        """, arguments: [name, record.tool, record.rules, Date().timeIntervalSince1970])
  }

  /// Makes the imports into the draft the last imports, when the draft is published.
  static func publish(_ name: String, _ database: Database) throws {
    try database.execute(
      sql: "UPDATE rule_set_imports SET rules = coalesce(draft_rules, rules) WHERE rule_set = ?", arguments: [name])
    try discard(name, database)
  }

  /// Forgets the imports into the draft.
  static func discard(_ name: String, _ database: Database) throws {
    try database.execute(
      sql: "UPDATE rule_set_imports SET draft_rules = NULL WHERE rule_set = ?", arguments: [name])
  }

  static func delete(_ name: String, _ database: Database) throws {
    try database.execute(sql: "DELETE FROM rule_set_imports WHERE rule_set = ?", arguments: [name])
  }
}
