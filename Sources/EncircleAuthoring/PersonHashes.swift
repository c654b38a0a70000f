import EncircleEvents

/// Numbers the people of a stream of events, so that they can be counted.
struct PersonHashes {
  private static let identified: UInt64 = 1 << 63
  private var anonymous: UInt64 = 0

  /// Returns the number of a person: a hash of the value that identifies the person in the event. An event that identifies nobody
  /// gets a new number.
  mutating func number(of value: EventValue?) -> UInt64 {
    guard let value, value != .null else {
      anonymous += 1
      return anonymous
    }
    var hasher = Hasher()
    hasher.combine(value.json)
    return UInt64(bitPattern: Int64(hasher.finalize())) | Self.identified
  }

  /// Returns whether a number is one of a person whom events identify.
  static func isIdentified(_ number: UInt64) -> Bool { number & identified != 0 }
}
