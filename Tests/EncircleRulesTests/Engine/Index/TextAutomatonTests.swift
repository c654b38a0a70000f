import EncircleTestSupport
import Testing

@testable import EncircleRules

/// The search for many texts in another text, against a search for each one alone.
@Suite struct TextAutomatonTests {
  private static func found(_ texts: [[UInt8]], in value: [UInt8]) -> [Int] {
    let automaton = TextAutomaton(texts)
    var scratch = TextAutomaton.Scratch()
    return found(automaton, in: value, &scratch)
  }

  private static func found(
    _ automaton: borrowing TextAutomaton, in value: [UInt8], _ scratch: inout TextAutomaton.Scratch
  ) -> [Int] {
    var found: [Int] = []
    value.withUnsafeBufferPointer { value in
      automaton.forEachText(in: value, &scratch) { found.append(Int($0)) }
    }
    return found.sorted()
  }

  @Test(
    "texts are found at every place, within each other, once each",
    arguments: [
      (["a"], "", []), ([], "abc", []), (["a"], "a", [0]), (["a"], "bab", [0]), (["abc"], "ab", []),
      (["ab", "b", "abab"], "xabab", [0, 1, 2]), (["b", "ab"], "cab", [0, 1]), (["abc", "bc", "c"], "abc", [0, 1, 2]),
      (["abd", "bc"], "abc", [1]), (["aab"], "aaab", [0]), (["é", "e\u{301}"], "cafe\u{301}", [1]),
      (["预订", "订单"], "预订单", [0, 1]),
    ] as [([String], String, [Int])])
  func places(texts: [String], value: String, expected: [Int]) {
    #expect(Self.found(texts.map { Array($0.utf8) }, in: Array(value.utf8)) == expected)
  }

  @Test(
    "few and many bytes, few and many states: what is found is what is there",
    arguments: [(1, 3, 4), (2, 100, 12), (9, 1_500, 9), (60, 2_500, 14), (256, 1_200, 6)])
  func random(alphabet: Int, count: Int, length: Int) {
    var random = SeededGenerator(seed: UInt64(alphabet))
    func text(_ lengths: ClosedRange<Int>) -> [UInt8] {
      (0..<Int.random(in: lengths, using: &random)).map { _ in
        UInt8(truncatingIfNeeded: 0x61 + Int.random(in: 0..<alphabet, using: &random))
      }
    }
    var list: [[UInt8]] = []
    var known: Set<[UInt8]> = []
    while list.count < count {
      // Half of them go on like others.
      let new = random.oneIn(2) && !list.isEmpty ? random.pick(list) + text(1...3) : text(1...length)
      if known.insert(new).inserted { list.append(new) }
    }
    let automaton = TextAutomaton(list)
    var scratch = TextAutomaton.Scratch()
    var matches = 0
    for _ in 0..<40 {
      var value: [UInt8] = []
      for _ in 0..<Int.random(in: 0...8, using: &random) { value += random.oneIn(3) ? text(0...6) : random.pick(list) }
      let expected = list.indices.filter { contains(value, list[$0]) }
      #expect(Self.found(automaton, in: value, &scratch) == expected)
      matches += expected.count
    }
    #expect(matches > 40)
  }

  private func contains(_ value: [UInt8], _ text: [UInt8]) -> Bool {
    guard value.count >= text.count else { return false }
    return (0...value.count - text.count).contains {
      value[$0] == text[0] && value[$0..<$0 + text.count].elementsEqual(text)
    }
  }
}
