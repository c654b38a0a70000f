import EncircleText
import Foundation
import GRDB

/// The hours of the last days, including the present hour. All reports on events, rules and elements use these hours, so their
/// numbers agree.
///
/// The hours are divided into consecutive parts. A part is one hour if there are up to two days. Otherwise it is 24 hours, or a
/// multiple of them, so that there are at most 90 parts.
struct RecentHours {
  let first: Int64
  let last: Int64
  let width: Int64

  init(days: Int, now: Int64) {
    last = now.flooredQuotient(by: 3_600_000)
    first = last - Int64(days) * 24 + 1
    width = days <= 2 ? 1 : 24 * ((Int64(days) + 89) / 90)
  }

  /// The beginning in milliseconds since 1970.
  var startTime: Int64 { first * 3_600_000 }

  /// The beginnings of the parts in milliseconds since 1970.
  var starts: [Int64] { stride(from: first, through: last, by: Int(width)).map { $0 * 3_600_000 } }
}

/// The events of some rules in consecutive parts of a period that ends now.
struct RuleSeries: Sendable {
  /// The beginnings of the parts in milliseconds since 1970, ascending. A part is an hour for up to two days, else 24 hours.
  let starts: [Int64]
  /// The events in each part, by rule; rules without events are missing.
  fileprivate(set) var events: [UTF8String: [Int]] = [:]
}

extension EventStore {
  /// Counts the events that rules have matched in the last days, part by part.
  ///
  /// - Parameter days: From 1 to 90.
  /// - Complexity: O(hours × rules), each for an index lookup, and the counters found.
  func series(of rules: [String], days: Int, now: Int64) throws -> RuleSeries {
    let hours = RecentHours(days: days, now: now)
    var series = RuleSeries(starts: hours.starts)
    guard !rules.isEmpty else { return series }
    // With lists, each pair of an hour and a rule is looked up in the primary key, however many other rows the hours have.
    let arguments: StatementArguments = [
      hours.first, hours.width, try JSONColumn.text(of: Array(hours.first...hours.last)),
      try JSONColumn.text(of: rules),
    ]
    try pool.read { database in
      let rows = try Row.fetchCursor(
        database,
        sql: """
          SELECT rule, (hour - ?) / ?, sum(events) FROM event_count
          WHERE hour IN (SELECT value FROM json_each(?)) AND rule IN (SELECT value FROM json_each(?))
          GROUP BY 1, 2
          """, arguments: arguments)
      while let row = try rows.next() {
        let (rule, part, events): (String, Int, Int) = (row[0], row[1], row[2])
        series.events[UTF8String(rule), default: Array(repeating: 0, count: series.starts.count)][part] = events
      }
    }
    return series
  }

  /// Counts the events of elements in the last days, in the same parts as ``series(of:days:now:)``; elements without events are
  /// missing.
  ///
  /// - Parameter elements: Event IDs.
  /// - Complexity: O(counters of elements of that time).
  func elementSeries(of elements: Set<[UInt8]>, days: Int, now: Int64) throws -> [[UInt8]: [Int]] {
    guard !elements.isEmpty else { return [:] }
    let hours = RecentHours(days: days, now: now)
    let count = hours.starts.count
    return try pool.read { database in
      let rows = try Row.fetchCursor(
        database, sql: "SELECT element, (hour - ?) / ?, events FROM element_count WHERE hour BETWEEN ? AND ?",
        arguments: [hours.first, hours.width, hours.first, hours.last])
      var series: [[UInt8]: [Int]] = [:]
      while let row = try rows.next() {
        let element = [UInt8](row[0] as Data)
        guard elements.contains(element) else { continue }
        series[element, default: Array(repeating: 0, count: count)][row[1]] += row[2] as Int
      }
      return series
    }
  }
}
