import EncircleEvents

/// Gives the people of a stream of events numbers by which they are counted.
struct PersonHashes {
  private var anonymous: UInt64 = 0

  /// Returns the number of a person: a hash of the value that identifies the person in the event. An event that identifies nobody
  /// gets a new number of its own.
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
