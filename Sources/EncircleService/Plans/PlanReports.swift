import EncircleAuthoring
import EncircleEvents
import EncircleIdentity
import EncircleRuleFiles
import EncircleRules
import EncircleText
import Foundation

/// Compares the plans beside rule sets with what was seen, by stored captures and the counters of stored events.
///
/// What captures say is kept until the plan, the rules or the captures change, so that a question costs only its counters.
final class PlanReports: Sendable {
  private let plans: PlanLibrary
  private let analysis: Analysis
  // For the rule sets that people work on, each in force and as a draft.
  private let counts = RuleValueCache<PlanCounts>(capacity: 8)

  /// The most events of a name, the newest ones, from which its properties are taken into a plan.
  private static let mostSamples = 2_000

  init(_ plans: PlanLibrary, _ analysis: Analysis) { (self.plans, self.analysis) = (plans, analysis) }

  /// - Parameter draft: Whether the rules of the draft count, if there is one without errors.
  /// - Throws: ``ServiceError`` with 404 for an unknown rule set, 422 for a plan that cannot be read.
  /// - Complexity: O(counters), and O(elements of all captures) after the plan, the rules or the captures have changed.
  func report(of joined: PlanLibrary.Joined) throws -> PlanReport {
    let key = "\(joined.rules.key) plan \(joined.record?.revision ?? 0)"
    var counts = try counts.value(of: key, joined.rules.text, captures: analysis.captures.revision) {
      var counter = try counter(joined)
      for id in try analysis.captures.captureIDs() {
        try WorkBudget.check()
        if let screen = try analysis.captures.screen(id) { counter.add(screen.identified, name: screen.name) }
      }
      return counter.counts()
    }
    let now = EventLibrary.now
    let recent = now - Int64(PlanThresholds().liveDays) * 86_400_000
    try analysis.events.store.addPlanUses(to: &counts, recentSince: recent) { try WorkBudget.check() }
    return counts.report(now: now)
  }

  private func counter(_ joined: PlanLibrary.Joined) throws -> PlanStatusCounter {
    let rules = joined.rules.ruleSet
    return PlanStatusCounter(
      joined.plan, rules, dictionary: try analysis.snapshot(SelectionSettings(rules)).dictionary,
      now: EventLibrary.now)
  }

  /// The items of a plan for events that it does not mention, from the newest stored events of each.
  ///
  /// - Parameter names: Those that are to be taken into the plan.
  /// - Throws: ``ServiceError`` when the request has had its share of work.
  /// - Complexity: O(all events) for each name, without their JSON but for those that are read.
  func items(for names: [UTF8String], _ joined: PlanLibrary.Joined) throws -> [EventObject] {
    var counter = try counter(joined)
    counter.keepSamples()
    var seen: Set<Int64> = []
    for name in names {
      var filters = [EventFilter()]
      filters[0].event = name.text
      for rule in joined.plan.entry(of: name)?.rules ?? [] {
        var filter = EventFilter()
        filter.rule = rule.id.text
        filters.append(filter)
      }
      for filter in filters {
        try WorkBudget.check()
        for event in try analysis.events.store.events(filter, limit: Self.mostSamples)
        where seen.insert(event.id).inserted {
          guard let parsed = try? AnalyticsEvent(json: event.row.json) else { continue }
          counter.add(parsed, PlanReport.Place(file: EventStore.eventPlace, line: Int(event.id)))
        }
      }
    }
    return counter.finishSamples().items(for: joined.plan, Set(names))
  }
}
