/// A set of small numbers, of which it is known how large they get.
struct Bits: Hashable {
  private(set) var words: [UInt64]

  /// An empty set for numbers below `count`.
  init(count: Int) { words = Array(repeating: 0, count: max(1, (count + 63) / 64)) }

  /// The set of all numbers below `count`.
  init(all count: Int) {
    self.init(count: count)
    for i in 0..<count { self[i] = true }
  }

  subscript(i: Int) -> Bool {
    get { words[i >> 6] >> UInt64(i & 63) & 1 == 1 }
    set { if newValue { words[i >> 6] |= 1 << UInt64(i & 63) } else { words[i >> 6] &= ~(1 << UInt64(i & 63)) } }
  }

  var isEmpty: Bool { words.allSatisfy { $0 == 0 } }

  mutating func formIntersection(_ other: Bits) { for i in words.indices { words[i] &= other.words[i] } }

  mutating func formUnion(_ other: Bits) { for i in words.indices { words[i] |= other.words[i] } }

  /// Each number with one added; the largest must not be in the set.
  func advanced() -> Bits {
    var result = self
    var carry: UInt64 = 0
    for i in words.indices {
      result.words[i] = words[i] << 1 | carry
      carry = words[i] >> 63
    }
    return result
  }

  func isSuperset(of other: Bits) -> Bool { zip(words, other.words).allSatisfy { $0 & $1 == $1 } }
}
