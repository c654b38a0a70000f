import EncircleText

/// Reads numbers in captures.
enum Number {
  /// Returns the finite decimal number that `text` is, or nil. It may have a sign, a fraction and an exponent.
  static func double(_ text: UnsafeBufferPointer<UInt8>) -> Double? {
    // Up to 15 digits and a power of ten up to 22 are exact in one division (Clinger 1990).
    var i = 0
    let negative = text.first == UInt8(ascii: "-")
    if negative || text.first == UInt8(ascii: "+") { i += 1 }
    var mantissa: UInt64 = 0
    var digits = 0
    var fraction = 0
    var seenPoint = false
    while i < text.count {
      let byte = text[i]
      if isDigit(byte) {
        guard digits < 15 else { return slowDouble(text) }
        mantissa = mantissa * 10 + UInt64(byte & 0x0F)
        digits += 1
        if seenPoint { fraction += 1 }
      } else if byte == UInt8(ascii: "."), !seenPoint {
        seenPoint = true
      } else {
        return slowDouble(text)
      }
      i += 1
    }
    guard digits > 0 else { return nil }
    // All powers of ten up to the 22nd are exact, so this multiplication does not round.
    var scale = 1.0
    for _ in 0..<fraction { scale *= 10 }
    let value = Double(mantissa) / scale
    return negative ? -value : value
  }

  /// Returns the decimal integer that `text` is, or nil.
  static func integer(_ text: UnsafeBufferPointer<UInt8>) -> Int? {
    var i = 0
    let negative = text.first == UInt8(ascii: "-")
    if negative { i += 1 }
    guard i < text.count else { return nil }
    var value = 0
    while i < text.count {
      let byte = text[i]
      guard isDigit(byte) else { return nil }
      let (product, overflow) = value.multipliedReportingOverflow(by: 10)
      let (sum, overflowToo) =
        negative
        ? product.subtractingReportingOverflow(Int(byte & 0x0F))
        : product.addingReportingOverflow(Int(byte & 0x0F))
      if overflow || overflowToo { return nil }
      value = sum
      i += 1
    }
    return value
  }

  private static func slowDouble(_ text: UnsafeBufferPointer<UInt8>) -> Double? {
    // Double would also accept hexadecimal numbers, "nan" and "inf".
    let allowed = text.allSatisfy { isDigit($0) || "-+.eE".utf8.contains($0) }
    guard allowed, text.count <= 512, let value = Double(String(decoding: text, as: UTF8.self)), value.isFinite
    else { return nil }
    return value
  }
}
