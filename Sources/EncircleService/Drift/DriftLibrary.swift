import EncircleAuthoring
import EncircleIdentity
import EncircleRuleFiles
import EncircleRules
import EncircleText
import Foundation
import Synchronization

/// Compares stored captures of a new app version with earlier ones, and finds the rules that break. Comparisons are cached
/// until a capture is edited.
final class DriftLibrary: Sendable {
  private struct PairKey: Hashable {
    let pair: ScreenVersions.Pair
    let identity: IdentityOptions
    /// The library's number of edits, as a page that is named later belongs to the comparison.
    let edits: Int
  }

  private struct VersionsKey: Hashable {
    let revision: Int
    let apps: Set<UTF8String>?
    let from: VersionNumber?
    let to: VersionNumber?
  }

  private struct State {
    var drifts: [PairKey: ScreenDrift] = [:]
    var elements = 0
    var versions: [VersionsKey: ScreenVersions] = [:]
  }

  /// The maximum number of elements in the cached comparisons.
  private static let maximumElements = 400_000
  private static let maximumVersions = 16
  private static let repairsAtOnce = 16

  private let captures: CaptureLibrary
  private let state = Mutex(State())

  init(_ captures: CaptureLibrary) { self.captures = captures }

  /// Returns the captures to compare.
  func versions(apps: Set<UTF8String>?, from: VersionNumber?, to: VersionNumber?) throws -> ScreenVersions {
    let key = VersionsKey(revision: captures.revision, apps: apps, from: from, to: to)
    if let known = state.withLock({ $0.versions[key] }) { return known }
    let versions = try ScreenVersions(captures, apps: apps, from: from, to: to)
    state.withLock { state in
      if state.versions.count >= Self.maximumVersions { state.versions.removeAll() }
      state.versions[key] = versions
    }
    return versions
  }

  /// Returns a comparison of two captures; nil if one of them is not stored.
  ///
  /// - Complexity: O(1) if it was made recently, otherwise as for ``ScreenDrift``.
  func drift(_ pair: ScreenVersions.Pair, _ identity: IdentityOptions = IdentityOptions()) throws -> ScreenDrift? {
    let key = PairKey(pair: pair, identity: identity, edits: captures.edits)
    if let known = state.withLock({ $0.drifts[key] }) { return known }
    guard let old = try captures.screen(pair.old), let new = try captures.screen(pair.new) else { return nil }
    func named(_ screen: StoredScreen) -> NamedScreen {
      NamedScreen(
        name: screen.id,
        screen: identity == IdentityOptions()
          ? screen.identified : IdentifiedTree(screen.identified.tree, options: identity))
    }
    let drift = ScreenDrift(from: named(old), to: named(new))
    let elements = old.identified.tree.count + new.identified.tree.count
    state.withLock { state in
      if state.elements + elements > Self.maximumElements {
        state.drifts.removeAll()
        state.elements = 0
      }
      if state.drifts.updateValue(drift, forKey: key) == nil { state.elements += elements }
    }
    return drift
  }

  /// Compares captures, and the rules on them.
  ///
  /// - Parameters:
  ///   - rules: The rules, as their file contains them.
  ///   - history: The history that shows which rules are unchanged.
  ///   - rule: The only rule to repair; nil repairs all rules while time remains.
  ///   - time: The processor time for repairs.
  /// - Throws: ``ServiceError`` when the request has used up its budget; finished comparisons stay cached.
  func report(
    _ versions: ScreenVersions, _ rules: RuleFiles, _ ruleSet: RuleSet, _ history: RuleHistory,
    only rule: UTF8String?, time: Duration
  ) throws -> DriftReport {
    var report = DriftReport(screens: [], onlyOld: [], onlyNew: versions.onlyNew)
    report.ruleCount = ruleSet.rules.count
    let clock = ThreadClock()
    for step in try steps(versions, ruleSet, history) {
      var repairer = RuleRepairer(rules, ruleSet, step.screens)
      // Repairing rules in batches is cheaper. A batch is small, because the time is checked only between batches.
      for start in stride(from: 0, to: step.broken.count, by: Self.repairsAtOnce) {
        try WorkBudget.check()
        let broken = step.broken[start...].prefix(Self.repairsAtOnce)
        let hasTime = clock.spent < time
        let asked = broken.filter { drift in rule.map { $0 == drift.id } ?? hasTime }
        var repairs = try repairsByRelease(asked, step, versions, rules, ruleSet)
        let others = asked.filter { repairs[$0.id] == nil }
        for (drift, repair) in zip(others, repairer.repairs(of: others)) { repairs[drift.id] = repair }
        report.rules += broken.map {
          DriftReport.Rule(drift: $0.shifted(by: report.screens.count), repair: repairs[$0.id])
        }
      }
      report.screens += step.screens
    }
    let order = Dictionary(ruleSet.rules.enumerated().map { ($1.id, $0) }) { first, _ in first }
    report.rules.sort { order[$0.drift.id, default: 0] < order[$1.drift.id, default: 0] }
    return report
  }

  /// Returns the ids of the rules that break.
  func brokenRules(
    _ versions: ScreenVersions, _ ruleSet: RuleSet, _ history: RuleHistory
  ) throws -> Set<UTF8String> {
    Set(try steps(versions, ruleSet, history).flatMap { $0.broken.map(\.id) })
  }

  /// Pairs of captures, with the rules that break between them.
  private struct Step {
    /// Its number in ``ScreenVersions/steps``.
    let number: Int
    let screens: [ScreenDrift]
    let broken: [RuleDrift]
  }

  /// Compares the latest captures with the previous ones, and then with still earlier ones. Three kinds of rules need the earlier
  /// ones: rules that have selected nothing so far, rules that select the same elements as on the previous captures but are
  /// older than those captures, and broken rules that were already broken on the previous captures. A rule of the second kind
  /// may have come to mean another element.
  private func steps(_ versions: ScreenVersions, _ ruleSet: RuleSet, _ history: RuleHistory) throws -> [Step] {
    var steps: [Step] = []
    // The rules that have selected nothing so far.
    var open = ruleSet
    // The rules that select the same elements on all captures so far.
    var sound = ruleSet.withoutRules
    // The rules to be judged by the captures of a step only.
    var postponed: [Int: Set<UTF8String>] = [:]
    var unchanged: [Date: Set<UTF8String>] = [:]
    func isOlder(_ rule: UTF8String, than time: Date?) throws -> Bool {
      guard let time else { return false }
      let rules = try unchanged[time] ?? history.rules(unchangedSince: time)
      unchanged[time] = rules
      return rules.contains(rule)
    }
    // The times at which the latest captures arrived.
    var arrivals: [String: Date] = [:]
    for pair in versions.steps.first ?? [] { arrivals[pair.new] = versions.replacedAt[pair.old] }
    var added: [Date: Set<UTF8String>] = [:]
    /// Returns whether a rule was added after the captures on which it breaks had arrived, and so was circled on these.
    func isCircled(_ drift: RuleDrift, on screens: [ScreenDrift]) throws -> Bool {
      guard !drift.now.isEmpty else { return false }
      return try drift.brokenPairs.allSatisfy { pair in
        guard let time = arrivals[screens[pair].new.name] else { return false }
        let rules = try added[time] ?? history.rules(addedAfter: time)
        added[time] = rules
        return rules.contains(drift.id)
      }
    }
    for (number, pairs) in versions.steps.enumerated() {
      let isFirst = number == 0
      let expected = postponed[number] ?? []
      let due = ruleSet.only { expected.contains($0) }
      var drifts: [ScreenDrift] = []
      var asked = open
      asked.rules += sound.rules + due.rules
      for pair in pairs {
        try WorkBudget.check()
        if !isFirst {
          guard let old = try captures.screen(pair.old)?.identified else { continue }
          let selecting = RuleDrift.selecting(asked, on: [old])
          let isAsked = try selecting.contains { id in
            try expected.contains(id) || open.rules.contains { $0.id == id }
              || isOlder(id, than: versions.replacedAt[pair.old])
          }
          guard isAsked else { continue }
        }
        if let drift = try drift(pair, ruleSet.identity) { drifts.append(drift) }
      }
      if drifts.isEmpty, !isFirst { continue }
      let judged = RuleDrift.selecting(open, on: drifts.map(\.old.screen))
      // A rule that selects nothing on the old captures was made for the new ones.
      var broken = try RuleDrift.find(open, drifts).filter { try !$0.before.isEmpty && !isCircled($0, on: drifts) }
      broken += try RuleDrift.find(sound, drifts).filter { drift in
        try drift.kind == .another
          && drift.before.allSatisfy { try isOlder(drift.id, than: versions.replacedAt[drifts[$0.pair].old.name]) }
      }
      let ids = Set(broken.map(\.id))
      let misled = try misled(ruleSet.only { ids.contains($0) }, by: number, versions, isOlder)
      for (later, rules) in misled { postponed[later, default: []].formUnion(rules) }
      broken.removeAll { drift in misled.values.contains { $0.contains(drift.id) } }
      if !due.rules.isEmpty { broken += RuleDrift.find(due, drifts).filter { !$0.before.isEmpty } }
      steps.append(Step(number: number, screens: drifts, broken: broken))
      sound.rules += open.rules.filter { judged.contains($0.id) }
      sound.rules.removeAll { ids.contains($0.id) }
      open.rules.removeAll { judged.contains($0.id) }
    }
    return steps
  }

  /// Repairs rules release by release, from the old captures of a step over the captures in between to the new ones. A repair by
  /// the first and the last of them would leave the rules broken for the versions in between.
  ///
  /// - Returns: By id, the repairs of the rules that are whole then.
  private func repairsByRelease(
    _ broken: [RuleDrift], _ step: Step, _ versions: ScreenVersions, _ rules: RuleFiles, _ ruleSet: RuleSet
  ) throws -> [UTF8String: RuleRepair] {
    guard step.number > 0, !broken.isEmpty else { return [:] }
    let ids = Set(broken.map(\.id))
    // For each number of a step, the old capture of each new one.
    let earlier = versions.steps[...step.number].map { pairs in
      Dictionary(pairs.map { ($0.new, $0.old) }) { first, _ in first }
    }
    let chains = Set(broken.flatMap(\.pairs)).sorted().map { pair in
      let new = step.screens[pair].new.name
      return earlier.reversed().compactMap { $0[new] } + [new]
    }
    var (files, current) = (rules, ruleSet.only { ids.contains($0) })
    var repairs: [UTF8String: RuleRepair] = [:]
    for level in 0...step.number {
      var drifts: [ScreenDrift] = []
      for chain in chains where level + 1 < chain.count {
        try WorkBudget.check()
        let pair = ScreenVersions.Pair(old: chain[level], new: chain[level + 1])
        if let drift = try drift(pair, ruleSet.identity) { drifts.append(drift) }
      }
      let lost = RuleDrift.find(current, drifts).filter { !$0.before.isEmpty }
      if lost.isEmpty { continue }
      var repairer = RuleRepairer(files, current, drifts)
      let found = repairer.repairs(of: lost).compactMap { $0 }.filter { !$0.isReplacing }
      guard !found.isEmpty, let edited = try? repairer.applying(found) else { continue }
      files = files.replacing(Dictionary(edited.map { (UTF8String($0.file), $0.after) }) { first, _ in first })
      guard let changed = try? files.ruleSet() else { return [:] }
      current = changed.only { ids.contains($0) }
      for repair in found {
        if let id = repair.rule.ruleID { repairs[UTF8String(id)] = repair }
      }
    }
    let open = Set(RuleDrift.find(current, step.screens).map(\.id))
    return repairs.filter { !open.contains($0.key) }
  }

  /// Finds broken rules that already meant another element on the old captures of a step than on the captures on which they were
  /// circled. Judged by the captures of the step, they would be repaired for the wrong element.
  ///
  /// - Returns: The ids of the rules, by the number of the step whose captures show the right elements.
  private func misled(
    _ broken: RuleSet, by step: Int, _ versions: ScreenVersions,
    _ isOlder: (_ rule: UTF8String, _ time: Date?) throws -> Bool
  ) throws -> [Int: Set<UTF8String>] {
    var open = broken
    let previous = Dictionary(versions.steps[step].map { ($0.new, $0.old) }) { first, _ in first }
    var misled: [Int: Set<UTF8String>] = [:]
    // The earliest captures come first, because a rule was circled on one of the captures that were the latest at its time.
    for later in versions.steps.indices.reversed() where later > step {
      for pair in versions.steps[later] where !open.rules.isEmpty {
        try WorkBudget.check()
        guard let replaced = previous[pair.new], let old = try captures.screen(pair.old)?.identified else { continue }
        let selecting = try RuleDrift.selecting(open, on: [old]).filter {
          try isOlder($0, versions.replacedAt[pair.old])
        }
        guard !selecting.isEmpty,
          let drift = try drift(ScreenVersions.Pair(old: pair.old, new: replaced), broken.identity)
        else { continue }
        let found = RuleDrift.find(open.only { selecting.contains($0) }, [drift])
        misled[later, default: []].formUnion(found.filter { $0.kind == .another }.map(\.id))
        open.rules.removeAll { selecting.contains($0.id) }
      }
    }
    return misled
  }
}

extension RuleSet {
  /// Returns the rule set with only some of its rules, by their ids.
  fileprivate func only(_ isIncluded: (UTF8String) -> Bool) -> RuleSet {
    var result = withoutRules
    result.rules = rules.filter { isIncluded($0.id) }
    return result
  }
}
