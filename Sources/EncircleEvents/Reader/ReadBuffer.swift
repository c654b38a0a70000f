#if canImport(Darwin)
  import Darwin
#elseif canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#endif

/// Memory that a reader reads into, and searches.
///
/// It stays where it is until it grows. In front of it and behind it there is memory that may be read, but holds nothing.
struct ReadBuffer: ~Copyable {
  /// The number of bytes on each side that may be read.
  static let margin = 64

  /// The number of bytes.
  private(set) var count: Int
  /// The first byte.
  private(set) var base: UnsafeMutablePointer<UInt8>

  /// Creates a buffer of zeros.
  init(count: Int) {
    self.count = count
    base = Self.allocate(count)
  }

  deinit { Self.deallocate(base) }

  private static func allocate(_ count: Int) -> UnsafeMutablePointer<UInt8> {
    let memory = UnsafeMutablePointer<UInt8>.allocate(capacity: count + 2 * margin)
    memory.initialize(repeating: 0, count: count + 2 * margin)
    return memory + margin
  }

  private static func deallocate(_ base: UnsafeMutablePointer<UInt8>) { (base - margin).deallocate() }

  /// The byte at that position.
  subscript(position: Int) -> UInt8 {
    assert(position >= 0 && position < count)
    return base[position]
  }

  /// Returns the bytes in a range, valid until the buffer changes.
  func bytes(in range: Range<Int>) -> UnsafeBufferPointer<UInt8> {
    precondition(range.lowerBound >= 0 && range.upperBound <= count)
    return UnsafeBufferPointer(start: base + range.lowerBound, count: range.count)
  }

  /// Returns the memory of a range, for writing.
  mutating func free(_ range: Range<Int>) -> UnsafeMutableRawBufferPointer {
    precondition(range.lowerBound >= 0 && range.upperBound <= count)
    return UnsafeMutableRawBufferPointer(start: base + range.lowerBound, count: range.count)
  }

  /// Writes a line feed behind the bytes in use, at most `count`.
  mutating func putLineFeed(at position: Int) {
    assert(position >= 0 && position <= count)
    base[position] = UInt8(ascii: "\n")
  }

  /// Moves a part to the beginning.
  mutating func moveToFront(_ range: Range<Int>) {
    precondition(range.lowerBound >= 0 && range.upperBound <= count)
    base.update(from: base + range.lowerBound, count: range.count)
  }

  /// Copies bytes of another buffer to the beginning.
  mutating func moveToFront(_ bytes: UnsafeBufferPointer<UInt8>) {
    precondition(bytes.count <= count)
    if let first = bytes.baseAddress { base.update(from: first, count: bytes.count) }
  }

  /// Makes the buffer at least that large; its contents are lost.
  mutating func makeRoom(for size: Int) {
    if count >= size { return }
    let larger = Self.allocate(size)
    Self.deallocate(base)
    base = larger
    count = size
  }

  /// Doubles the size; the content moves.
  mutating func grow() {
    let larger = Self.allocate(count * 2)
    larger.update(from: base, count: count)
    Self.deallocate(base)
    base = larger
    count *= 2
  }

  // MARK: Searching

  /// Returns the position of the first line feed in a range; nil if it has none.
  func firstLineFeed(in range: Range<Int>) -> Int? {
    precondition(range.lowerBound >= 0 && range.upperBound <= count)
    return memchr(base + range.lowerBound, 0x0A, range.count).map { UnsafeRawPointer($0) - UnsafeRawPointer(base) }
  }

  /// Returns the position of the last line feed in a range; nil if it has none.
  func lastLineFeed(in range: Range<Int>) -> Int? {
    var i = range.upperBound
    while i > range.lowerBound {
      i -= 1
      if self[i] == UInt8(ascii: "\n") { return i }
    }
    return nil
  }

  /// Counts the Unicode scalars that begin in a range of UTF-8 text: bytes that do not continue a sequence.
  func countScalars(in range: Range<Int>) -> Int {
    let bytes = UnsafeRawBufferPointer(bytes(in: range))
    var continuing = 0
    var i = 0
    while i + 8 <= bytes.count {
      let word = bytes.loadUnaligned(fromByteOffset: i, as: UInt64.self)
      // The high bit is set and the next one is not.
      continuing += (word & ~(word << 1) & 0x8080_8080_8080_8080).nonzeroBitCount
      i += 8
    }
    while i < bytes.count {
      if bytes[i] & 0xC0 == 0x80 { continuing += 1 }
      i += 1
    }
    return bytes.count - continuing
  }
}
