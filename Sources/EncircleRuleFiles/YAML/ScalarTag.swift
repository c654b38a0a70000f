import EncircleText

/// The type that YAML 1.1 gives a scalar. It is determined only where it matters, because most scalars in rules are texts anyway.
enum ScalarTag: String {
  case text = "tag:yaml.org,2002:str"
  case null = "tag:yaml.org,2002:null"
  case bool = "tag:yaml.org,2002:bool"
  case float = "tag:yaml.org,2002:float"
  case int = "tag:yaml.org,2002:int"

  /// Determines the type of a node. Nodes that are not scalars, and tags other than these, count as texts.
  init(of node: Node) {
    // Without an explicit tag, the way the scalar is written decides.
    self =
      if let scalar = node.scalar, node.tag.isEmpty { ScalarTag(ofPlain: scalar.string) } else {
        ScalarTag(rawValue: node.tag) ?? .text
      }
  }

  /// Determines the tag that a plain scalar has.
  ///
  /// - Source: <https://yaml.org/type/>: `bool` without `y` and `n`, `null`, `int` and `float`.
  init(ofPlain text: String) {
    self = withContiguousBytes(text.utf8) { bytes in
      // Only few characters begin something other than a text.
      guard let first = bytes.first else { return .null }
      switch first {
      case UInt8(ascii: "A")...UInt8(ascii: "z"), UInt8(ascii: "~"): return Self.word(text)
      case UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "+"), UInt8(ascii: "-"), UInt8(ascii: "."):
        return NumberScan.isInteger(bytes) ? .int : NumberScan.isFloat(bytes) ? .float : .text
      default: return .text
      }
    }
  }

  /// Returns whether a scalar is null, or a key that reads so.
  static func isNull(_ node: Node) -> Bool {
    node.scalar != nil && ScalarTag(of: node) == .null
  }

  private static func word(_ text: String) -> ScalarTag {
    guard text.utf8.count <= 5 else { return .text }
    return switch text {
    case "~", "null", "Null", "NULL": .null
    case "true", "True", "TRUE", "false", "False", "FALSE": .bool
    case "yes", "Yes", "YES", "no", "No", "NO", "on", "On", "ON", "off", "Off", "OFF": .bool
    default: .text
    }
  }
}

/// Goes through the characters of a number.
private struct NumberScan {
  private var rest: Slice<UnsafeBufferPointer<UInt8>>

  private init(_ bytes: UnsafeBufferPointer<UInt8>) { rest = bytes[...] }

  /// Returns whether the text is an integer in base 2, 8, 10, 16 or 60.
  static func isInteger(_ bytes: UnsafeBufferPointer<UInt8>) -> Bool {
    var scan = NumberScan(bytes)
    scan.skipSign()
    if scan.skip("0b") { return scan.skipAll { $0 == UInt8(ascii: "0") || $0 == UInt8(ascii: "1") } }
    if scan.skip("0x") { return scan.skipAll { Hexadecimal.value(of: $0) != nil } }
    if scan.skip("0") {
      if scan.rest.isEmpty { return true }
      _ = scan.skip("o")
      return scan.skipAll { isDigit($0) && $0 < UInt8(ascii: "8") }
    }
    guard scan.skipDigits() else { return false }
    scan.skipSixties()
    return scan.rest.isEmpty
  }

  /// Returns whether the text is a floating-point number, infinity or not-a-number. `08` is one, because it is not an octal
  /// integer.
  static func isFloat(_ bytes: UnsafeBufferPointer<UInt8>) -> Bool {
    var scan = NumberScan(bytes)
    for word in [".nan", ".NaN", ".NAN"] as [StaticString] where scan.skip(word) { return scan.rest.isEmpty }
    if scan.rest.first == UInt8(ascii: "."), scan.rest.dropFirst().first.map(isDigit) ?? false {
      scan.rest.removeFirst()
      _ = scan.skipDigits()
      return scan.skipExponent(needsSign: true)
    }
    scan.skipSign()
    for word in [".inf", ".Inf", ".INF"] as [StaticString] where scan.skip(word) { return scan.rest.isEmpty }
    guard scan.skipDigits() else { return false }
    let isOfSixties = scan.skipSixties()
    let hasPoint = scan.skip(".")
    if hasPoint { _ = scan.skipDigits() }
    return isOfSixties ? hasPoint && scan.rest.isEmpty : scan.skipExponent(needsSign: false)
  }

  private mutating func skip(_ literal: StaticString) -> Bool {
    guard rest.starts(with: UnsafeBufferPointer(start: literal.utf8Start, count: literal.utf8CodeUnitCount)) else {
      return false
    }
    rest = rest.dropFirst(literal.utf8CodeUnitCount)
    return true
  }

  private mutating func skipSign() { if !skip("+") { _ = skip("-") } }

  /// Skips digits and `_`; the first is a digit.
  private mutating func skipDigits() -> Bool {
    guard rest.first.map(isDigit) ?? false else { return false }
    rest = rest.drop { isDigit($0) || $0 == UInt8(ascii: "_") }
    return true
  }

  /// Skips digits of a base and `_`, and returns whether there is one, and nothing else behind them.
  private mutating func skipAll(_ isDigit: (UInt8) -> Bool) -> Bool {
    !rest.isEmpty && rest.allSatisfy { isDigit($0) || $0 == UInt8(ascii: "_") }
  }

  /// Skips `:30` as often as it comes.
  @discardableResult private mutating func skipSixties() -> Bool {
    var found = false
    while rest.first == UInt8(ascii: ":") {
      let digits = rest.dropFirst().prefix(while: isDigit)
      guard digits.count == 1 || digits.count == 2 && digits.first.map({ $0 <= UInt8(ascii: "5") }) ?? false else {
        break
      }
      rest = rest.dropFirst(1 + digits.count)
      found = true
    }
    return found
  }

  /// Skips an exponent, if there is one, and returns whether the text ends there.
  private mutating func skipExponent(needsSign: Bool) -> Bool {
    guard skip("e") || skip("E") else { return rest.isEmpty }
    let hasSign = skip("+") || skip("-")
    return (hasSign || !needsSign) && !rest.isEmpty && rest.allSatisfy(isDigit)
  }
}
