import EncircleText
import GRDB

/// The increments of the counters in one transaction.
struct EventCounts {
  private struct Key: Hashable {
    var hour: Int64
    /// The rule; empty for all events.
    var rule: UTF8String
    var page: UTF8String
    var event: UTF8String
    var appVersion: UTF8String
    /// The platform; empty if the event does not state it.
    var platform: UTF8String
  }

  private struct ElementKey: Hashable {
    var hour: Int64
    var element: [UInt8]
  }

  private struct ElementCount {
    var page: String?
    var events: Int64 = 0
    var selected: Int64 = 0
    var excludedByRule: Int64 = 0
    var excludedPage: Int64 = 0
  }

  private var counts: [Key: (events: Int64, selected: Int64)] = [:]
  private var elements: [ElementKey: ElementCount] = [:]
  private var seen: [UTF8String: Int64] = [:]
  private var projects: [UTF8String: Int64] = [:]
  /// The length at which texts are cut off, so that data from apps cannot make the counters large.
  static let nameLimit = 200

  /// The number of rows that ``write(to:)`` adds or changes, by day.
  var rowsByDay: [Int64: Int] {
    var rows: [Int64: Int] = [:]
    for key in counts.keys { rows[key.hour.flooredQuotient(by: 24), default: 0] += 1 }
    for key in elements.keys { rows[key.hour.flooredQuotient(by: 24), default: 0] += 1 }
    return rows
  }

  mutating func count(_ row: EventRow, at time: Int64) {
    var key = Key(
      hour: time.flooredQuotient(by: 3_600_000), rule: UTF8String(""), page: Self.cut(row.page),
      event: Self.cut(row.event), appVersion: Self.cut(row.appVersion), platform: UTF8String(row.platform ?? ""))
    let selected: Int64 = row.decision.isSelected ? 1 : 0
    counts[key, default: (0, 0)].events += 1
    counts[key, default: (0, 0)].selected += selected
    if let element = row.element {
      let place = ElementKey(hour: key.hour, element: element)
      var count = elements[place] ?? ElementCount(page: row.page)
      count.events += 1
      if row.decision.isSelected {
        count.selected += 1
      } else if !row.decision.pages.isEmpty {
        count.excludedPage += 1
      } else if !row.decision.excludedBy.isEmpty {
        count.excludedByRule += 1
      }
      elements[place] = count
    }
    let project = UTF8String(row.project ?? EventFilter.defaultProject)
    if project.text.utf8.count <= Self.nameLimit { projects[project] = max(projects[project] ?? .min, time) }
    for rule in (row.decision.rules + row.decision.excludedBy).map({ UTF8String($0) }) {
      key.rule = rule
      counts[key, default: (0, 0)].events += 1
      counts[key, default: (0, 0)].selected += selected
      seen[rule] = max(seen[rule] ?? .min, time)
    }
  }

  static func cut(_ text: String?) -> UTF8String {
    UTF8String((text ?? "").beginning(bytes: nameLimit))
  }

  func write(to database: Database) throws {
    var count = try RowStatement(
      database,
      """
      INSERT INTO event_count (hour, rule, page, event, app_version, platform, events, selected)
      VALUES (?, ?, ?, ?, ?, ?, ?, ?)
      ON CONFLICT DO UPDATE SET events = events + excluded.events, selected = selected + excluded.selected
      """)
    for (key, value) in counts {
      count.bind(key.hour)
      count.bind(key.rule.text)
      count.bind(key.page.text)
      count.bind(key.event.text)
      count.bind(key.appVersion.text)
      count.bind(key.platform.text)
      count.bind(value.events)
      count.bind(value.selected)
      try count.run()
    }
    var element = try RowStatement(
      database,
      """
      INSERT INTO element_count (hour, element, page, events, selected, excluded_by_rule, excluded_page)
      VALUES (?, ?, ?, ?, ?, ?, ?)
      ON CONFLICT DO UPDATE SET events = events + excluded.events, selected = selected + excluded.selected,
        excluded_by_rule = excluded_by_rule + excluded.excluded_by_rule, excluded_page = excluded_page + excluded.excluded_page
      """)
    for (key, value) in elements {
      element.bind(key.hour)
      element.bind(key.element)
      element.bind(value.page)
      element.bind(value.events)
      element.bind(value.selected)
      element.bind(value.excludedByRule)
      element.bind(value.excludedPage)
      try element.run()
    }
    try Self.write(seen, to: "rule_seen", key: "rule", database)
    try Self.write(projects, to: "project_seen", key: "project", database)
  }

  /// Stores the latest time at which each name was seen.
  private static func write(
    _ seen: [UTF8String: Int64], to table: String, key: String, _ database: Database
  ) throws {
    var statement = try RowStatement(
      database,
      """
      INSERT INTO \(table) (\(key), last_seen) VALUES (?, ?)
      ON CONFLICT DO UPDATE SET last_seen = max(last_seen, excluded.last_seen)
      """)
    for (name, time) in seen {
      statement.bind(name.text)
      statement.bind(time)
      try statement.run()
    }
  }
}
