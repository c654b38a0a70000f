import CProcessor
import EncircleTestSupport
import Testing

/// Where a byte is, found many bytes at a time.
@Suite struct FindByteTests {
  @Test("all places of a byte are found in texts of every length", arguments: [0, 1, 2, 3])
  func places(step: Int) {
    var random = SeededGenerator(seed: UInt64(step))
    for count in 0..<300 {
      let text = (0..<count).map { _ in random.pick([0x2F, 0x2E, 0xAF, 0x00] as [UInt8]) }
      var places = [UInt32](repeating: .max, count: count + 8)
      let found = encircle_find_byte(text, count, 0x2F, &places)
      let expected = text.indices.filter { text[$0] == 0x2F }
      #expect(places.prefix(found).map { Int($0) } == expected)
      #expect(encircle_find_last_byte(text, count, 0x2F) == (expected.last ?? -1) + 1)
      // Mostly far from the end.
      let rare = text.map { $0 == 0x2F && random.oneIn(40) ? 0x2F : 0x61 as UInt8 }
      #expect(encircle_find_last_byte(rare, count, 0x2F) == (rare.lastIndex(of: 0x2F) ?? -1) + 1)
    }
  }
}
