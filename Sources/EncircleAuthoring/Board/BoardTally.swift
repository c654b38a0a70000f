import EncircleRuleFiles
import EncircleText
import EncircleTree

/// The screens of a board, with how often their events happened.
package struct BoardTally: Sendable {
  /// A capture, with the selections of rules on it.
  struct Screen: Sendable {
    let name: String
    /// The version of the app; empty if the capture does not name it.
    let version: String
    let page: UTF8String?
    let title: String?
    let picture: BoardReport.Picture?
    /// From top to bottom of the screen. `pages` are the pages of the event's elements.
    var events: [(event: UTF8String, frames: [Frame], texts: [UTF8String], pages: Set<UTF8String>)] = []
  }

  private let plan: TrackingPlan
  private var shown: [Screen] = []
  private var visits = PageVisits()
  /// The number of occurrences of each event on each page.
  private var counts: [UTF8String: [UTF8String: Int]] = [:]
  private var hasCounters = false
  private var report = BoardReport()

  init(_ plan: TrackingPlan) { self.plan = plan }

  mutating func add(_ screen: Screen) { shown.append(screen) }

  mutating func noteLeftOut() { report.leftOut += 1 }

  mutating func noteEvent() { report.hasEvents = true }

  /// Records that a person came to a page; they come in the order of time.
  mutating func addVisit(_ page: UTF8String, by person: UInt64) { visits.add(page, by: person) }

  mutating func add(_ event: UTF8String, on page: UTF8String, _ count: Int) {
    guard counts[page] != nil || counts.count < PageVisits.maximumPages else {
      report.beyondLimits += 1
      return
    }
    counts[page, default: [:]][event, default: 0] += count
  }

  // MARK: - Counters

  /// Adds a counter of the events that rules selected under a name on a page. Such a counter does not include the number of people.
  package mutating func add(counted event: UTF8String, on page: UTF8String, _ count: Int) {
    noteCounters()
    if plan.entry(of: event) != nil { add(event, on: page, count) }
  }

  /// Records that a person came to a page. Visits must be added in the order of time, and count only for the order of pages.
  package mutating func add(visit page: UTF8String, by person: UInt64) {
    noteCounters()
    addVisit(page, by: person)
  }

  /// Notes that counts are known, though they may all be 0.
  package mutating func noteCounters() { (hasCounters, report.hasEvents) = (true, true) }

  // MARK: - Result

  /// Returns the board.
  ///
  /// - Parameter status: The status of the plan.
  /// - Complexity: O(*n* log *n*), *n* pages and events.
  package func finish(_ status: PlanReport? = nil) -> BoardReport {
    let statuses = Dictionary(
      (status?.events ?? []).map { ($0.event, $0.status) }, uniquingKeysWith: { first, _ in first })
    var result = report
    result.beyondLimits += visits.beyondLimits
    result.countsAreComplete = status?.recentIsComplete ?? true
    let byPage = Dictionary(grouping: shown, by: \.page)
    // Some elements of a screen may be on another page than most, such as those of Android's bottom bars, which belong to the activity.
    var eventPages: [UTF8String?: [UTF8String: Set<UTF8String>]] = [:]
    var shownOn: [UTF8String: Set<UTF8String>] = [:]
    for capture in shown {
      for found in capture.events {
        eventPages[capture.page, default: [:]][found.event, default: []].formUnion(found.pages)
        for page in found.pages { shownOn[page, default: []].insert(found.event) }
      }
    }
    // The events on each page that no element on a screen causes, such as a view of the page.
    let withoutElement = counts.map { page, counts in
      (page, counts.keys.filter { !(shownOn[page]?.contains($0) ?? false) }.sorted())
    }
    let others = Dictionary(uniqueKeysWithValues: withoutElement.filter { !$0.1.isEmpty })
    var pages: [UTF8String?] = visits.pages.filter { byPage[$0] != nil || others[$0] != nil }
    // Pages without visits come last, in the order of the captures.
    var listed = Set(pages)
    for capture in shown where listed.insert(capture.page).inserted { pages.append(capture.page) }
    for page in pages {
      var captures = byPage[page] ?? []
      // The captures with the most events come first, of these the newest version; a capture that adds no event is left out.
      captures.sort { a, b in
        if a.events.count != b.events.count { return a.events.count > b.events.count }
        if !a.version.hasSameBytes(as: b.version) { return VersionNumber.areInOrder(b.version, a.version) }
        return UTF8String(a.name) < UTF8String(b.name)
      }
      var events: Set<UTF8String> = []
      var sheets: [BoardReport.Sheet] = []
      for capture in captures {
        let own = Set(capture.events.map(\.event))
        guard sheets.isEmpty || !own.isSubset(of: events) else {
          result.leftOut += 1
          continue
        }
        events.formUnion(own)
        sheets.append(sheet(capture, eventPages[page] ?? [:], statuses))
      }
      if sheets.isEmpty {
        sheets.append(sheet(Screen(name: "", version: "", page: page, title: nil, picture: nil), [:], statuses))
      }
      // The first sheet of a page also lists the events that no element causes.
      let own = page.map { Set([$0]) } ?? []
      let unlisted = page.flatMap { others[$0] }?.filter { !events.contains($0) } ?? []
      sheets[0].rows += unlisted.map { row(nil, $0, on: own, texts: [], statuses) }
      result.sheets += sheets
    }
    for i in result.sheets.indices { result.sheets[i].number = i + 1 }
    return result
  }

  /// - Parameter pages: The pages of each event's elements on the captures of the page.
  private func sheet(
    _ capture: Screen, _ pages: [UTF8String: Set<UTF8String>], _ statuses: [UTF8String: PlanReport.Status]
  ) -> BoardReport.Sheet {
    var rings: [BoardReport.Ring] = []
    var rows: [BoardReport.Row] = []
    var count = 0
    for found in capture.events {
      if !found.frames.isEmpty { count += 1 }
      rings += found.frames.map { .init(number: count, frame: $0) }
      var counted = pages[found.event] ?? []
      if let page = capture.page { counted.insert(page) }
      rows.append(
        row(found.frames.isEmpty ? nil : count, found.event, on: counted, texts: found.texts.map(\.text), statuses))
    }
    return BoardReport.Sheet(
      page: capture.page?.text, title: capture.title, capture: capture.name.isEmpty ? nil : capture.name,
      picture: capture.picture, rings: rings, rows: rows,
      people: hasCounters ? nil : capture.page.map(visits.people) ?? 0)
  }

  private func row(
    _ number: Int?, _ event: UTF8String, on pages: Set<UTF8String>, texts: [String],
    _ statuses: [UTF8String: PlanReport.Status]
  ) -> BoardReport.Row {
    let entry = plan.entry(of: event)
    var properties: [UTF8String] = []
    func add(_ name: UTF8String) { if !properties.contains(name) { properties.append(name) } }
    for rule in entry?.rules ?? [] where rule.isEnabled { rule.properties.forEach { add($0.name) } }
    for property in entry?.planned?.properties ?? [] { add(property.property) }
    let tap = texts.isEmpty ? nil : "Tap on \(texts.joined(separator: ", "))"
    return BoardReport.Row(
      number: number, event: event.text, rules: entry?.rules.filter(\.isEnabled).map(\.id.text) ?? [],
      name: entry?.name, summary: entry?.summary,
      trigger: entry?.planned?.trigger ?? tap ?? entry.flatMap { PlanTrigger.text($0, .en) }, owner: entry?.owner,
      tags: entry?.tags ?? [], properties: properties.map(\.text), status: statuses[event],
      count: pages.reduce(0) { $0 + (counts[$1]?[event] ?? 0) })
  }
}
