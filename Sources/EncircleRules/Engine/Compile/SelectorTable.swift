import EncircleIdentity
import EncircleText

/// Selectors over class numbers. A step is stored once, however many selectors share it.
struct SelectorTable: ~Copyable, Sendable {
  let steps: FrozenArray<SelectorStep>
  // For each selector, the numbers of its steps. The last step comes first, as matching begins at the element, where it
  // fails soonest; a selector that is not anchored has a recursive wildcard at the end.
  let stepNumbers: FrozenArray<UInt32>
  let starts: FrozenArray<UInt32>
  let patterns: StringTable
  /// The texts that steps test, with the empty one first; no texts if no step tests any.
  let texts: StringTable
  /// The conditions on elements of web pages that steps ask for, by ``ElementSelector/PageTest/key``.
  let conditions: StringTable
  // Lists of ranges in ascending order, which do not overlap: ranges[rangeStarts[l] ..< rangeStarts[l + 1]].
  let ranges: FrozenArray<SelectorStep.NumberRange>
  let rangeStarts: FrozenArray<UInt32>

  var count: Int { starts.count - 1 }

  /// Returns the numbers of a selector's steps, the last one first.
  @inline(__always) func steps(of selector: Int) -> UnsafeBufferPointer<UInt32> {
    stepNumbers[Int(starts[selector])..<Int(starts[selector + 1])]
  }

  var byteCount: Int {
    steps.byteCount + stepNumbers.byteCount + starts.byteCount + ranges.byteCount + rangeStarts.byteCount
  }

  // MARK: - Matching

  /// Returns whether a selector matches a path, outermost component first.
  ///
  /// - Parameter knownSteps: By component, the number of a step that is known to match it, or any number that no step has.
  ///   Selectors that match one path mostly share steps, and a known one needs no look at the table.
  /// - Complexity: O(steps × components): after a mismatch only the last `**` is extended, by one component.
  func matches(
    _ selector: Int, _ path: UnsafeBufferPointer<ComponentNumbers>, _ classes: borrowing ClassTable,
    knownSteps: UnsafeMutablePointer<UInt32>? = nil
  ) -> Bool {
    let wanted = steps(of: selector)
    let last = path.count - 1
    var step = 0
    var component = 0
    // After a wildcard, the step and the component from which to try again.
    var wildcardStep = -1
    var wildcardStart = 0
    while component <= last {
      if step < wanted.count {
        if let knownSteps, knownSteps[last - component] == wanted[step] {
          step += 1
          component += 1
          continue
        }
        let test = steps.address(of: Int(wanted[step]))
        if test.pointee.classTest == .recursiveWildcard {
          wildcardStep = step
          wildcardStart = component
          step += 1
          if step == wanted.count { return true }
          continue
        }
        if matches(test, path.baseAddress.unsafelyUnwrapped + (last - component), classes) {
          knownSteps?[last - component] = wanted[step]
          step += 1
          component += 1
          continue
        }
      }
      guard wildcardStep >= 0 else { return false }
      step = wildcardStep + 1
      wildcardStart += 1
      component = wildcardStart
    }
    while step < wanted.count, steps[Int(wanted[step])].classTest == .recursiveWildcard { step += 1 }
    return step == wanted.count
  }

  /// Returns whether a step, which is not a recursive wildcard, matches a component.
  @inline(__always)
  func matches(
    _ step: UnsafePointer<SelectorStep>, _ component: UnsafePointer<ComponentNumbers>, _ classes: borrowing ClassTable
  ) -> Bool {
    switch step.pointee.classTest {
    case .recursiveWildcard, .any: break
    case .name: if component.pointee.number != step.pointee.number { return false }
    case .kindOf:
      if !classes.isClass(component.pointee.number, kindOf: step.pointee.number) { return false }
    case .glob:
      let pattern = StringID(step.pointee.number)
      let isMatch = patterns.withBytes(of: pattern) { pattern in
        classes.withBytes(of: component.pointee.number) { Glob.matches($0, pattern) }
      }
      if !isMatch { return false }
    }
    return locatorMatches(step, component, classes)
  }

  /// Returns whether a step, which is not a recursive wildcard, matches a component's locator.
  @inline(__always)
  func locatorMatches(
    _ step: UnsafePointer<SelectorStep>, _ component: UnsafePointer<ComponentNumbers>, _ classes: borrowing ClassTable
  ) -> Bool {
    switch (step.pointee.locatorTest, component.pointee.kind) {
    case (.anything, _), (.none, .none): return true
    case (.index, .index): return matches(step.pointee.first, index: component.pointee.first)
    case (.row, .row), (.item, .item), (.rowOrItem, .row), (.rowOrItem, .item):
      return matches(step.pointee.first, index: component.pointee.first)
        && matches(step.pointee.second, index: component.pointee.second)
    case (.position, .position):
      return matches(step.pointee.first, component.pointee.first)
        && matches(step.pointee.second, component.pointee.second)
    case (.texts, .none):
      return matches(step.pointee.first, index: component.pointee.first)
        && matches(step.pointee.second, index: component.pointee.second)
    case (.conditions, .none): return conditionsHold(step.pointee.first, component, classes)
    default: return false
    }
  }

  /// Returns whether all conditions of a list are among those that hold for a component.
  private func conditionsHold(
    _ numbers: SelectorStep.Numbers, _ component: UnsafePointer<ComponentNumbers>, _ classes: borrowing ClassTable
  ) -> Bool {
    guard let list = numbers.list else { return false }
    return ranges[rangeStarts.range(list)].allSatisfy { range in
      classes.conditionSet(component.pointee.first, contains: range.lower)
    }
  }

  /// Returns whether a test matches an index, section, row or item. An unknown one matches only a test that accepts any number.
  @inline(__always)
  private func matches(_ numbers: SelectorStep.Numbers, index value: Int) -> Bool {
    if value == Locator.unknown { return numbers.isAny }
    return matches(numbers, value)
  }

  @inline(__always)
  private func matches(_ numbers: SelectorStep.Numbers, _ value: Int) -> Bool {
    guard let list = numbers.list else {
      return (value >= Int(numbers.lower) || numbers.lower == .min)
        && (value <= Int(numbers.upper) || numbers.upper == .max)
    }
    return contains(list, value)
  }

  /// Returns the component as numbers. Texts are numbered in the table; a text that no step tests is unknown. For an element of
  /// a web page, the first number stands for the set of step conditions that hold for it.
  @inline(__always)
  func numbers(_ component: PathComponent, _ classes: inout ClassTable) -> ComponentNumbers {
    var numbers = ComponentNumbers(classes.number(UTF8String(component.className)), component.locator)
    if conditions.count > 0, let facts = component.texts?.web {
      numbers.first = classes.number(ofConditions: holdingConditions(facts))
      return numbers
    }
    if texts.count > 0, numbers.kind == .none, let own = component.texts {
      numbers.first = texts.find(own.text).map { Int($0.rawValue) } ?? Locator.unknown
      numbers.second = texts.find(own.id).map { Int($0.rawValue) } ?? Locator.unknown
    }
    return numbers
  }

  /// Returns the numbers of the conditions of steps that hold for an element, in ascending order.
  private func holdingConditions(_ element: WebFacts) -> [UInt32] {
    var found: [UInt32] = []
    func add(_ test: ElementSelector.PageTest) {
      if let id = conditions.find(test.key.text) { found.append(id.rawValue) }
    }
    if let id = element.id { add(.id(UTF8String(id))) }
    for name in element.classes ?? [] { add(.hasClass(UTF8String(name))) }
    for (name, value) in element.attributes {
      add(.hasAttribute(name))
      add(.attribute(name, UTF8String(value)))
    }
    if let number = element.nthOfType { add(.nthOfType(number)) }
    if let number = element.nthChild { add(.nthChild(number)) }
    return Set(found).sorted()
  }

  private func contains(_ list: Int, _ value: Int) -> Bool {
    let ranges = ranges[rangeStarts.range(list)]
    let place = ranges.partitioningIndex { $0.upper >= value }
    return place < ranges.count && ranges[place].lower <= value
  }
}

// MARK: - Saving

extension SelectorTable {
  func write(to writer: inout CompiledWriter) {
    writer.append(steps)
    writer.append(stepNumbers)
    writer.append(starts)
    writer.append(patterns)
    writer.append(texts)
    writer.append(conditions)
    writer.append(ranges)
    writer.append(rangeStarts)
  }

  init(from reader: inout CompiledReader) throws(CompiledRulesError) {
    let steps: FrozenArray<SelectorStep> = try reader.array()
    let stepNumbers: FrozenArray<UInt32> = try reader.array()
    let starts: FrozenArray<UInt32> = try reader.array()
    let patterns = try reader.stringTable()
    let texts = try reader.stringTable()
    let conditions = try reader.stringTable()
    let ranges: FrozenArray<SelectorStep.NumberRange> = try reader.array()
    let rangeStarts: FrozenArray<UInt32> = try reader.array()
    self.init(
      steps: steps, stepNumbers: stepNumbers, starts: starts, patterns: patterns, texts: texts, conditions: conditions,
      ranges: ranges, rangeStarts: rangeStarts)
  }

  /// Returns whether every number in the table refers to something that is there.
  func isConsistent(classCount: Int) -> Bool {
    starts.areStarts(upTo: stepNumbers.count) && rangeStarts.areStarts(upTo: ranges.count)
      && stepNumbers.all.allSatisfy { Int($0) < steps.count }
      && steps.isConsistent(
        classCount: classCount, patternCount: patterns.count, listCount: rangeStarts.count - 1)
  }
}

// MARK: - Building

extension SelectorTable {
  /// Collects selectors.
  struct Builder {
    private var numbers = StepNumbers()
    private(set) var stepNumbers: [UInt32] = []
    private(set) var starts: [UInt32] = [0]
    private var patterns = StringTable()
    private var texts = StringTable()
    private var conditions = StringTable()
    private var ranges: [SelectorStep.NumberRange] = []
    private var rangeStarts: [UInt32] = [0]
    private var lists: [[SelectorStep.NumberRange]: Int] = [:]
    private var recent = RecentSteps()

    var steps: [SelectorStep] { numbers.steps }
    var count: Int { starts.count - 1 }

    /// Reserves memory for a number of selectors, and for the number of their steps together.
    mutating func reserve(_ count: Int, steps: Int) {
      starts.reserveCapacity(starts.count + count)
      stepNumbers.reserveCapacity(stepNumbers.count + steps + count)
      recent = RecentSteps(steps: steps)
    }

    /// Adds a selector and returns its number.
    // Borrowed, because a copy would count references.
    mutating func add(_ selector: borrowing ElementSelector, _ classes: inout ClassTable) -> Int {
      let isAnchored: Bool
      if append(selector.steps, &classes) {
        isAnchored = selector.isAnchored
      } else {
        stepNumbers.removeLast(stepNumbers.count - Int(starts[starts.count - 1]))
        let canonical = selector.canonical
        for step in canonical.steps.reversed() {
          stepNumbers.append(numbers.number(of: withUnsafePointer(to: step) { compile($0, &classes) }))
        }
        isAnchored = canonical.isAnchored
      }
      if !isAnchored { stepNumbers.append(numbers.number(of: .recursiveWildcard)) }
      starts.append(UInt32(stepNumbers.count))
      return count - 1
    }

    /// Appends the numbers of steps, the last one first.
    ///
    /// - Returns: False if the selector must first be brought into its canonical form, which is rare. Then the appended steps are
    ///   unusable.
    private mutating func append(_ steps: [ElementSelector.Step], _ classes: inout ClassTable) -> Bool {
      var wasWildcard = false
      return steps.withUnsafeBufferPointer { steps in
        for i in steps.indices.reversed() {
          let written = steps.baseAddress.unsafelyUnwrapped + i
          let key = RecentSteps.Key(written.pointee)
          if let key, let number = recent.number(of: key) {
            wasWildcard = false
            stepNumbers.append(number)
            continue
          }
          let step = compile(written, &classes)
          let isWildcard = step.classTest == .recursiveWildcard
          if step.classTest == .glob || (isWildcard && (wasWildcard || i == 0)) { return false }
          wasWildcard = isWildcard
          let number = numbers.number(of: step)
          stepNumbers.append(number)
          if let key, case .component(.name(let name), _) = written.pointee { recent.insert(name, key, number) }
        }
        return true
      }
    }

    /// Returns the numbers of a selector's steps, the last one first.
    func steps(of selector: Int) -> ArraySlice<UInt32> {
      stepNumbers[Int(starts[selector])..<Int(starts[selector + 1])]
    }

    func freeze() -> SelectorTable {
      SelectorTable(
        steps: FrozenArray(steps), stepNumbers: FrozenArray(stepNumbers), starts: FrozenArray(starts),
        patterns: patterns, texts: texts, conditions: conditions, ranges: FrozenArray(ranges),
        rangeStarts: FrozenArray(rangeStarts))
    }

    private mutating func compile(_ step: UnsafePointer<ElementSelector.Step>, _ classes: inout ClassTable)
      -> SelectorStep
    {
      guard case .component(let pattern, let locator) = step.pointee else { return .recursiveWildcard }
      var result: SelectorStep
      switch pattern {
      case .any: result = SelectorStep(classTest: .any)
      case .name(let name): result = SelectorStep(classTest: .name, number: classes.number(name))
      case .kindOf(let name): result = SelectorStep(classTest: .kindOf, number: classes.number(name))
      case .glob(let pattern):
        result = SelectorStep(classTest: .glob, number: patterns.intern(pattern.text).rawValue)
      }
      switch locator {
      case nil: break
      case .some(.none): result.locatorTest = .none
      case .index(let test):
        result.locatorTest = .index
        result.first = compile(test)
      case .texts(let tests):
        result.locatorTest = .texts
        for test in tests {
          // The empty text has the number 0, as a component without texts.
          _ = texts.intern("")
          let number = Int(texts.intern(test.text.text).rawValue)
          switch test.field {
          case .text: result.first = compile(.exactly(number))
          case .id: result.second = compile(.exactly(number))
          }
        }
      case .conditions(let tests):
        result.locatorTest = .conditions
        let numbers = Set(tests.map { Int(conditions.intern($0.key.text).rawValue) })
        result.first = list(numbers.sorted().map { SelectorStep.NumberRange(lower: $0, upper: $0) })
      case .fields(let tests):
        result.locatorTest = .rowOrItem
        for field in tests {
          switch field.field {
          case .section: result.first = compile(field.test)
          case .row:
            result.locatorTest = .row
            result.second = compile(field.test)
          case .item:
            result.locatorTest = .item
            result.second = compile(field.test)
          case .indexx:
            result.locatorTest = .position
            result.first = compile(field.test)
          case .indexy:
            result.locatorTest = .position
            result.second = compile(field.test)
          }
        }
      }
      return result
    }

    private mutating func compile(_ test: ElementSelector.NumberTest) -> SelectorStep.Numbers {
      switch test {
      case .any: return SelectorStep.Numbers()
      case .range(let lower, let upper):
        if let range = SelectorStep.Numbers(lower: lower, upper: upper) { return range }
        let (lower, upper) = (lower ?? .min, upper ?? .max)
        return list(lower <= upper ? [SelectorStep.NumberRange(lower: lower, upper: upper)] : [])
      case .oneOf(let values):
        return list(Set(values).sorted().map { SelectorStep.NumberRange(lower: $0, upper: $0) })
      }
    }

    /// Returns the test that matches the ranges of a list. Equal lists are stored once.
    private mutating func list(_ list: [SelectorStep.NumberRange]) -> SelectorStep.Numbers {
      if let known = lists[list] { return SelectorStep.Numbers(list: known) }
      let number = rangeStarts.count - 1
      ranges += list
      rangeStarts.append(UInt32(ranges.count))
      lists[list] = number
      return SelectorStep.Numbers(list: number)
    }
  }
}
