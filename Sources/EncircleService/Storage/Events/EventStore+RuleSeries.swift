import Foundation
import GRDB

/// The events of some rules in consecutive parts of a time, up to now.
public struct RuleSeries: Sendable {
  /// The beginnings of the parts in milliseconds since 1970, ascending: hours of up to two days, else times of 24 hours.
  public let starts: [Int64]
  /// By rule, the events in each part; rules without events are missing.
  public fileprivate(set) var events: [String: [Int]] = [:]
}

extension EventStore {
  /// Counts the events that rules have matched in the last days, part by part.
  ///
  /// - Parameter days: From 1 to 90.
  /// - Complexity: O(hours × rules), each for a search in an index, and the counters found.
  public func series(of rules: [String], days: Int, now: Int64) throws -> RuleSeries {
    let last = now.flooredQuotient(by: 3_600_000)
    let hours = Int64(days) * 24
    let width: Int64 = days <= 2 ? 1 : 24
    let first = last - hours + 1
    var series = RuleSeries(starts: stride(from: first, through: last, by: Int(width)).map { $0 * 3_600_000 })
    guard !rules.isEmpty else { return series }
    // As lists, so that each pair of them is looked up in the primary key, whatever else the hours have.
    func list(_ values: some Encodable) throws -> String {
      String(decoding: try JSONEncoder().encode(values), as: UTF8.self)
    }
    let arguments: StatementArguments = [first, width, try list(Array(first...last)), try list(rules)]
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
        series.events[rule, default: Array(repeating: 0, count: series.starts.count)][part] = events
      }
    }
    return series
  }
}
