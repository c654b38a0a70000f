import EncircleText

/// Reads rows of ClickHouse's `TSVRaw`: values between tabs without escapes, `\N` where one is missing.
///
/// https://clickhouse.com/docs/interfaces/formats/TabSeparatedRaw
final class TSVRowReader: RowReader {
  private let columns: [EventColumn]
  private let lastIsJSON: Bool
  private var lines: LineReader

  init(_ columns: [EventColumn], lengthLimit: Int) {
    self.columns = columns
    lastIsJSON = columns.last.map { !$0.isNullable } ?? false
    lines = LineReader(lengthLimit: lengthLimit)
  }

  func read(
    _ bytes: UnsafeBufferPointer<UInt8>, _ offset: inout Int, isComplete: Bool, into row: inout EventRow
  ) -> Bool {
    guard let line = lines.next(bytes, &offset, isComplete, into: &row) else { return false }
    guard row.problem == nil else { return true }
    let version = Self.field(of: line, from: 0, isLast: false)
    row.version = version.text
    var next = version.next
    for (number, column) in columns.enumerated() {
      guard let start = next else {
        row.problem = Self.countProblem(expected: columns.count + 1, found: number + 1)
        return true
      }
      let field = Self.field(of: line, from: start, isLast: lastIsJSON && number == columns.count - 1)
      next = field.next
      if column.isNullable, field.text.elementsEqual("\\N".utf8) { continue }
      row.set(number, field.text)
    }
    if let start = next {
      let more = line[start...].count { $0 == UInt8(ascii: "\t") } + 1
      row.problem = Self.countProblem(expected: columns.count + 1, found: columns.count + 1 + more)
    }
    return true
  }

  private static func countProblem(expected: Int, found: Int) -> String {
    "expected a row of \(expected) columns, found \(found)"
  }

  private static func field(
    of line: UnsafeBufferPointer<UInt8>, from start: Int, isLast: Bool
  ) -> (text: EventRow.Text, next: Int?) {
    let tab = isLast ? nil : line[start...].firstIndex(of: UInt8(ascii: "\t"))
    return (line.part(start..<(tab ?? line.count)), tab.map { $0 + 1 })
  }
}
