import EncircleEvents

/// By what an element is known again: 256 bits of the values that tell it, and how long they were.
///
/// NH of UMAC (Black, Halevi, Krawczyk, Krovetz, Rogaway, CRYPTO '99) over 64-bit words, twice with a shifted key: whatever
/// two elements a hostile client names without knowing the key, which no process tells, they have one digest with a
/// probability of at most 2⁻¹²⁸. So digests stand for values, as event IDs stand for identity strings, and nothing has to
/// be compared with what is nowhere kept. The proof is about messages of one length, which is why the length belongs to it.
struct ElementDigest: BitwiseCopyable, Equatable {
  private var first: (low: UInt64, high: UInt64) = (0, 0)
  private var second: (low: UInt64, high: UInt64) = (0, 0)
  /// The number of pairs of words.
  private var length: UInt64 = 0

  /// The digest of an event without values.
  init() {}

  /// Longer values have no digest, as the key is as long as they.
  static let lengthLimit = 1 << 14

  // Two words more than the longest message has, as the second key is the first one from there on.
  private static let key = FrozenArray(
    (0..<lengthLimit / 8 + 2).map { _ in UInt64.random(in: .min ... .max) })

  /// The key of this process.
  static var processKey: UnsafePointer<UInt64> { key.base }

  /// Digests the values that an event has at some places; nil if they are too long.
  ///
  /// - Parameters:
  ///   - key: ``processKey``, which the caller keeps, as to look for it takes time.
  ///   - numbers: The numbers of the places, in an order that is always the same.
  @inline(__always)
  init?(_ event: borrowing ProjectedEvent, _ numbers: UnsafeBufferPointer<Int>, key: UnsafePointer<UInt64>) {
    var words = key
    let end = key + Self.lengthLimit / 8
    for number in numbers {
      let value = event[number]
      if value.kind == .missing { continue }
      let count = value.bytes.count
      guard (end - words) * 8 >= count + 32 else { return nil }
      // Tells how many words follow, so that no two lists of values have the same words.
      add(
        UInt64(truncatingIfNeeded: number) << 8 | UInt64(value.kind.rawValue), UInt64(truncatingIfNeeded: count), &words
      )
      guard count > 0, let text = UnsafeRawPointer(value.bytes.baseAddress) else { continue }
      @inline(__always) func word(_ offset: Int) -> UInt64 {
        text.loadUnaligned(fromByteOffset: offset, as: UInt64.self)
      }
      if count >= 16 {
        var i = 0
        while i &+ 16 <= count {
          add(word(i), word(i &+ 8), &words)
          i &+= 16
        }
        // The rest with what is in front of it.
        if i < count { add(word(count &- 16), word(count &- 8), &words) }
      } else if count >= 8 {
        add(word(0), word(count &- 8), &words)
      } else {
        var rest: UInt64 = 0
        for i in 0..<count { rest = rest << 8 | UInt64(text.load(fromByteOffset: i, as: UInt8.self)) }
        add(rest, 0, &words)
      }
    }
    length = UInt64(truncatingIfNeeded: words - key)
  }

  @inline(__always) private mutating func add(_ a: UInt64, _ b: UInt64, _ words: inout UnsafePointer<UInt64>) {
    Self.add((a &+ words[0]).multipliedFullWidth(by: b &+ words[1]), to: &first)
    Self.add((a &+ words[2]).multipliedFullWidth(by: b &+ words[3]), to: &second)
    words += 2
  }

  @inline(__always)
  private static func add(_ product: (high: UInt64, low: UInt64), to sum: inout (low: UInt64, high: UInt64)) {
    let (low, carry) = sum.low.addingReportingOverflow(product.low)
    sum = (low, sum.high &+ product.high &+ (carry ? 1 : 0))
  }

  /// A number of which all bits depend on all of the digest.
  @inline(__always) var hash: UInt64 { KeyHash.mix(first.low &+ second.high &+ length, first.high ^ second.low) }

  @inline(__always) static func == (a: Self, b: Self) -> Bool {
    (a.first.low ^ b.first.low) | (a.first.high ^ b.first.high) | (a.second.low ^ b.second.low)
      | (a.second.high ^ b.second.high) | (a.length ^ b.length) == 0
  }
}
