/// A number as JSON writes it, compared by its exact decimal value.
///
/// `1`, `1.0` and `10e-1` are equal, 2⁵³ + 1 and 2⁵³ are not, and −0 equals 0. No binary floating point is involved.
///
/// ```swift
/// DecimalNumber("9007199254740993")! > DecimalNumber("9007199254740992.5")!  // true
/// ```
/// Numbers of up to 18 significant digits need no separate memory. Exponents are exact up to ±10¹⁸; larger ones count as ±10¹⁸.
public struct DecimalNumber: Hashable, Comparable, Sendable {
  // The value is sign · 0.d₁d₂d₃… · 10^exponent with d₁ ≠ 0, which makes every field unique for a value.
  // For zero all fields are zero or empty.

  /// sign · d₁…d₁₈, filled up with zeros on the right.
  private let leading: Int64
  private let exponent: Int
  /// d₁₉ and the following digits, as ASCII, without zeros at the end; usually empty.
  private let tail: [UInt8]

  private static let leadingDigits = 18
  private static let exponentLimit = 1_000_000_000_000_000_000

  /// Reads a number in JSON's grammar (RFC 8259 §6); nil if the bytes are anything else, white space included.
  ///
  /// - Complexity: O(*n*), *n* bytes, whatever the exponent.
  public init?(_ text: UnsafeBufferPointer<UInt8>) {
    guard let base = text.baseAddress, text.count > 0 else { return nil }
    var end = 0
    guard JSONNumber.scan(base, &end, text.count), end == text.count else { return nil }
    self.init(validated: base, end)
  }

  /// Reads a number in JSON's grammar (RFC 8259 §6); nil if the text is anything else, white space included.
  public init?(_ text: String) {
    var text = text
    guard let number = text.withUTF8({ DecimalNumber($0) }) else { return nil }
    self = number
  }

  /// Creates the number of an integer.
  public init(_ value: some BinaryInteger) {
    var text = String(value)
    self = text.withUTF8 { bytes in
      // An integer's description is in JSON's grammar and never empty.
      bytes.baseAddress.map { DecimalNumber(validated: $0, bytes.count) } ?? DecimalNumber.zero
    }
  }

  /// Creates the number that the shortest decimal text of `value` stands for; nil if it is infinite or not a number.
  public init?(_ value: Double) {
    guard value.isFinite else { return nil }
    self.init(value.description)
  }

  private static let zero = DecimalNumber(leading: 0, exponent: 0, tail: [])

  private init(leading: Int64, exponent: Int, tail: [UInt8]) {
    self.leading = leading
    self.exponent = exponent
    self.tail = tail
  }

  private init(validated text: UnsafePointer<UInt8>, _ end: Int) {
    var i = 0
    let isNegative = text[0] == UInt8(ascii: "-")
    if isNegative { i = 1 }
    var leading: Int64 = 0
    var digits = 0  // significant ones so far
    var exponent = 0  // digits in front of the point, negative for zeros behind it
    var tail: [UInt8] = []
    var isFraction = false
    scan: while i < end {
      let byte = text[i]
      switch byte {
      case UInt8(ascii: "."): isFraction = true
      case UInt8(ascii: "0")...UInt8(ascii: "9"):
        if digits > 0 || byte != UInt8(ascii: "0") {
          if digits < Self.leadingDigits {
            leading = leading &* 10 &+ Int64(byte - UInt8(ascii: "0"))
          } else {
            tail.append(byte)
          }
          digits += 1
          if !isFraction { exponent += 1 }
        } else if isFraction {
          exponent -= 1
        }
      default: break scan
      }
      i += 1
    }
    guard digits > 0 else {
      self = Self.zero
      return
    }
    while tail.last == UInt8(ascii: "0") { tail.removeLast() }
    for _ in min(digits, Self.leadingDigits)..<Self.leadingDigits { leading &*= 10 }

    if i < end {
      // text[i] is the letter e.
      i += 1
      let isDown = text[i] == UInt8(ascii: "-")
      if isDown || text[i] == UInt8(ascii: "+") { i += 1 }
      // Larger than the limit, so that the exponent stays exact however many digits are in front of the point; it is
      // clamped to the limit only at the end.
      let maximumShift = 2 * Self.exponentLimit
      var shift = 0
      while i < end {
        let isBeyond = shift >= maximumShift / 10
        shift = isBeyond ? maximumShift : shift * 10 + Int(text[i] - UInt8(ascii: "0"))
        i += 1
      }
      exponent += isDown ? -shift : shift
      exponent = max(-Self.exponentLimit, min(exponent, Self.exponentLimit))
    }
    self.init(leading: isNegative ? -leading : leading, exponent: exponent, tail: tail)
  }

  /// Orders by value.
  public static func < (a: DecimalNumber, b: DecimalNumber) -> Bool {
    let (signA, signB) = (a.leading.signum(), b.leading.signum())
    if signA != signB { return signA < signB }
    if signA < 0 { return isMagnitude(of: b, lessThan: a) }
    return isMagnitude(of: a, lessThan: b)
  }

  /// Compares two numbers of the same sign without it.
  private static func isMagnitude(of a: DecimalNumber, lessThan b: DecimalNumber) -> Bool {
    if a.exponent != b.exponent { return a.exponent < b.exponent }
    if a.leading != b.leading { return a.leading.magnitude < b.leading.magnitude }
    return a.tail.lexicographicallyPrecedes(b.tail)
  }
}

extension DecimalNumber: CustomStringConvertible {
  /// The number in JSON's grammar: `1250`, `-0.5`, `1.5e+300`.
  ///
  /// The same text for equal numbers. Plain digits between 10⁻⁷ and 10²¹, otherwise with an exponent.
  public var description: String {
    if leading == 0 { return "0" }
    var digits = Array(String(leading.magnitude).utf8) + tail
    while digits.count > 1, digits.last == UInt8(ascii: "0") { digits.removeLast() }
    var result = leading < 0 ? [UInt8(ascii: "-")] : []
    let zero = UInt8(ascii: "0")
    let point = UInt8(ascii: ".")
    switch exponent {
    case -5...0:
      result += [zero, point] + [UInt8](repeating: zero, count: -exponent) + digits
    case 1...21 where exponent >= digits.count:
      result += digits + [UInt8](repeating: zero, count: exponent - digits.count)
    case 1...21:
      result += digits[..<exponent] + [point] + digits[exponent...]
    default:
      result.append(digits[0])
      if digits.count > 1 { result += [point] + digits[1...] }
      result += Array((exponent > 0 ? "e+" : "e").utf8) + Array(String(exponent - 1).utf8)
    }
    return String(decoding: result, as: UTF8.self)
  }
}

extension DecimalNumber: ExpressibleByIntegerLiteral {
  /// Creates the number of an integer.
  public init(integerLiteral value: Int64) { self.init(value) }
}
