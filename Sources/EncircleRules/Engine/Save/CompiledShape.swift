// A file that somebody made up must not only contain valid references. The program must also have the shape that the compiler
// produces, because the time for matching relies on it: parts that belong to one owner must not be shared by many.

extension RuleProgram {
  /// This is true if a program that was read has the shape that compiling gives it.
  ///
  /// All numbers in it must have been found to refer to something that is there.
  var hasShape: Bool {
    rules.hasShape(clauseCount: clauses.records.count)
      && clauses.hasShape(selectorCount: selectors.count)
      && index.hasShape(clauses.records)
      && index.paths.hasShape
      // Unless class names are tested, classes that rules do not name get no number, so no step may test them.
      && (index.features.classNames || selectors.steps.all.allSatisfy { !$0.readsClassNames })
  }
}

extension SelectorStep {
  /// This is true if the step can test classes that rules do not name.
  fileprivate var readsClassNames: Bool { classTest == .glob || classTest == .kindOf }
}

extension RuleTable {
  /// Returns whether each clause of `unless`, and each name of an app, belongs to one rule.
  fileprivate func hasShape(clauseCount: Int) -> Bool {
    var total = 0
    var apps = 0
    for record in records.all {
      guard let number = record.extras else { continue }
      total += Int(extras[number].unlessCount)
      apps += Int(extras[number].appCount)
      if total > clauseCount || apps > appNames.count { return false }
    }
    return true
  }
}

extension ClauseTable {
  /// Returns whether tests, selectors and event IDs of clauses do not overlap.
  fileprivate func hasShape(selectorCount: Int) -> Bool {
    var (tests, selectors, ids) = (0, 0, 0)
    for clause in records.all {
      tests += Int(clause.testCount)
      selectors += Int(clause.selectorCount)
      if clause.extras != RuleProgram.none { ids += Int(extras[Int(clause.extras)].idCount) }
      if tests > testNumbers.count || selectors > selectorCount || ids > eventIDs.count { return false }
    }
    return true
  }
}

extension RuleIndex {
  /// Returns whether each clause has one entry, or one for each of its selectors, in their order.
  fileprivate func hasShape(_ clauses: FrozenArray<ClauseTable.Record>) -> Bool {
    zip(entries.all, entries.all.dropFirst()).allSatisfy { one, next in
      (one.clause, one.selector) < (next.clause, next.selector)
    }
      && entries.all.allSatisfy { entry in
        entry.selector < 0 || clauses[Int(entry.clause)].selectors.contains(Int(entry.selector))
      }
  }
}

extension PathIndex {
  /// This is true if no mask names a position twice, and each counts positions from the end of the path on.
  fileprivate var hasShape: Bool {
    for mask in 0..<maskStarts.count - 1 {
      let positions = masks[maskStarts.range(mask)]
      guard zip(positions, positions.dropFirst()).allSatisfy({ $0 >> 3 < $1 >> 3 }) else { return false }
    }
    return automaton.hasShape
  }
}

extension SelectorAutomaton {
  /// This is true if each edge leads from one state, and each list of entries belongs to one.
  fileprivate var hasShape: Bool {
    var edgeCount = 0
    var acceptCount = 0
    for state in states.all {
      edgeCount += Int(state.edgeCount)
      if state.accept != 0 { acceptCount += acceptStarts.range(Int(state.accept) - 1).count }
      if edgeCount > edges.count || acceptCount > accepts.count { return false }
    }
    return true
  }
}
