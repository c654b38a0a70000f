import EncircleText
import Testing

@Suite struct ConcurrentMapTests {
  @Test(
    "Results equal those of map, in order, for any number of elements",
    arguments: [0, 1, 127, 128, 129, 8_191, 20_000])
  func order(count: Int) {
    let numbers = Array(0..<count)
    #expect(numbers.concurrentMap { "\($0)" } == numbers.map { "\($0)" })
  }
}
