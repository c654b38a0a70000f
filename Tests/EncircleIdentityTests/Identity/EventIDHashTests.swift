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

  @Test("whichever part of event IDs is equal, a dictionary finds each in a few steps", arguments: 0..<4)
  func probes(place: Int) throws {
    var dictionary = ElementDictionary()
    let node = dictionary.appendNode(parent: -1, className: dictionary.intern("UIWindow"), locator: .none)
    let ids = try Self.ids(4_000, differingAt: place)
    for id in ids { dictionary.insert(id, node, page: String?.none) }
    let probes = ids.map { dictionary.probeCount(of: $0) }
    // Half of the slots are free at least, so that a search takes 1.5 steps on average.
    #expect(probes.reduce(0, +) < 2 * ids.count)
    #expect(probes.max() ?? 0 < 200)
  }

  @Test("sets of them tell apart all parts, too", arguments: 0..<4)
  func hashes(place: Int) throws {
    #expect(Set(try Self.ids(2_000, differingAt: place).map(\.hashValue)).count == 2_000)
  }
}
