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

  /// The number of seconds for which the first use of changed captures waits at most, for all rule sets together.
  private static let maximumWait = 5.0

  private let ruleSets: RuleSetLibrary
  private let captures: CaptureLibrary
  private let known = Mutex<[String: Known]>([:])
  /// Held while rules are compiled, so that two threads do not compile the same rules.
  private let compiling = Mutex<Void>(())
  /// This is true while the rule sets are compiled for other captures.
  private let isUpdating = Atomic(false)
  private let queue = DispatchQueue(label: "encircle.rules")

  init(ruleSets: RuleSetLibrary, captures: CaptureLibrary) {
    self.ruleSets = ruleSets
    self.captures = captures
  }

  /// Returns the rule set in force.
  ///
  /// - Parameter waits: True to wait until the rules have been recompiled after a change of the captures. Otherwise, only the
  ///   first caller waits, for a limited time, and the others use the earlier captures meanwhile.
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
    guard !waits else { return nil }
    update()
    return known.withLock { $0[name]?.rules } ?? found.rules
  }

  /// Recompiles all rule sets in use for the current captures, in the background, so that slow work is not ended with the
  /// request. The first caller waits for that, for a limited time; so only one thread waits.
  private func update() {
    guard !isUpdating.exchange(true, ordering: .acquiringAndReleasing) else { return }
    let done = DispatchSemaphore(value: 0)
    queue.async { [self] in
      for name in known.withLock({ Array($0.keys) }) { _ = try? active(name, waitingForCaptures: true) }
      isUpdating.store(false, ordering: .releasing)
      done.signal()
    }
    _ = done.wait(timeout: .now() + Self.maximumWait)
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
