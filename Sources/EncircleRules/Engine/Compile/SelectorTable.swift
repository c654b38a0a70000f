import EncircleIdentity
import EncircleText

/// What one step of a selector asks of a component, as numbers.
struct SelectorStep: BitwiseCopyable, Hashable, Sendable {
  /// What a step asks of a class.
  enum ClassTest: UInt8, Sendable {
    /// Any number of components, of any class.
    case anyNumber
    case any
    case name
    case glob
    case kindOf
  }

  /// What a step asks of a locator.
  enum LocatorTest: UInt8, Sendable {
    case anything, none, index, row, item, rowOrItem, position
  }

  /// A test of a number: a closed range or, where there are several or their bounds do not fit, a list of ranges in the
  /// table.
  struct Numbers: BitwiseCopyable, Hashable, Sendable {
    /// The least number that passes; `Int32.min` stands for no bound. Greater than `upper` if that is the number of a list
    /// of ranges.
    private(set) var lower = Int32.min
    /// The greatest one; `Int32.max` stands for no bound.
    private(set) var upper = Int32.max

    /// Every number passes.
    init() {}

    /// A closed range; nil if it is empty or does not fit. A bound that is nil is none.
    init?(lower: Int?, upper: Int?) {
      if let lower {
        guard let bound = Int32(exactly: lower), bound > .min else { return nil }
        self.lower = bound
      }
      if let upper {
        guard let bound = Int32(exactly: upper), bound < .max else { return nil }
        self.upper = bound
      }
      guard self.lower <= self.upper else { return nil }
    }

    /// What a list of ranges takes.
    init(list: Int) {
      lower = .max
      upper = Int32(list)
    }

    /// The number of the list of ranges; nil if this is a range.
    var list: Int? { lower > upper ? Int(upper) : nil }
    /// Whether every number passes.
    var isAny: Bool { lower == .min && upper == .max }
    /// The only number that passes; nil if several may, or if it does not fit.
    var only: Int? { lower == upper && lower != .min && lower != .max ? Int(lower) : nil }
    /// Both bounds.
    var bits: UInt64 { UInt64(UInt32(bitPattern: lower)) << 32 | UInt64(UInt32(bitPattern: upper)) }
  }

  /// A closed range of numbers in a list.
  struct NumberRange: BitwiseCopyable, Hashable, Sendable {
    let lower: Int
    let upper: Int
  }

  var classTest: ClassTest
  var locatorTest = LocatorTest.anything
  /// The number of the class, or of the glob among the table's patterns.
  var number: UInt32 = 0
  // Of an index the first one counts, else those of section and row or item, or indexx and indexy.
  var first = Numbers()
  var second = Numbers()

  static let anyNumber = SelectorStep(classTest: .anyNumber)
}

/// Selectors over class numbers. A step is stored once, however many selectors have it.
struct SelectorTable: ~Copyable, Sendable {
  let steps: FrozenArray<SelectorStep>
  // Per selector the numbers of its steps, the last one first, as matching begins at the element, where it fails soonest;
  // one that is not anchored ends in anyNumber.
  let stepNumbers: FrozenArray<UInt32>
  let starts: FrozenArray<UInt32>
  let patterns: StringTable
  // Lists of ranges, which do not overlap, in order: ranges[rangeStarts[l] ..< rangeStarts[l + 1]].
  let ranges: FrozenArray<SelectorStep.NumberRange>
  let rangeStarts: FrozenArray<UInt32>

  var count: Int { starts.count - 1 }

  /// The numbers of a selector's steps, the last one first.
  @inline(__always) func steps(of selector: Int) -> UnsafeBufferPointer<UInt32> {
    stepNumbers[Int(starts[selector])..<Int(starts[selector + 1])]
  }

  var byteCount: Int {
    steps.byteCount + stepNumbers.byteCount + starts.byteCount + ranges.byteCount + rangeStarts.byteCount
  }

  // MARK: - Matching

  /// Whether a selector matches a path, outermost component first.
  ///
  /// - Parameter taken: By component, the number of a step that is known to take it, or anything that is no number of a
  ///   step. Selectors that match one path mostly have the same steps there, which then need no look at the table.
  /// - Complexity: O(steps × components): after a mismatch only the last `**` takes one component more.
  func matches(
    _ selector: Int, _ path: UnsafeBufferPointer<ComponentNumbers>, _ classes: borrowing ClassTable,
    taken: UnsafeMutablePointer<UInt32>? = nil
  ) -> Bool {
    let wanted = steps(of: selector)
    let last = path.count - 1
    var step = 0
    var component = 0
    var anyAt = -1
    var anyFrom = 0
    while component <= last {
      if step < wanted.count {
        if let taken, taken[last - component] == wanted[step] {
          step += 1
          component += 1
          continue
        }
        let test = steps.base + Int(wanted[step])
        if test.pointee.classTest == .anyNumber {
          anyAt = step
          anyFrom = component
          step += 1
          if step == wanted.count { return true }
          continue
        }
        if takes(test, path.baseAddress.unsafelyUnwrapped + (last - component), classes) {
          taken?[last - component] = wanted[step]
          step += 1
          component += 1
          continue
        }
      }
      guard anyAt >= 0 else { return false }
      step = anyAt + 1
      anyFrom += 1
      component = anyFrom
    }
    while step < wanted.count, steps[Int(wanted[step])].classTest == .anyNumber { step += 1 }
    return step == wanted.count
  }

  /// Whether a step, which is not `**`, takes a component.
  @inline(__always)
  func takes(
    _ step: UnsafePointer<SelectorStep>, _ component: UnsafePointer<ComponentNumbers>, _ classes: borrowing ClassTable
  ) -> Bool {
    switch step.pointee.classTest {
    case .anyNumber, .any: break
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
    switch (step.pointee.locatorTest, component.pointee.kind) {
    case (.anything, _), (.none, .none): return true
    case (.index, .index): return takes(step.pointee.first, place: component.pointee.first)
    case (.row, .row), (.item, .item), (.rowOrItem, .row), (.rowOrItem, .item):
      return takes(step.pointee.first, place: component.pointee.first)
        && takes(step.pointee.second, place: component.pointee.second)
    case (.position, .position):
      return takes(step.pointee.first, component.pointee.first) && takes(step.pointee.second, component.pointee.second)
    default: return false
    }
  }

  /// Whether a test takes an index, a section, a row or an item; one that is not known passes only where any would.
  @inline(__always)
  private func takes(_ numbers: SelectorStep.Numbers, place value: Int) -> Bool {
    if value == Locator.unknown { return numbers.isAny }
    return takes(numbers, value)
  }

  @inline(__always)
  private func takes(_ numbers: SelectorStep.Numbers, _ value: Int) -> Bool {
    guard let list = numbers.list else {
      return (value >= Int(numbers.lower) || numbers.lower == .min)
        && (value <= Int(numbers.upper) || numbers.upper == .max)
    }
    return contains(list, value)
  }

  /// Whether a list of ranges takes a number.
  private func contains(_ list: Int, _ value: Int) -> Bool {
    let ranges = ranges[rangeStarts.range(list)]
    var (low, high) = (0, ranges.count)
    while low < high {
      let middle = (low + high) / 2
      if ranges[middle].upper < value { low = middle + 1 } else { high = middle }
    }
    return low < ranges.count && ranges[low].lower <= value
  }
}

extension SelectorTable {
  /// Collects selectors.
  struct Builder {
    private var numbers = StepNumbers()
    private(set) var stepNumbers: [UInt32] = []
    private(set) var starts: [UInt32] = [0]
    private var patterns = StringTable()
    private var ranges: [SelectorStep.NumberRange] = []
    private var rangeStarts: [UInt32] = [0]
    private var lists: [[SelectorStep.NumberRange]: Int] = [:]
    private var recent = RecentSteps()

    var steps: [SelectorStep] { numbers.steps }
    var count: Int { starts.count - 1 }

    /// Makes room for selectors that together have so many steps.
    mutating func reserve(_ count: Int, steps: Int) {
      starts.reserveCapacity(starts.count + count)
      stepNumbers.reserveCapacity(stepNumbers.count + steps + count)
      recent = RecentSteps(steps: steps)
    }

    /// Adds a selector and returns its number.
    // Borrowed, as copies count references.
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
      if !isAnchored { stepNumbers.append(numbers.number(of: .anyNumber)) }
      starts.append(UInt32(stepNumbers.count))
      return count - 1
    }

    /// Appends the numbers of steps, the last one first; false, and too few, if the canonical form has other steps, which
    /// few selectors have.
    private mutating func append(_ steps: [ElementSelector.Step], _ classes: inout ClassTable) -> Bool {
      var wasAny = false
      return steps.withUnsafeBufferPointer { steps in
        for i in steps.indices.reversed() {
          let written = steps.baseAddress.unsafelyUnwrapped + i
          let key = RecentSteps.Key(written.pointee)
          if let key, let number = recent.number(of: key) {
            wasAny = false
            stepNumbers.append(number)
            continue
          }
          let step = compile(written, &classes)
          let isAny = step.classTest == .anyNumber
          if step.classTest == .glob || (isAny && (wasAny || i == 0)) { return false }
          wasAny = isAny
          let number = numbers.number(of: step)
          stepNumbers.append(number)
          if let key, case .component(.name(let name), _) = written.pointee { recent.remember(name, key, number) }
        }
        return true
      }
    }

    /// The numbers of a selector's steps, the last one first.
    func steps(of selector: Int) -> ArraySlice<UInt32> {
      stepNumbers[Int(starts[selector])..<Int(starts[selector + 1])]
    }

    func freeze() -> SelectorTable {
      SelectorTable(
        steps: FrozenArray(steps), stepNumbers: FrozenArray(stepNumbers), starts: FrozenArray(starts),
        patterns: patterns, ranges: FrozenArray(ranges), rangeStarts: FrozenArray(rangeStarts))
    }

    private mutating func compile(_ step: UnsafePointer<ElementSelector.Step>, _ classes: inout ClassTable)
      -> SelectorStep
    {
      guard case .component(let pattern, let locator) = step.pointee else { return .anyNumber }
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

    /// What a list of ranges takes; equal ones are one.
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
