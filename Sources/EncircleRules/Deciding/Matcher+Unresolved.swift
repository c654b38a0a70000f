extension Matcher {
  /// The numbers of the rules whose clauses all name elements by event IDs that the dictionary lacks, in ascending order. Such rules
  /// match events with these IDs, but their elements are unknown.
  ///
  /// - Complexity: O(clauses).
  package var unresolvedRules: [Int] {
    var result: [Int] = []
    for (start, shared) in zip(ruleStarts, programs) {
      let program = shared.program
      let ruleCount = program.pointee.rules.records.count
      // For each rule, this is true if it has a clause.
      var hasClause = [Bool](repeating: false, count: ruleCount)
      // For each rule, this is true if at least one of its clauses may be about a known element.
      var mayBeKnown = hasClause
      for i in 0..<program.pointee.clauses.records.count {
        let clause = program.pointee.clauses.records[i]
        let rule = Int(clause.rule)
        if let extras = program.pointee.rules.records[rule].extras,
          program.pointee.rules.extras[extras].unless.contains(i)
        {
          continue
        }
        hasClause[rule] = true
        let eventIDs = program.pointee.clauses.eventIDs(of: clause)
        if eventIDs.isEmpty || eventIDs.contains(where: { dictionary.number(of: $0) != nil }) {
          mayBeKnown[rule] = true
        }
      }
      result += (0..<ruleCount).filter { hasClause[$0] && !mayBeKnown[$0] }.map { start + $0 }
    }
    return result.filter { !removed.contains($0) }
  }

  /// Returns the rule's own tolerance; nil if it has none, so that the caller's applies.
  package func tolerance(ofRule number: Int) -> Double? {
    let (program, rule) = place(ofRule: number)
    guard let extras = program.pointee.rules.records[rule].extras else { return nil }
    let tolerance = program.pointee.rules.extras[extras].tolerance
    return tolerance == RuleProgram.none ? nil : Double(tolerance) / RuleTable.Extras.tolerances
  }

  /// This is true if any rule sets its own tolerance.
  package var hasTolerances: Bool {
    programs.contains { shared in
      let extras = shared.program.pointee.rules.extras
      return (0..<extras.count).contains { extras[$0].tolerance != RuleProgram.none }
    }
  }

  /// The numbers of the include rules in force that name elements, by selectors or event IDs, in ascending order.
  ///
  /// - Complexity: O(clauses).
  package var rulesWithElements: [Int] {
    var result: Set<Int> = []
    for (start, shared) in zip(ruleStarts, programs) {
      let program = shared.program
      for i in 0..<program.pointee.clauses.records.count {
        let clause = program.pointee.clauses.records[i]
        let rule = program.pointee.rules.records[Int(clause.rule)]
        if let extras = rule.extras, program.pointee.rules.extras[extras].unless.contains(i) { continue }
        if !rule.isExclude, clause.selectorCount > 0 || !program.pointee.clauses.eventIDs(of: clause).isEmpty {
          result.insert(start + Int(clause.rule))
        }
      }
    }
    return result.subtracting(removed).sorted()
  }
}
