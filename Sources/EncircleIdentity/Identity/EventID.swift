import EncircleText

/// The SHA-256 of an identity string. SDKs send its hexadecimal form.
public struct EventID: Hashable, Comparable, Sendable, BitwiseCopyable, CustomStringConvertible {
  // The digest, big-endian.
  private let words: (UInt64, UInt64, UInt64, UInt64)

  /// Creates the event ID of an identity string.
  public init(identity: String) {
    var identity = identity
    self = identity.withUTF8 { EventID(identity: UnsafeRawBufferPointer($0)) }
  }

  /// Creates the event ID of an identity string, given as UTF-8.
  public init(identity: UnsafeRawBufferPointer) {
    var hash = SHA256State()
    hash.update(identity)
    self.init(hash)
  }

  /// Creates the event ID of the bytes that were added to a state.
  init(_ hash: consuming SHA256State) {
    words = hash.withDigest { Self.words(of: $0) }
  }

  /// Parses the hexadecimal form: 64 digits of either case.
  public init?(hexadecimal text: some StringProtocol) { self.init(hexadecimal: text.utf8) }

  /// Parses the hexadecimal form, given as UTF-8: 64 digits of either case.
  public init?(hexadecimal text: some Collection<UInt8>) {
    // A buffer is parsed, because generic code would not be specialized for callers in other modules.
    guard let id = text.withContiguousStorageIfAvailable(Self.parse) ?? Array(text).withUnsafeBufferPointer(Self.parse)
    else { return nil }
    self = id
  }

  private static func parse(_ text: UnsafeBufferPointer<UInt8>) -> EventID? {
    guard text.count == 64 else { return nil }
    func word(_ number: Int) -> UInt64? {
      var word: UInt64 = 0
      for i in 16 * number..<16 * number + 16 {
        guard let digit = Hexadecimal.value(of: text[i]) else { return nil }
        word = word << 4 | UInt64(digit)
      }
      return word
    }
    guard let first = word(0), let second = word(1), let third = word(2), let fourth = word(3) else { return nil }
    return EventID(words: (first, second, third, fourth))
  }

  private init(words: (UInt64, UInt64, UInt64, UInt64)) { self.words = words }

  /// Creates an event ID from its 32 bytes.
  package init?(bytes: UnsafeRawBufferPointer) {
    guard bytes.count == 32 else { return nil }
    words = Self.words(of: bytes)
  }

  private static func words(of bytes: UnsafeRawBufferPointer) -> (UInt64, UInt64, UInt64, UInt64) {
    func word(_ i: Int) -> UInt64 { UInt64(bigEndian: bytes.loadUnaligned(fromByteOffset: 8 * i, as: UInt64.self)) }
    return (word(0), word(1), word(2), word(3))
  }

  /// The 32 bytes.
  package var bytes: [UInt8] {
    var bytes: [UInt8] = []
    bytes.reserveCapacity(32)
    appendBytes(to: &bytes)
    return bytes
  }

  /// The first 8 bytes, as a big-endian number.
  package var leadingBits: UInt64 { words.0 }

  /// Appends the 32 bytes.
  package func appendBytes(to bytes: inout [UInt8]) {
    for word in [words.0, words.1, words.2, words.3] {
      withUnsafeBytes(of: word.bigEndian) { bytes.append(contentsOf: $0) }
    }
  }

  /// Returns a hash value of all 32 bytes.
  ///
  /// - Parameter seed: A random number. Nobody who does not know it can choose event IDs with equal hash values.
  package func hash(seed: UInt64) -> UInt64 {
    func fold(_ a: UInt64, _ b: UInt64) -> UInt64 {
      let product = a.multipliedFullWidth(by: b)
      return product.high ^ product.low
    }
    let other = seed &* 0x9E37_79B9_7F4A_7C15 ^ seed >> 29
    let first = fold(words.0 ^ seed, words.1 ^ other)
    let second = fold(words.2 ^ other, words.3 ^ seed)
    return fold(first ^ seed, second ^ 0xD1B5_4A32_D192_ED03)
  }

  /// The 64 lower-case hexadecimal digits.
  public var description: String {
    withDigits { String(decoding: $0, as: UTF8.self) }
  }

  /// Appends the 64 lower-case hexadecimal digits.
  public func write(to bytes: inout [UInt8]) {
    withDigits { bytes.append(contentsOf: $0) }
  }

  /// Calls `body` with the 64 lower-case hexadecimal digits.
  private func withDigits<Result>(_ body: (UnsafeRawBufferPointer) -> Result) -> Result {
    func digits(_ number: UInt64) -> UInt64 {
      Hexadecimal.digits(of: UInt32(truncatingIfNeeded: number)).littleEndian
    }
    let text = (
      digits(words.0 >> 32), digits(words.0), digits(words.1 >> 32), digits(words.1),
      digits(words.2 >> 32), digits(words.2), digits(words.3 >> 32), digits(words.3)
    )
    return withUnsafeBytes(of: text, body)
  }

  public static func == (a: EventID, b: EventID) -> Bool { a.words == b.words }

  /// Orders by the hexadecimal forms.
  public static func < (a: EventID, b: EventID) -> Bool { a.words < b.words }

  // Untrusted event IDs may all begin with the same bytes, so every byte is hashed.
  public func hash(into hasher: inout Hasher) {
    withUnsafeBytes(of: words) { hasher.combine(bytes: $0) }
  }
}
