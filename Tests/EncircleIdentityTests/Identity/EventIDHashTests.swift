import EncircleIdentity
import Testing

@Suite struct EventIDHashTests {
  /// Event IDs that differ only in some of their digits.
  private static func ids(_ count: Int, differingAt place: Int) throws -> [EventID] {
    try (0..<count).map { number in
      let digits = String(number, radix: 16)
      let part = String(repeating: "0", count: 16 - digits.utf8.count) + digits
      let text = String(repeating: "a", count: 16 * place) + part + String(repeating: "b", count: 48 - 16 * place)
      return try #require(EventID(hexadecimal: text))
    }
  }

  @Test("event IDs with any equal part spread over the slots of a dictionary", arguments: 0..<4)
  func spread(place: Int) throws {
    let seed = UInt64.random(in: .min ... .max)
    var slots: [Int: Int] = [:]
    for id in try Self.ids(4_000, differingAt: place) {
      slots[Int(truncatingIfNeeded: id.hash(seed: seed)) & 8_191, default: 0] += 1
    }
    // At random, 3,160 of them are taken, and none by more than about 7.
    #expect(slots.count > 2_800)
    #expect(slots.values.max() ?? 0 < 20)
  }

  @Test("sets of event IDs distinguish all their parts", arguments: 0..<4)
  func hashes(place: Int) throws {
    #expect(Set(try Self.ids(2_000, differingAt: place).map(\.hashValue)).count == 2_000)
  }
}
