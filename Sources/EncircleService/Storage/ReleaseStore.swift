import EncircleText
import Foundation
import GRDB

/// The owner, reviewer and acceptance of a release of the tracking plan.
struct ReleaseRecord: Sendable {
  /// An event that was accepted on a platform. The platform is empty if the plan does not name one for the event.
  struct Item: Hashable, Codable, Sendable {
    let event: String
    let platform: String

    // Strings that are equal in Swift may differ in their bytes.
    static func == (a: Item, b: Item) -> Bool {
      a.event.hasSameBytes(as: b.event) && a.platform.hasSameBytes(as: b.platform)
    }
  }

  /// The acceptance of a release by a person.
  struct Acceptance: Sendable {
    let items: [Item]
    let at: Date
    let by: String
  }

  var owner: String?
  var reviewer: String?
  var acceptance: Acceptance?
}

/// The releases of plans on disk. Every change is one transaction, with its entry in the audit log.
struct ReleaseStore: Sendable {
  private let pool: DatabasePool

  init(_ store: Store) { pool = store.library }

  /// Returns the releases of a rule set that have a record, by version.
  func releases(of name: String) throws -> [String: ReleaseRecord] {
    try pool.read { database in try Self.releases(of: name, database) }
  }

  private static func releases(of name: String, _ database: Database) throws -> [String: ReleaseRecord] {
    let rows = try Row.fetchAll(
      database,
      sql: """
        SELECT version, owner, reviewer, accepted, accepted_at, accepted_by FROM rule_set_releases WHERE rule_set = ?
        """, arguments: [name])
    var found: [String: ReleaseRecord] = [:]
    for row in rows {
      var record = ReleaseRecord(owner: row[1], reviewer: row[2])
      if let json = row[3] as String? {
        record.acceptance = .init(
          items: try JSONColumn.value(json), at: Date(timeIntervalSince1970: row[4]), by: row[5])
      }
      found[row[0]] = record
    }
    return found
  }

  /// Returns a version as the records write it, because `5.2` is the same as `5.2.0`; nil if it has no record.
  static func version(_ version: String, among known: some Sequence<String>) -> String? {
    let wanted = VersionNumber(version)
    return known.first { $0.hasSameBytes(as: version) || VersionNumber($0) == wanted }
  }

  /// Sets the owner of a release, and the reviewer who must accept it.
  ///
  /// - Parameter check: Throws if the release must not be changed from its record, which is nil if it has none.
  /// - Throws: ``RuleSetConflict`` for an unknown rule set.
  func set(
    owner: String?, reviewer: String?, of version: String, in name: String, by: String,
    check: (ReleaseRecord?) throws -> Void
  ) throws {
    try change(name, version, "plan.release", by: by) { database, version in
      try check(try Self.releases(of: name, database)[version])
      try database.execute(
        sql: """
          INSERT INTO rule_set_releases (rule_set, version, owner, reviewer) VALUES (?, ?, ?, ?)
          ON CONFLICT DO UPDATE SET owner = excluded.owner, reviewer = excluded.reviewer
          """, arguments: [name, version, owner, reviewer])
    }
  }

  /// Adds items to the accepted ones of a release.
  ///
  /// - Parameter wanted: All items of the release. Earlier ones that are no longer among them are dropped.
  func accept(
    _ new: Set<ReleaseRecord.Item>, among wanted: Set<ReleaseRecord.Item>, of version: String, in name: String,
    by: String
  ) throws {
    try change(name, version, "plan.accept", by: by) { database, version in
      let known = try String.fetchOne(
        database, sql: "SELECT accepted FROM rule_set_releases WHERE rule_set = ? AND version = ?",
        arguments: [name, version])
      let earlier: [ReleaseRecord.Item] = try known.map { try JSONColumn.value($0) } ?? []
      let items = new.union(earlier).intersection(wanted)
        .sorted { (UTF8String($0.event), $0.platform) < (UTF8String($1.event), $1.platform) }
      try database.execute(
        sql: """
          INSERT INTO rule_set_releases (rule_set, version, accepted, accepted_at, accepted_by) VALUES (?, ?, ?, ?, ?)
          ON CONFLICT DO UPDATE SET accepted = excluded.accepted, accepted_at = excluded.accepted_at,
            accepted_by = excluded.accepted_by
          """, arguments: [name, version, try JSONColumn.text(of: items), Date().timeIntervalSince1970, by])
    }
  }

  /// Withdraws the acceptance of a release.
  ///
  /// - Throws: ``RuleSetConflict`` if nobody has accepted it.
  func unaccept(_ version: String, in name: String, by: String) throws {
    try change(name, version, "plan.unaccept", by: by) { database, version in
      try database.execute(
        sql: """
          UPDATE rule_set_releases SET accepted = NULL, accepted_at = NULL, accepted_by = NULL
          WHERE rule_set = ? AND version = ? AND accepted IS NOT NULL
          """, arguments: [name, version])
      guard database.changesCount > 0 else { throw RuleSetConflict.notAccepted }
    }
  }

  /// Calls `body` in a transaction with the version as its record writes it.
  private func change(
    _ name: String, _ version: String, _ action: String, by: String,
    _ body: (Database, _ version: String) throws -> Void
  ) throws {
    try pool.change { database in
      guard try RuleSetStore.currentVersion(of: name, database) != nil else { throw RuleSetConflict.unknown }
      let known = try String.fetchAll(
        database, sql: "SELECT version FROM rule_set_releases WHERE rule_set = ?", arguments: [name])
      let version = Self.version(version, among: known) ?? version
      try body(database, version)
      try AuditStore.record(action, of: "rulesets/\(name)", by: by, detail: "release \(version)", in: database)
    }
  }

  static func delete(_ name: String, _ database: Database) throws {
    try database.execute(sql: "DELETE FROM rule_set_releases WHERE rule_set = ?", arguments: [name])
  }
}
