import EncircleRules
import EncircleText

/// Expressions that match one value in PostHog's chain of elements, such as `text="Pay"`, and never reach beyond its quotation
/// marks.
enum TextInChain {
  /// One of the signs that a value has.
  private static let sign = "[^\"]"

  /// Returns an expression that matches if any element has the value.
  static func expression(_ name: String, _ value: Value) -> String {
    "(?s)[:\"]\(name)=\"\(value.expression)\""
  }

  /// Returns an expression that matches if the first `href` in the chain has the value.
  ///
  /// RE2 has no look-ahead, so the expression spells out every beginning that contains no earlier `href="` after a colon or a
  /// quotation mark.
  static func firstReference(_ value: Value) -> String {
    let again = "(?:(?:h|hr|hre|href)[:\"]+|href=:[:\"]*)*"
    let other = "(?:[^:\"h]|h[^:\"r]|hr[^:\"e]|hre[^:\"f]|href[^:\"=]|href=[^:\"])"
    return "(?s)^(?:[^:\"]|[:\"]+\(again)\(other))*[:\"]+\(again)href=\"\(value.expression)\""
  }

  /// The condition on a value.
  struct Value {
    let expression: String

    /// Returns the condition that the value is a text.
    static func exact(_ text: String) -> Value { Value(expression: RegularExpression.quoting(text)) }

    /// Returns the condition that the value contains a text, ignoring case.
    static func contains(_ text: LikeText) -> Value {
      Value(expression: "\(sign)*(?i:\(text.expression(sign: sign)))\(sign)*")
    }

    /// Returns the condition that an expression matches somewhere in the value; nil if the expression could reach beyond the
    /// value.
    static func matches(_ expression: String) -> Value? {
      var reader = BoundedExpression(expression)
      guard let bounded = reader.read() else { return nil }
      let before = reader.hasStart ? "" : "\(sign)*"
      let behind = reader.hasEnd ? "" : "\(sign)*"
      return Value(expression: "\(before)(?\(reader.foldsCase ? "i" : ""):\(bounded))\(behind)")
    }
  }
}

/// Rewrites an expression for a whole text to one that stays within quotation marks.
private struct BoundedExpression {
  private var bytes: Substring.UTF8View
  private(set) var hasStart = false
  private(set) var hasEnd = false
  private(set) var foldsCase = false
  private var result: [UInt8] = []
  private var depth = 0
  private var hasAlternatives = false

  init(_ text: String) {
    var text = Substring(text)
    for (flag, folds) in [("(?i)", true), ("(?s)", false), ("(?is)", true), ("(?si)", true)]
    where text.beginsWithBytes(of: flag) {
      text = Substring(text.utf8.dropFirst(flag.utf8.count))
      foldsCase = folds
      break
    }
    bytes = text.utf8
    if bytes.first == UInt8(ascii: "^") {
      hasStart = true
      bytes.removeFirst()
    }
  }

  /// Returns the expression; nil if it has syntax whose reach is uncertain.
  mutating func read() -> String? {
    while let byte = bytes.popFirst() {
      switch byte {
      case UInt8(ascii: "\\"): guard readEscape() else { return nil }
      case UInt8(ascii: "["): guard readClass() else { return nil }
      case UInt8(ascii: "."): result += "[^\"]".utf8
      case UInt8(ascii: "("): guard readGroup() else { return nil }
      case UInt8(ascii: ")"):
        depth -= 1
        result.append(byte)
      case UInt8(ascii: "|"):
        if depth == 0 { hasAlternatives = true }
        result.append(byte)
      case UInt8(ascii: "$"):
        guard bytes.isEmpty else { return nil }
        hasEnd = true
      case UInt8(ascii: "^"), UInt8(ascii: "\""): return nil
      default: result.append(byte)
      }
    }
    // `^a|b$` ties each end to one alternative only.
    if hasAlternatives, hasStart || hasEnd { return nil }
    return String(decoding: result, as: UTF8.self)
  }

  private mutating func readGroup() -> Bool {
    depth += 1
    result.append(UInt8(ascii: "("))
    guard bytes.first == UInt8(ascii: "?") else { return true }
    guard bytes.starts(with: "?:".utf8) else { return false }
    bytes = bytes.dropFirst(2)
    result += "?:".utf8
    return true
  }

  private mutating func readEscape() -> Bool {
    guard let next = bytes.popFirst() else { return false }
    switch next {
    case UInt8(ascii: "S"): result += "[^\\s\"]".utf8
    case UInt8(ascii: "D"): result += "[^\\d\"]".utf8
    case UInt8(ascii: "W"): result += "[^\\w\"]".utf8
    case UInt8(ascii: "A"), UInt8(ascii: "z"), UInt8(ascii: "Z"), UInt8(ascii: "b"), UInt8(ascii: "B"),
      UInt8(ascii: "Q"), UInt8(ascii: "E"), UInt8(ascii: "C"), UInt8(ascii: "p"), UInt8(ascii: "P"),
      UInt8(ascii: "x"), UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "\""):
      return false
    default: result += [UInt8(ascii: "\\"), next]
    }
    return true
  }

  /// Reads a class of characters up to its bracket.
  private mutating func readClass() -> Bool {
    result.append(UInt8(ascii: "["))
    let isNegated = bytes.first == UInt8(ascii: "^")
    if isNegated {
      bytes.removeFirst()
      result += "^\"".utf8
    }
    var isFirst = true
    while let byte = bytes.popFirst() {
      if byte == UInt8(ascii: "]"), !isFirst {
        result.append(byte)
        return true
      }
      isFirst = false
      switch byte {
      case UInt8(ascii: "\""), UInt8(ascii: "["): return false
      case UInt8(ascii: "\\"):
        guard let next = bytes.popFirst(), !"SDWpPxQC\"0123456789".utf8.contains(next) else { return false }
        // A range that begins with an escape may hold the quotation mark, too.
        if bytes.first == UInt8(ascii: "-") { return false }
        result += [byte, next]
      case ..<UInt8(ascii: "\"") where bytes.first == UInt8(ascii: "-"):
        // A range that begins before the quotation mark may hold it.
        return false
      default: result.append(byte)
      }
    }
    return false
  }
}
