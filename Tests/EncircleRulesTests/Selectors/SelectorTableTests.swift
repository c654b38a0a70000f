import EncircleEvents
import EncircleIdentity
import EncircleTestSupport
import EncircleText
import EncircleTree
import Testing

@testable import EncircleRules

/// The table of selectors, where class names and tests are numbers.
@Suite struct SelectorTableTests {
  /// Numbers near the bounds of 32-bit and 64-bit integers.
  private static let numbers: [Int] = [
    .min, .min + 1, -(1 << 31) - 1, -(1 << 31), -(1 << 31) + 1, -2, 0, 1, 2, (1 << 31) - 2, (1 << 31) - 1, 1 << 31,
    (1 << 31) + 1, .max - 1, .max,
  ]

  /// All ranges between these numbers, also empty ranges and ranges without bounds, and some sets.
  private static let tests: [ElementSelector.NumberTest] = {
    let bounds = numbers.map { Int?($0) } + [nil]
    let ranges = bounds.flatMap { lower in bounds.map { ElementSelector.NumberTest.range(lower: lower, upper: $0) } }
    return ranges + numbers.map { .oneOf([1, $0, 5]) } + [.any, .oneOf(numbers)]
  }()

  private static func matches(_ test: ElementSelector.NumberTest, _ number: Int) -> Bool {
    switch test {
    case .any: true
    case .range(let lower, let upper): (lower ?? .min) <= number && number <= (upper ?? .max)
    case .oneOf(let numbers): numbers.contains(number)
    }
  }

  @Test("a number test matches its numbers, however large")
  func bounds() {
    for test in Self.tests {
      let index = ElementSelector(isAnchored: false, steps: [.component(.any, .index(test))])
      let fields = [ElementSelector.FieldTest(.indexx, test), ElementSelector.FieldTest(.indexy, test)]
      let position = ElementSelector(isAnchored: true, steps: [.component(.name("A"), .fields(fields))])
      let matchers = (SelectorMatcher(index), SelectorMatcher(position))
      for number in Self.numbers {
        let expected = Self.matches(test, number)
        #expect(test.matches(number) == expected, "\(test) of \(number)")
        #expect(
          matchers.0.matches(ElementPath([PathComponent("A", .index(number))])) == expected, "\(test) of \(number)")
        #expect(
          matchers.1.matches(ElementPath([PathComponent("A", .position(x: number, y: number))])) == expected,
          "\(test) of \(number)")
      }
    }
  }

  @Test("the index finds rules with number tests, also after saving")
  func rules() throws {
    var ruleSet = RuleSet()
    for (number, test) in Self.tests.enumerated() {
      var clause = RuleClause()
      clause.selectors = [ElementSelector(isAnchored: true, steps: [.component(.name("A"), .index(test))])]
      ruleSet.rules.append(SelectionRule(UTF8String("\(number)"), .include, [clause]))
    }
    let matcher = Matcher(ruleSet)
    let loaded = try Matcher(compiled: matcher.compiled())
    for number in Self.numbers where number >= 0 {
      let event = AnalyticsEvent(name: "$AppClick", properties: ["$element_path": .string("A(\(number))")])
      let expected = Self.tests.indices.filter { Self.matches(Self.tests[$0], number) }.map { UTF8String("\($0)") }
      for matcher in [matcher, loaded] {
        var decider = Decider(matcher)
        #expect(decider.decide(event).rules == expected.sorted(), "A(\(number))")
      }
    }
  }

  @Test("a step is recognised by its name, wherever that is stored")
  func storage() {
    var builder = SelectorTable.Builder()
    builder.reserve(20_000, steps: 60_000)
    var classes = ClassTable(hierarchy: ClassHierarchy())
    // Each text has its own storage, which reuses the freed storage of earlier texts.
    let rounds = TestSize.scaled(20_000)
    for round in 0..<rounds {
      let name = "A class whose name is not short \(round % 700)"
      let steps = (0..<3).map { index in
        ElementSelector.Step.component(
          .name(UTF8String(name + (index == 2 ? "" : "!"))), .index(.range(lower: index, upper: index)))
      }
      let number = builder.add(ElementSelector(isAnchored: true, steps: steps), &classes)
      let found = builder.steps(of: number).map { builder.steps[Int($0)] }
      let names = found.map { step in classes.withBytes(of: step.number) { String(decoding: $0, as: UTF8.self) } }
      #expect(names == [name, name + "!", name + "!"])
      #expect(found.map(\.first.only) == [2, 1, 0])
    }
    #expect(builder.steps.count == 3 * min(rounds, 700))
  }
}
