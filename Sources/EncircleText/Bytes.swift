#if canImport(Darwin)
  import Darwin
#elseif canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#endif

/// Returns whether two buffers hold the same bytes.
@inlinable package func sameBytes(_ a: UnsafeBufferPointer<UInt8>, _ b: UnsafeBufferPointer<UInt8>) -> Bool {
  guard a.count == b.count else { return false }
  let count = a.count
  guard count > 0, let x = UnsafeRawPointer(a.baseAddress), let y = UnsafeRawPointer(b.baseAddress) else { return true }
  @inline(__always) func difference<Word: FixedWidthInteger & BitwiseCopyable>(_ offset: Int, _: Word.Type) -> Word {
    x.loadUnaligned(fromByteOffset: offset, as: Word.self) ^ y.loadUnaligned(fromByteOffset: offset, as: Word.self)
  }
  // The last words overlap the previous ones, which avoids special cases for most lengths.
  if count >= 16 {
    var i = 0
    while i &+ 32 < count {
      if difference(i, UInt64.self) | difference(i &+ 8, UInt64.self) != 0 { return false }
      i &+= 16
    }
    return difference(i, UInt64.self) | difference(i &+ 8, UInt64.self)
      | difference(count &- 16, UInt64.self) | difference(count &- 8, UInt64.self) == 0
  }
  if count >= 8 { return difference(0, UInt64.self) | difference(count &- 8, UInt64.self) == 0 }
  if count >= 4 { return difference(0, UInt32.self) | difference(count &- 4, UInt32.self) == 0 }
  return difference(0, UInt8.self) | difference(count &>> 1, UInt8.self) | difference(count &- 1, UInt8.self) == 0
}

/// Returns whether a buffer holds exactly the bytes of a literal.
@inlinable package func sameBytes(_ a: UnsafeBufferPointer<UInt8>, _ literal: StaticString) -> Bool {
  sameBytes(a, UnsafeBufferPointer(start: literal.utf8Start, count: literal.utf8CodeUnitCount))
}

extension UnsafeBufferPointer<UInt8> {
  /// Returns whether the buffer begins with the bytes of a literal.
  @inlinable package func starts(withLiteral literal: StaticString) -> Bool {
    let length = literal.utf8CodeUnitCount
    return count >= length
      && sameBytes(UnsafeBufferPointer(rebasing: self[0..<length]), literal)
  }

  /// Returns the offset of the first occurrence of a byte at `start` or behind it, or nil. The standard library's search compares
  /// one byte at a time.
  package func offset(of byte: UInt8, from start: Int = 0) -> Int? {
    guard start < count, let base = baseAddress, let found = memchr(base + start, Int32(byte), count - start) else {
      return nil
    }
    return UnsafeRawPointer(found) - UnsafeRawPointer(base)
  }

  /// Returns the offset of the first occurrence of a literal that begins at `start` or behind it, or nil.
  ///
  /// - Complexity: O(bytes · length of the literal).
  package func offset(of literal: StaticString, from start: Int = 0) -> Int? {
    offset(of: UnsafeBufferPointer(start: literal.utf8Start, count: literal.utf8CodeUnitCount), from: start)
  }

  /// Returns the offset of the first occurrence of a word that begins at `start` or behind it, or nil.
  ///
  /// - Complexity: O(bytes · length of the word).
  @usableFromInline package func offset(of word: UnsafeBufferPointer<UInt8>, from start: Int) -> Int? {
    guard let first = word.first else { return start }
    var place = start
    while place + word.count <= count {
      if self[place] == first, sameBytes(part(place..<place + word.count), word) { return place }
      place += 1
    }
    return nil
  }

  /// Returns whether the buffer ends with the bytes of a literal.
  @inlinable package func ends(withLiteral literal: StaticString) -> Bool {
    let length = literal.utf8CodeUnitCount
    return count >= length
      && sameBytes(UnsafeBufferPointer(rebasing: self[(count - length)...]), literal)
  }

  /// Returns a part of the buffer, as a buffer that begins at 0.
  @inlinable package func part(_ range: Range<Int>) -> UnsafeBufferPointer<UInt8> {
    UnsafeBufferPointer(rebasing: self[range])
  }

  /// Returns the end of the line that contains a place: the next line feed or carriage return, or the end of the buffer.
  package func lineEnd(from start: Int) -> Int {
    var place = start
    while place < count, self[place] != 0x0A, self[place] != 0x0D { place += 1 }
    return place
  }
}

/// Calls `body` with the bytes of a sequence, which are copied only if they do not lie in memory one after the other.
@inlinable package func withContiguousBytes<R, E: Error>(
  _ bytes: some Sequence<UInt8>, _ body: (UnsafeBufferPointer<UInt8>) throws(E) -> R
) throws(E) -> R {
  func result(_ buffer: UnsafeBufferPointer<UInt8>) -> Result<R, E> {
    do throws(E) { return .success(try body(buffer)) } catch { return .failure(error) }
  }
  let found = bytes.withContiguousStorageIfAvailable(result) ?? Array(bytes).withUnsafeBufferPointer(result)
  return try found.get()
}

/// Returns whether a byte is white space in XML and JSON: a space, tab, line feed or carriage return.
@inlinable @inline(__always) package func isWhiteSpace(_ byte: UInt8) -> Bool {
  byte == 0x20 || byte == 0x09 || byte == 0x0A || byte == 0x0D
}

/// Returns whether a byte is an ASCII digit.
@inlinable @inline(__always) package func isDigit(_ byte: UInt8) -> Bool { byte &- UInt8(ascii: "0") < 10 }

/// Returns whether a byte is an ASCII letter.
@inlinable @inline(__always) package func isLetter(_ byte: UInt8) -> Bool { (byte | 0x20) &- UInt8(ascii: "a") < 26 }

/// Returns whether a byte is an ASCII capital.
@inlinable @inline(__always) package func isUpperCase(_ byte: UInt8) -> Bool { byte &- UInt8(ascii: "A") < 26 }

/// Returns whether a byte is in POSIX's portable filename character set: an ASCII letter or digit, `.`, `_` or `-`.
@inlinable package func isFilenameByte(_ byte: UInt8) -> Bool {
  isLetter(byte) || isDigit(byte) || byte == UInt8(ascii: ".") || byte == UInt8(ascii: "_") || byte == UInt8(ascii: "-")
}

/// Returns a byte, in lower case if it is an ASCII letter.
@inlinable package func lowercased(_ byte: UInt8) -> UInt8 { (0x41...0x5A).contains(byte) ? byte | 0x20 : byte }

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
