import EncircleText

#if canImport(Darwin)
  import Darwin
#elseif canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#endif

/// Reads rows of ClickHouse's `TSVRaw`: values between tabs without escapes, `\N` where one is missing.
///
/// https://clickhouse.com/docs/interfaces/formats/TabSeparatedRaw
final class TSVRowReader: RowReader {
  private let columns: [EventColumn]
  private let lengthLimit: Int
  private let lastIsJSON: Bool

  init(_ columns: [EventColumn], lengthLimit: Int) {
    self.columns = columns
    self.lengthLimit = lengthLimit
    lastIsJSON = columns.last.map { !$0.isNullable } ?? false
  }

  func read(
    _ bytes: UnsafeBufferPointer<UInt8>, _ offset: inout Int, isComplete: Bool, into row: inout EventRow
  ) throws(RowStreamError) -> Bool {
    guard let line = try Line.next(bytes, &offset, isComplete, row: row.number, limit: lengthLimit) else {
      return false
    }
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

/// Lines of bytes that arrive piece by piece.
enum Line {
  /// Returns the line at an offset, without its line feed, and moves the offset behind it; nil if it is not complete yet.
  ///
  /// - Complexity: O(length).
  static func next(
    _ bytes: UnsafeBufferPointer<UInt8>, _ offset: inout Int, _ isComplete: Bool, row: Int, limit: Int
  ) throws(RowStreamError) -> UnsafeBufferPointer<UInt8>? {
    let count = bytes.count - offset
    guard count > 0, let base = bytes.baseAddress else { return nil }
    let found = memchr(base + offset, 0x0A, count).map { UnsafeRawPointer($0) - UnsafeRawPointer(base) }
    guard (found ?? bytes.count) - offset <= limit else { throw .tooLong(row: row, limit: limit) }
    // The last line may lack its line feed.
    guard let end = found ?? (isComplete ? bytes.count : nil) else { return nil }
    defer { offset = found == nil ? end : end + 1 }
    return bytes.part(offset..<end)
  }
}
