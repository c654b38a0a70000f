import EncircleRules

extension ElementSelector {
  /// Selectors that match slightly more: one range gets up to three more numbers at one end, or the gaps in one list of numbers
  /// are filled. Once there are 64 selectors, no further step is widened.
  var withMoreNumbers: [ElementSelector] {
    var result: [ElementSelector] = []
    for (i, step) in steps.enumerated() {
      guard case .component(let pattern, let locator?) = step else { continue }
      guard result.count < 64 else { break }
      func add(_ locator: LocatorPattern) {
        var wider = self
        wider.steps[i] = .component(pattern, locator)
        result.append(wider)
      }
      switch locator {
      case .none, .texts, .conditions: continue
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
  // The difference of two numbers may overflow.
  private static func distance(_ lower: Int, _ upper: Int) -> Int {
    let (difference, isTooLarge) = upper.subtractingReportingOverflow(lower)
    return isTooLarge ? .max : difference
  }

  /// Tests that accept at most three more numbers than this one, and at most twice as many in all.
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
      let named = Set(numbers)
      let missing = (lower...upper).filter { !named.contains($0) }
      return missing.isEmpty || missing.count > 3 || missing.count >= numbers.count
        ? [] : [.range(lower: lower, upper: upper)]
    }
  }
}

extension ElementSelector {
  /// Returns the selector without its last `levels` steps, so that it ends at an ancestor; nil if one of these steps may
  /// match several levels.
  func endingHigher(by levels: Int) -> ElementSelector? {
    guard levels > 0, levels < steps.count, !steps.suffix(levels).contains(.recursiveWildcard),
      let last = steps.dropLast(levels).last, last != .recursiveWildcard
    else { return nil }
    return ElementSelector(isAnchored: isAnchored, steps: Array(steps.dropLast(levels)))
  }
}
