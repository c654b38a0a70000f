import EncircleAuthoring
import EncircleEvents
import EncircleIdentity
import EncircleRules
import EncircleText

/// The changes from one text of rules to another: lines, rules, and the selection of stored events and captures.
struct RuleDifferenceAnswer {
  /// The maximum number of events that are compared, the newest ones.
  private static let maximumEvents = 100_000
  // The shares of a request's budget after which no more captures, and then no more events, are compared; the answer states how
  // many were.
  private static let shareForCaptures = 0.3
  private static let shareForEvents = 0.6
  private static let maximumExamples = 100

  private let changes: RuleChanges
  private let elements: DecisionComparison.Report
  private let events: DecisionComparison.Report
  private let isComplete: Bool
  private let days: Int

  /// - Throws: ``ServiceError`` with 422 for rules that do not load, or 503 when the request has used up its budget.
  init(from old: RequestedRules, to new: RequestedRules, days: Int, _ analysis: Analysis) throws {
    let before = try old.ruleSet()
    let now = try new.ruleSet()
    try WorkBudget.check()
    self.days = days
    changes = try new.changes(from: old)
    let known = try analysis.snapshot(SelectionSettings(now))
    let knownBefore = try analysis.snapshot(SelectionSettings(before))
    var difference = RuleDifference(from: (before, knownBefore.dictionary), to: (now, known.dictionary))
    let clock = ThreadClock()
    var isComplete = try Self.compare(
      analysis, known, ChangedRules(from: before, to: now), SelectionSettings(now), &difference, clock)
    var count = 0
    try analysis.events.forEach(days: days) { id, json in
      if count >= Self.maximumEvents || clock.spent > analysis.workTime * Self.shareForEvents {
        isComplete = false
        return false
      }
      count += 1
      // Stored events have no line breaks except as escapes in strings, and each is one line.
      difference.add(json, number: id)
      return true
    }
    (elements, events) = difference.finish()
    self.isComplete = isComplete
  }

  /// Compares the selection on the captures. If only rules have changed, only captures with elements that a changed rule
  /// matches are compared.
  ///
  /// - Returns: True if all captures were compared in time.
  private static func compare(
    _ analysis: Analysis, _ known: ScreenIndex.Snapshot, _ changed: ChangedRules?, _ settings: SelectionSettings,
    _ difference: inout RuleDifference, _ clock: ThreadClock
  ) throws -> Bool {
    func add(_ screen: StoredScreen) throws -> Bool {
      try WorkBudget.check()
      guard clock.spent < analysis.workTime * shareForCaptures else { return false }
      difference.add(screen.identified, name: screen.id)
      return true
    }
    var isComplete = true
    guard let changed else {
      try analysis.captures.forEachScreen { screen in
        isComplete = try add(screen)
        return isComplete
      }
      return isComplete
    }
    let concerned = try changed.captures(in: known, settings, check: WorkBudget.check)
    for indexed in known.screens where isComplete {
      if !concerned.contains(indexed.id) {
        difference.addUnchanged(indexed.events.elements.count)
      } else if let screen = try analysis.captures.screen(indexed.id) {
        isComplete = try add(screen)
      }
    }
    return isComplete
  }

  var json: [UInt8] {
    var json = JSONBuilder()
    json.object {
      $0.member("unified", changes.unified)
      $0.array("rules", changes.rules) { entry, json in
        json.object {
          $0.member("id", entry.id)
          $0.member("change", entry.change.rawValue)
        }
      }
      $0.object("events") {
        writeCounts(of: events, to: &$0)
        $0.member("days", days)
        writeRules(of: events, to: &$0)
        writeExamples(of: events, to: &$0)
      }
      $0.object("elements") {
        writeCounts(of: elements, to: &$0)
        writeRules(of: elements, to: &$0)
        writeExamples(of: elements, to: &$0)
      }
      $0.member("complete", isComplete)
    }
    return json.bytes
  }

  private func writeCounts(of report: DecisionComparison.Report, to json: inout JSONBuilder) {
    json.member("compared", report.compared)
    json.member("more", report.counts[.selected] ?? 0)
    json.member("fewer", report.counts[.noLongerSelected] ?? 0)
    json.member("renamed", report.counts[.otherNames] ?? 0)
    json.member("by_other_rules", report.counts[.otherRules] ?? 0)
  }

  private func writeRules(of report: DecisionComparison.Report, to json: inout JSONBuilder) {
    json.array("by_rule", report.byRule) { entry, json in
      json.object {
        $0.member("id", entry.rule.text)
        $0.member("more", entry.more)
        $0.member("fewer", entry.fewer)
      }
    }
  }

  private func writeExamples(of report: DecisionComparison.Report, to json: inout JSONBuilder) {
    let all = report.groups.flatMap { group in group.examples.map { (group.difference, $0) } }
    json.array("examples", Array(all.prefix(Self.maximumExamples))) { entry, json in
      let (difference, example) = entry
      json.object {
        $0.member("change", difference.kind.rawValue)
        if let element = example.element {
          $0.member("capture", example.file)
          $0.member("element", element)
        } else {
          $0.member("id", example.line)
        }
        $0.nullable("event", example.event)
        $0.nullable("page", example.page)
        $0.nullable("path", example.path)
        $0.nullable("event_id", example.eventID?.description)
        $0.member("rules_began", difference.includes.began.map(\.text))
        $0.member("rules_ceased", difference.includes.ceased.map(\.text))
        $0.member("emit_before", difference.emitBefore.map(\.text))
        $0.member("emit_now", difference.emitNow.map(\.text))
      }
    }
  }
}
