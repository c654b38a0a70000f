#if canImport(Darwin)
  import Darwin
#elseif canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#endif

/// A digest that identifies values of events: 256 bits, and the length of the values.
///
/// NH of UMAC (Black, Halevi, Krawczyk, Krovetz, Rogaway, CRYPTO '99) over 64-bit words, twice with a shifted key. The key
/// never leaves the process. Whatever values a hostile client sends without knowing it, two lists of them have the same digest
/// with a probability of at most 2⁻¹²⁸. So digests stand for values, as event IDs stand for identity strings, and the
/// values themselves need not be kept for comparison. The proof is about messages of one length, so the length is part of the
/// digest.
@usableFromInline package struct EventDigest: BitwiseCopyable, Equatable {
  @usableFromInline package private(set) var first: (low: UInt64, high: UInt64) = (0, 0)
  @usableFromInline package private(set) var second: (low: UInt64, high: UInt64) = (0, 0)
  /// The number of pairs of words.
  @usableFromInline package private(set) var length: UInt64 = 0

  /// Creates the digest of no values.
  package init() {}

  /// The length, in bytes, beyond which values have no digest: the key is not longer.
  package static let lengthLimit = 1 << 14

  // The key of this process. It is two words longer than the longest message, because the second key is the first one shifted by
  // two words.
  static let processKey = {
    let count = lengthLimit / 8 + 2
    let words = UnsafeMutablePointer<UInt64>.allocate(capacity: count)
    words.initialize(repeating: 0, count: count)
    let size = count * MemoryLayout<UInt64>.stride
    // The system gives at most 256 bytes at a time. Swift's generator would make a system call for each word.
    for start in stride(from: 0, to: size, by: 256) {
      let status = getentropy(UnsafeMutableRawPointer(words) + start, min(256, size - start))
      // Swift's generator would trap as well. Without a random key, a client could choose values that have the same digest.
      precondition(status == 0, "the system gives no random numbers")
    }
    return Key(words: UnsafePointer(words))
  }()

  /// A key, which is never changed or given back.
  struct Key: @unchecked Sendable {
    fileprivate let words: UnsafePointer<UInt64>
  }

  /// Digests the values that an event has at the key places of its projection; nil if they are too long.
  init?(_ event: borrowing ProjectedEvent, _ places: KeyPlaces) {
    var words = places.key.words
    let end = words + Self.lengthLimit / 8
    for number in places.places where !add(event, number, &words, end) { return nil }
    for fallback in places.fallbacks where event[fallback.first].kind == .missing {
      if !add(event, fallback.place, &words, end) { return nil }
    }
    length = UInt64(truncatingIfNeeded: words - places.key.words)
  }

  /// A number that differs between digests with the same probability in each of its bits, for tables.
  @inlinable package var hash: UInt64 { first.low ^ second.high }

  /// Adds the value at a place; returns false if it does not fit.
  @inline(__always)
  private mutating func add(
    _ event: borrowing ProjectedEvent, _ number: Int, _ words: inout UnsafePointer<UInt64>, _ end: UnsafePointer<UInt64>
  ) -> Bool {
    let value = event[number]
    if value.kind == .missing { return true }
    return add(
      value.bytes, UInt64(truncatingIfNeeded: number) << 8 | UInt64(value.kind.rawValue), &words, end)
  }

  /// Adds a text under a label; returns false if it does not fit.
  @inline(__always)
  fileprivate mutating func add(
    _ bytes: UnsafeBufferPointer<UInt8>, _ label: UInt64, _ words: inout UnsafePointer<UInt64>,
    _ end: UnsafePointer<UInt64>
  ) -> Bool {
    let count = bytes.count
    guard (end - words) * 8 >= count + 32 else { return false }
    // The count says how many words follow, so that no two lists of values have the same words.
    add(label, UInt64(truncatingIfNeeded: count), &words)
    guard count > 0, let text = UnsafeRawPointer(bytes.baseAddress) else { return true }
    @inline(__always) func word(_ offset: Int) -> UInt64 {
      text.loadUnaligned(fromByteOffset: offset, as: UInt64.self)
    }
    if count >= 16 {
      var i = 0
      while i &+ 16 <= count {
        add(word(i), word(i &+ 8), &words)
        i &+= 16
      }
      // The rest is read together with bytes in front of it that have been added already.
      if i < count { add(word(count &- 16), word(count &- 8), &words) }
    } else if count >= 8 {
      add(word(0), word(count &- 8), &words)
    } else {
      var rest: UInt64 = 0
      for i in 0..<count { rest = rest << 8 | UInt64(text.load(fromByteOffset: i, as: UInt8.self)) }
      add(rest, 0, &words)
    }
    return true
  }

  @inline(__always) fileprivate mutating func add(_ a: UInt64, _ b: UInt64, _ words: inout UnsafePointer<UInt64>) {
    Self.add((a &+ words[0]).multipliedFullWidth(by: b &+ words[1]), to: &first)
    Self.add((a &+ words[2]).multipliedFullWidth(by: b &+ words[3]), to: &second)
    words += 2
  }

  @inline(__always)
  private static func add(_ product: (high: UInt64, low: UInt64), to sum: inout (low: UInt64, high: UInt64)) {
    let (low, carry) = sum.low.addingReportingOverflow(product.low)
    sum = (low, sum.high &+ product.high &+ (carry ? 1 : 0))
  }

  @inlinable package static func == (a: Self, b: Self) -> Bool {
    (a.first.low ^ b.first.low) | (a.first.high ^ b.first.high) | (a.second.low ^ b.second.low)
      | (a.second.high ^ b.second.high) | (a.length ^ b.length) == 0
  }
}

/// Digests tuples of texts, one after the other.
///
/// ```swift
/// digester.begin()
/// digester.add(text, label: 0)
/// let digest = digester.finish()
/// ```
package struct TupleDigester {
  private let start: UnsafePointer<UInt64>
  private let end: UnsafePointer<UInt64>
  private var words: UnsafePointer<UInt64>
  private var digest = EventDigest()
  private var fits = true

  package init() {
    start = EventDigest.processKey.words
    end = start + EventDigest.lengthLimit / 8
    words = start
  }

  /// Begins a tuple.
  package mutating func begin() {
    words = start
    digest = EventDigest()
    fits = true
  }

  /// Adds a text; a missing one is not added.
  ///
  /// - Parameter label: The place of the text in the tuple.
  package mutating func add(_ text: UnsafeBufferPointer<UInt8>, label: Int) {
    fits = fits && digest.add(text, UInt64(truncatingIfNeeded: label) << 1, &words, end)
  }

  /// Adds a text by its digest; nil stands for a text that is too long.
  package mutating func add(_ known: EventDigest?, label: Int) {
    guard let known, end - words >= 6 else {
      fits = false
      return
    }
    digest.add(UInt64(truncatingIfNeeded: label) << 1 | 1, known.length, &words)
    digest.add(known.first.low, known.first.high, &words)
    digest.add(known.second.low, known.second.high, &words)
  }

  /// Returns the digest of the tuple; nil if its texts are too long together.
  package mutating func finish() -> EventDigest? {
    guard fits else { return nil }
    digest.seal(words - start)
    return digest
  }

  /// Returns the digest of one text; nil if it is too long.
  package static func digest(of text: UnsafeBufferPointer<UInt8>) -> EventDigest? {
    var digester = TupleDigester()
    digester.add(text, label: 0)
    return digester.finish()
  }
}

extension EventDigest {
  fileprivate mutating func seal(_ wordCount: Int) { length = UInt64(truncatingIfNeeded: wordCount) }
}
