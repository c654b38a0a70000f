import EncircleEvents
import EncircleIdentity
import EncircleRuleFiles
import EncircleRules
import EncircleText
import EncircleTree

/// What the rules mean, by themselves and beside each other.
struct MeaningChecks {
  private let rules: [SelectionRule]
  private let excludedPages: [ExcludedPage]
  private let boxes: [RuleBoxes]
  private let pageBoxes: [RuleBoxes]
  private let coverage: Coverage
  private let fields: EventFields
  private let candidates: CandidateRules

  // More rules that take an example than these are not compared, nor more selectors of one list.
  private static let mostCompared = 24

  init(_ ruleSet: RuleSet, _ dictionary: ElementDictionary, _ hierarchy: ClassHierarchy) {
    rules = ruleSet.rules
    excludedPages = ruleSet.excludedPages
    fields = ruleSet.fields
    boxes = rules.map { RuleBoxes($0, ruleSet.fields, dictionary) }
    pageBoxes = excludedPages.map { RuleBoxes(boxes: [Box($0, ruleSet.fields)]) }
    coverage = Coverage(
      context: SpaceContext(hierarchy: hierarchy, style: ruleSet.style))
    candidates = CandidateRules(ruleSet, dictionary)
  }

  /// Looks at all rules.
  ///
  /// - Returns: How many rules have not been compared with all others, as that would take too long.
  func check(_ list: inout FindingList) -> Int {
    var undecided: Set<Int> = []
    var decider = candidates.makeDecider()
    let firsts = tellCopies(&list)
    // By rule, those that mean the same and have been told of.
    var same: [Int: Set<Int>] = [:]
    for (i, rule) in rules.enumerated() where rule.isEnabled && firsts[i] == i {
      let isPossible = checkClauses(i, rule, &list)
      guard isPossible, case .example(let example) = coverage.event(of: boxes[i]) else {
        if isPossible { undecided.insert(i) }
        continue
      }
      // What covers the rule takes this event and that one.
      let first = candidates.rules(taking: example, &decider)
      let next = candidates.rules(taking: example.withNextNumbers, &decider)
      if rule.effect == .include { checkExcludes(i, rule, example, first, next, &decider, &list) }
      // What takes the first may cover the rule; what takes only the other one may be near to it.
      let covers = Set(first.rules.map { firsts[$0] })
      let near = Set(next.rules.map { firsts[$0] }).subtracting(covers)
      let others = (covers.sorted() + near.sorted()).filter { other in
        other != i && rules[other].effect == rule.effect
      }
      var isCovered = false
      for other in others.prefix(Self.mostCompared) {
        if same[i]?.contains(other) ?? false {
          isCovered = true
          continue
        }
        switch coverage.event(of: boxes[i], notOf: [boxes[other]]) {
        case .none:
          let isSame = if case .none = coverage.event(of: boxes[other], notOf: [boxes[i]]) { true } else { false }
          if isSame {
            same[other, default: []].insert(i)
            // At the one that comes last.
            tell(max(i, other), min(i, other), isSame: true, isFirst: true, example, &list)
          } else {
            tell(i, other, isSame: false, isFirst: !isCovered, example, &list)
          }
          isCovered = true
        case .example(let missing):
          if !isCovered { checkNearly(i, other, missing, &list) }
        case .undecided: undecided.insert(i)
        }
      }
      if others.count > Self.mostCompared { undecided.insert(i) }
    }
    return undecided.count
  }

  /// By rule, the first rule that asks the same in the same words; all but the first are told of here.
  private func tellCopies(_ list: inout FindingList) -> [Int] {
    var firsts: [UTF8String: Int] = [:]
    return rules.enumerated().map { i, rule in
      guard rule.isEnabled else { return i }
      let key = UTF8String("\(rule.effect) \(boxes[i].key)")
      guard let first = firsts[key] else {
        firsts[key] = i
        return i
      }
      if case .example(let example) = coverage.event(of: boxes[i]) {
        tell(i, first, isSame: true, isFirst: true, example, &list)
      }
      return first
    }
  }

  // MARK: - One rule

  /// Clauses that nothing meets, or that another one of the rule covers; false if nothing meets any of them.
  private func checkClauses(_ i: Int, _ rule: SelectionRule, _ list: inout FindingList) -> Bool {
    let own = boxes[i]
    var isPossible = false
    var impossible: Set<Int> = []
    // Rules for elements of the same kind have more boxes than clauses; those are not contradictory by themselves.
    for (j, clause) in rule.clauses.enumerated() where own.boxes.count == rule.clauses.count {
      let alone = RuleBoxes(boxes: [own.boxes[j]])
      if case .none = coverage.event(of: alone) {
        impossible.insert(j)
        tellContradiction(rule, clause, j, .clauses, &list)
      } else if !own.unless.isEmpty, case .none = coverage.event(ofBox: j, of: own) {
        impossible.insert(j)
        list.add(
          .contradiction, rule, .clause(.clauses, j), "'unless' takes away every event that the clause takes")
      } else {
        isPossible = true
      }
    }
    if own.boxes.count != rule.clauses.count { isPossible = true }
    for (j, clause) in rule.unless.enumerated() {
      if case .none = coverage.event(of: RuleBoxes(boxes: [own.unless[j]])) {
        tellContradiction(rule, clause, j, .unless, &list)
      }
    }
    if own.boxes.count == rule.clauses.count { checkLists(rule, own, impossible, &list) }
    return isPossible
  }

  /// Clauses, and selectors of one clause, that another one covers.
  private func checkLists(_ rule: SelectionRule, _ own: RuleBoxes, _ impossible: Set<Int>, _ list: inout FindingList) {
    var covered = impossible
    for j in own.boxes.indices.prefix(Self.mostCompared) where !covered.contains(j) {
      for k in own.boxes.indices.prefix(Self.mostCompared) where k != j && !covered.contains(k) {
        guard
          case .none = coverage.event(of: RuleBoxes(boxes: [own.boxes[j]]), notOf: [RuleBoxes(boxes: [own.boxes[k]])])
        else { continue }
        covered.insert(j)
        var example: EventExample?
        if case .example(let found) = coverage.event(of: RuleBoxes(boxes: [own.boxes[j]])) { example = found }
        list.add(
          .coveredClause, rule, .clause(.clauses, j),
          "another clause of the rule takes every event that this one takes", example: example?.text(fields),
          notes: [list.note("the other clause", rule, .clause(.clauses, k))])
        break
      }
    }
    for (j, clause) in rule.clauses.enumerated() where clause.selectors.count > 1 {
      var covered: Set<Int> = []
      for a in clause.selectors.indices.prefix(Self.mostCompared) {
        for b in clause.selectors.indices.prefix(Self.mostCompared) where b != a && !covered.contains(b) {
          let pair = [clause.selectors[a], clause.selectors[b]]
          guard
            let classes = PathClasses(
              of: pair, hierarchy: coverage.context.hierarchy, style: coverage.context.style,
              budget: coverage.context.budget),
            !classes.classes.contains(where: { $0.matching[0] && !$0.matching[1] })
          else { continue }
          covered.insert(a)
          list.add(
            .coveredClause, rule, .selector(.clauses, j, a), "\(pair[1]) matches every path that this selector matches",
            example: classes.classes.first { $0.matching[0] }.map { "path \($0.path.written(.slashes))" })
          break
        }
      }
    }
  }

  private func tellContradiction(
    _ rule: SelectionRule, _ clause: RuleClause, _ number: Int, _ section: RuleSource.Section, _ list: inout FindingList
  ) {
    var parts: [(RuleSource.Part, Condition)] = []
    if let event = clause.event { parts.append((.event(section, number), event)) }
    if let page = clause.page { parts.append((.page(section, number), page)) }
    for (k, test) in clause.properties.enumerated() {
      parts.append((.property(section, number, k), test.condition))
    }
    func isEmpty(_ condition: Condition) -> Bool {
      guard let classes = ValueClasses(of: [condition], hierarchy: coverage.context.hierarchy) else { return false }
      return !classes.classes.contains { $0.matching[0] }
    }
    var isTold = false
    for (part, condition) in parts where isEmpty(condition) {
      isTold = true
      if let range = condition.versionRanges.first(where: { isEmpty(.version($0)) }) {
        list.add(.emptyVersionRange, rule, part, "no version is \(range)")
      } else {
        list.add(.contradiction, rule, part, "no value \(condition.description)")
      }
    }
    if !isTold {
      // Tests of one thing by two names, such as a property and the field that it is.
      let place = RuleSource.Part.clause(section, number)
      list.add(.contradiction, rule, place, "no event meets all that the clause asks")
    }
  }

  // MARK: - Rules beside each other

  /// Whether exclude rules and excluded pages take all that an include rule takes.
  private func checkExcludes(
    _ i: Int, _ rule: SelectionRule, _ example: EventExample, _ first: (rules: [Int], pages: [Int]),
    _ next: (rules: [Int], pages: [Int]), _ decider: inout Decider, _ list: inout FindingList
  ) {
    var excludes = Set(first.rules.filter { rules[$0].effect == .exclude })
    var pages = Set(first.pages)
    guard !excludes.isEmpty || !pages.isEmpty else {
      // The example stays, so that not all is excluded; the next one may show how near to it that comes.
      for other in next.rules.prefix(Self.mostCompared) where rules[other].effect == .exclude {
        if case .example(let left) = coverage.event(of: boxes[i], notOf: [boxes[other]]) {
          checkNearly(i, other, left, &list)
        }
      }
      return
    }
    // What is left shows which excludes come into question besides, until nothing is left or something stays.
    for _ in 0..<Self.mostCompared {
      let others = excludes.sorted().map { boxes[$0] } + pages.sorted().map { pageBoxes[$0] }
      switch coverage.event(of: boxes[i], notOf: others) {
      case .undecided: return
      case .none:
        let names =
          excludes.sorted().map { rules[$0].id.text } + pages.sorted().map { "page \(excludedPages[$0].name)" }
        list.add(
          .neverSelects, rule, .id,
          "the rule can never select: \(FindingList.list(names)) exclude\(names.count == 1 ? "s" : "") all that it takes",
          example: example.text(fields),
          notes: excludes.sorted().map { list.note("'\(rules[$0].id)' excludes", rules[$0]) })
        return
      case .example(let left):
        let more = candidates.rules(taking: left, &decider)
        let new = Set(more.rules.filter { rules[$0].effect == .exclude }).subtracting(excludes)
        let newPages = Set(more.pages).subtracting(pages)
        if new.isEmpty, newPages.isEmpty {
          if excludes.count == 1, pages.isEmpty, let other = excludes.first { checkNearly(i, other, left, &list) }
          return
        }
        excludes.formUnion(new)
        pages.formUnion(newPages)
      }
    }
  }

  private func tell(
    _ i: Int, _ other: Int, isSame: Bool, isFirst: Bool, _ example: EventExample, _ list: inout FindingList
  ) {
    let (rule, cover) = (rules[i], rules[other])
    let isOtherName = rule.effect == .include && !rule.emit.utf8.elementsEqual(cover.emit.utf8)
    let names = isOtherName ? ", as '\(cover.emit)' rather than '\(rule.emit)'" : ""
    let note = list.note("'\(cover.id)' is here", cover)
    if isSame {
      list.add(
        .sameMeaning, rule, .id, "'\(cover.id)' takes the same events\(names)", example: example.text(fields),
        notes: [note])
    } else if isFirst {
      list.add(
        .coveredRule, rule, .id, "'\(cover.id)' takes every event that this rule takes\(names)",
        severity: isOtherName ? .note : nil, example: example.text(fields), notes: [note])
    }
  }

  /// Whether another rule would cover a rule if a number or three of one of its locators were added.
  private func checkNearly(_ i: Int, _ other: Int, _ missing: EventExample, _ list: inout FindingList) {
    let cover = rules[other]
    guard boxes[other].boxes.count == 1, cover.clauses.count == 1 else { return }
    for (s, selector) in cover.clauses[0].selectors.enumerated() {
      for wider in selector.withMoreNumbers {
        var clause = cover.clauses[0]
        clause.selectors[s] = wider
        let widened = RuleBoxes(boxes: [Box(clause, of: cover, fields)], unless: boxes[other].unless)
        guard case .none = coverage.event(of: boxes[i], notOf: [widened]) else { continue }
        list.add(
          .nearlyCovered, rules[i], .id,
          "'\(cover.id)' \(cover.effect == .exclude && rules[i].effect == .include ? "excludes" : "takes") nearly all that this rule takes; \(selector) leaves out a little",
          example: "left is " + missing.text(fields), suggestion: "\(wider) in '\(cover.id)', if that was meant",
          notes: [list.note("'\(cover.id)' is here", cover, .selector(.clauses, 0, s))])
        return
      }
    }
  }
}

extension Condition {
  fileprivate var versionRanges: [VersionRange] {
    switch self {
    case .all(let parts), .any(let parts): parts.flatMap(\.versionRanges)
    case .not(let part): part.versionRanges
    case .version(let range): [range]
    case .isOneOf, .text, .matches, .exists, .number, .kindOf: []
    }
  }
}

extension EventExample {
  /// The example with each number of its path one higher, where there is a higher one.
  var withNextNumbers: EventExample {
    func next(_ number: Int) -> Int { number == .max ? number : number + 1 }
    var result = self
    for (i, (_, value)) in values.enumerated() {
      guard case .path(var path) = value else { continue }
      for j in path.components.indices {
        switch path.components[j].locator {
        case .none, .position: continue
        case .index(let index): path.components[j].locator = .index(next(index))
        case .row(let section, let row): path.components[j].locator = .row(section: section, row: next(row))
        case .item(let section, let item): path.components[j].locator = .item(section: section, item: next(item))
        }
      }
      result.values[i].value = .path(path)
    }
    return result
  }
}

extension ElementSelector {
  /// The selector with up to three numbers more at one end of one of its ranges, or between the numbers of one list.
  fileprivate var withMoreNumbers: [ElementSelector] {
    var result: [ElementSelector] = []
    for (i, step) in steps.enumerated() {
      guard case .component(let pattern, let locator?) = step else { continue }
      func add(_ locator: LocatorPattern) {
        var wider = self
        wider.steps[i] = .component(pattern, locator)
        result.append(wider)
      }
      switch locator {
      case .none: continue
      case .index(let test): for test in test.wider { add(.index(test)) }
      case .fields(let tests):
        for (j, field) in tests.enumerated() {
          for test in field.test.wider {
            var tests = tests
            tests[j].test = test
            add(.fields(tests))
          }
        }
      }
    }
    return result
  }
}

extension ElementSelector.NumberTest {
  // Numbers may be any that fit into a word, so that their difference need not.
  private static func distance(_ lower: Int, _ upper: Int) -> Int {
    let (difference, isTooLarge) = upper.subtractingReportingOverflow(lower)
    return isTooLarge ? .max : difference
  }

  /// The test with at most three numbers more, and no more than it had.
  fileprivate var wider: [ElementSelector.NumberTest] {
    switch self {
    case .any: return []
    case .range(let lower, let upper):
      let distance = lower.flatMap { lower in upper.map { Self.distance(lower, $0) } } ?? .max
      var result: [ElementSelector.NumberTest] = []
      for more in 1...3 where more <= distance {
        if let lower, lower >= more { result.append(.range(lower: lower - more, upper: upper)) }
        if let upper, upper <= .max - more { result.append(.range(lower: lower, upper: upper + more)) }
      }
      return result
    case .oneOf(let numbers):
      guard let lower = numbers.min(), let upper = numbers.max(), Self.distance(lower, upper) < 1_000 else { return [] }
      let missing = (lower...upper).filter { !numbers.contains($0) }
      return missing.isEmpty || missing.count > 3 || missing.count >= numbers.count
        ? [] : [.range(lower: lower, upper: upper)]
    }
  }
}
