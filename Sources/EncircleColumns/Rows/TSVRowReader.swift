import EncircleEvents
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

/// Reads lines of bytes that arrive piece by piece.
struct LineReader {
  private let lengthLimit: Int
  // This is true while the present line is longer than the limit: the reader drops it up to its end.
  private var isTooLong = false

  init(lengthLimit: Int) { self.lengthLimit = lengthLimit }

  /// Returns the line at an offset, without its line feed, and moves the offset behind it; nil if it is not complete yet.
  ///
  /// - Parameter row: Gets a problem if the line is longer than the limit; then the result is incomplete.
  /// - Complexity: O(length).
  mutating func next(
    _ bytes: UnsafeBufferPointer<UInt8>, _ offset: inout Int, _ isComplete: Bool, into row: inout EventRow
  ) -> UnsafeBufferPointer<UInt8>? {
    guard offset < bytes.count else { return nil }
    let found = bytes.offset(of: 0x0A, from: offset)
    let end = found ?? bytes.count
    if end - offset > lengthLimit { isTooLong = true }
    // The last line may lack its line feed.
    guard found != nil || isComplete else {
      // One byte stays, so that the line gets its answer if nothing follows.
      if isTooLong { offset = end - 1 }
      return nil
    }
    if isTooLong {
      row.problem = Rejection.Reason.tooLong(limit: lengthLimit).message
      isTooLong = false
    }
    defer { offset = found == nil ? end : end + 1 }
    return bytes.part(offset..<end)
  }
}
