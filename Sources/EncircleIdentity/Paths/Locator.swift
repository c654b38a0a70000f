import EncircleText

/// The part of a path's component that follows the class name and distinguishes siblings.
public enum Locator: Hashable, Sendable {
  /// Stands for an index, row or item that an event does not give: Sensors and GrowingIO write `-` in its place.
  ///
  /// In a selector, a test for any number accepts it; a test for certain numbers or a range does not.
  public static let unknown = -1

  /// There is no locator.
  case none
  /// `(n)`: the number among the siblings of the same class, from 0.
  case index(Int)
  /// `(section:S row:R)` of a table cell, from 0.
  case row(section: Int, row: Int)
  /// `(section:S item:I)` of a collection cell, from 0.
  case item(section: Int, item: Int)
  /// `(indexx:X indexy:Y)`: the screenful of a scroll view that contains a child page.
  case position(x: Int, y: Int)

  /// The values and the names of their fields, in the order in which they are written. The name of an index is empty.
  public var fields: [(name: String, value: Int)] {
    switch self {
    case .none: []
    case .index(let index): [("", index)]
    case .row(let section, let row): [("section", section), ("row", row)]
    case .item(let section, let item): [("section", section), ("item", item)]
    case .position(let x, let y): [("indexx", x), ("indexy", y)]
    }
  }

  /// Appends the written form, with its parentheses.
  package func write(to bytes: inout [UInt8]) {
    switch self {
    case .none: return
    case .index(let index):
      bytes.append(UInt8(ascii: "("))
      appendDecimal(index, to: &bytes)
    case .row(let section, let row): Self.write("(section:", section, " row:", row, to: &bytes)
    case .item(let section, let item): Self.write("(section:", section, " item:", item, to: &bytes)
    case .position(let x, let y): Self.write("(indexx:", x, " indexy:", y, to: &bytes)
    }
    bytes.append(UInt8(ascii: ")"))
  }

  private static func write(_ a: StaticString, _ x: Int, _ b: StaticString, _ y: Int, to bytes: inout [UInt8]) {
    append(a, to: &bytes)
    appendDecimal(x, to: &bytes)
    append(b, to: &bytes)
    appendDecimal(y, to: &bytes)
  }

  // Enough for the longest field names with two 64-bit numbers.
  static let maximumLength = "indexx: indexy:".utf8.count + 2 * String(Int.min).utf8.count

  /// Parses a locator without its parentheses. Returns nil if writing it would not give exactly `text`.
  package init?(parsing text: UnsafeBufferPointer<UInt8>) {
    guard text.count <= Self.maximumLength else { return nil }
    if let index = Self.number(text), index >= 0 {
      self = .index(index)
      return
    }
    guard let space = text.firstIndex(of: UInt8(ascii: " ")) else { return nil }
    let first = text.part(0..<space)
    let second = text.part(space + 1..<text.count)
    func value(_ word: UnsafeBufferPointer<UInt8>, of name: StaticString) -> Int? {
      word.starts(withLiteral: name) ? Self.number(word.part(name.utf8CodeUnitCount..<word.count)) : nil
    }
    if let section = value(first, of: "section:"), section >= 0 {
      if let row = value(second, of: "row:"), row >= 0 {
        self = .row(section: section, row: row)
        return
      }
      if let item = value(second, of: "item:"), item >= 0 {
        self = .item(section: section, item: item)
        return
      }
    } else if let x = value(first, of: "indexx:"), let y = value(second, of: "indexy:") {
      self = .position(x: x, y: y)
      return
    }
    return nil
  }

  /// Returns whether a text in parentheses looks as if a locator was meant, be it a valid one or not.
  package static func isMeant(by text: UnsafeBufferPointer<UInt8>) -> Bool {
    guard let first = text.first else { return true }
    if isDigit(first) || first == UInt8(ascii: "-") || first == UInt8(ascii: "+") { return true }
    let fields: [StaticString] = ["section:", "row:", "item:", "indexx:", "indexy:"]
    return fields.contains { text.starts(withLiteral: $0) }
  }

  /// Returns the value of a text that is a number without a plus sign, leading zeros or -0; nil for other texts.
  static func number(_ text: UnsafeBufferPointer<UInt8>) -> Int? {
    let isNegative = text.first == UInt8(ascii: "-")
    var i = isNegative ? 1 : 0
    guard i < text.count, text[i] != UInt8(ascii: "0") || text.count == 1 else { return nil }
    var value = 0
    while i < text.count {
      guard isDigit(text[i]) else { return nil }
      let digit = Int(text[i] & 0x0F)
      let (product, overflow) = value.multipliedReportingOverflow(by: 10)
      let (sum, overflowToo) =
        isNegative ? product.subtractingReportingOverflow(digit) : product.addingReportingOverflow(digit)
      if overflow || overflowToo { return nil }
      value = sum
      i += 1
    }
    return value
  }
}

/// Appends the bytes of a literal.
package func append(_ literal: StaticString, to bytes: inout [UInt8]) {
  bytes.append(contentsOf: UnsafeBufferPointer(start: literal.utf8Start, count: literal.utf8CodeUnitCount))
}
