#if canImport(Darwin)
  import Darwin
#elseif canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#endif

extension [UInt8] {
  /// The position of the first line feed in that part.
  func firstLineFeed(in range: Range<Int>) -> Int? {
    withUnsafeBytes { bytes -> Int? in
      guard !range.isEmpty, let base = bytes.baseAddress else { return nil }
      return memchr(base + range.lowerBound, 0x0A, range.count).map { UnsafeRawPointer($0) - base }
    }
  }

  /// The position of the last line feed in that part.
  func lastLineFeed(in range: Range<Int>) -> Int? { self[range].lastIndex(of: 0x0A) }

  /// The number of Unicode scalars that begin in that part of UTF-8 text: bytes that do not continue a sequence.
  func countScalars(in range: Range<Int>) -> Int {
    withUnsafeBytes { bytes in
      var continuing = 0
      var i = range.lowerBound
      while i + 8 <= range.upperBound {
        let word = bytes.loadUnaligned(fromByteOffset: i, as: UInt64.self)
        // The high bit is set and the next one is not.
        continuing += (word & ~(word << 1) & 0x8080_8080_8080_8080).nonzeroBitCount
        i += 8
      }
      while i < range.upperBound {
        if bytes[i] & 0xC0 == 0x80 { continuing += 1 }
        i += 1
      }
      return range.count - continuing
    }
  }
}
