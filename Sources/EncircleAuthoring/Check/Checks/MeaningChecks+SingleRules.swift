import EncircleEvents
import EncircleRuleFiles
import EncircleRules

extension MeaningChecks {
  /// Reports the clauses of a rule that no event can match or that another clause covers.
  ///
  /// - Returns: True if an event can match some clause.
  func checkClauses(_ i: Int, _ rule: SelectionRule, _ list: inout FindingList) -> Bool {
    let own = boxes[i]
    var isPossible = false
    var impossible: Set<Int> = []
    // A rule with sameKind has more boxes than clauses, which are not checked one by one.
    for (j, clause) in rule.clauses.enumerated() where own.boxes.count == rule.clauses.count {
      let alone = RuleBoxes(boxes: [own.boxes[j]])
      if case .none = coverage.event(of: alone) {
        impossible.insert(j)
        reportContradiction(rule, clause, j, .clauses, &list)
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
        reportContradiction(rule, clause, j, .unless, &list)
      } else if isPossible, own.boxes.count == rule.clauses.count, isIdle(own.unless[j], own) {
        list.add(
          .idleException, rule, .clause(.unless, j), "no event that the rule matches passes the tests of the exception")
      }
    }
    if own.boxes.count == rule.clauses.count { checkLists(rule, own, impossible, &list) }
    return isPossible
  }

  /// Reports clauses, and selectors of one clause, that another one covers.
  private func checkLists(_ rule: SelectionRule, _ own: RuleBoxes, _ impossible: Set<Int>, _ list: inout FindingList) {
    var covered = impossible
    for j in own.boxes.indices.prefix(Self.maximumCompared) where !covered.contains(j) {
      for k in own.boxes.indices.prefix(Self.maximumCompared) where k != j && !covered.contains(k) {
        guard
          case .none = coverage.event(of: RuleBoxes(boxes: [own.boxes[j]]), notOf: [RuleBoxes(boxes: [own.boxes[k]])])
        else { continue }
        covered.insert(j)
        var example: EventExample?
        if case .example(let found) = coverage.event(of: RuleBoxes(boxes: [own.boxes[j]])) { example = found }
        list.add(
          .coveredClause, rule, .clause(.clauses, j),
          "another clause of the rule matches every event that this one matches", example: example?.text(fields),
          notes: [list.note("the other clause", rule, .clause(.clauses, k))])
        break
      }
    }
    checkUnions(rule, own, &covered, &list)
    for (j, clause) in rule.clauses.enumerated() where clause.selectors.count > 1 {
      var covered: Set<Int> = []
      for a in clause.selectors.indices.prefix(Self.maximumCompared) {
        for b in clause.selectors.indices.prefix(Self.maximumCompared) where b != a && !covered.contains(b) {
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
      checkUnion(rule, j, clause.selectors, covered, &list)
    }
  }

  /// Reports clauses that several others cover together.
  private func checkUnions(
    _ rule: SelectionRule, _ own: RuleBoxes, _ covered: inout Set<Int>, _ list: inout FindingList
  ) {
    let compared = own.boxes.indices.prefix(Self.maximumCompared)
    for j in compared where !covered.contains(j) {
      let others = compared.filter { $0 != j && !covered.contains($0) }
      let alone = RuleBoxes(boxes: [own.boxes[j]])
      guard others.count > 1,
        let needed = coverage.union(of: others.map { RuleBoxes(boxes: [own.boxes[$0]]) }, covering: alone, tests)
      else { continue }
      covered.insert(j)
      var example: EventExample?
      if case .example(let found) = coverage.event(of: alone) { example = found }
      list.add(
        .coveredClause, rule, .clause(.clauses, j),
        "other clauses of the rule together match every event that this one matches", example: example?.text(fields),
        notes: needed.map { list.note("one of the other clauses", rule, .clause(.clauses, others[$0])) })
    }
  }

  /// Reports selectors of a list that several others cover together.
  ///
  /// - Parameter covered: The selectors that one other covers.
  private func checkUnion(
    _ rule: SelectionRule, _ j: Int, _ selectors: [ElementSelector], _ covered: Set<Int>, _ list: inout FindingList
  ) {
    var left = selectors.indices.prefix(Self.maximumCompared).filter { !covered.contains($0) }
    guard left.count > 2,
      let classes = PathClasses(
        of: selectors, hierarchy: coverage.context.hierarchy, style: coverage.context.style,
        budget: coverage.context.budget)
    else { return }
    for a in left {
      let others = left.filter { $0 != a }
      let matching = classes.classes.filter { $0.matching[a] }
      guard matching.allSatisfy({ part in others.contains { part.matching[$0] } }) else { continue }
      left = others
      let needed = others.filter { b in matching.contains { $0.matching[b] } }
      list.add(
        .coveredClause, rule, .selector(.clauses, j, a),
        "\(needed.map { selectors[$0].description }.joined(separator: " and ")) together match every path that this selector matches",
        example: matching.first.map { "path \($0.path.written(.slashes))" })
    }
  }

  /// Returns whether an exception has no event in common with any clause of its rule.
  private func isIdle(_ exception: Box, _ own: RuleBoxes) -> Bool {
    guard own.boxes.count <= Self.maximumCompared else { return false }
    let exception = exception.inAnyForm(of: coverage.context.style)
    return own.boxes.allSatisfy { box in
      if case .none = coverage.event(of: RuleBoxes(boxes: [box.intersection(exception)])) { true } else { false }
    }
  }

  private func reportContradiction(
    _ rule: SelectionRule, _ clause: RuleClause, _ number: Int, _ section: RuleSource.Section, _ list: inout FindingList
  ) {
    var parts: [(RuleSource.Part, Condition)] = []
    if let event = clause.event { parts.append((.event(section, number), event)) }
    if let page = clause.page { parts.append((.page(section, number), page)) }
    for (k, test) in clause.properties.enumerated() {
      parts.append((.property(section, number, k), test.condition))
    }
    func isEmpty(_ condition: Condition) -> Bool {
      let context = coverage.context
      guard let classes = ValueClasses(of: [condition], hierarchy: context.hierarchy, budget: context.budget) else {
        return false
      }
      return !classes.classes.contains { $0.matching[0] }
    }
    var isReported = false
    for (part, condition) in parts where isEmpty(condition) {
      isReported = true
      if let range = condition.versionRanges.first(where: { isEmpty(.version($0)) }) {
        list.add(.emptyVersionRange, rule, part, "no version is \(range)")
      } else {
        list.add(.contradiction, rule, part, "no value \(condition.description)")
      }
    }
    if !isReported {
      // The contradiction is between tests, for example of a field and of the property that it is read from.
      let place = RuleSource.Part.clause(section, number)
      list.add(.contradiction, rule, place, "no event meets all that the clause asks")
    }
  }
}

extension Condition {
  fileprivate var versionRanges: [VersionRange] {
    switch self {
    case .all(let parts), .any(let parts): parts.flatMap(\.versionRanges)
    case .not(let part): part.versionRanges
    case .version(let range): [range]
    case .isOneOf, .text, .matches, .exists, .number, .kindOf, .items, .numberInText, .sample: []
    }
  }
}
