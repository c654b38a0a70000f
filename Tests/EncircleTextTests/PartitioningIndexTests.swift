import EncircleText
import Testing

@Suite struct PartitioningIndexTests {
  @Test("Every partition of every short collection is found", arguments: 0...33)
  func partitions(count: Int) {
    for boundary in 0...count {
      #expect((0..<count).partitioningIndex { $0 >= boundary } == boundary)
    }
  }

  @Test func indicesOfASliceAreThoseOfItsBase() {
    let slice = [9, 9, 1, 3, 3, 5, 0][2..<6]
    #expect(slice.partitioningIndex { $0 >= 3 } == 3)
    #expect(slice.partitioningIndex { $0 > 3 } == 5)
    #expect(slice.partitioningIndex { $0 > 5 } == 6)
  }
}
