/// The characters of JSON strings.
package enum JSONString {
  /// Appends the bytes that a valid string without its quotes stands for; a lone surrogate becomes U+FFFD.
  package static func decode(_ text: UnsafeBufferPointer<UInt8>, into output: inout [UInt8]) {
    var i = 0
    while i < text.count {
      let plain = i
      while i < text.count, text[i] != UInt8(ascii: "\\") { i += 1 }
      if i > plain { output.append(contentsOf: UnsafeBufferPointer(rebasing: text[plain..<i])) }
      guard i + 1 < text.count else { return }
      let escaped = text[i + 1]
      i += 2
      switch escaped {
      case UInt8(ascii: "b"): output.append(0x08)
      case UInt8(ascii: "f"): output.append(0x0C)
      case UInt8(ascii: "n"): output.append(0x0A)
      case UInt8(ascii: "r"): output.append(0x0D)
      case UInt8(ascii: "t"): output.append(0x09)
      case UInt8(ascii: "u"):
        var value = unit(text, i)
        i += 4
        if value & 0xFC00 == 0xD800, i + 6 <= text.count, text[i] == UInt8(ascii: "\\"),
          text[i + 1] == UInt8(ascii: "u")
        {
          let low = unit(text, i + 2)
          if low & 0xFC00 == 0xDC00 {
            value = 0x10000 + (value & 0x3FF) << 10 + low & 0x3FF
            i += 6
          }
        }
        append(Unicode.Scalar(value) ?? "\u{FFFD}", to: &output)
      default: output.append(escaped)  // quote, backslash and slash stand for themselves
      }
    }
  }

  /// Returns the offset, in a valid string without its quotes, of a byte of its decoded form.
  ///
  /// - Complexity: O(length).
  package static func originalOffset(of offset: Int, in text: UnsafeBufferPointer<UInt8>) -> Int {
    var i = 0
    var decoded = 0
    var bytes: [UInt8] = []
    while i < text.count {
      var end = i + 1
      if text[i] == UInt8(ascii: "\\"), i + 1 < text.count {
        end = text[i + 1] == UInt8(ascii: "u") ? i + 6 : i + 2
        if end == i + 6, i + 12 <= text.count, unit(text, i + 2) & 0xFC00 == 0xD800, text[end] == UInt8(ascii: "\\"),
          text[end + 1] == UInt8(ascii: "u"), unit(text, end + 2) & 0xFC00 == 0xDC00
        {
          end = i + 12
        }
        end = min(end, text.count)
        bytes.removeAll(keepingCapacity: true)
        decode(UnsafeBufferPointer(rebasing: text[i..<end]), into: &bytes)
        decoded += bytes.count
      } else {
        decoded += 1
      }
      if decoded > offset { return i }
      i = end
    }
    return text.count
  }

  /// Returns the four hexadecimal digits at `start` as a number; the parser has checked them.
  private static func unit(_ text: UnsafeBufferPointer<UInt8>, _ start: Int) -> UInt32 {
    guard start + 4 <= text.count else { return 0xFFFD }
    return text[start..<start + 4].reduce(0) { $0 << 4 | (Hexadecimal.value(of: $1) ?? 0) }
  }

  private static func append(_ scalar: Unicode.Scalar, to output: inout [UInt8]) {
    if let bytes = UTF8.encode(scalar) { output.append(contentsOf: bytes) }
  }
}
