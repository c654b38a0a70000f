import Dispatch
import EncircleIdentity
import EncircleRules
import EncircleText
import EncircleTree
import Synchronization

/// The published rule sets, compiled with the elements of the stored captures, so that events with only an event ID match, too.
final class RuleMatchers: Sendable {
  private struct Known {
    let rules: ActiveRules
    let text: String
    /// The revision of the captures for which the rules were compiled.
    let revision: Int
  }

  /// The number of seconds for which the first use of changed captures waits at most.
  private static let maximumWait = 5.0

  private let ruleSets: RuleSetLibrary
  private let captures: CaptureLibrary
  private let known = Mutex<[String: Known]>([:])
  /// Held while rules are compiled, so that two threads do not compile the same rules.
  private let compiling = Mutex<Void>(())
  /// The names of rule sets that are being compiled for other captures.
  private let updating = Mutex<Set<String>>([])
  private let queue = DispatchQueue(label: "encircle.rules")

  init(ruleSets: RuleSetLibrary, captures: CaptureLibrary) {
    self.ruleSets = ruleSets
    self.captures = captures
  }

  /// Returns the rule set in force.
  ///
  /// - Parameter waits: True to wait until the rules have been recompiled after a change of the captures. Otherwise, only the first caller
  ///   waits, for a limited time, and the others use the earlier captures meanwhile.
  /// - Throws: ``ServiceError`` with 404 if no rule set has the name.
  /// - Complexity: O(1), but O(rules + elements) after the rules have changed, or the captures if it waits for them.
  func active(_ name: String, waitingForCaptures waits: Bool = false) throws -> ActiveRules {
    if let current = try current(name, waits) { return current }
    return try compiling.withLock { _ in try current(name, true) ?? compile(name) }
  }

  /// Returns all rule sets in force, `default` first, which decide every stored event.
  ///
  /// - Complexity: As ``active(_:waitingForCaptures:)``, for each.
  func all() throws -> [ActiveRules] {
    let names = ruleSets.readableNames
    return try (names.filter { $0 == EventLibrary.ruleSet } + names.filter { $0 != EventLibrary.ruleSet })
      .compactMap(activeUnlessRemoved)
  }

  /// Returns the rule sets that decide the events of a project: the one with its name, if there is one, otherwise all.
  func all(of project: String?) throws -> [ActiveRules] {
    guard let project, project != EventLibrary.ruleSet, ruleSets.readableNames.contains(project),
      let own = try activeUnlessRemoved(project)
    else { return try all() }
    return [own]
  }

  /// Returns the rule set in force; nil if it has been removed since its name was listed.
  private func activeUnlessRemoved(_ name: String) throws -> ActiveRules? {
    do {
      return try active(name)
    } catch let error as ServiceError where error.kind == .notFound {
      return nil
    }
  }

  /// Returns a matcher of rules that are not in force, such as a draft.
  ///
  /// - Complexity: O(rules + elements).
  func matcher(_ ruleSet: RuleSet) throws -> Matcher { try matcher(ruleSet, compiled: nil) }

  /// Returns the rule set in force, as it was published.
  ///
  /// - Throws: ``ServiceError`` with 404 if no rule set has the name.
  func published(_ name: String) throws -> PublishedRuleSet {
    guard let published = try ruleSets.published(name) else { throw RuleSetLibrary.unknown(name) }
    return published
  }

  private func current(_ name: String, _ waits: Bool) throws -> ActiveRules? {
    let published = try published(name)
    guard let found = known.withLock({ $0[name] }), found.rules.version == published.version,
      found.text.hasSameBytes(as: published.text)
    else { return nil }
    guard found.revision != captures.revision else { return found.rules }
    return waits ? nil : update(name) ?? found.rules
  }

  /// Recompiles rules for the current captures in the background.
  ///
  /// - Returns: The rules; nil if they are being recompiled already, or if that takes too long.
  private func update(_ name: String) -> ActiveRules? {
    guard updating.withLock({ $0.insert(name).inserted }) else { return nil }
    let done = DispatchSemaphore(value: 0)
    queue.async { [self] in
      _ = compiling.withLock { _ in try? compile(name) }
      updating.withLock { _ = $0.remove(name) }
      done.signal()
    }
    guard done.wait(timeout: .now() + Self.maximumWait) == .success else { return nil }
    return known.withLock { $0[name]?.rules }
  }

  private func compile(_ name: String) throws -> ActiveRules {
    let published = try published(name)
    let revision = captures.revision
    let rules = ActiveRules(
      name: name, version: published.version,
      matcher: try matcher(published.ruleSet, compiled: published.matcher))
    known.withLock { $0[name] = Known(rules: rules, text: published.text, revision: revision) }
    return rules
  }

  private func matcher(_ ruleSet: RuleSet, compiled: Matcher?) throws -> Matcher {
    var dictionary = ElementDictionary(
      style: ruleSet.style, knowsTexts: ruleSet.testsKnownTexts, knowsScreens: ruleSet.readsScreens,
      otherStyles: ruleSet.otherStyles)
    try captures.forEachScreen { screen in
      dictionary.insert(
        ruleSet.identity == IdentityOptions()
          ? screen.identified : IdentifiedTree(screen.identified.tree, options: ruleSet.identity))
      return true
    }
    if dictionary.count == 0, let compiled { return compiled }
    return Matcher(ruleSet, dictionary: dictionary)
  }
}
