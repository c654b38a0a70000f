import EncircleText

/// Reads rows of ClickHouse's `JSONEachRow`: an object a line, with the columns by name.
///
/// https://clickhouse.com/docs/interfaces/formats/JSONEachRow
final class JSONRowReader: RowReader {
  private static let version = place(of: "rules_version")

  private let columns: [EventColumn]
  private let places: [JSONPointer]
  private var lines: LineReader
  private var tape = JSONTape()
  // Texts without their escapes, which are never longer than the line.
  private var texts: UnsafeMutableBufferPointer<UInt8> = .allocate(capacity: 1 << 10)
  private var used = 0
  private var decoded: [UInt8] = []

  init(_ columns: [EventColumn], lengthLimit: Int) {
    self.columns = columns
    places = columns.map { Self.place(of: $0.name) }
    lines = LineReader(lengthLimit: lengthLimit)
  }

  deinit { texts.deallocate() }

  private static func place(of name: String) -> JSONPointer {
    guard let place = JSONPointer(parsing: "/" + name) else { preconditionFailure("a column's name has no ~") }
    return place
  }

  func read(
    _ bytes: UnsafeBufferPointer<UInt8>, _ offset: inout Int, isComplete: Bool, into row: inout EventRow
  ) -> Bool {
    guard let line = lines.next(bytes, &offset, isComplete, into: &row) else { return false }
    guard row.problem == nil else { return true }
    do throws(JSONError) {
      try tape.parse(line)
    } catch {
      row.problem = "not a row: \(error.kind.message), at byte \(error.offset + 1)"
      return true
    }
    guard tape[0].kind == .object else {
      row.problem = "not a row: \(JSONError.Kind.notAnObject.message)"
      return true
    }
    makeRoom(for: line.count)
    takeValues(of: line, into: &row)
    return true
  }

  private func makeRoom(for count: Int) {
    used = 0
    guard count > texts.count else { return }
    texts.deallocate()
    texts = .allocate(capacity: 2 * count)
  }

  private func takeValues(of line: UnsafeBufferPointer<UInt8>, into row: inout EventRow) {
    guard let version = tape.find(Self.version, in: line), tape[version].kind == .string else {
      row.problem = "rules_version: expected a string"
      return
    }
    row.version = text(version, of: line)
    for (number, column) in columns.enumerated() {
      guard let value = tape.find(places[number], in: line), tape[value].kind != .null else { continue }
      switch (tape[value].kind, column) {
      case (.string, .event), (.string, .propertiesJSON), (.string, .field), (.number, .field):
        row.set(number, text(value, of: line))
      case (.object, .event), (.object, .propertiesJSON):
        row.set(number, line.part(tape[value].range))
      case (.object, .properties):
        // White space alone is not a member.
        guard tape[value].next > value + 1 else { continue }
        let range = tape[value].range
        row.set(number, line.part(range.lowerBound + 1..<range.upperBound - 1))
      default:
        row.problem = "\(column.name): \(column.isNullable ? "a string" : "an object") is expected"
      }
    }
  }

  /// Returns the text of a string, or of a number as it is written.
  private func text(_ node: Int, of line: UnsafeBufferPointer<UInt8>) -> EventRow.Text {
    guard tape[node].hasEscapes else { return line.part(tape[node].range) }
    decoded.removeAll(keepingCapacity: true)
    tape.appendString(node, in: line, to: &decoded)
    // A column is taken once, so that all texts together are no longer than the line.
    _ = texts[used...].update(fromContentsOf: decoded)
    defer { used += decoded.count }
    return UnsafeBufferPointer(rebasing: texts[used..<used + decoded.count])
  }
}
