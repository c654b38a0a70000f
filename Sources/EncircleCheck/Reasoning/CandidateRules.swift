import EncircleEvents
import EncircleIdentity
import EncircleRules
import EncircleText

/// Finds the rules that could cover another one: those that take some event that it takes.
///
/// All rules are tried at once, by the engine that decides events. Nobody knows a text that a given regular expression
/// matches, so in the rules that are tried each expression is a mark to be contained, and in the examples it is put.
struct CandidateRules {
  private let matcher: Matcher
  private let fields: EventFields
  private let marks: [UTF8String: String]
  private let numbers: [UTF8String: Int]
  private let pages: [UTF8String: [Int]]

  /// Prepares rules; disabled ones are never found.
  init(_ ruleSet: RuleSet, _ dictionary: ElementDictionary) {
    fields = ruleSet.fields
    var marks: [UTF8String: String] = [:]
    var marked = ruleSet
    // Selectors have been read in the style of the rules; the examples' paths are written in one that is never ambiguous.
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
    for (i, page) in ruleSet.excludedPages.enumerated() { pages[page.name, default: []].append(i) }
    self.pages = pages
  }

  /// The rules that take an event like the example, and the excluded pages that it is on, as places in the rule set.
  func rules(taking example: EventExample, _ decider: inout Decider) -> (rules: [Int], pages: [Int]) {
    let event = example.event(fields) { tests in tests.compactMap { marks[UTF8String($0)] }.joined() }
    let decision = decider.decide(event)
    return (
      (decision.rules + decision.excludedBy).compactMap { numbers[$0] }.sorted(),
      decision.pages.flatMap { pages[$0] ?? [] }
    )
  }

  func makeDecider() -> Decider { Decider(matcher) }
}

extension RuleClause {
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
      // By what it says, as examples tell what they pass.
      let mark = marks[UTF8String(description)] ?? "\u{E000}\(marks.count)\u{E001}"
      marks[UTF8String(description)] = mark
      return .text(.contains, UTF8String(mark), fold: false)
    default: return self
    }
  }
}
