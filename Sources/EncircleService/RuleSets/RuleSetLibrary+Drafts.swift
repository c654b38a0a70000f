import EncircleEvents
import EncircleRuleFiles
import EncircleText

/// Drafts: their text, its changes and their authors, and publishing.
extension RuleSetLibrary {
  /// The number of attempts at a change, because another person's change may come first.
  private static let maximumTries = 8

  /// Returns the text of the draft; nil if there is none.
  func draft(of name: String) throws -> String? { try store.draft(of: name)?.text }

  /// Returns the draft with its text.
  func fullDraft(of name: String) throws -> (draft: RuleSetDraft, text: String) {
    guard let draft = try store.draft(of: name) else {
      _ = try record(name)
      throw Self.noDraft(name)
    }
    return draft
  }

  // MARK: - Changing

  /// Changes the draft, or creates one from the text in force. If the text does not change, the draft keeps its revision.
  ///
  /// - Parameters:
  ///   - expected: The revisions that may be changed, 0 for no draft; nil for any.
  ///   - versions: The ETags of the versions from which a new draft may be made, if `expected` names no revision.
  ///   - always: True if the draft gets a new revision even if its text does not change.
  ///   - importRecord: Returns the import by which `edit` has made the new text; nil for none.
  ///   - also: A further change in the same transaction, which is not made if the text does not change.
  ///   - edit: Returns the new text. It is called again if another person has since changed the draft, or imported into it.
  /// - Returns: The new text, and the revision of the draft; 0 if there still is no draft.
  func changeDraft(
    of name: String, expecting expected: Set<Int>?, from versions: TagPrecondition? = nil, by: String,
    always: Bool = false, importRecord: () -> ImportRecord? = { nil }, also: StoreChange = { _ in },
    _ edit: (_ text: String) throws -> String
  ) throws -> (text: String, revision: Int) {
    for attempt in 1...Self.maximumTries {
      let known = try store.draft(of: name)
      let revision = known?.draft.revision ?? 0
      let base = try known?.draft.base ?? record(name).version
      let before = try baseText(of: name, version: base)
      if let expected, !expected.contains(revision) {
        guard known == nil, expected.isEmpty, let versions else { throw Self.stale("draft", revision) }
        guard versions.allows(VersionTag(base, of: before).text) else { throw Self.stale("version", base) }
      }
      let old = known?.text ?? before
      let text = try edit(old)
      do {
        if text.hasSameBytes(as: old), !always {
          if let record = importRecord() { try imports.set(record, of: name, draft: revision) }
          return (text, revision)
        }
        let new = NewDraft(
          text: text, base: base, changes: digests(of: text, since: before, name), importRecord: importRecord())
        try Self.check(ids: (new.changes ?? [:]).keys)
        return (text, try store.setDraft(of: name, to: new, expecting: revision, by: by, also: also))
      } catch RuleSetConflict.stale(let current) {
        if attempt == Self.maximumTries || !(expected?.contains(current) ?? true) { throw Self.stale("draft", current) }
      } catch let conflict as RuleSetConflict {
        try Self.explaining(name, what: "draft") { throw conflict }
      }
    }
    throw Self.stale("draft", 0)
  }

  func removeDraft(of name: String, expecting expected: Set<Int>?, by: String) throws {
    try Self.explaining(name, what: "draft") { try store.removeDraft(of: name, expecting: expected, by: by) }
  }

  // MARK: - Changes

  /// The changes of a draft relative to its base version, with their authors.
  struct Changes {
    struct Change {
      /// The id of the rule; nil for anything outside rules: comments, the order, and keys of the file.
      var rule: UTF8String?
      /// The kind of change; nil outside rules.
      var kind: RuleTransfer.Change?
      /// The author of the change; in a draft from an earlier version of the service, the last person who changed the draft.
      var record: DraftChangeRecord?
    }

    var draft: RuleSetDraft
    var now: RuleTransfer.Side
    /// The version from which the draft was made.
    var base: RuleTransfer.Side
    /// The changes of rules in the order of the draft, followed by removed rules.
    var all: [Change]

    func author(_ change: Change) -> String { change.record?.by ?? draft.by }
  }

  /// - Throws: ``ServiceError`` with 422 for a draft that is not a rule file, such as one that is not YAML.
  /// - Complexity: O(bytes of both texts).
  func changes(of name: String) throws -> Changes {
    let (draft, text) = try fullDraft(of: name)
    let base = try baseText(of: name, version: draft.base)
    let records = Dictionary(try store.draftChanges(of: name).map { ($0.rule, $0) }) { first, _ in first }
    return try ServiceError.explaining {
      let base = try side(base, name)
      let now = try RuleTransfer.Side(text, name: Self.fileName(name))
      let kinds = RuleTransfer.changes(from: base.document.rulesByID, to: now.document.rulesByID)
      let ids = now.document.rules.compactMap(\.ruleID)
      var seen: Set<UTF8String> = []
      let order = ids.map { UTF8String($0) } + kinds.keys.sorted()
      var all = order.filter { kinds[$0] != nil && seen.insert($0).inserted }.map {
        Changes.Change(rule: $0, kind: kinds[$0], record: records[$0])
      }
      if Self.rest(of: now, since: base, Set(kinds.keys)) != nil {
        all.append(Changes.Change(rule: nil, kind: nil, record: records[NewDraft.rest]))
      }
      return Changes(draft: draft, now: now, base: base, all: all)
    }
  }

  /// Reverts one change of the draft: the change of a rule, or all changes outside rules. A draft without any changes left is
  /// removed.
  ///
  /// - Parameter rule: The id of the rule; nil for the changes outside rules.
  /// - Returns: The same as ``changeDraft(of:expecting:by:_:)``.
  /// - Throws: ``ServiceError`` with 404 if the draft has no such change.
  func revert(
    _ rule: String?, of name: String, expecting expected: Set<Int>?, by: String
  ) throws -> (text: String, revision: Int) {
    let id = rule.map { UTF8String($0) }
    // The text without any change.
    var base: String?
    let result = try changeDraft(of: name, expecting: expected, by: by) { _ in
      let changes = try changes(of: name)
      guard changes.all.contains(where: { $0.rule == id }) else {
        throw ServiceError.notFound(
          rule.map { "The draft does not change '\($0)'." } ?? "The draft changes nothing but rules.",
          code: "no-such-change")
      }
      let ids = Set(changes.all.compactMap(\.rule))
      let text = try ServiceError.explaining {
        if let id {
          try RuleTransfer.taking([id], from: changes.base, into: changes.now)
        } else {
          try RuleTransfer.taking(ids, from: changes.now, into: changes.base)
        }
      }
      let hasChanges = digests(of: text, since: changes.base.text, name)?.isEmpty != true
      base = hasChanges ? nil : changes.base.text
      return text
    }
    guard let base else { return result }
    do {
      try store.removeDraft(of: name, expecting: [result.revision], by: by)
    } catch RuleSetConflict.stale {
      // Another person has changed the draft since then, so it stays.
      return result
    } catch is RuleSetConflict {
      // Another person has removed the draft since then.
    }
    return (base, 0)
  }

  /// Returns the text from which a draft was made.
  private func baseText(of name: String, version: Int) throws -> String {
    try store.text(of: name, version: version) ?? Self.emptyText
  }

  /// Parses a base of drafts; the last one is cached for the next change.
  private func side(_ text: String, _ name: String) throws -> RuleTransfer.Side {
    if let known = keptBase.withLock({ $0 }), known.text.hasSameBytes(as: text) { return known }
    let side = try RuleTransfer.Side(text, name: Self.fileName(name))
    keptBase.withLock { $0 = side }
    return side
  }

  /// Returns a digest of each part of a text that differs from an earlier text, by the id of the rule; nil if it cannot be parsed.
  private func digests(of text: String, since base: String, _ name: String) -> [UTF8String: String]? {
    guard let base = try? side(base, name), let now = try? RuleTransfer.Side(text, name: Self.fileName(name)) else {
      return nil
    }
    let kinds = RuleTransfer.changes(from: base.document.rulesByID, to: now.document.rulesByID)
    let rules = now.document.rulesByID
    var digests = kinds.keys.reduce(into: [:]) { $0[$1] = rules[$1].map(Self.digest) ?? "" }
    digests[NewDraft.rest] = Self.rest(of: now, since: base, Set(kinds.keys))
    return digests
  }

  /// Returns a digest of a rule, which reveals whether the rule has changed.
  static func digest(_ rule: EventObject) -> String { SHA256Digest(of: EventValue.object(rule).json).id }

  /// Returns a digest of the text outside rules; nil if it is the same as in the earlier text.
  private static func rest(
    of now: RuleTransfer.Side, since base: RuleTransfer.Side, _ rules: Set<UTF8String>
  ) -> String? {
    guard let taken = try? RuleTransfer.takingLines(rules, from: base, into: now) else {
      // If rules are not on separate lines, only the file's keys outside rules count.
      func others(_ side: RuleTransfer.Side) -> EventValue {
        guard case .object(var file) = side.document.value else { return side.document.value }
        file["rules"] = nil
        return .object(file)
      }
      return others(now) == others(base) ? nil : SHA256Digest(of: others(now).json).id
    }
    func plain(_ text: String) -> [UInt8] {
      var bytes = text.utf8.filter { $0 != 0x0D }
      while bytes.last == 0x0A { bytes.removeLast() }
      return bytes
    }
    let bytes = plain(taken)
    return bytes == plain(base.text) ? nil : SHA256Digest(of: bytes).id
  }

  // MARK: - Publishing

  /// The text that comes into force when a draft, or a part of it, is published.
  struct Publishable {
    var draft: RuleSetDraft
    var text: String
    /// The remaining changes of the draft after that; nil if there are none.
    var left: [UTF8String: String]?
  }

  /// Returns the text for publishing the draft, or one person's changes in it.
  ///
  /// - Parameter person: The person; nil for all changes.
  /// - Throws: ``ServiceError`` with 409 if the person has changed nothing.
  func publishable(of name: String, by person: String?) throws -> Publishable {
    guard let person else {
      let (draft, text) = try fullDraft(of: name)
      return Publishable(draft: draft, text: text, left: nil)
    }
    let changes = try changes(of: name)
    func isOwn(_ change: Changes.Change) -> Bool { changes.author(change).hasSameBytes(as: person) }
    let own = changes.all.filter(isOwn)
    guard !own.isEmpty else {
      throw ServiceError.conflict("'\(person)' has changed nothing in this draft.", code: "no-own-changes")
    }
    let others = changes.all.filter { !isOwn($0) }
    if others.isEmpty { return Publishable(draft: changes.draft, text: changes.now.text, left: nil) }
    let text = try ServiceError.explaining {
      if own.contains(where: { $0.rule == nil }) {
        try RuleTransfer.taking(Set(others.compactMap(\.rule)), from: changes.base, into: changes.now)
      } else {
        try RuleTransfer.taking(Set(own.compactMap(\.rule)), from: changes.now, into: changes.base)
      }
    }
    return Publishable(draft: changes.draft, text: text, left: digests(of: changes.now.text, since: text, name) ?? [:])
  }

  /// Publishes a draft, or the caller's changes in it.
  func publishDraft(
    of name: String, _ wanted: PublishRequest, by: String
  ) throws -> (record: RuleSetRecord, tag: VersionTag) {
    let found = try publishable(of: name, by: wanted.own ? by : nil)
    return try publish(found, of: name, wanted, RuleSetPublication(by: by, reason: wanted.reason))
  }

  /// Publishes a draft that another person has submitted.
  ///
  /// - Parameter makers: The makers of the approver's token, and of the tokens with which it was made.
  func approveDraft(
    of name: String, _ wanted: PublishRequest, by approver: String, makers: [String]
  ) throws -> (record: RuleSetRecord, tag: VersionTag) {
    guard let submission = try fullDraft(of: name).draft.submission else { throw Self.notSubmitted(name) }
    guard !submission.by.hasSameBytes(as: approver) else {
      throw ServiceError(
        .forbidden, code: "same-person", message: "Another person than '\(approver)' must approve this draft.")
    }
    // Every token has a maker, so a token without makers was removed after its request had begun. It could belong to the
    // submitter.
    guard !makers.isEmpty else {
      throw ServiceError(
        .forbidden, code: "same-person",
        message: "The token '\(approver)' has been removed, so nobody can say whether it is another person's.")
    }
    guard !makers.contains(where: { $0.hasSameBytes(as: submission.by) }) else {
      throw ServiceError(
        .forbidden, code: "same-person",
        message: "'\(submission.by)' has submitted this draft, and made the token '\(approver)'.")
    }
    let found = try publishable(of: name, by: submission.own ? submission.by : nil)
    guard found.draft.submission == submission else { throw Self.stale("draft", found.draft.revision) }
    let publication = RuleSetPublication(
      by: submission.by, approvedBy: approver, reason: wanted.reason.isEmpty ? submission.reason : wanted.reason,
      action: "ruleset.approve")
    return try publish(found, of: name, wanted, publication)
  }

  private func publish(
    _ found: Publishable, of name: String, _ wanted: PublishRequest, _ publication: RuleSetPublication
  ) throws -> (record: RuleSetRecord, tag: VersionTag) {
    let draft = found.draft
    let current = try record(name).version
    try Self.check(draft, is: wanted.revisions, inPlaceOf: wanted.version ?? draft.base, current)
    var publication = publication
    (publication.replaces, publication.draft, publication.left) = ([current], draft.revision, found.left)
    publication.detail = "from draft \(draft.revision)" + (found.left == nil ? "" : ", own changes")
    return try publish(found.text, to: name, publication)
  }

  /// Refuses a draft other than the reviewed one, or a version in force other than the one that the reviewer saw.
  private static func check(
    _ draft: RuleSetDraft, is revisions: Set<Int>?, inPlaceOf version: Int?, _ current: Int
  ) throws {
    if let revisions, !revisions.contains(draft.revision) { throw stale("draft", draft.revision) }
    if let version, version != current { throw outdated(draft, current) }
  }

  private static func outdated(_ draft: RuleSetDraft, _ current: Int) -> ServiceError {
    .conflict(
      "The draft was made from version \(draft.base), and version \(current) is in force. "
        + "See what differs, and then name the version to replace in 'version'.", code: "outdated-draft")
  }

  /// Requests a second person's approval of the draft, or of the caller's own changes in it, which must have no errors.
  ///
  /// - Returns: The revision of the draft, which is a new one if this replaces a request for other changes.
  func submitDraft(of name: String, _ wanted: PublishRequest, by: String) throws -> Int {
    let found = try publishable(of: name, by: wanted.own ? by : nil)
    try Self.check(found.draft, is: wanted.revisions, inPlaceOf: wanted.version, try record(name).version)
    if let errors = Self.errors(in: found.text, name) { throw ServiceError(errors) }
    return try Self.explaining(name, what: "draft") {
      try store.submitDraft(
        of: name, revision: found.draft.revision, own: wanted.own, reason: wanted.reason, by: by)
    }
  }

  /// Rejects a draft that another person has submitted. The draft stays. It may be rejected even if a newer version is in
  /// force.
  func rejectDraft(of name: String, _ wanted: PublishRequest, by: String) throws {
    let record = try record(name)
    guard let draft = record.draft else { throw Self.noDraft(name) }
    try Self.check(draft, is: wanted.revisions, inPlaceOf: wanted.version, record.version)
    try Self.explaining(name, what: "draft") {
      try store.rejectDraft(of: name, revision: draft.revision, reason: wanted.reason, by: by)
    }
  }
}
