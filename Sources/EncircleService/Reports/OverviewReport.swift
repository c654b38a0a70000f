import EncircleText
import Foundation

/// The events of the last days: in total, and of the most frequent rules, pages, names and elements.
struct OverviewReport: Encodable {
  struct Period: Encodable {
    /// `2026-11-23`, in UTC, if the report covers more than two days.
    var day: String?
    /// The beginning of the hour.
    var hour: String?
    var events: Int
    var selected: Int
  }

  struct Rule: Encodable {
    var id: String
    var events: Int
    /// The events in each part of the time, as in every `series` of the report; `starts` contains the beginnings of the parts.
    var series: [Int]
  }

  struct Page: Encodable {
    var page: String
    var events: Int
    var selected: Int
    var series: [Int]
  }

  struct Name: Encodable {
    var event: String
    var events: Int
    var selected: Int
    var series: [Int]
  }

  struct Element: Encodable {
    var eventId: String
    var page: String?
    var events: Int
    var selected: Int
    var series: [Int]
    /// This is true if an element of a stored capture has this event ID.
    var stored: Bool
  }

  var days: [Period]
  /// The beginnings of the parts of the curves.
  var starts: [String]
  var rules: [Rule]
  var pages: [Page]
  var names: [Name]
  var elements: [Element]
  var events: Int
  var selected: Int
  var rejects: Int
  var captures: Int

  /// - Parameters:
  ///   - project: The project of the events; nil for all.
  ///   - ruleSet: The rule set whose include rules are counted; nil for the rules of all events.
  init(_ state: ServiceState, days count: Int, of project: String?, ruleSet: String?) throws {
    let (store, now) = (state.events.store, EventLibrary.now)
    let wanted = try ruleSet.map { name in
      try state.events.matchers.published(name).ruleSet.rules.filter { $0.effect == .include }.map(\.id.text)
    }
    let found =
      try project.map { try store.overview(of: $0, days: count, now: now, most: 20, rules: wanted) }
      ?? store.overview(days: count, now: now, most: 20, rules: wanted)
    days = Self.periods(found, days: count)
    starts = found.starts.map(EventText.time)
    rules = found.rules.map { Rule(id: $0.key, events: $0.events, series: $0.series) }
    pages = found.pages.map { Page(page: $0.key, events: $0.events, selected: $0.selected, series: $0.series) }
    names = found.names.map { Name(event: $0.key, events: $0.events, selected: $0.selected, series: $0.series) }
    elements = try found.elements.map {
      let id = Data($0.element)
      return Element(
        eventId: Hexadecimal.text($0.element), page: $0.page, events: $0.events, selected: $0.selected,
        series: $0.series, stored: try state.captures.elements(from: id, through: id, offset: 0, limit: 1).total > 0)
    }
    events = found.hours.reduce(0) { $0 + $1.events }
    selected = found.hours.reduce(0) { $0 + $1.selected }
    rejects = found.rejects
    captures = try state.captures.records(.init(), limit: 1).total
  }

  /// Returns the events by hour, or by day if there are more than two.
  private static func periods(_ overview: EventOverview, days: Int) -> [Period] {
    var periods: [Period] = []
    for hour in overview.hours {
      let time = EventText.time(hour.hour * 3_600_000)
      if days <= 2 {
        periods.append(Period(hour: time, events: hour.events, selected: hour.selected))
        continue
      }
      let day = String(time.prefix(10))
      if periods.last?.day == day {
        periods[periods.count - 1].events += hour.events
        periods[periods.count - 1].selected += hour.selected
      } else {
        periods.append(Period(day: day, events: hour.events, selected: hour.selected))
      }
    }
    return periods
  }
}
