import EncircleTestSupport
import Testing

@testable import EncircleRules

@Suite struct KeyTableTests {
  @Test(
    "a table has exactly the values of each key, in the order of insertion",
    arguments: [0, 1, 3, 4, 1_000, TestSize.isFull ? 20_000 : 4_000], [1, 7, 600, 1 << 40])
  func values(count: Int, keys: Int) {
    var random = SeededGenerator(seed: UInt64(count + keys))
    // Half of the keys differ in their upper bits only.
    let pairs = (0..<count).map { value in
      let key = UInt64(Int.random(in: 0..<keys, using: &random))
      return (key: Bool.random(using: &random) ? key : key << 32 | 5, value: UInt32(value))
    }
    let expected = Dictionary(grouping: pairs, by: \.key).mapValues { $0.map(\.value) }
    let table = KeyTable(pairs)
    #expect(table.count == expected.count)
    for (key, values) in expected {
      #expect(Array(table.find(key)) == values)
      for other in [key ^ 1, key ^ 1 << 63] where expected[other] == nil { #expect(table.find(other).isEmpty) }
    }
    #expect(table.slots.count < max(8, expected.count * 3))
  }
}
