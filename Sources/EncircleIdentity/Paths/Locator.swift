import EncircleTree

/// What follows the class name in a component of a path and tells siblings apart.
public enum Locator: Hashable, Sendable {
  /// No locator: the class name says all there is to say.
  case none
  /// `(n)`: the n-th sibling of the same class, from 0.
  case index(Int)
  /// `(section:S row:R)` of a table cell, from 0.
  case row(section: Int, row: Int)
  /// `(section:S item:I)` of a collection cell, from 0.
  case item(section: Int, item: Int)
  /// `(indexx:X indexy:Y)`: in which screenful of a scroll view a child page lies.
  case position(x: Int, y: Int)

  /// The values with the names of their fields, in the order in which they are written; an index has no name.
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
  func write(to bytes: inout [UInt8]) {
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

  // The longest written form has two numbers of 20 digits.
  private static let maximumLength = 64

  /// The locator whose written form, without parentheses, is exactly `text`.
  init?(parsing text: Substring.UTF8View) {
    guard text.count <= Self.maximumLength else { return nil }
    if let index = Self.number(text), index >= 0 {
      self = .index(index)
      return
    }
    let words = text.split(separator: UInt8(ascii: " "), maxSplits: 2, omittingEmptySubsequences: false)
    guard words.count == 2, let first = Self.field(words[0]), let second = Self.field(words[1]) else { return nil }
    switch (first.name, second.name) {
    case ("section", "row") where first.value >= 0 && second.value >= 0:
      self = .row(section: first.value, row: second.value)
    case ("section", "item") where first.value >= 0 && second.value >= 0:
      self = .item(section: first.value, item: second.value)
    case ("indexx", "indexy"): self = .position(x: first.value, y: second.value)
    default: return nil
    }
  }

  /// Whether a text in parentheses is meant as a locator, though it may not be a valid one.
  static func isMeant(by text: Substring.UTF8View) -> Bool {
    guard let first = text.first else { return true }
    if (first >= 0x30 && first <= 0x39) || first == UInt8(ascii: "-") || first == UInt8(ascii: "+") { return true }
    return ["section:", "row:", "item:", "indexx:", "indexy:"].contains { text.starts(with: $0.utf8) }
  }

  private static func field(_ word: Substring.UTF8View) -> (name: String, value: Int)? {
    guard let colon = word.firstIndex(of: UInt8(ascii: ":")), let value = number(word[word.index(after: colon)...])
    else { return nil }
    return (String(Substring(word[..<colon])), value)
  }

  // Only the form that is written: no sign +, no leading zero, so that writing gives the same bytes again.
  private static func number(_ text: Substring.UTF8View) -> Int? {
    guard let value = Int(Substring(text)), String(value).utf8.elementsEqual(text) else { return nil }
    return value
  }
}

/// Appends a number in decimal.
package func appendDecimal(_ number: Int, to bytes: inout [UInt8]) {
  if number >= 0 && number < 10 {
    bytes.append(0x30 + UInt8(number))
    return
  }
  if number < 0 { bytes.append(UInt8(ascii: "-")) }
  var digits: (UInt64, UInt64, UInt64) = (0, 0, 0)
  withUnsafeMutableBytes(of: &digits) { buffer in
    var i = buffer.count
    var rest = number.magnitude
    while rest > 0 {
      i -= 1
      buffer[i] = 0x30 + UInt8(rest % 10)
      rest /= 10
    }
    bytes.append(contentsOf: buffer[i...])
  }
}

/// Appends the bytes of a literal.
package func append(_ literal: StaticString, to bytes: inout [UInt8]) {
  bytes.append(contentsOf: UnsafeBufferPointer(start: literal.utf8Start, count: literal.utf8CodeUnitCount))
}
