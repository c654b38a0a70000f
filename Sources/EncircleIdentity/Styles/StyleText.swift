import EncircleText

// Helpers for the parsers of several styles.
enum StyleText {
  static func string(_ bytes: UnsafeBufferPointer<UInt8>) -> String { String(decoding: bytes, as: UTF8.self) }

  /// Returns the number that a text is, or nil. It must have neither a sign nor leading zeros.
  static func number(_ text: UnsafeBufferPointer<UInt8>) -> Int? {
    guard let first = text.first, first != UInt8(ascii: "0") || text.count == 1, text.count <= 18 else { return nil }
    var value = 0
    for byte in text {
      guard byte >= 0x30, byte <= 0x39 else { return nil }
      value = value * 10 + Int(byte & 0x0F)
    }
    return value
  }

  /// Returns the ranges between separators. There is at least one.
  static func split(_ text: UnsafeBufferPointer<UInt8>, _ separator: UInt8) -> [Range<Int>] {
    var ranges: [Range<Int>] = []
    var start = 0
    for (i, byte) in text.enumerated() where byte == separator {
      ranges.append(start..<i)
      start = i + 1
    }
    ranges.append(start..<text.count)
    return ranges
  }

  /// Returns the offset of the last ` & `.
  static func lastAmpersand(_ text: UnsafeBufferPointer<UInt8>) -> Int? {
    guard text.count >= 3 else { return nil }
    var i = text.count - 3
    while i >= 0 {
      if text[i] == 0x20, text[i + 1] == UInt8(ascii: "&"), text[i + 2] == 0x20 { return i }
      i -= 1
    }
    return nil
  }

  static func checkUTF8(_ text: UnsafeBufferPointer<UInt8>) throws(PathStyleError) {
    guard String(validating: text, as: UTF8.self) != nil else { throw PathStyleError(.notUTF8, offset: 0) }
  }
}
