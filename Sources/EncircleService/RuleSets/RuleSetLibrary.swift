import EncircleEvents
import EncircleRuleFiles
import EncircleRules
import EncircleText
import Synchronization

/// A rule set in force.
struct PublishedRuleSet: Sendable {
  let name: String
  /// The version, from 1; 0 before anything was published.
  let version: Int
  /// The text of the file, in YAML or JSON.
  let text: String
  let ruleSet: RuleSet
  let matcher: Matcher
  /// The ETag, which collectors request every second.
  let tag: VersionTag

  init(name: String, version: Int, text: String, ruleSet: RuleSet, matcher: Matcher) {
    self.name = name
    self.version = version
    self.text = text
    self.ruleSet = ruleSet
    self.matcher = matcher
    tag = VersionTag(version, of: text)
  }

  var rules: RuleSetLibrary.NamedRules {
    .init(key: "\(name) version \(version)", text: text, ruleSet: ruleSet)
  }
}

/// The published rule sets, with their history and drafts.
///
/// Published versions stay compiled in memory, and reading them takes a lock. Everything else is read from disk on demand.
final class RuleSetLibrary: Sendable {
  /// The text of a rule set before anything was published.
  static let emptyText = "version: 1\nrules: []\n"

  private struct State {
    /// The published rule sets by name; a rule set that can no longer be read has an error instead.
    var published: [UTF8String: Result<PublishedRuleSet, ServiceError>] = [:]
    /// Parsed files, by rule set and by version or revision.
    var documents: [String: RuleFileDocument] = [:]
    /// The last compiled draft of each rule set.
    var drafts: [UTF8String: CompiledDraft] = [:]
  }

  /// A draft without errors.
  struct CompiledDraft {
    let revision: Int
    let rules: NamedRules
  }

  private static let keptDocuments = 16
  /// Held while a rule set is changed first on disk and then in memory, so that both have the changes in the same order.
  private let changing = Mutex(())
  let store: RuleSetStore
  let imports: ImportStore
  private let state = Mutex(State())
  /// The base of the most recently changed draft.
  let keptBase = Mutex<RuleTransfer.Side?>(nil)
  /// The times at which rules that had an alarm came into force, by the name of their rule set.
  let knownBeginnings = Mutex<[String: KnownBeginnings]>([:])

  /// Reads and compiles all rule sets that are in force.
  ///
  /// If one of them cannot be read, as after a downgrade of the program, the others remain usable.
  init(store: Store) throws {
    self.store = RuleSetStore(store)
    imports = ImportStore(store)
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

  /// Returns the rule set in force; nil if the name is unknown.
  ///
  /// - Throws: ``ServiceError`` with 503 if the rules on disk cannot be read.
  func published(_ name: String) throws -> PublishedRuleSet? {
    try state.withLock { $0.published[UTF8String(name)] }?.get()
  }

  /// Returns the name of the rule set that apps of a project get: the one with the project's name, if there is one, otherwise
  /// `default`.
  func name(forAppsOf project: String) throws -> String {
    try published(project) == nil ? EventLibrary.ruleSet : project
  }

  /// The names of the rule sets that are in force and can be read, in byte order.
  var readableNames: [String] {
    state.withLock { state in
      state.published.filter { (try? $0.value.get()) != nil }.keys.sorted().map(\.text)
    }
  }

  /// Returns whether nothing was ever published here.
  func isNew() throws -> Bool { try store.isNew() }

  /// Returns all rule sets, ordered by name.
  func all() throws -> [RuleSetRecord] { try store.all() }

  /// Returns the record of a rule set.
  func record(_ name: String) throws -> RuleSetRecord {
    guard let record = try store.record(name) else { throw Self.unknown(name) }
    return record
  }

  /// Returns the text of a version; nil if the version does not exist.
  func text(of name: String, version: Int) throws -> String? {
    if version == 0, try store.record(name)?.version == 0 { return Self.emptyText }
    return try store.text(of: name, version: version)
  }

  func history(of name: String, offset: Int, limit: Int) throws -> (versions: [RuleSetVersion], total: Int) {
    try Self.explaining(name) { try store.history(of: name, offset: offset, limit: limit) }
  }

  /// Returns the parsed file in force, or the parsed draft; it is cached.
  func document(of name: String, draft: Bool) throws -> RuleFileDocument {
    if draft {
      let found = try fullDraft(of: name)
      return try document(found.text, of: name, key: "\(name) draft \(found.draft.revision)")
    }
    guard let found = try published(name) else { throw Self.unknown(name) }
    return try document(found.text, of: name, key: found.rules.key)
  }

  /// Returns the parsed file of a version; it is cached.
  func document(of name: String, version: Int) throws -> RuleFileDocument {
    guard let text = try text(of: name, version: version) else { throw Self.unknown(name) }
    return try document(text, of: name, key: "\(name) version \(version)")
  }

  /// Returns a parsed file; it is cached.
  ///
  /// - Parameter key: The rule set's name, with the version or the draft's revision.
  func document(_ text: String, of name: String, key: String) throws -> RuleFileDocument {
    if let known = state.withLock({ $0.documents[key] }) { return known }
    let document = try ServiceError.explaining { try RuleFileDocument(text, name: Self.fileName(name)) }
    state.withLock { state in
      if state.documents.count >= Self.keptDocuments { state.documents.removeAll() }
      state.documents[key] = document
    }
    return document
  }

  /// Rules with their text.
  struct NamedRules {
    /// The rule set's name, with the version or the draft's revision.
    let key: String
    let text: String
    let ruleSet: RuleSet
  }

  /// Returns the rules in force, or the draft's, if the draft exists and has no errors.
  ///
  /// - Throws: ``ServiceError`` with 404 for an unknown rule set.
  func rules(of name: String, draft isDraft: Bool) throws -> NamedRules {
    guard let published = try published(name) else { throw Self.unknown(name) }
    return try (isDraft ? compiledDraft(of: name)?.rules : nil) ?? published.rules
  }

  /// Returns the compiled rules of the draft; nil if it does not exist or has errors. They are cached.
  func compiledDraft(of name: String) throws -> CompiledDraft? {
    guard let (draft, text) = try store.draft(of: name) else { return nil }
    let key = UTF8String(name)
    if let known = state.withLock({ $0.drafts[key] }), known.revision == draft.revision { return known }
    guard let ruleSet = try? RuleFiles(text: text, name: Self.fileName(name)).ruleSet() else { return nil }
    let compiled = CompiledDraft(
      revision: draft.revision,
      rules: NamedRules(key: "\(name) draft \(draft.revision)", text: text, ruleSet: ruleSet))
    state.withLock { $0.drafts[key] = compiled }
    return compiled
  }

  // MARK: - Changing

  /// Publishes a whole file.
  ///
  /// - Returns: The rule set with its new version, and the ETag of this version.
  /// - Throws: ``ServiceError``: 422 with all errors of broken rules, or 412 if another version is in force.
  func publish(
    _ text: String, to name: String, fileName: String? = nil, _ publication: RuleSetPublication
  ) throws -> (record: RuleSetRecord, tag: VersionTag) {
    let fileName = fileName ?? Self.fileName(name)
    let (ruleSet, rules) = try ServiceError.explaining {
      (try RuleFiles(text: text, name: fileName).ruleSet(), try RuleFileDocument(text, name: fileName).rulesByID)
    }
    try Self.check(ids: rules.keys)
    let matcher = Matcher(ruleSet)
    let before = (try? document(of: name, draft: false).rulesByID) ?? [:]
    let changes = RuleTransfer.changes(from: before, to: rules).values
    let new = NewRuleSetVersion(
      text: text, rules: ruleSet.rules.count,
      change: RuleSetVersion.Change(
        added: changes.count { $0 == .added }, removed: changes.count { $0 == .removed },
        changed: changes.count { $0 == .changed }))
    return try changing.withLock { _ in
      let record = try Self.explaining(name) { try store.publish(new, to: name, publication) }
      let published = PublishedRuleSet(
        name: name, version: record.version, text: text, ruleSet: ruleSet, matcher: matcher)
      state.withLock { $0.published[UTF8String(name)] = .success(published) }
      return (record, published.tag)
    }
  }

  /// Publishes the text of an earlier version again.
  func rollBack(
    _ name: String, to version: Int, expecting expected: Set<Int>?, by: String, reason: String
  ) throws -> (record: RuleSetRecord, tag: VersionTag) {
    guard version > 0, let text = try store.text(of: name, version: version) else {
      _ = try record(name)
      throw ServiceError.notFound("The rule set '\(name)' has no version \(version).")
    }
    return try publish(
      text, to: name,
      RuleSetPublication(
        by: by, reason: reason, replaces: expected, action: "ruleset.rollback",
        detail: "the text of version \(version)"))
  }

  func remove(_ name: String, expecting expected: Set<Int>?, by: String) throws {
    try changing.withLock { _ in
      try Self.explaining(name) { try store.remove(name, expecting: expected, by: by) }
      state.withLock { state in
        _ = state.published.removeValue(forKey: UTF8String(name))
        _ = state.drafts.removeValue(forKey: UTF8String(name))
      }
    }
  }

  // MARK: - Compiling

  private func load(_ record: RuleSetRecord) throws -> PublishedRuleSet {
    let text = try text(of: record.name, version: record.version) ?? Self.emptyText
    let ruleSet = try RuleFiles(text: text, name: Self.fileName(record.name)).ruleSet()
    return PublishedRuleSet(
      name: record.name, version: record.version, text: text, ruleSet: ruleSet, matcher: Matcher(ruleSet))
  }

  /// Returns the errors in a text; nil if it can be published.
  static func errors(in text: String, _ name: String) -> RuleFileErrors? {
    do throws(RuleFileErrors) {
      _ = try RuleFiles(text: text, name: fileName(name)).ruleSet()
      return nil
    } catch {
      return error
    }
  }

  /// Refuses ids that SQLite would truncate, so that two of them could become equal.
  ///
  /// - Throws: ``ServiceError`` with 422.
  static func check(ids: some Sequence<UTF8String>) throws {
    guard ids.contains(where: { $0.text.utf8.contains(0) }) else { return }
    throw ServiceError.invalid("The id of a rule has a NUL character.", code: "broken-rules")
  }

  /// Returns the file name by which errors refer to a rule set.
  static func fileName(_ name: String) -> String { "\(name).yaml" }

  private static func summary(of error: any Error) -> String {
    guard let errors = error as? RuleFileErrors, let first = errors.diagnostics.first else { return "\(error)" }
    return first.messageWithSuggestion
  }
}
