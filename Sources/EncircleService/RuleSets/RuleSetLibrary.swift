import EncircleEvents
import EncircleRuleFiles
import EncircleRules
import EncircleText
import Synchronization

/// A rule set as it is in force.
struct PublishedRuleSet: Sendable {
  let name: String
  /// Counts from 1; 0 before anything was published.
  let version: Int
  /// The file: YAML or JSON.
  let text: String
  let ruleSet: RuleSet
  let matcher: Matcher
}

/// The published rule sets, with their history and drafts.
///
/// Published versions stay compiled in memory, and reading them takes a lock. Everything else is read from disk on demand.
final class RuleSetLibrary: Sendable {
  /// The text of a rule set that nothing has been published in.
  static let emptyText = "version: 1\nrules: []\n"

  private struct State {
    /// By name; what cannot be read any more has no matcher.
    var published: [UTF8String: Result<PublishedRuleSet, ServiceError>] = [:]
    /// Files as plain data, by rule set and by version or revision.
    var documents: [String: RuleFileDocument] = [:]
  }

  private static let keptDocuments = 16
  /// Held while a rule set is changed on disk and then in memory, so that both have the changes in one order.
  private let changing = Mutex(())
  private let store: RuleSetStore
  private let state = Mutex(State())

  /// Reads and compiles all rule sets that are in force.
  ///
  /// One that cannot be read, as it may be after a change to an older program, does not keep the others from use.
  init(store: Store) throws {
    self.store = RuleSetStore(store)
    for record in try self.store.all() {
      let compiled = Result<PublishedRuleSet, any Error> { try load(record) }
      state.withLock { state in
        state.published[UTF8String(record.name)] = compiled.mapError { error in
          .unavailable(
            "Version \(record.version) of the rule set '\(record.name)' cannot be read: \(Self.summary(of: error))",
            code: "unreadable-rules")
        }
      }
    }
  }

  // MARK: - Reading

  /// The rule set that is in force; nil if the name is unknown.
  ///
  /// - Throws: ``ServiceError`` with 503 if the rules on disk cannot be read.
  func published(_ name: String) throws -> PublishedRuleSet? {
    try state.withLock { $0.published[UTF8String(name)] }?.get()
  }

  /// The names of the rule sets that are in force and can be read, in byte order.
  var readableNames: [String] {
    state.withLock { state in
      state.published.filter { (try? $0.value.get()) != nil }.keys.sorted().map(\.text)
    }
  }

  /// Whether nothing has ever been published here.
  func isNew() throws -> Bool { try store.isNew() }

  /// All rule sets, by name.
  func all() throws -> [RuleSetRecord] { try store.all() }

  /// What is known of a rule set.
  func record(_ name: String) throws -> RuleSetRecord {
    guard let record = try store.record(name) else { throw Self.unknown(name) }
    return record
  }

  /// The text of a version; nil if the version does not exist.
  func text(of name: String, version: Int) throws -> String? {
    if version == 0, try store.record(name)?.version == 0 { return Self.emptyText }
    return try store.text(of: name, version: version)
  }

  /// The text of the draft; nil if there is none.
  func draft(of name: String) throws -> String? { try store.draft(of: name)?.text }

  /// The draft with its text.
  func fullDraft(of name: String) throws -> (draft: RuleSetDraft, text: String) {
    guard let draft = try store.draft(of: name) else {
      _ = try record(name)
      throw Self.noDraft(name)
    }
    return draft
  }

  func history(of name: String, offset: Int, limit: Int) throws -> (versions: [RuleSetVersion], total: Int) {
    try Self.explaining(name) { try store.history(of: name, offset: offset, limit: limit) }
  }

  /// The file in force, or the draft, as plain data; it is kept for the next time.
  func document(of name: String, draft: Bool) throws -> RuleFileDocument {
    let text: String
    let key: String
    if draft {
      let found = try fullDraft(of: name)
      (text, key) = (found.text, "\(name) draft \(found.draft.revision)")
    } else {
      guard let found = try published(name) else { throw Self.unknown(name) }
      (text, key) = (found.text, "\(name) version \(found.version)")
    }
    if let known = state.withLock({ $0.documents[key] }) { return known }
    do throws(RuleFileErrors) {
      let document = try RuleFileDocument(text, name: Self.fileName(name))
      state.withLock { state in
        if state.documents.count >= Self.keptDocuments { state.documents.removeAll() }
        state.documents[key] = document
      }
      return document
    } catch {
      throw ServiceError(error)
    }
  }

  // MARK: - Changing

  /// Publishes a whole file.
  ///
  /// - Throws: ``ServiceError``: 422 with all errors of broken rules, 412 where another version is in force.
  func publish(
    _ text: String, to name: String, fileName: String? = nil, _ publication: RuleSetPublication
  ) throws -> PublishedRuleSet {
    let fileName = fileName ?? Self.fileName(name)
    let ruleSet: RuleSet
    let rules: [UTF8String: EventObject]
    do throws(RuleFileErrors) {
      ruleSet = try RuleFiles(text: text, name: fileName).ruleSet()
      rules = try RuleFileDocument(text, name: fileName).rulesByID
    } catch {
      throw ServiceError(error)
    }
    let matcher = Matcher(ruleSet)
    let before = (try? document(of: name, draft: false).rulesByID) ?? [:]
    let new = NewRuleSetVersion(
      text: text, rules: ruleSet.rules.count, change: Self.change(from: before, to: rules))
    return try changing.withLock { _ in
      let version = try Self.explaining(name) { try store.publish(new, to: name, publication) }
      let published = PublishedRuleSet(name: name, version: version, text: text, ruleSet: ruleSet, matcher: matcher)
      state.withLock { $0.published[UTF8String(name)] = .success(published) }
      return published
    }
  }

  /// Publishes a draft.
  func publishDraft(of name: String, _ wanted: PublishRequest, by: String) throws -> PublishedRuleSet {
    let (draft, text) = try fullDraft(of: name)
    let publication = RuleSetPublication(by: by, reason: wanted.reason)
    return try publish(draft, text, of: name, wanted, publication)
  }

  /// Publishes a draft that another person has submitted.
  ///
  /// - Parameter makers: Who made the approver's token, and the tokens that it was made with.
  func approveDraft(
    of name: String, _ wanted: PublishRequest, by approver: String, makers: [String]
  ) throws -> PublishedRuleSet {
    let (draft, text) = try fullDraft(of: name)
    guard let submission = draft.submission else { throw Self.notSubmitted(name) }
    guard !submission.by.utf8.elementsEqual(approver.utf8) else {
      throw ServiceError(
        .forbidden, code: "same-person", message: "Another person than '\(approver)' must approve this draft.")
    }
    guard !makers.contains(where: { $0.utf8.elementsEqual(submission.by.utf8) }) else {
      throw ServiceError(
        .forbidden, code: "same-person",
        message: "'\(submission.by)' has submitted this draft, and made the token '\(approver)'.")
    }
    let publication = RuleSetPublication(
      by: submission.by, approvedBy: approver, reason: wanted.reason.isEmpty ? submission.reason : wanted.reason,
      action: "ruleset.approve")
    return try publish(draft, text, of: name, wanted, publication)
  }

  private func publish(
    _ draft: RuleSetDraft, _ text: String, of name: String, _ wanted: PublishRequest, _ publication: RuleSetPublication
  ) throws -> PublishedRuleSet {
    if let revision = wanted.revision, revision != draft.revision { throw Self.stale("draft", draft.revision) }
    let current = try record(name).version
    guard (wanted.version ?? draft.base) == current else {
      throw ServiceError.conflict(
        "The draft was made from version \(draft.base), and version \(current) is in force. "
          + "See what differs, and then name the version to replace in 'version'.", code: "outdated-draft")
    }
    var publication = publication
    (publication.replaces, publication.draft) = ([current], draft.revision)
    publication.detail = "from draft \(draft.revision)"
    return try publish(text, to: name, publication)
  }

  /// Asks for a second person's approval of the draft, which must be without errors.
  func submitDraft(of name: String, by: String, reason: String) throws -> RuleSetDraft {
    let (draft, text) = try fullDraft(of: name)
    if let errors = Self.errors(in: text, name) { throw ServiceError(errors) }
    try Self.explaining(name) {
      try store.submitDraft(of: name, revision: draft.revision, reason: reason, by: by)
    }
    return draft
  }

  func rejectDraft(of name: String, by: String, reason: String) throws {
    try Self.explaining(name) { try store.rejectDraft(of: name, reason: reason, by: by) }
  }

  /// Publishes the text of an earlier version again.
  func rollBack(_ name: String, to version: Int, by: String, reason: String) throws -> PublishedRuleSet {
    guard version > 0, let text = try store.text(of: name, version: version) else {
      _ = try record(name)
      throw ServiceError.notFound("The rule set '\(name)' has no version \(version).")
    }
    return try publish(
      text, to: name,
      RuleSetPublication(
        by: by, reason: reason, action: "ruleset.rollback", detail: "the text of version \(version)"))
  }

  func setDraft(of name: String, to text: String, expecting expected: Set<Int>?, by: String) throws -> Int {
    try Self.explaining(name, what: "draft") {
      try store.setDraft(of: name, to: text, expecting: expected, by: by)
    }
  }

  func removeDraft(of name: String, expecting expected: Set<Int>?, by: String) throws {
    try Self.explaining(name, what: "draft") { try store.removeDraft(of: name, expecting: expected, by: by) }
  }

  func remove(_ name: String, expecting expected: Set<Int>?, by: String) throws {
    try changing.withLock { _ in
      try Self.explaining(name) { try store.remove(name, expecting: expected, by: by) }
      state.withLock { _ = $0.published.removeValue(forKey: UTF8String(name)) }
    }
  }

  // MARK: - Compiling

  private func load(_ record: RuleSetRecord) throws -> PublishedRuleSet {
    let text = try text(of: record.name, version: record.version) ?? Self.emptyText
    let ruleSet = try RuleFiles(text: text, name: Self.fileName(record.name)).ruleSet()
    return PublishedRuleSet(
      name: record.name, version: record.version, text: text, ruleSet: ruleSet, matcher: Matcher(ruleSet))
  }

  /// What is wrong with a text; nil when it can be published.
  static func errors(in text: String, _ name: String) -> RuleFileErrors? {
    do throws(RuleFileErrors) {
      _ = try RuleFiles(text: text, name: fileName(name)).ruleSet()
      return nil
    } catch {
      return error
    }
  }

  /// The file name that errors have.
  static func fileName(_ name: String) -> String { "\(name).yaml" }

  private static func change(
    from old: [UTF8String: EventObject], to new: [UTF8String: EventObject]
  ) -> RuleSetVersion.Change {
    RuleSetVersion.Change(
      added: new.keys.count { old[$0] == nil }, removed: old.keys.count { new[$0] == nil },
      changed: new.count { id, rule in old[id].map { $0 != rule } ?? false })
  }

  private static func summary(of error: any Error) -> String {
    guard let errors = error as? RuleFileErrors, let first = errors.diagnostics.first else { return "\(error)" }
    return first.messageWithSuggestion
  }
}
