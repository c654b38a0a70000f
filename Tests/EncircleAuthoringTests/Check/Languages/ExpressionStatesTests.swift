import EncircleRules
import EncircleTestSupport
import Testing

@testable import EncircleAuthoring

@Suite struct ExpressionStatesTests {
  static func matches(_ states: ExpressionStates, _ text: String) -> Bool {
    var current = states.start
    for scalar in text.unicodeScalars { current = states.after(states.reading(scalar.value), current) }
    return states.accepts(current)
  }

  static func expected(_ expression: RegularExpression, _ text: String) -> Bool {
    var text = text
    return text.withUTF8 { expression.matches($0) }
  }

  static func random(_ random: inout SeededGenerator, depth: Int = 0) -> String {
    let literals = [
      "a", "b", "k", "S", "K", "1", "\\.", "-", "加", "é", ".", "\\d", "\\w", "\\s", "\\D", "\\W", "\\S", "\\n", "\\x61",
      "\\x{52A0}", "[ab]", "[^a]", "[a-k1-3]", "[^\\d]", "[]a]", "[^]]", "[a-]", "[-a]", "[\\w.]", "[^\\W]", "[+--]",
      "^", "$",
      "\\A", "\\z", "{", "x{,2}", "a{01}", "\\t", "\\/", "[[]", "[a\\]]", "[\\x41-\\x43]", "_", "\\-", " ",
    ]
    switch Int.random(in: 0..<(depth < 4 ? 10 : 3), using: &random) {
    case 0, 1, 2: return random.pick(literals)
    case 3, 4, 5: return Self.random(&random, depth: depth + 1) + Self.random(&random, depth: depth + 1)
    case 6: return "(\(Self.random(&random, depth: depth + 1))|\(Self.random(&random, depth: depth + 1)))"
    case 7: return Self.random(&random, depth: depth + 1) + "|" + Self.random(&random, depth: depth + 1)
    case 8:
      let groups = ["(?:", "(", "(?i:", "(?s:", "(?-i:", "(?P<n>", "(?i-s:", "(?U:", "((?i)"]
      return random.pick(groups) + Self.random(&random, depth: depth + 1) + ")"
    default:
      let repetitions = ["*", "+", "?", "{2}", "{1,}", "{0,2}", "{0}", "{2,3}", "*?", "+?", "??", "{0,}", "{1,2}?"]
      return "(?:\(Self.random(&random, depth: depth + 1)))" + random.pick(repetitions)
    }
  }

  static func randomText(_ random: inout SeededGenerator) -> String {
    let scalars = [
      "a", "b", "k", "K", "s", "S", "1", ".", "-", "加", "é", "\n", " ", "\u{212A}", "\u{17F}", "]", "[", "_", "x", "A",
      "{",
      ",", "2", "}", "/", "\t", "É", "\u{1F600}", "B", "+",
    ]
    return (0..<Int.random(in: 1...5, using: &random)).map { _ in random.pick(scalars) }.joined()
  }

  @Test("the automaton of an expression finds it in the same texts as RE2", arguments: TestSize.scaled(0..<40))
  func agreement(seed: Int) throws {
    var random = SeededGenerator(seed: UInt64(seed))
    var (known, found) = (0, 0)
    for _ in 0..<60 {
      let text = Self.random(&random)
      guard let expression = try? RegularExpression(text, foldsCase: random.oneIn(4)),
        let states = ExpressionParser.states(of: expression)
      else { continue }
      known += 1
      for _ in 0..<40 {
        let probe = Self.randomText(&random)
        let isFound = Self.expected(expression, probe)
        if isFound { found += 1 }
        #expect(
          Self.matches(states, probe) == isFound,
          "\(expression) \(expression.foldsCase) in \(probe.debugDescription)")
      }
    }
    #expect(known > 20 && found > 50, "\(known) \(found)")
  }

  @Test(
    "complex expressions are given up",
    arguments: [
      "\\ba", "\\B", "\\pL", "\\p{Han}", "[[:alpha:]]", "(?m)^a", "(?m)a$", "\\Qa\\E", "(?i)é", "(?i)[^é]", "(?i)[à-ö]",
      "a{600}b{600}", "((a{30}){30}){2}", "\\C", "\\Pz",
    ])
  func givenUp(text: String) throws {
    guard let expression = try? RegularExpression(text) else { return }
    #expect(ExpressionParser.states(of: expression) == nil)
  }

  @Test("groups may nest as deep as in RE2")
  func deep() throws {
    for depth in [10, 200, 450] {
      let text = String(repeating: "(", count: depth) + "a" + String(repeating: ")", count: depth)
      let states = try #require(ExpressionParser.states(of: try RegularExpression(text)))
      #expect(Self.matches(states, "xa") && !Self.matches(states, "x"))
    }
    let text = String(repeating: "(a|", count: 900) + "b" + String(repeating: ")", count: 900)
    if let expression = try? RegularExpression(text) { _ = ExpressionParser.states(of: expression) }
  }
}
