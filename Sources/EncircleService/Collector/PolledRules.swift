import EncircleEvents
import EncircleIdentity
import EncircleRuleFiles
import EncircleRules
import EncircleText
import Foundation
import Logging
import Synchronization

/// The rules of a control plane in a collector: polled by ETag, kept compiled on disk, and replaced as a whole.
///
/// While the control plane is down or its rules cannot be used, the last good rules stay in force.
final class PolledRules: Sendable {
  /// The rules in force and the properties to redact. A request takes both at once.
  struct Snapshot: Sendable {
    /// The rules in the order of the names; nil while a rule set is missing, or while the properties to redact are unknown.
    var rules: [ActiveRules]?
    /// The properties that are removed from events.
    var redacted: [PropertyReference]
  }

  private struct State {
    var snapshot: Snapshot
    var known: [String: (tag: VersionTag, rules: ActiveRules)] = [:]
    /// The ETags of unreadable rules, which are not fetched again with every poll.
    var unreadable: [String: VersionTag] = [:]
    /// The properties to redact; nil while neither the control plane nor the disk has stated them.
    var redact: [UTF8String]?
    /// The versions of rules and the properties to redact that are on disk. If others are in force, the next poll writes them.
    var kept: (tags: [String: VersionTag], redact: [UTF8String]?) = ([:], nil)
    /// The last problem of each resource, so that a lasting problem is logged once.
    var problems: [String: String] = [:]
    var polls = 0
  }

  /// The number of polls from one look for other rule sets to the next: a list costs the control plane more than an answer that
  /// nothing has changed.
  private static let pollsPerLook = 60
  private let control: ControlPlane
  private let names: [String]
  /// This is true if the rule sets that decide were named.
  private let isNamed: Bool
  private let ownRedacted: [String]
  private let elements: CollectorConfiguration.Elements
  private let cache: RuleCache
  private let metrics: ServiceMetrics
  private let logger: Logger
  private let state: Mutex<State>

  init(_ configuration: CollectorConfiguration, metrics: ServiceMetrics, logger: Logger) throws {
    control = configuration.control
    // A rule set that is named twice must not decide twice.
    let named = configuration.ruleSets.reduce(into: [String]()) { names, name in
      if !names.contains(name) { names.append(name) }
    }
    isNamed = !named.isEmpty
    names = named.isEmpty ? [EventLibrary.ruleSet] : named
    ownRedacted = configuration.service.redactedProperties
    elements = configuration.elements
    cache = try RuleCache(folder: configuration.cache)
    self.metrics = metrics
    self.logger = logger
    state = Mutex(State(snapshot: Snapshot(redacted: ownRedacted.compactMap { PropertyReference(parsing: $0) })))
  }

  var snapshot: Snapshot { state.withLock { $0.snapshot } }

  /// Returns the rules in force.
  ///
  /// - Throws: ``ServiceError`` with 503 if there are none.
  func rules(of project: String?) throws -> [ActiveRules] {
    guard let rules = snapshot.rules else {
      throw ServiceError.unavailable(
        "No rules are kept, or no list of redacted properties, and the control plane has given none: the log says why.",
        code: "no-rules", retryAfter: 2)
    }
    return rules.of(project: project)
  }

  // MARK: - Kept rules

  /// Activates the rules that are stored on disk.
  func load() {
    for name in names {
      do {
        guard let (tag, bytes) = try cache.newest(of: name) else { continue }
        let compiled = try CompiledRules(bytes)
        let matcher = try Matcher(compiled: compiled, dictionary: elements.ofCompiled(compiled))
        let rules = ActiveRules(name: name, version: tag.version, matcher: matcher)
        state.withLock { state in
          state.known[name] = (tag, rules)
          state.kept.tags[name] = tag
        }
        logger.info("kept rules are in force", metadata: ["rules": "\(name)@\(tag.version)"])
      } catch {
        logger.warning("kept rules cannot be used", metadata: ["rules": "\(name)", "error": "\(error)"])
      }
    }
    do {
      let redact = try cache.redacted().map { try Self.redact($0) }
      state.withLock { state in
        state.redact = redact
        state.kept.redact = redact
      }
    } catch {
      logger.warning("the kept list of redacted properties cannot be used", metadata: ["error": "\(error)"])
    }
    publish()
  }

  // MARK: - Polling

  /// Polls until the task is cancelled.
  func run(every interval: Duration) async {
    while !Task.isCancelled {
      try? await Task.sleep(for: interval)
      if !Task.isCancelled { await poll() }
    }
  }

  /// Asks the control plane for changes, stores them on disk, and activates them, all at once.
  func poll() async {
    for name in names { await attempt(name) { try await self.fetch(name) } }
    await attempt("settings") { try await self.fetchSettings() }
    keep()
    publish()
    let polls = state.withLock { state in
      state.polls += 1
      return state.polls
    }
    if !isNamed, polls % Self.pollsPerLook == 1 { await warnOfOthers() }
  }

  /// Logs a warning if the control plane decides by rule sets that decide nothing here, because nobody has named them.
  private func warnOfOthers() async {
    guard let answer = try? await control.get("/v1/rulesets"), answer.status == 200,
      let found = try? JSONBody(answer.body).required("rulesets").elements.map({ try $0.required("name").text })
    else { return }
    let others = found.filter { name in !names.contains { $0.hasSameBytes(as: name) } }.joined(separator: ", ")
    guard note(others.isEmpty ? nil : others, of: "other rule sets"), !others.isEmpty else { return }
    logger.warning(
      "the control plane decides by more rule sets than this collector: --ruleset names them",
      metadata: ["rules": "\(others)"])
  }

  private func attempt(_ what: String, _ body: () async throws -> Void) async {
    do {
      try await body()
      if note(nil, of: what) { logger.info("the control plane answers again", metadata: ["what": "\(what)"]) }
    } catch {
      metrics.add(1, to: .rulePollsFailed)
      let text = "\(error)"
      guard note(text, of: what) else { return }
      logger.warning("the control plane gives no rules", metadata: ["what": "\(what)", "error": "\(text)"])
    }
  }

  /// Records the problem of a resource, nil for none. Returns whether it differs from the last one.
  private func note(_ problem: String?, of what: String) -> Bool {
    state.withLock { state in
      let last = state.problems[what]
      state.problems[what] = problem
      return last != problem
    }
  }

  private func fetch(_ name: String) async throws {
    let (known, unreadable) = state.withLock { ($0.known[name]?.tag, $0.unreadable[name]) }
    let answer = try await control.get("/v1/rulesets/\(name)", tag: (unreadable ?? known)?.header)
    if answer.status == 304 {
      if let unreadable {
        throw ControlPlane.Failure(description: "version \(unreadable.version) of \(name) cannot be used")
      }
      return
    }
    guard answer.status == 200 else {
      throw Self.failure(answer.status, "the rule set \(name)")
    }
    guard let tag = answer.tag.flatMap({ VersionTag(header: $0) }),
      let text = String(validating: answer.body, as: UTF8.self)
    else { throw ControlPlane.Failure(description: "the answer for \(name) is not a numbered rule set in UTF-8") }
    let ruleSet: RuleSet
    do throws(RuleFileErrors) {
      ruleSet = try RuleFiles(text: text, name: RuleSetLibrary.fileName(name)).ruleSet()
    } catch {
      state.withLock { $0.unreadable[name] = tag }
      throw error
    }
    let matcher = Matcher(ruleSet, dictionary: try elements.ofRules(ruleSet))
    let rules = ActiveRules(name: name, version: tag.version, matcher: matcher)
    state.withLock { state in
      state.known[name] = (tag, rules)
      state.unreadable[name] = nil
    }
    metrics.add(1, to: .ruleChanges)
    logger.info("rules are in force", metadata: ["rules": "\(name)@\(tag.version)"])
  }

  private static func failure(_ status: Int, _ what: String) -> ControlPlane.Failure {
    let cure = [401, 403].contains(status) ? ": --control-token names a file with a token of the role read" : ""
    return ControlPlane.Failure(description: "the control plane answers \(status) for \(what)\(cure)")
  }

  private func fetchSettings() async throws {
    let answer = try await control.get("/v1/settings")
    guard answer.status == 200 else {
      throw Self.failure(answer.status, "its settings")
    }
    let redact = try Self.redact(JSONBody(answer.body).required("redact").texts)
    state.withLock { $0.redact = redact }
  }

  /// Returns the names of the properties to redact.
  ///
  /// - Throws: ``ControlPlane/Failure`` if one of them cannot be read: without it, the property would be written.
  private static func redact(_ names: [String]) throws(ControlPlane.Failure) -> [UTF8String] {
    if let name = names.first(where: { PropertyReference(parsing: $0) == nil }) {
      throw ControlPlane.Failure(description: "the properties to redact have '\(name)', which names no property")
    }
    return names.map { UTF8String($0) }
  }

  private func publish() {
    state.withLock { state in
      let rules = names.compactMap { state.known[$0]?.rules }
      let names = Set(ownRedacted.map { UTF8String($0) } + (state.redact ?? [])).sorted()
      state.snapshot = Snapshot(
        rules: rules.count == self.names.count && state.redact != nil ? rules : nil,
        redacted: names.compactMap { PropertyReference(parsing: $0.text) })
    }
  }

  // MARK: - Keeping

  /// Writes everything to disk that is not there yet, because it is new or could not be written before.
  private func keep() {
    let (known, redact, kept) = state.withLock { ($0.known, $0.redact, $0.kept) }
    for (name, (tag, rules)) in known where kept.tags[name] != tag {
      keep("rules", ["rules": "\(name)@\(tag.version)"], of: name) {
        try cache.keep(try rules.matcher.compiled(), of: name, tag)
        state.withLock { $0.kept.tags[name] = tag }
      }
    }
    if let redact, redact != kept.redact {
      keep("the list of redacted properties", [:], of: "settings") {
        try cache.keep(redacted: redact.map(\.text))
        state.withLock { $0.kept.redact = redact }
      }
    }
  }

  private func keep(_ text: String, _ metadata: Logger.Metadata, of what: String, _ body: () throws -> Void) {
    let what = "\(what) on disk"
    do {
      try body()
      if note(nil, of: what) { logger.info("\(text) can be kept on disk again", metadata: metadata) }
    } catch {
      guard note("\(error)", of: what) else { return }
      logger.warning("\(text) cannot be kept on disk", metadata: metadata.merging(["error": "\(error)"]) { $1 })
    }
  }
}
