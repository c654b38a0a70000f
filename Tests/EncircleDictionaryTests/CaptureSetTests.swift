import EncircleTestSupport
import Testing

@testable import EncircleDictionary

@Suite struct CaptureSetTests {
  @Test("sets of captures are runs, written and read alike", arguments: 0..<20)
  func captureSets(seed: Int) {
    var random = SeededGenerator(seed: UInt64(seed))
    var set = CaptureSet()
    var expected: Set<Int> = []
    for _ in 0..<Int.random(in: 0...200, using: &random) {
      let number =
        seed % 2 == 0
        ? (expected.max() ?? 0) + Int.random(in: 1...3, using: &random) : Int.random(in: 0...300, using: &random)
      set.insert(number)
      expected.insert(number)
    }
    #expect(Array(set) == expected.sorted())
    #expect(CaptureSet(set.bytes) == set)
    #expect((0...310).allSatisfy { set.contains($0) == expected.contains($0) })
  }

  @Test(
    "bytes that are no set are refused",
    arguments: [[0x80], [1], [0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 1]] as [[UInt8]])
  func badSets(bytes: [UInt8]) { #expect(CaptureSet(bytes) == nil) }
}
