import EncircleText
import Foundation
import GRDB

/// Rule sets on disk. Every change is one transaction, with its entry in the audit log. When a function returns, its change has
/// been synchronised to the disk.
struct RuleSetStore: Sendable {
  private let pool: DatabasePool

  init(_ store: Store) { pool = store.library }

  // MARK: - Reading

  /// Returns whether nothing was ever published.
  func isNew() throws -> Bool {
    try pool.read { try Int.fetchOne($0, sql: "SELECT 1 FROM rule_set_versions LIMIT 1") == nil }
  }

  /// Returns all rule sets, in the order of their names.
  func all() throws -> [RuleSetRecord] {
    try pool.read { database in
      try String.fetchAll(database, sql: "SELECT name FROM rule_sets WHERE version IS NOT NULL ORDER BY name")
        .compactMap { try Self.record($0, database) }
    }
  }

  /// Returns a rule set; nil if the name is unknown.
  func record(_ name: String) throws -> RuleSetRecord? {
    try pool.read { try Self.record(name, $0) }
  }

  /// Returns the text of a version; nil if the version does not exist, or if the rule set has been removed.
  func text(of name: String, version: Int) throws -> String? {
    try pool.read { database in
      try String.fetchOne(
        database,
        sql: """
          SELECT text FROM rule_set_versions JOIN rule_sets ON name = rule_set
          WHERE rule_set = ? AND rule_set_versions.version = ? AND rule_sets.version IS NOT NULL
          """, arguments: [name, version])
    }
  }

  /// Returns the version that was in force at a time; nil if there was none.
  func version(of name: String, at time: Date) throws -> Int? {
    try pool.read { database in
      try Int.fetchOne(
        database,
        sql: "SELECT version FROM rule_set_versions WHERE rule_set = ? AND at <= ? ORDER BY version DESC LIMIT 1",
        arguments: [name, time.timeIntervalSince1970])
    }
  }

  /// Returns versions, newest first, and the number of all versions.
  func history(of name: String, offset: Int, limit: Int) throws -> (versions: [RuleSetVersion], total: Int) {
    try pool.read { database in
      guard try Self.currentVersion(of: name, database) != nil else { throw RuleSetConflict.unknown }
      let rows = try Row.fetchAll(
        database,
        sql: """
          SELECT version, at, by, approved_by, reason, rules, added, removed, changed FROM rule_set_versions
          WHERE rule_set = ? ORDER BY version DESC LIMIT ? OFFSET ?
          """, arguments: [name, limit, offset])
      let total = try Int.fetchOne(
        database, sql: "SELECT count(*) FROM rule_set_versions WHERE rule_set = ?", arguments: [name])
      return (rows.map { RuleSetVersion($0) }, total ?? 0)
    }
  }

  /// Returns the draft with its text; nil if there is none.
  func draft(of name: String) throws -> (draft: RuleSetDraft, text: String)? {
    try pool.read { try Self.draft(of: name, $0) }
  }

  // MARK: - Publishing

  /// Makes a text the version in force.
  ///
  /// - Returns: The rule set with this version.
  /// - Throws: ``RuleSetConflict`` if the version or the draft is another one.
  func publish(_ new: NewRuleSetVersion, to name: String, _ publication: RuleSetPublication) throws -> RuleSetRecord {
    try pool.change { database in
      let current = try Self.currentVersion(of: name, database)
      if let replaces = publication.replaces, !replaces.contains(current ?? 0) {
        throw RuleSetConflict.stale(current: current ?? 0)
      }
      if let draft = publication.draft {
        let found = try Self.draft(of: name, database)?.draft.revision
        guard found == draft else { throw RuleSetConflict.stale(current: found ?? 0) }
        try ImportStore.publish(name, database)
        if publication.left == nil { try Self.deleteDraft(of: name, database) }
      }
      try database.execute(
        sql: """
          INSERT INTO rule_sets (name, version, versions) VALUES (?, 1, 1)
          ON CONFLICT (name) DO UPDATE SET versions = versions + 1, version = versions + 1
          """, arguments: [name])
      guard let version = try Self.currentVersion(of: name, database) else { throw RuleSetConflict.unknown }
      if let left = publication.left { try Self.rebaseDraft(of: name, on: version, left, database) }
      try database.execute(
        sql: """
          INSERT INTO rule_set_versions
            (rule_set, version, text, at, by, approved_by, reason, rules, added, removed, changed)
          VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)
          """,
        arguments: [
          name, version, new.text, Date().timeIntervalSince1970, publication.by, publication.approvedBy,
          publication.reason, new.rules, new.change.added, new.change.removed, new.change.changed,
        ])
      let detail = publication.detail
      try AuditStore.record(
        publication.action, of: "rulesets/\(name)", by: publication.approvedBy ?? publication.by,
        detail: "version \(version)" + (detail.isEmpty ? "" : ", \(detail)"), in: database)
      guard let record = try Self.record(name, database) else { throw RuleSetConflict.unknown }
      return record
    }
  }

  /// Removes a rule set with its draft, its plan and its imports; its versions stay on disk.
  func remove(_ name: String, expecting expected: Set<Int>?, by: String) throws {
    try pool.change { database in
      guard let current = try Self.currentVersion(of: name, database) else { throw RuleSetConflict.unknown }
      if let expected, !expected.contains(current) { throw RuleSetConflict.stale(current: current) }
      try Self.deleteDraft(of: name, database)
      try PlanStore.delete(name, database)
      try ReleaseStore.delete(name, database)
      try SetAsideStore.delete(name, database)
      try ImportStore.delete(name, database)
      try database.execute(sql: "UPDATE rule_sets SET version = NULL WHERE name = ?", arguments: [name])
      try AuditStore.record("ruleset.remove", of: "rulesets/\(name)", by: by, detail: "", in: database)
    }
  }

  // MARK: - Drafts

  /// Replaces the draft, or creates one. If the old draft was submitted for approval, the submission becomes void.
  ///
  /// - Parameters:
  ///   - expected: The revision to replace, 0 for no draft.
  ///   - also: A further change in the same transaction.
  /// - Returns: The new revision.
  func setDraft(
    of name: String, to new: NewDraft, expecting expected: Int, by: String, also: StoreChange = { _ in }
  ) throws -> Int {
    try pool.change { database in
      guard let current = try Self.currentVersion(of: name, database) else { throw RuleSetConflict.unknown }
      let old = try Self.draft(of: name, database)?.draft
      let found = old?.revision ?? 0
      guard found == expected, (old?.base ?? current) == new.base else { throw RuleSetConflict.stale(current: found) }
      let revision = try Self.nextRevision(of: name, database)
      try database.execute(
        sql: """
          INSERT OR REPLACE INTO rule_set_drafts (rule_set, revision, text, base, at, by) VALUES (?, ?, ?, ?, ?, ?)
          """,
        arguments: [name, revision, new.text, new.base, Date().timeIntervalSince1970, by])
      if let changes = new.changes { try Self.setChanges(of: name, to: changes, by: by, database) }
      if let record = new.importRecord { try ImportStore.set(record, of: name, draft: found, database) }
      try AuditStore.record(
        "draft.change", of: "rulesets/\(name)", by: by, detail: "revision \(revision)", in: database)
      try also(database)
      return revision
    }
  }

  /// Removes the draft.
  ///
  /// - Parameter expected: The revisions that may be removed; nil for any.
  func removeDraft(of name: String, expecting expected: Set<Int>?, by: String) throws {
    try pool.change { database in
      guard try Self.currentVersion(of: name, database) != nil else { throw RuleSetConflict.unknown }
      guard let old = try Self.draft(of: name, database)?.draft else { throw RuleSetConflict.noDraft }
      if let expected, !expected.contains(old.revision) { throw RuleSetConflict.stale(current: old.revision) }
      try Self.deleteDraft(of: name, database)
      try ImportStore.discard(name, database)
      try AuditStore.record(
        "draft.remove", of: "rulesets/\(name)", by: by, detail: "revision \(old.revision)", in: database)
    }
  }

  /// Returns the changes of the draft with their authors.
  func draftChanges(of name: String) throws -> [DraftChangeRecord] {
    try pool.read { try Self.changes(of: name, $0) }
  }

  /// Requests a second person's approval of a draft, or of the person's own changes in it.
  ///
  /// If this replaces a request for other changes, the draft gets a new revision, so that the approval of those does not count
  /// for these.
  ///
  /// - Returns: The revision of the draft.
  func submitDraft(of name: String, revision: Int, own: Bool, reason: String, by: String) throws -> Int {
    try pool.change { database in
      guard let old = try Self.draft(of: name, database)?.draft else { throw RuleSetConflict.noDraft }
      guard old.revision == revision else { throw RuleSetConflict.stale(current: old.revision) }
      let replacesOther = old.submission.map { $0.own != own || own && !$0.by.hasSameBytes(as: by) } ?? false
      let current = try replacesOther ? Self.nextRevision(of: name, database) : revision
      try database.execute(
        sql: """
          UPDATE rule_set_drafts
          SET revision = ?, submitted_by = ?, submitted_at = ?, submitted_reason = ?, submitted_own = ?
          WHERE rule_set = ?
          """, arguments: [current, by, Date().timeIntervalSince1970, reason, own, name])
      try AuditStore.record(
        "draft.submit", of: "rulesets/\(name)", by: by, detail: "revision \(current)", in: database)
      return current
    }
  }

  /// Withdraws the request for approval; the draft stays.
  ///
  /// After a request for a person's own changes, the draft gets a new revision, so that the approval of these does not count for
  /// the next request.
  func rejectDraft(of name: String, revision: Int, reason: String, by: String) throws {
    try pool.change { database in
      guard try Self.currentVersion(of: name, database) != nil else { throw RuleSetConflict.unknown }
      guard let old = try Self.draft(of: name, database)?.draft else { throw RuleSetConflict.noDraft }
      guard old.revision == revision else { throw RuleSetConflict.stale(current: old.revision) }
      guard let submission = old.submission else { throw RuleSetConflict.notSubmitted }
      let current = try submission.own ? Self.nextRevision(of: name, database) : revision
      try database.execute(
        sql: """
          UPDATE rule_set_drafts
          SET revision = ?, submitted_by = NULL, submitted_at = NULL, submitted_reason = NULL, submitted_own = 0
          WHERE rule_set = ?
          """, arguments: [current, name])
      try AuditStore.record("draft.reject", of: "rulesets/\(name)", by: by, detail: reason, in: database)
    }
  }

  /// Returns the next number of a draft or plan of a rule set, so that no ETag ever stands for two texts.
  static func nextRevision(of name: String, _ database: Database) throws -> Int {
    try database.execute(sql: "UPDATE rule_sets SET revisions = revisions + 1 WHERE name = ?", arguments: [name])
    let revision = try Int.fetchOne(database, sql: "SELECT revisions FROM rule_sets WHERE name = ?", arguments: [name])
    guard let revision else { throw RuleSetConflict.unknown }
    return revision
  }

  private static func deleteDraft(of name: String, _ database: Database) throws {
    try database.execute(sql: "DELETE FROM rule_set_drafts WHERE rule_set = ?", arguments: [name])
    try database.execute(sql: "DELETE FROM rule_set_draft_changes WHERE rule_set = ?", arguments: [name])
  }

  /// Reduces a draft to its remaining changes after a new version has taken over the rest.
  private static func rebaseDraft(
    of name: String, on version: Int, _ changes: [UTF8String: String], _ database: Database
  ) throws {
    try database.execute(
      sql: """
        UPDATE rule_set_drafts
        SET revision = ?, base = ?, submitted_by = NULL, submitted_at = NULL, submitted_reason = NULL, submitted_own = 0
        WHERE rule_set = ?
        """, arguments: [try nextRevision(of: name, database), version, name])
    try setChanges(of: name, to: changes, by: nil, database)
  }

  /// Records the author of each change: the same person as before if the rule has not changed since, otherwise the caller.
  ///
  /// - Parameter by: The caller; nil if the text is unchanged.
  private static func setChanges(
    of name: String, to changes: [UTF8String: String], by: String?, _ database: Database
  ) throws {
    let known = Dictionary(try Self.changes(of: name, database).map { ($0.rule, $0) }) { first, _ in first }
    try database.execute(sql: "DELETE FROM rule_set_draft_changes WHERE rule_set = ?", arguments: [name])
    let insertion = try database.makeStatement(
      sql: "INSERT INTO rule_set_draft_changes (rule_set, rule, digest, at, by) VALUES (?, ?, ?, ?, ?)")
    let now = Date()
    for (rule, digest) in changes {
      let kept = known[rule].flatMap { by == nil || $0.digest == digest ? $0 : nil }
      try insertion.execute(
        arguments: [name, rule.text, digest, (kept?.at ?? now).timeIntervalSince1970, kept?.by ?? by ?? ""])
    }
  }

  // MARK: - Rows

  private static func changes(of name: String, _ database: Database) throws -> [DraftChangeRecord] {
    try Row.fetchAll(
      database, sql: "SELECT * FROM rule_set_draft_changes WHERE rule_set = ? ORDER BY rule", arguments: [name]
    ).map { DraftChangeRecord($0) }
  }

  /// Returns the version in force; nil if the rule set does not exist, or was removed.
  static func currentVersion(of name: String, _ database: Database) throws -> Int? {
    try Int.fetchOne(
      database, sql: "SELECT version FROM rule_sets WHERE name = ? AND version IS NOT NULL", arguments: [name])
  }

  private static func record(_ name: String, _ database: Database) throws -> RuleSetRecord? {
    guard let version = try currentVersion(of: name, database) else { return nil }
    let row = try Row.fetchOne(
      database,
      sql: """
        SELECT version, at, by, approved_by, reason, rules, added, removed, changed FROM rule_set_versions
        WHERE rule_set = ? AND version = ?
        """, arguments: [name, version])
    let draft = try Row.fetchOne(
      database,
      sql: """
        SELECT revision, base, at, by, submitted_by, submitted_at, submitted_reason, submitted_own FROM rule_set_drafts
        WHERE rule_set = ?
        """, arguments: [name])
    return RuleSetRecord(
      name: name, version: version, published: row.map { RuleSetVersion($0) }, draft: draft.map { RuleSetDraft($0) })
  }

  private static func draft(of name: String, _ database: Database) throws -> (draft: RuleSetDraft, text: String)? {
    let row = try Row.fetchOne(
      database, sql: "SELECT * FROM rule_set_drafts WHERE rule_set = ?", arguments: [name])
    return row.map { (RuleSetDraft($0), $0["text"]) }
  }
}
