/// A partial one-to-one mapping of the elements of two screens.
struct PartialMapping {
  /// The new element of each old one, or -1.
  private(set) var newOf: [Int32]
  /// The old element of each new one, or -1.
  private(set) var oldOf: [Int32]

  init(_ old: Int, _ new: Int) {
    newOf = Array(repeating: -1, count: old)
    oldOf = Array(repeating: -1, count: new)
  }

  /// Maps two elements, neither of which may be mapped.
  mutating func map(_ i: Int, _ j: Int) {
    assert(newOf[i] < 0 && oldOf[j] < 0)
    newOf[i] = Int32(j)
    oldOf[j] = Int32(i)
  }
}
