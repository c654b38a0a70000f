import EncircleEvents
import EncircleIdentity
import EncircleRules
import EncircleText

/// Finds the rules that could cover another rule: they match an event that it matches.
///
/// The engine tries all rules at once. Some regular expressions have no known matching text. So each expression under test
/// also accepts a mark, and the examples contain these marks.
struct CandidateRules {
  private let matcher: Matcher
  private let fields: EventFields
  private let marks: [UTF8String: String]
  private let numbers: [UTF8String: Int]
  private let pages: [UTF8String: [Int]]
  // The number of clauses that the engine cannot look up by an exact name.
  private let unindexed: Int

  /// Prepares rules; disabled rules are never found.
  init(_ ruleSet: RuleSet, _ dictionary: ElementDictionary) {
    fields = ruleSet.fields
    var marks: [UTF8String: String] = [:]
    var marked = ruleSet
    // The selectors have been read in the style of the rules already, and the paths of the examples are never
    // ambiguous.
    marked.style = .hubbleData
    marked.rules = ruleSet.rules.map { rule in
      var rule = rule
      rule.clauses = rule.clauses.map { $0.marked(&marks) }
      rule.unless = rule.unless.map { $0.marked(&marks) }
      return rule
    }
    matcher = Matcher(marked, dictionary: dictionary)
    self.marks = marks
    var numbers: [UTF8String: Int] = [:]
    for (i, rule) in ruleSet.rules.enumerated() { numbers[rule.id] = i }
    self.numbers = numbers
    var pages: [UTF8String: [Int]] = [:]
    for (i, page) in ruleSet.allExcludedPages.enumerated() { pages[page.name, default: []].append(i) }
    self.pages = pages
    unindexed = ruleSet.rules.reduce(0) { count, rule in
      rule.isEnabled ? count + rule.clauses.count { !$0.hasExactName } + rule.unless.count { !$0.hasExactName } : count
    }
  }

  /// Returns the rules that match an event like the example, and the excluded pages that it is on, as indexes in the
  /// rule set.
  ///
  /// - Parameter budget: The remaining work; the engine's work is subtracted from it.
  func rules(
    matching example: EventExample, _ decider: inout Decider, _ budget: WordClasses.Budget
  ) -> (rules: [Int], pages: [Int]) {
    let event = example.event(fields) { tests in tests.compactMap { marks[UTF8String($0)] }.joined() }
    let decision = decider.decide(event)
    let found = decision.rules.count + decision.excludedBy.count + decision.pages.count
    budget.spend(200 + found * 20 + unindexed * 4)
    return (
      (decision.rules + decision.excludedBy).compactMap { numbers[$0] }.sorted(),
      decision.pages.flatMap { pages[$0] ?? [] }
    )
  }

  func makeDecider() -> Decider { Decider(matcher) }
}

extension RuleClause {
  /// This is true if the clause asks for an exact class at the end of the path, event ID, event or page.
  fileprivate var hasExactName: Bool {
    if !eventIDs.isEmpty { return true }
    for case .isOneOf(_, fold: false)? in [event, page] { return true }
    return !selectors.isEmpty
      && selectors.allSatisfy { if case .component(.name, _)? = $0.steps.last { true } else { false } }
  }

  fileprivate func marked(_ marks: inout [UTF8String: String]) -> RuleClause {
    var result = self
    result.event = event?.marked(&marks)
    result.page = page?.marked(&marks)
    result.properties = properties.map { PropertyTest($0.property, $0.condition.marked(&marks)) }
    return result
  }
}

extension Condition {
  // Conditions nest no deeper than 32 levels.
  fileprivate func marked(_ marks: inout [UTF8String: String]) -> Condition {
    switch self {
    case .all(let parts): return .all(parts.map { $0.marked(&marks) })
    case .any(let parts): return .any(parts.map { $0.marked(&marks) })
    case .not(let part): return .not(part.marked(&marks))
    case .matches:
      // The key is the description, as examples name the tests that they pass by it.
      let mark = marks[UTF8String(description)] ?? "\u{E000}\(marks.count)\u{E001}"
      marks[UTF8String(description)] = mark
      return .any([self, .text(.contains, UTF8String(mark), fold: false)])
    default: return self
    }
  }
}
