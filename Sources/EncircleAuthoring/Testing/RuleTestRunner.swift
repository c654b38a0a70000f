import EncircleEvents
import EncircleIdentity
import EncircleRules
import EncircleText

/// Runs tests on a rule set and records which rules they cover.
public struct RuleTestRunner {
  /// The maximum number of events of one test that are reported.
  static let maximumFailures = 20

  private struct Outcome {
    var failures: [TestResult.Failure] = []
    var more = 0
    var found: [ExpectedKey: ExpectedValue] = [:]
  }

  private let ruleSet: RuleSet
  /// The rules that matched an event of some test.
  public private(set) var matchedRules: Set<UTF8String> = []

  /// Creates a runner.
  public init(_ ruleSet: RuleSet) { self.ruleSet = ruleSet }

  /// Runs tests of a file.
  ///
  /// - Parameter isWanted: Returns whether a test is to be run.
  /// - Complexity: The cost of deciding the events, and O(size of the rules) for each failure.
  public mutating func run(_ file: RuleTestFile, where isWanted: (RuleTest) -> Bool = { _ in true }) -> [TestResult] {
    let tests = file.tests.filter(isWanted)
    guard !tests.isEmpty else { return [] }
    let matcher = Matcher(ruleSet, dictionary: file.dictionary)
    var decider = Decider(matcher)
    var explainer: Explainer?
    let clock = ContinuousClock()
    return tests.map { test in
      var result = Outcome()
      let duration = clock.measure {
        switch test.subject {
        case .selector(let selector, let capture): result = run(test, selector, capture)
        case .events(let events): result = run(test, events, &decider, &explainer, file.dictionary)
        }
      }
      return TestResult(
        test: test, failures: result.failures, moreFailures: result.more,
        duration: Double(duration.components.seconds) + Double(duration.components.attoseconds) / 1e18,
        found: result.found)
    }
  }

  private func run(
    _ test: RuleTest, _ selector: ElementSelector, _ capture: TestCapture
  ) -> Outcome {
    let found = ExpectedValue.elements(
      capture.settings(of: ruleSet).elements(matching: selector, in: capture.screen))
    var failures: [TestResult.Failure] = []
    if let expected = test.expectation?.value(of: .elements), expected != found {
      let mismatch = TestResult.Mismatch(key: .elements, expected: expected, found: found)
      failures.append(.init(label: nil, mismatches: [mismatch], explanation: nil))
    }
    return Outcome(failures: failures, found: [.elements: found])
  }

  private mutating func run(
    _ test: RuleTest, _ events: [TestEvent], _ decider: inout Decider,
    _ explainer: inout Explainer?,
    _ dictionary: ElementDictionary
  ) -> Outcome {
    var failures: [TestResult.Failure] = []
    var more = 0
    var common: [ExpectedKey: ExpectedValue]?
    for event in events {
      let decision = decider.decide(event.event)
      matchedRules.formUnion(decision.rules)
      matchedRules.formUnion(decision.excludedBy)
      let found = Dictionary(
        uniqueKeysWithValues: ExpectedKey.allCases.filter { $0 != .elements }.map { ($0, $0.value(in: decision)) })
      common = common.map { $0.filter { found[$0.key] == $0.value } } ?? found
      guard let expectation = test.expectation else { continue }
      let mismatches = expectation.keys.compactMap { key -> TestResult.Mismatch? in
        guard let expected = expectation.value(of: key), let value = found[key], !expected.accepts(value, for: key)
        else {
          return nil
        }
        return TestResult.Mismatch(key: key, expected: expected, found: value)
      }
      guard !mismatches.isEmpty else { continue }
      if failures.count == Self.maximumFailures {
        more += 1
        continue
      }
      let known = explainer ?? Explainer(ruleSet, dictionary: dictionary)
      explainer = known
      var explanation = known.explain(event.event)
      // Only the shown rules are kept: the others would take most of the memory, once for each failure.
      explanation.rules = Self.rules(of: explanation, mismatches)
      failures.append(TestResult.Failure(label: event.label, mismatches: mismatches, explanation: explanation))
    }
    return Outcome(failures: failures, more: more, found: common ?? [:])
  }

  /// Returns the rules that a failure is about.
  ///
  /// These are the rules, and the rules of event names, that are only expected or only found; if there are none, the
  /// rules that match; otherwise the include rule that comes nearest to matching.
  private static func rules(
    of explanation: Explanation, _ mismatches: [TestResult.Mismatch]
  ) -> [Explanation.RuleResult] {
    var ids: Set<UTF8String> = []
    var emits: Set<UTF8String> = []
    for mismatch in mismatches {
      guard case .names(let expected) = mismatch.expected, case .names(let found) = mismatch.found else { continue }
      let difference =
        mismatch.key == .includes ? Set(expected).subtracting(found) : Set(expected).symmetricDifference(found)
      if mismatch.key.namesRules { ids.formUnion(difference) }
      if mismatch.key == .emit { emits.formUnion(difference) }
    }
    let concerned = explanation.rules.filter { result in
      ids.contains(result.rule.id)
        || (result.rule.effect == .include && result.rule.names.contains { emits.contains(UTF8String($0)) })
        || (result.matches && result.rule.effect == .exclude && !explanation.decision.isSelected)
    }
    if !concerned.isEmpty { return concerned }
    let matching = explanation.rules.filter(\.matches)
    if !matching.isEmpty { return matching }
    let includes = explanation.rules.filter { $0.rule.effect == .include }
    return includes.min { failedTests(of: $0) < failedTests(of: $1) }.map { [$0] } ?? []
  }

  /// Returns the number of tests that fail in the clause that has the fewest.
  private static func failedTests(of result: Explanation.RuleResult) -> Int {
    let clauses = result.clauses.map { clause in clause.tests.count { !$0.passed } }
    return (clauses.min() ?? 0) + result.besides.count { !$0.passed } + result.unless.count(where: \.holds)
      + (result.rule.isEnabled ? 0 : 1)
  }

  /// The enabled rules that no event of any test has matched so far, in byte order of their ids.
  public var uncoveredRules: [SelectionRule] {
    ruleSet.rules.filter { $0.isEnabled && !matchedRules.contains($0.id) }.sorted { $0.id < $1.id }
  }

  /// The number of enabled rules, which tests can cover.
  public var ruleCount: Int { ruleSet.rules.count(where: \.isEnabled) }
}
