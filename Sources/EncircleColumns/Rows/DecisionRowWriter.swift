import EncircleText

/// Writes the decisions on rows, one row each, in the format of the rows.
struct DecisionRowWriter {
  /// The columns of an answer, in this order. `pages` has the excluded pages that the event is on.
  static let names = ["rules", "emit", "excluded_by", "pages", "selected", "rules_version", "error"]

  private let format: RowFormat
  private let isRow: Bool

  /// - Parameter isRow: True if a decision in JSON is a row, that is, an object with the member `result`, and a line feed.
  init(_ format: RowFormat, isRow: Bool = true) {
    self.format = format
    self.isRow = isRow
  }

  /// Appends the decision on a row.
  func append(_ decider: RowDecider, _ version: UnsafeBufferPointer<UInt8>, to bytes: inout [UInt8]) {
    begin(&bytes)
    list("rules", &bytes) { decider.forEachRule($0) }
    list("emit", &bytes) { body in for name in decider.record.names { body(name.bytes) } }
    list("excluded_by", &bytes) { decider.forEachExclude($0) }
    let pages = decider.pages
    list("pages", &bytes) { body in
      for page in pages {
        var text = page.text
        text.withUTF8(body)
      }
    }
    finish(decider.record.isSelected, version, UnsafeBufferPointer(start: nil, count: 0), &bytes)
  }

  /// Appends the answer to a row that cannot be decided.
  func append(problem: String, _ version: UnsafeBufferPointer<UInt8>, to bytes: inout [UInt8]) {
    begin(&bytes)
    for name in ["rules", "emit", "excluded_by", "pages"] as [StaticString] { list(name, &bytes) { _ in } }
    var problem = problem
    problem.withUTF8 { finish(false, version, $0, &bytes) }
  }

  // MARK: - Parts

  private func begin(_ bytes: inout [UInt8]) {
    switch format {
    case .rowBinary: break
    case .tsvRaw: bytes.append(UInt8(ascii: "("))
    case .jsonEachRow: bytes.append(isRow ? "{\"result\":{" : "{")
    }
  }

  /// - Parameter elements: Calls its argument with each element.
  private func list(
    _ name: StaticString, _ bytes: inout [UInt8], _ elements: ((UnsafeBufferPointer<UInt8>) -> Void) -> Void
  ) {
    switch format {
    case .rowBinary:
      let start = bytes.count
      bytes.append(0)
      var count = 0
      elements { text in
        Self.appendBinary(text, to: &bytes)
        count += 1
      }
      // There are nearly always fewer than 128, so that the length is one byte.
      if count < 0x80 {
        bytes[start] = UInt8(count)
      } else {
        var length: [UInt8] = []
        Self.appendLength(count, to: &length)
        bytes.replaceSubrange(start...start, with: length)
      }
    case .tsvRaw:
      bytes.append("[")
      Self.join(elements, &bytes) { Self.appendQuoted($0, to: &$1) }
    case .jsonEachRow:
      bytes.append("\"")
      bytes.append(name)
      bytes.append("\":[")
      Self.join(elements, &bytes) { JSONText.append($0, to: &$1) }
    }
  }

  /// Appends elements with commas between them, and the end of a list that another value follows.
  private static func join(
    _ elements: ((UnsafeBufferPointer<UInt8>) -> Void) -> Void, _ bytes: inout [UInt8],
    _ append: @escaping (UnsafeBufferPointer<UInt8>, inout [UInt8]) -> Void
  ) {
    var isFirst = true
    elements { text in
      if !isFirst { bytes.append(UInt8(ascii: ",")) }
      isFirst = false
      append(text, &bytes)
    }
    bytes.append("],")
  }

  private func finish(
    _ isSelected: Bool, _ version: UnsafeBufferPointer<UInt8>, _ error: UnsafeBufferPointer<UInt8>,
    _ bytes: inout [UInt8]
  ) {
    switch format {
    case .rowBinary:
      bytes.append(isSelected ? 1 : 0)
      Self.appendBinary(version, to: &bytes)
      Self.appendBinary(error, to: &bytes)
    case .tsvRaw:
      bytes.append(isSelected ? "1," : "0,")
      Self.appendQuoted(version, to: &bytes)
      bytes.append(UInt8(ascii: ","))
      Self.appendQuoted(error, to: &bytes)
      bytes.append(")\n")
    case .jsonEachRow:
      bytes.append(isSelected ? "\"selected\":1,\"rules_version\":" : "\"selected\":0,\"rules_version\":")
      JSONText.append(version, to: &bytes)
      bytes.append(",\"error\":")
      JSONText.append(error, to: &bytes)
      bytes.append(isRow ? "}}\n" : "}")
    }
  }

  private static func appendLength(_ count: Int, to bytes: inout [UInt8]) {
    var rest = UInt(count)
    while rest >= 0x80 {
      bytes.append(UInt8(truncatingIfNeeded: rest) | 0x80)
      rest >>= 7
    }
    bytes.append(UInt8(rest))
  }

  private static func appendBinary(_ text: UnsafeBufferPointer<UInt8>, to bytes: inout [UInt8]) {
    appendLength(text.count, to: &bytes)
    bytes.append(contentsOf: text)
  }

  /// Appends a text as ClickHouse quotes it within tuples and arrays.
  private static func appendQuoted(_ text: UnsafeBufferPointer<UInt8>, to bytes: inout [UInt8]) {
    bytes.append(UInt8(ascii: "'"))
    for byte in text {
      switch byte {
      case UInt8(ascii: "'"), UInt8(ascii: "\\"):
        bytes.append(UInt8(ascii: "\\"))
        bytes.append(byte)
      case 0x09: bytes.append("\\t")
      case 0x0A: bytes.append("\\n")
      case 0x0D: bytes.append("\\r")
      case 0x00: bytes.append("\\0")
      default: bytes.append(byte)
      }
    }
    bytes.append(UInt8(ascii: "'"))
  }
}
