import EncircleAuthoring
import EncircleEvents
import EncircleIdentity
import EncircleRuleFiles
import EncircleRules
import EncircleText
import Foundation

/// Compares plans with the stored captures and with the counters of stored events.
///
/// Results from captures are cached until the plan, the rules or the captures change, so a question costs only its counters.
final class PlanReports: Sendable {
  private let plans: PlanLibrary
  private let analysis: Analysis
  // This is enough for the rule sets that people work on, each in force and as a draft.
  private let counts = RuleValueCache<PlanCounts>(capacity: 8)
  private let boards = RuleValueCache<BoardTally>(capacity: 8)

  /// The maximum number of newest events of a name, and of their bytes, from which its properties are added to a plan.
  private static let maximumSamples = 2_000
  private static let maximumSampleBytes = 64 << 20

  init(_ plans: PlanLibrary, _ analysis: Analysis) { (self.plans, self.analysis) = (plans, analysis) }

  /// Returns the status of the planned events.
  ///
  /// - Complexity: O(counters), and O(elements of all captures) after the plan, the rules or the captures have changed.
  func report(of joined: PlanLibrary.Joined) throws -> PlanReport {
    var counts = try counts.value(of: Self.key(joined), joined.rules.text, captures: analysis.captures.revision) {
      var counter = try counter(joined)
      for id in try analysis.captures.captureIDs() {
        try WorkBudget.check()
        if let screen = try analysis.captures.screen(id) { counter.add(screen.identified, name: screen.name) }
      }
      return counter.counts()
    }
    let now = EventLibrary.now
    try analysis.events.store.addPlanUses(to: &counts, recentSince: Self.recent(now)) { try WorkBudget.check() }
    return counts.report(now: now)
  }

  private static func key(_ joined: PlanLibrary.Joined) -> String {
    "\(joined.rules.key) plan \(joined.record?.revision ?? 0)"
  }

  /// Returns the time, in milliseconds since 1970, from which events count as recent.
  private static func recent(_ now: Int64) -> Int64 { now - Int64(PlanThresholds().liveDays) * 86_400_000 }

  // MARK: - Screens

  /// The number of newest events that are read: for the order of pages, and for counts in styles whose events do not name
  /// pages.
  private static let maximumVisits = 50_000
  /// The maximum size of all pictures and drawings of a board, in bytes.
  private static let maximumPictureBytes = 64 << 20

  /// Returns the stored screens with the events that each can cause, and the recent numbers of these events.
  ///
  /// - Parameter report: The report on the plan.
  /// - Complexity: O(counters and elements that are shown), and O(elements of all captures) after the plan, the rules or the
  ///   captures have changed. For a style whose events do not name pages O(newest events and elements of all captures).
  func board(of joined: PlanLibrary.Joined, _ report: PlanReport) throws -> BoardReport {
    let namesPages = joined.rules.ruleSet.styles.allSatisfy { $0.eventShape.namesPages }
    var tally = try namesPages ? screensWithCounters(joined) : screensWithEvents(joined)
    tally.noteCounters()
    var board = tally.finish(report)
    var bytes = 0
    try board.show { id in
      try WorkBudget.check()
      guard let screen = try analysis.captures.screen(id) else { return nil }
      let taken = try analysis.captures.screenshot(id).flatMap { try? Screenshot([UInt8]($0.content)) }
      let picture = ScreenBoard.picture(of: screen.identified, taken)
      bytes += picture.screenshot?.bytes.count ?? picture.drawing.utf8.count
      return (screen.name, bytes <= Self.maximumPictureBytes ? picture : nil)
    }
    return board
  }

  private func screensWithCounters(_ joined: PlanLibrary.Joined) throws -> BoardTally {
    var tally = try boards.value(of: Self.key(joined), joined.rules.text, captures: analysis.captures.revision) {
      try screens(joined).screens()
    }
    for use in try analysis.events.store.emittedNames(since: Self.recent(EventLibrary.now)) {
      tally.add(counted: UTF8String(use.name), on: UTF8String(use.page), use.events)
    }
    for visit in try analysis.events.store.newestVisits(Self.maximumVisits) {
      guard let person = visit.person, !visit.page.isEmpty else { continue }
      tally.add(visit: UTF8String(visit.page), by: SeriesCounts.hash(person))
    }
    return tally
  }

  /// Counts the newest events one by one, for styles whose events do not name pages. The counters have at most an alias of the
  /// page. The event itself names its element, and the element identifies the screen.
  private func screensWithEvents(_ joined: PlanLibrary.Joined) throws -> BoardTally {
    var board = try screens(joined)
    var filter = EventFilter()
    filter.from = Self.recent(EventLibrary.now)
    let newest = try analysis.events.store.events(filter, limit: Self.maximumVisits, bytes: Self.maximumSampleBytes)
    for stored in newest.events.reversed() {
      try WorkBudget.check()
      guard let event = try? AnalyticsEvent(json: stored.row.json) else { continue }
      var decision = Decision()
      decision.emit = stored.row.decision.emit.map { UTF8String($0) }
      board.add(DecidedEvent(event: event, decision: decision))
    }
    return board.screens()
  }

  /// Returns a board of the stored screens.
  private func screens(_ joined: PlanLibrary.Joined) throws -> ScreenBoard {
    let rules = joined.rules.ruleSet
    var board = ScreenBoard(
      rules, plan: joined.plan, dictionary: try analysis.snapshot(SelectionSettings(rules)).dictionary)
    for id in try analysis.captures.captureIDs() {
      try WorkBudget.check()
      if let screen = try analysis.captures.screen(id) {
        board.add(screen.identified, name: id, screenshot: nil, isDrawn: false)
      }
    }
    return board
  }

  private func counter(_ joined: PlanLibrary.Joined) throws -> PlanStatusCounter {
    let rules = joined.rules.ruleSet
    return PlanStatusCounter(
      joined.plan, rules, dictionary: try analysis.snapshot(SelectionSettings(rules)).dictionary,
      now: EventLibrary.now)
  }

  /// Returns plan items for events that the plan does not mention, from the newest stored events of each.
  ///
  /// - Parameter names: The names of the events to add to the plan.
  /// - Throws: ``ServiceError`` when the request has used up its budget.
  /// - Complexity: O(all events) for each name, without their JSON except for the events that are read.
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
        for event in try analysis.events.store.events(
          filter, limit: Self.maximumSamples, bytes: Self.maximumSampleBytes
        ).events
        where seen.insert(event.id).inserted {
          guard let parsed = try? AnalyticsEvent(json: event.row.json) else { continue }
          counter.add(parsed, PlanReport.Place(file: EventStore.eventPlace, line: Int(event.id)))
        }
      }
    }
    return counter.finishSamples().items(for: joined.plan, Set(names))
  }
}
