extension RandomAccessCollection {
  /// Returns the index of the first element for which `belongsInSecondPart` is true, or `endIndex` if there is none.
  ///
  /// All elements for which it is false must come before all for which it is true. In an array sorted in ascending
  /// order, `partitioningIndex { $0 >= value }` is the place of the first element that is not less than `value`.
  ///
  /// - Complexity: O(log *n*) calls of `belongsInSecondPart`, *n* elements.
  @inlinable package func partitioningIndex(
    where belongsInSecondPart: (Element) throws -> Bool
  ) rethrows -> Index {
    var start = startIndex
    var count = count
    while count > 0 {
      let half = count / 2
      let middle = index(start, offsetBy: half)
      if try belongsInSecondPart(self[middle]) {
        count = half
      } else {
        start = index(after: middle)
        count -= half + 1
      }
    }
    return start
  }
}
