import EncircleEvents

/// Numbers by which the people of a stream of events are counted.
struct PersonHashes {
  private var anonymous: UInt64 = 0

  /// Returns the number of a person: a hash of what the event says, or for an event that names nobody a number of its own.
  mutating func number(of value: EventValue?) -> UInt64 {
    guard let value, value != .null else {
      anonymous += 1
      return anonymous
    }
    var hasher = Hasher()
    hasher.combine(value.json)
    return UInt64(bitPattern: Int64(hasher.finalize())) | 1 << 63
  }
}
