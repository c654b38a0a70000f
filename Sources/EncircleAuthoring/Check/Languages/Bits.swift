/// A set of numbers below a bound that is given when the set is made.
struct Bits: Hashable {
  // Most bounds are at most 64; such a set needs no heap memory.
  private var first: UInt64 = 0
  private var rest: [UInt64] = []

  /// Creates an empty set for numbers below `count`.
  init(count: Int) { if count > 64 { rest = Array(repeating: 0, count: (count - 1) / 64) } }

  /// Creates the set of all numbers below `count`.
  init(all count: Int) {
    self.init(count: count)
    for i in 0..<count { self[i] = true }
  }

  /// The numbers, 64 in a word.
  var words: [UInt64] { [first] + rest }

  subscript(i: Int) -> Bool {
    get { (i < 64 ? first : rest[i >> 6 - 1]) >> UInt64(i & 63) & 1 == 1 }
    set {
      let bit: UInt64 = 1 << UInt64(i & 63)
      if i < 64 {
        first = newValue ? first | bit : first & ~bit
      } else {
        rest[i >> 6 - 1] = newValue ? rest[i >> 6 - 1] | bit : rest[i >> 6 - 1] & ~bit
      }
    }
  }

  /// This is true if no number is in the set.
  var isEmpty: Bool { first == 0 && rest.allSatisfy { $0 == 0 } }

  /// The numbers in the set, in order.
  var numbers: [Int] {
    var result: [Int] = []
    for (i, word) in words.enumerated() {
      var word = word
      while word != 0 {
        result.append(i << 6 + word.trailingZeroBitCount)
        word &= word - 1
      }
    }
    return result
  }

  mutating func formIntersection(_ other: Bits) {
    first &= other.first
    for i in rest.indices { rest[i] &= other.rest[i] }
  }

  mutating func formUnion(_ other: Bits) {
    first |= other.first
    for i in rest.indices { rest[i] |= other.rest[i] }
  }

  /// Returns the set with other members among some numbers.
  func replacing(_ numbers: [Int], by others: Bits) -> Bits {
    var result = self
    for number in numbers { result[number] = false }
    result.formUnion(others)
    return result
  }

  /// Returns the set of the numbers plus one. The largest possible number must not be in the set.
  func advanced() -> Bits {
    var result = self
    result.first = first << 1
    var carry = first >> 63
    for i in rest.indices {
      result.rest[i] = rest[i] << 1 | carry
      carry = rest[i] >> 63
    }
    return result
  }
}
