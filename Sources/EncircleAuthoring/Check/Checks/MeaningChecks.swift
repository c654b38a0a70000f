import EncircleEvents
import EncircleIdentity
import EncircleRuleFiles
import EncircleRules
import EncircleText
import EncircleTree

/// Checks the meaning of rules: contradictions in a rule, and rules that cover each other.
struct MeaningChecks {
  let rules: [SelectionRule]
  /// The excluded pages: first the rule set's, then the default ones.
  let excludedPages: [ExcludedPage]
  let ownPageCount: Int
  let boxes: [RuleBoxes]
  let pageBoxes: [RuleBoxes]
  let coverage: Coverage
  let fields: EventFields
  let candidates: CandidateRules
  let tests: ExampleTests

  // The limit for the rules that one rule is compared with, the clauses of a rule and the selectors of a clause.
  static let maximumCompared = 24
  /// Returns the steps that all comparisons of a rule set may take.
  static func stepLimit(of ruleSet: RuleSet) -> Int { 30_000_000 + 5_000 * ruleSet.rules.count }

  init(_ ruleSet: RuleSet, _ dictionary: ElementDictionary, _ hierarchy: ClassHierarchy, stepLimit: Int) {
    rules = ruleSet.rules
    excludedPages = ruleSet.allExcludedPages
    ownPageCount = ruleSet.excludedPages.count
    fields = ruleSet.fields
    let context = SameKindContext(dictionary, ruleSet.vocabulary(dictionary), ruleSet.fields)
    boxes = rules.map { RuleBoxes($0, ruleSet.fields, context) }
    pageBoxes = excludedPages.map { RuleBoxes(boxes: [Box($0, ruleSet.fields)]) }
    coverage = Coverage(
      context: SpaceContext(
        hierarchy: hierarchy, style: ruleSet.style,
        budget: WordClasses.Budget(stepLimit), fields: ruleSet.fields))
    tests = ExampleTests(hierarchy, ruleSet.fields)
    candidates = CandidateRules(ruleSet, dictionary)
  }

  /// Checks all rules.
  ///
  /// - Returns: The number of rules that were not compared with all others, as that would take too long.
  func check(_ list: inout FindingList) -> Int {
    var undecided: Set<Int> = []
    var decider = candidates.makeDecider()
    let firsts = reportCopies(&list)
    // For each rule, the rules that are known to mean the same; they have been reported.
    var same: [Int: Set<Int>] = [:]
    var reported: Set<Int> = []
    for (i, rule) in rules.enumerated() where rule.isEnabled && firsts[i] == i {
      guard !coverage.context.budget.isSpent else {
        undecided.insert(i)
        continue
      }
      let isPossible = checkClauses(i, rule, &list)
      guard isPossible, case .example(let example) = coverage.event(of: boxes[i]) else {
        if isPossible { undecided.insert(i) }
        continue
      }
      // A rule that covers this one matches both events.
      let first = candidates.rules(matching: example, &decider, coverage.context.budget)
      let next =
        example.path == nil
        ? first : candidates.rules(matching: example.withNextNumbers, &decider, coverage.context.budget)
      if rule.effect == .include { checkExcludes(i, rule, example, first, next, &decider, &list) }
      // A rule that matches the first may cover this one; a rule that matches only the second may nearly cover it.
      let covers = Set(first.rules.map { firsts[$0] })
      let near = Set(next.rules.map { firsts[$0] }).subtracting(covers)
      let others = (covers.sorted() + near.sorted()).filter { other in
        other != i && rules[other].effect == rule.effect
      }
      var isCovered = false
      let unknown = others.prefix(Self.maximumCompared).filter { !(same[i]?.contains($0) ?? false) }
      let answers = answers(i, unknown)
      for other in others.prefix(Self.maximumCompared) {
        if same[i]?.contains(other) ?? false {
          isCovered = true
          continue
        }
        switch answers[other] ?? .undecided {
        case .none:
          let isSame = if case .none = coverage.event(of: boxes[other], notOf: [boxes[i]]) { true } else { false }
          if isSame {
            same[other, default: []].insert(i)
            // The finding is about the later rule, and about the first rule that resembles it.
            if reported.insert(max(i, other)).inserted {
              reportCover(max(i, other), min(i, other), isSame: true, isFirst: true, example, &list)
            }
          } else {
            reportCover(i, other, isSame: false, isFirst: !isCovered, example, &list)
          }
          isCovered = true
        case .example(let missing):
          if !isCovered { checkNearly(i, other, missing, &list) }
        case .undecided: undecided.insert(i)
        }
      }
      if others.count > Self.maximumCompared { undecided.insert(i) }
    }
    return undecided.count
  }

  /// Searches, for each of the other rules, for an event that rule `i` matches and the other rule does not.
  ///
  /// An event found for one rule often answers for others. The middle rule is tried first: if each rule takes more than the one
  /// before, its event answers for half of them.
  private func answers(_ i: Int, _ others: [Int]) -> [Int: Coverage.Answer] {
    var answers: [Int: Coverage.Answer] = [:]
    var open = others
    while !open.isEmpty {
      let other = open.remove(at: open.count / 2)
      let answer = coverage.event(of: boxes[i], notOf: [boxes[other]])
      answers[other] = answer
      guard case .example(let example) = answer else { continue }
      open.removeAll { rest in
        guard tests.isMissed(example, by: boxes[rest], coverage.context.budget) else { return false }
        answers[rest] = answer
        return true
      }
    }
    return answers
  }

  /// Returns, for each rule, the first rule that is written the same way, and reports the later ones.
  private func reportCopies(_ list: inout FindingList) -> [Int] {
    var firsts: [UTF8String: Int] = [:]
    return rules.enumerated().map { i, rule in
      guard rule.isEnabled else { return i }
      let key = UTF8String("\(rule.effect) \(boxes[i].key)")
      guard let first = firsts[key] else {
        firsts[key] = i
        return i
      }
      if case .example(let example) = coverage.event(of: boxes[i]) {
        reportCover(i, first, isSame: true, isFirst: true, example, &list)
      }
      return first
    }
  }
}
