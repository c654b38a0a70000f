import EncircleRules
import EncircleText

/// Decides rows that come as values rather than as a stream, as calls of a warehouse's remote function do.
///
/// One is used by one thread at a time.
package final class ValueRowDecider {
  private let decider: RowDecider
  private let writer = DecisionRowWriter(.jsonEachRow, isRow: false)
  private let columns: [EventColumn]
  private let version: [UInt8]
  private var row: EventRow
  private var number = 0

  /// - Parameters:
  ///   - columns: The kinds of the values. Properties are an object in JSON.
  ///   - version: The version of the rules, which the answers state.
  package init(_ matcher: Matcher, _ columns: [EventColumn], version: String) {
    self.columns = columns.map { $0 == .properties ? .propertiesJSON : $0 }
    decider = RowDecider(matcher, self.columns)
    row = EventRow(columnCount: columns.count)
    self.version = Array(version.utf8)
  }

  /// Appends the decision on a row as an object in JSON: rules, emit, excluded_by, pages, selected, rules_version and error.
  ///
  /// - Parameters:
  ///   - values: The values by column; nil for missing ones.
  ///   - problem: The reason why the row cannot be decided, if it is known already.
  package func appendDecision(of values: [[UInt8]?], problem: String? = nil, to bytes: inout [UInt8]) {
    number += 1
    row.begin(number)
    let all = values.flatMap { $0 ?? [] }
    version.withUnsafeBufferPointer { version in
      all.withUnsafeBufferPointer { all in
        var start = 0
        for (column, value) in values.enumerated() where column < columns.count {
          guard let value else { continue }
          row.set(column, UnsafeBufferPointer(rebasing: all[start..<start + value.count]))
          start += value.count
        }
        if let problem = problem ?? decider.decide(&row) {
          writer.append(problem: problem, version, to: &bytes)
        } else {
          writer.append(decider, version, to: &bytes)
        }
      }
    }
  }
}
