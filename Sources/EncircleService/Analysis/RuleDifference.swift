import EncircleEvents
import EncircleIdentity
import EncircleRuleFiles
import EncircleRules
import EncircleText

/// What changes from one text of rules to another: the lines, the rules, and what is selected of the stored events and captures.
struct RuleDifference {
  /// The most events that are compared, the newest ones.
  private static let mostEvents = 100_000
  // The shares of a request's work after which no more captures, and then events, are compared; what was is said.
  private static let shareForCaptures = 0.3
  private static let shareForEvents = 0.6
  private static let chunkBytes = 1 << 20
  private static let mostExamples = 100

  private enum Change: String {
    case added, removed, changed
  }

  private let unified: String
  private let changes: [(id: String, change: Change)]
  private let events: DecisionComparison.Report
  private let elements: DecisionComparison.Report
  private let isComplete: Bool
  private let days: Int

  /// - Throws: ``ServiceError`` with 422 for rules that do not load, 503 when the request has had its share of work.
  init(from old: RequestedRules, to new: RequestedRules, days: Int, _ analysis: Analysis) throws {
    let before = try old.ruleSet()
    let now = try new.ruleSet()
    try WorkBudget.check()
    self.days = days
    unified = UnifiedDiff.text(of: new.name, was: old.name, from: old.text, to: new.text)
    changes = try Self.changes(from: old, to: new)
    let known = try analysis.taps.snapshot(RuleSettings(now))
    let knownBefore = try analysis.taps.snapshot(RuleSettings(before))
    let matcher = Matcher(now, dictionary: known.dictionary)
    var limits = DecisionComparison.Limits()
    limits.examples = 3
    var comparison = DecisionComparison(
      from: Matcher(before, dictionary: knownBefore.dictionary), to: matcher, limits: limits)
    var isComplete = true
    let clock = ThreadClock()
    try analysis.captures.forEachScreen { screen in
      try WorkBudget.check()
      guard clock.spent < analysis.workTime * Self.shareForCaptures else {
        isComplete = false
        return false
      }
      // A capture that a style cannot serve has nothing to compare.
      _ = comparison.add(screen.identified, name: screen.id)
      return true
    }
    elements = comparison.finish()

    var chunk: [UInt8] = []
    var ids: [Int64] = []
    var count = 0
    try analysis.events.forEach(days: days) { id, json in
      if count >= Self.mostEvents || clock.spent > analysis.workTime * Self.shareForEvents {
        isComplete = false
        return false
      }
      count += 1
      chunk += json
      chunk.append(0x0A)
      ids.append(id)
      if chunk.count >= Self.chunkBytes {
        Self.compare(chunk, ids, matcher.projection, &comparison)
        chunk = []
        ids = []
      }
      return true
    }
    Self.compare(chunk, ids, matcher.projection, &comparison)
    events = comparison.finish()
    self.isComplete = isComplete
  }

  /// Compares the decisions about events; the line of an example is the number under which the event is stored.
  private static func compare(
    _ lines: [UInt8], _ ids: [Int64], _ projection: EventProjection, _ comparison: inout DecisionComparison
  ) {
    var reader = EventReader(bytes: lines, projection: projection)
    // Stored events have no line breaks outside of their strings' escapes, and each is one line.
    while let record = try? reader.next() {
      guard case .event(let line) = record else { continue }
      comparison.add(eventOf: reader, file: "events", line: ids.indices.contains(line - 1) ? Int(ids[line - 1]) : 0)
    }
  }

  /// The rules that differ, as data: what is only laid out in another way does not.
  private static func changes(from old: RequestedRules, to new: RequestedRules) throws -> [(id: String, change: Change)]
  {
    do throws(RuleFileErrors) {
      let before = try RuleFileDocument(old.text, name: old.name).rulesByID
      let now = try RuleFileDocument(new.text, name: new.name).rulesByID
      return Set(before.keys).union(now.keys).sorted().compactMap { id in
        switch (before[id], now[id]) {
        case (nil, _?): (id.text, .added)
        case (_?, nil): (id.text, .removed)
        case (let a?, let b?) where a != b: (id.text, .changed)
        default: nil
        }
      }
    } catch {
      throw ServiceError(error)
    }
  }

  // MARK: - Answer

  var json: [UInt8] {
    var json = JSONBuilder()
    json.object {
      $0.member("unified", unified)
      $0.array("rules", changes) { entry, json in
        json.object {
          $0.member("id", entry.id)
          $0.member("change", entry.change.rawValue)
        }
      }
      $0.object("events") {
        write(events, to: &$0)
        $0.member("days", days)
        write(rulesOf: events, to: &$0)
        write(examplesOf: events, to: &$0)
      }
      $0.object("elements") {
        write(elements, to: &$0)
        write(rulesOf: elements, to: &$0)
        write(examplesOf: elements, to: &$0)
      }
      $0.member("complete", isComplete)
    }
    return json.bytes
  }

  private func write(_ report: DecisionComparison.Report, to json: inout JSONBuilder) {
    json.member("compared", report.compared)
    json.member("more", report.counts[.selected] ?? 0)
    json.member("fewer", report.counts[.noLongerSelected] ?? 0)
    json.member("renamed", report.counts[.otherNames] ?? 0)
    json.member("by_other_rules", report.counts[.otherRules] ?? 0)
  }

  /// Writes how many events each rule makes more or fewer; an event may count for several.
  private func write(rulesOf report: DecisionComparison.Report, to json: inout JSONBuilder) {
    var counts: [UTF8String: (more: Int, fewer: Int)] = [:]
    for group in report.groups {
      let difference = group.difference
      for rule in difference.includes.began + difference.excludes.ceased {
        counts[rule, default: (0, 0)].more += group.count
      }
      for rule in difference.includes.ceased + difference.excludes.began {
        counts[rule, default: (0, 0)].fewer += group.count
      }
    }
    json.array("by_rule", counts.sorted { $0.key < $1.key }) { entry, json in
      json.object {
        $0.member("id", entry.key.text)
        $0.member("more", entry.value.more)
        $0.member("fewer", entry.value.fewer)
      }
    }
  }

  private func write(examplesOf report: DecisionComparison.Report, to json: inout JSONBuilder) {
    let all = report.groups.flatMap { group in group.examples.map { (group.difference, $0) } }
    json.array("examples", Array(all.prefix(Self.mostExamples))) { entry, json in
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
