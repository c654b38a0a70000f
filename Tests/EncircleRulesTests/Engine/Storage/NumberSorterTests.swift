import EncircleTestSupport
import Testing

@testable import EncircleRules

@Suite struct NumberSorterTests {
  @Test(
    "numbers are in order, few and many, small and large, also equal ones",
    arguments: [0, 1, 2, 47, 48, 300, 5_000], [2, 256, 257, 70_000, 1 << 24, 1 << 32])
  func order(count: Int, limit: Int) {
    var random = SeededGenerator(seed: UInt64(count + limit))
    var sorter = NumberSorter()
    // The second time what it has kept is larger than what it needs.
    for count in [count, count / 2] {
      let list = (0..<count).map { _ in UInt32(Int.random(in: 0..<limit, using: &random)) }
      var numbers = GrowingBuffer<UInt32>()
      for number in list { numbers.append(number) }
      sorter.sort(&numbers, below: limit)
      #expect(Array(numbers.all) == list.sorted())
    }
  }
}
