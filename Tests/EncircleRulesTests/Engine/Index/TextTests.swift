import EncircleEvents
import EncircleIdentity
import EncircleRules
import EncircleTestSupport
import EncircleText
import Testing

/// Tests of texts that are found by what the text contains, against each test alone.
@Suite struct TextTests {
  private static let pieces = [
    "ab", "b", "Inn", "é", "预订", ".", ".*", "[a-c]", "[^b]", "(ab|b)", "(?:Inn)?", "b?", "b*", "(ab)+", "b{0,2}", "^",
    "$", "\\.",
    "\\d", "K", "s", " ", "[]b]", "\\(", "(a(b)c)*",
  ]
  private static let words = [
    "ab", "b", "Inn", "INN", "é", "É", "预订", ".", "1", "K", "k", "\u{212A}", "ſ", "S", " ", "(", "]", "abb",
  ]

  @Test(
    "regular expressions match what they match by themselves, whatever they are found by",
    arguments: TestSize.scaled(0..<6 as Range<UInt64>))
  func expressions(seed: UInt64) throws {
    var random = SeededGenerator(seed: 900 + seed)
    var ruleSet = RuleSet()
    var expressions: [(UTF8String, RegularExpression)] = []
    while expressions.count < 120 {
      var pattern = random.oneIn(4) ? "(?i)" : ""
      for _ in 0..<Int.random(in: 1...6, using: &random) { pattern += random.pick(Self.pieces) }
      guard let expression = try? RegularExpression(pattern, foldsCase: random.oneIn(5)) else { continue }
      let id = UTF8String("\(1_000 + expressions.count)")
      var clause = RuleClause()
      clause.properties = [PropertyTest(.property("text"), .matches(expression))]
      ruleSet.rules.append(SelectionRule(id, .include, [clause]))
      expressions.append((id, expression))
    }
    var limits = IndexLimits()
    limits.maximumOnPage = 0
    let matcher = Matcher(ruleSet, dictionary: ElementDictionary(), limits: limits)
    var decider = Decider(matcher)
    var matches = 0
    for _ in 0..<300 {
      var text = ""
      for _ in 0..<Int.random(in: 0...6, using: &random) { text += random.pick(Self.words) }
      let decision = decider.decide(AnalyticsEvent(name: "e", properties: ["text": .string(text)]))
      let bytes = Array(text.utf8)
      let expected = expressions.filter { expression in bytes.withUnsafeBufferPointer { expression.1.matches($0) } }
      #expect(decision.rules == expected.map(\.0), "\(text)")
      matches += expected.count
    }
    #expect(matches > 1_000)
  }

  @Test(
    "parts of texts are found wherever they are, also within each other and across case",
    arguments: TestSize.scaled(0..<4 as Range<UInt64>))
  func parts(seed: UInt64) {
    var random = SeededGenerator(seed: 700 + seed)
    let letters = ["a", "b", "A", "ß", "é"]
    func text(_ range: ClosedRange<Int>) -> String {
      (0..<Int.random(in: range, using: &random)).map { _ in random.pick(letters) }.joined()
    }
    var ruleSet = RuleSet()
    for i in 0..<200 {
      let test = random.pick(Condition.TextTest.allCases)
      let wanted = test == .glob ? text(0...2) + "*" + text(1...2) : text(1...5)
      var clause = RuleClause()
      clause.properties = [PropertyTest(.property("text"), .text(test, UTF8String(wanted), fold: random.oneIn(3)))]
      ruleSet.rules.append(SelectionRule(UTF8String("\(1_000 + i)"), .include, [clause]))
    }
    var limits = IndexLimits()
    limits.maximumOnPage = 0
    let byText = Matcher(ruleSet, dictionary: ElementDictionary(), limits: limits)
    limits.maximumOnPage = .max
    let oneByOne = Matcher(ruleSet, dictionary: ElementDictionary(), limits: limits)
    let events = (0..<300).map { _ in AnalyticsEvent(name: "e", properties: ["text": .string(text(0...40))]) }
    let decisions = byText.decide(events)
    #expect(decisions == oneByOne.decide(events))
    #expect(decisions.contains { $0.rules.count > 20 })
  }
}
