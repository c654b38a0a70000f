/// Whether two buffers hold the same bytes.
@inlinable package func sameBytes(_ a: UnsafeBufferPointer<UInt8>, _ b: UnsafeBufferPointer<UInt8>) -> Bool {
  guard a.count == b.count else { return false }
  let x = UnsafeRawBufferPointer(a)
  let y = UnsafeRawBufferPointer(b)
  let count = x.count
  guard count >= 8 else {
    for i in 0..<count where x[i] != y[i] { return false }
    return true
  }
  var i = 0
  while i + 8 <= count {
    if x.loadUnaligned(fromByteOffset: i, as: UInt64.self)
      != y.loadUnaligned(fromByteOffset: i, as: UInt64.self)
    {
      return false
    }
    i += 8
  }
  // The last word, which overlaps the one before.
  return x.loadUnaligned(fromByteOffset: count - 8, as: UInt64.self)
    == y.loadUnaligned(fromByteOffset: count - 8, as: UInt64.self)
}

/// Whether a buffer holds exactly the bytes of a literal.
@inlinable package func sameBytes(_ a: UnsafeBufferPointer<UInt8>, _ literal: StaticString) -> Bool {
  sameBytes(a, UnsafeBufferPointer(start: literal.utf8Start, count: literal.utf8CodeUnitCount))
}

extension UnsafeBufferPointer<UInt8> {
  /// Whether the buffer begins with the bytes of a literal.
  @inlinable package func starts(withLiteral literal: StaticString) -> Bool {
    let length = literal.utf8CodeUnitCount
    return count >= length
      && sameBytes(UnsafeBufferPointer(rebasing: self[0..<length]), literal)
  }

  /// Whether the buffer ends with the bytes of a literal.
  @inlinable package func ends(withLiteral literal: StaticString) -> Bool {
    let length = literal.utf8CodeUnitCount
    return count >= length
      && sameBytes(UnsafeBufferPointer(rebasing: self[(count - length)...]), literal)
  }

  /// A part of the buffer, as a buffer.
  @inlinable package func part(_ range: Range<Int>) -> UnsafeBufferPointer<UInt8> {
    UnsafeBufferPointer(rebasing: self[range])
  }
}

/// Whether a byte is XML's white space.
@inlinable package func isWhiteSpace(_ byte: UInt8) -> Bool {
  byte == 0x20 || byte == 0x09 || byte == 0x0A || byte == 0x0D
}
