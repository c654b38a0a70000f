import EncircleText

extension RuleProgram {
  /// Whether all numbers of things are numbers of things that are there, so that nothing can be looked up that is not.
  ///
  /// Names of classes, tests and lists of texts have been checked when they were read.
  ///
  /// - Complexity: O(size of the tables).
  func isConsistent(classCount: Int, propertyCount: Int) -> Bool {
    func contains(_ count: Int, _ start: UInt32, _ length: UInt32) -> Bool {
      UInt64(start) + UInt64(length) <= UInt64(count)
    }
    func isNameOrNone(_ number: UInt32) -> Bool { number == Self.none || Int(number) < names.count }
    func areStarts(_ starts: FrozenArray<UInt32>, _ count: Int) -> Bool {
      (try? CompiledReader.check(starts, upTo: count)) != nil
    }

    guard ids.count == rules.count, classUses.count == 0 || classUses.count <= classCount else { return false }
    // Rules and clauses.
    for rule in rules.all {
      if let extras = rule.extras, extras >= ruleExtras.count { return false }
    }
    guard Self.areFlags(ruleExtras, at: RuleExtras.flagOffsets) else { return false }
    for extras in ruleExtras.all {
      guard Int(extras.emit) < emits.count, isNameOrNone(extras.app),
        contains(clauses.count, extras.unlessStart, extras.unlessCount)
      else { return false }
    }
    for clause in clauses.all {
      guard Int(clause.rule) < rules.count, contains(clauseTests.count, clause.testStart, clause.testCount),
        contains(selectors.count, clause.selectorStart, clause.selectorCount),
        clause.extras == Self.none || Int(clause.extras) < clauseExtras.count
      else { return false }
    }
    for extras in clauseExtras.all {
      guard extras.place == Self.none || Int(extras.place) < selectors.count,
        contains(eventIDs.count, extras.idStart, extras.idCount)
      else { return false }
    }
    guard clauseTests.all.allSatisfy({ Int($0) < tests.count }) else { return false }
    for leaf in leafRecords.all {
      guard Int(leaf.clause) < clauses.count, leaf.selector < Int32(clamping: selectors.count) else { return false }
    }
    for (keys, leaf) in filedValues {
      guard Int(leaf) < leafRecords.count, keys.subject >= 0, keys.subject < propertyCount else { return false }
    }
    guard Self.values(of: leaves, areBelow: leafRecords.count) else { return false }

    // Selectors.
    guard namedClasses.all.allSatisfy({ Int($0) < classCount }) else { return false }
    guard selectors.starts.count > 0, areStarts(selectors.starts, selectors.stepNumbers.count),
      areStarts(selectors.rangeStarts, selectors.ranges.count),
      selectors.stepNumbers.all.allSatisfy({ Int($0) < selectors.steps.count }),
      Self.areEnums(selectors.steps, at: 0, upTo: 4),
      Self.areEnums(selectors.steps, at: MemoryLayout<SelectorStep>.offset(of: \.locatorTest) ?? 1, upTo: 6)
    else { return false }
    for step in selectors.steps.all {
      switch step.classTest {
      case .name, .kindOf: if Int(step.number) >= classCount { return false }
      case .glob: if Int(step.number) >= selectors.patterns.count { return false }
      case .any, .anyNumber: break
      }
      for list in [step.first.list, step.second.list] {
        if let list, list < 0 || list >= selectors.rangeStarts.count - 1 { return false }
      }
    }

    // The index of paths.
    guard areStarts(index.maskStarts, index.masks.count), index.maskStarts.count > 0,
      index.masks.all.allSatisfy({ $0 & 7 <= 4 }),
      Self.values(of: index.erased, areBelow: (index.maskStarts.count - 1) * 4)
    else { return false }
    return index.automaton.isConsistent(stepCount: selectors.steps.count, leafCount: leafRecords.count)
  }

  private var classUses: FrozenArray<UInt8> { index.classUses }

  private static func values(of table: KeyTable, areBelow limit: Int) -> Bool {
    for slot in table.slots.all where slot.count == 1 && Int(slot.value) >= limit { return false }
    return table.values.all.allSatisfy { Int($0) < limit }
  }

  /// Whether the byte at an offset of each element is no greater than the last case of an enumeration.
  fileprivate static func areEnums<T>(_ array: FrozenArray<T>, at offset: Int, upTo last: UInt8) -> Bool {
    let bytes = UnsafeRawPointer(array.base)
    for i in 0..<array.count
    where bytes.load(fromByteOffset: i * MemoryLayout<T>.stride + offset, as: UInt8.self) > last { return false }
    return true
  }

  private static func areFlags<T>(_ array: FrozenArray<T>, at offsets: [Int]) -> Bool {
    offsets.allSatisfy { areEnums(array, at: $0, upTo: 1) }
  }
}

extension RuleProgram.RuleExtras {
  /// Where the flags of the time are.
  fileprivate static var flagOffsets: [Int] {
    let time = MemoryLayout<Self>.offset(of: \.time) ?? 0
    return RuleTime.flagOffsets.map { $0 + time }
  }
}

extension SelectorAutomaton {
  /// Whether all numbers of things are numbers of things that are there.
  fileprivate func isConsistent(stepCount: Int, leafCount: Int) -> Bool {
    guard states.count > 0, acceptStarts.count > 0,
      (try? CompiledReader.check(acceptStarts, upTo: accepts.count)) != nil,
      accepts.all.allSatisfy({ Int($0) < leafCount }),
      edges.all.allSatisfy({ Int($0.step) < stepCount && Int($0.state) < states.count }),
      RuleProgram.areEnums(states, at: MemoryLayout<State>.offset(of: \.isGap) ?? 0, upTo: 1)
    else { return false }
    for state in states.all {
      guard UInt64(state.edgesStart) + UInt64(state.edgeCount) <= UInt64(edges.count), Int(state.gap) < states.count,
        Int(state.accept) < acceptStarts.count
      else { return false }
      // Behind `**` there is no other, so that entering one enters no more than two.
      if state.gap != 0, state.isGap || !states[Int(state.gap)].isGap || states[Int(state.gap)].gap != 0 {
        return false
      }
    }
    return true
  }
}
