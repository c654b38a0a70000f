import EncircleText

/// A YAML text in which some characters have given way to others, so that Yams reads them as what they are.
///
/// libyaml takes U+0085, U+2028 and U+2029 for line breaks, which they are in YAML 1.1 and not in YAML 1.2, and Yams loses a
/// U+FEFF with which a text begins, also one that is written `\uFEFF`. Each gives way to a private-use character that the text
/// does not have, so that all places stay, and is put back in what was read. An escape gives way to the escape of such a
/// character; outside double quotes, where it is not an escape, its digits are put back.
struct YAMLCharacters {
  /// The text for Yams.
  private(set) var text: String
  // The characters that stand for others.
  private var originals: [Unicode.Scalar: Unicode.Scalar] = [:]
  private var standIns: [Unicode.Scalar: Unicode.Scalar] = [:]
  // The last four digits of escapes, as numbers of the ASCII characters, and what was written there.
  private var originalDigits: [UInt32: UInt32] = [:]
  private var standInDigits: [UInt32: UInt32] = [:]
  private var used: Set<UInt32> = []
  private var nextShort: UInt32 = 0xE000
  private var nextLong: UInt32 = 0xF0000

  /// Prepares a text.
  ///
  /// - Parameter changesAll: Whether each character beyond ASCII gives way to another one, so that no two different texts are
  ///   canonically equivalent. If there are more different ones than private-use characters, the others stay.
  /// - Complexity: O(length).
  init(_ text: String, changesAll: Bool = false) {
    self.text = text
    let bytes = Array(text.utf8)
    guard changesAll || Self.mayNeedChange(bytes) else { return }
    findUsed(text.unicodeScalars, bytes)
    var result: [UInt8] = []
    result.reserveCapacity(bytes.count)
    for scalar in text.unicodeScalars {
      let other = changesAll && !scalar.isASCII || Self.isMistaken(scalar) ? standIn(for: scalar) : scalar
      result.append(contentsOf: UTF8.encode(other) ?? UTF8.EncodedScalar())
    }
    changeEscapes(&result, changesAll)
    self.text = String(decoding: result, as: UTF8.self)
  }

  /// Whether the text is as it was.
  var changesNothing: Bool { originals.isEmpty }

  /// Returns the first character that YAML does not have, or that would not do what its author meant, and its byte offset.
  static func problem(in text: String) -> (message: String, offset: Int)? {
    var offset = 0
    var isLineStart = true
    for scalar in text.unicodeScalars {
      switch scalar.value {
      case 0x0A, 0x0D: isLineStart = true
      case 0xFEFF where isLineStart:
        return ("a byte order mark (U+FEFF, which is not seen) within the file: remove it", offset)
      case 0...0x08, 0x0B...0x1F, 0x7F...0x84, 0x86...0x9F, 0xFFFE, 0xFFFF:
        let digits = String(scalar.value, radix: 16, uppercase: true)
        let name = String(repeating: "0", count: 4 - digits.count) + digits
        return ("not valid YAML: control characters are not allowed; U+\(name) is written \"\\u\(name)\"", offset)
      default: isLineStart = false
      }
      offset += UTF8.width(scalar)
    }
    return nil
  }

  // MARK: - Changing

  private static func isMistaken(_ scalar: Unicode.Scalar) -> Bool {
    switch scalar.value {
    case 0x85, 0x2028, 0x2029, 0xFEFF: true
    default: false
    }
  }

  /// Returns whether a text may have one of the characters, or an escape that ends in FEFF.
  private static func mayNeedChange(_ bytes: [UInt8]) -> Bool {
    for i in bytes.indices.dropLast() {
      switch bytes[i] {
      case 0xC2 where bytes[i + 1] == 0x85, 0xE2 where bytes[i + 1] == 0x80, 0xEF where bytes[i + 1] == 0xBB:
        return true
      case UInt8(ascii: "\\") where bytes[i + 1] | 0x20 == UInt8(ascii: "u"): return true
      default: continue
      }
    }
    return false
  }

  private mutating func findUsed(_ scalars: String.UnicodeScalarView, _ bytes: [UInt8]) {
    for scalar in scalars where scalar.value >= 0xE000 { used.insert(scalar.value) }
    Self.forEachEscape(bytes) { _, value in used.insert(value) }
  }

  private mutating func standIn(for scalar: Unicode.Scalar) -> Unicode.Scalar {
    if let known = standIns[scalar] { return known }
    // The short ones are left to escapes.
    while nextLong < 0x10FFFE, used.contains(nextLong) || nextLong & 0xFFFF >= 0xFFFE { nextLong += 1 }
    guard nextLong < 0x10FFFE, let other = Unicode.Scalar(nextLong) else { return scalar }
    nextLong += 1
    standIns[scalar] = other
    originals[other] = scalar
    return other
  }

  private mutating func changeEscapes(_ bytes: inout [UInt8], _ changesAll: Bool) {
    var changes: [(offset: Int, digits: UInt32)] = []
    Self.forEachEscape(bytes) { end, value in
      guard value == 0xFEFF || changesAll && value >= 0x80, let original = Unicode.Scalar(value) else { return }
      let digits = Self.digits(bytes, end)
      if standInDigits[digits] == nil {
        while nextShort < 0xF900, used.contains(nextShort) { nextShort += 1 }
        guard nextShort < 0xF900, let other = Unicode.Scalar(nextShort) else { return }
        nextShort += 1
        let new = Self.digits(Array(String(other.value, radix: 16, uppercase: true).utf8), 4)
        standInDigits[digits] = new
        originalDigits[new] = digits
        originals[other] = original
      }
      if let new = standInDigits[digits] { changes.append((end - 4, new)) }
    }
    for (offset, digits) in changes { Self.write(digits, to: &bytes, at: offset) }
  }

  /// Calls `body` for each `\uXXXX` and `\U0000XXXX`, whether it is an escape or not, with the offset behind it and its value.
  private static func forEachEscape(_ bytes: [UInt8], _ body: (Int, UInt32) -> Void) {
    var i = 0
    while i + 5 < bytes.count {
      guard bytes[i] == UInt8(ascii: "\\"), bytes[i + 1] | 0x20 == UInt8(ascii: "u") else {
        i += 1
        continue
      }
      let start = bytes[i + 1] == UInt8(ascii: "u") ? i + 2 : i + 6
      let zeros = bytes[i + 2..<min(start, bytes.count)]
      if start + 4 <= bytes.count, zeros.allSatisfy({ $0 == UInt8(ascii: "0") }),
        let value = number(bytes[start..<start + 4])
      {
        body(start + 4, value)
        i = start + 4
      } else {
        i += 2
      }
    }
  }

  private static func number(_ digits: ArraySlice<UInt8>) -> UInt32? {
    var value: UInt32 = 0
    for digit in digits {
      guard let number = Hexadecimal.value(of: digit) else { return nil }
      value = value << 4 | number
    }
    return value
  }

  private static func digits(_ bytes: [UInt8], _ end: Int) -> UInt32 {
    bytes[end - 4..<end].reduce(0) { $0 << 8 | UInt32($1) }
  }

  private static func write(_ digits: UInt32, to bytes: inout [UInt8], at offset: Int) {
    for i in 0..<4 { bytes[offset + i] = UInt8(truncatingIfNeeded: digits >> UInt32(24 - 8 * i)) }
  }

  // MARK: - Putting back

  /// Returns what was read with the characters that were written.
  func restored(_ text: String) -> String {
    guard text.unicodeScalars.contains(where: { originals[$0] != nil || $0 == "\\" }) else { return text }
    var bytes: [UInt8] = []
    for scalar in text.unicodeScalars {
      bytes.append(contentsOf: UTF8.encode(originals[scalar] ?? scalar) ?? UTF8.EncodedScalar())
    }
    var changes: [(offset: Int, digits: UInt32)] = []
    Self.forEachEscape(bytes) { end, _ in
      if let digits = originalDigits[Self.digits(bytes, end)] { changes.append((end - 4, digits)) }
    }
    for (offset, digits) in changes { Self.write(digits, to: &bytes, at: offset) }
    return String(decoding: bytes, as: UTF8.self)
  }
}
