import EncircleIdentity
import EncircleTree

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

  /// A test of a number: a closed range, or membership in a set of the table.
  struct Numbers: BitwiseCopyable, Hashable, Sendable {
    var lower = Int.min
    var upper = Int.max
    /// The number of the set; -1 for a range.
    var members: Int32 = -1

    /// Whether every number passes.
    var isAny: Bool { members < 0 && lower == .min && upper == .max }
    /// The only number that passes; nil if several may.
    var only: Int? { members < 0 && lower == upper ? lower : nil }
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
  // Sorted sets of numbers: setValues[setStarts[s] ..< setStarts[s + 1]].
  let setValues: FrozenArray<Int>
  let setStarts: FrozenArray<UInt32>

  var count: Int { starts.count - 1 }

  /// The numbers of a selector's steps, the last one first.
  @inline(__always) func steps(of selector: Int) -> UnsafeBufferPointer<UInt32> {
    stepNumbers[Int(starts[selector])..<Int(starts[selector + 1])]
  }

  var byteCount: Int {
    steps.byteCount + stepNumbers.byteCount + starts.byteCount + setValues.byteCount + setStarts.byteCount
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
    if numbers.members < 0 { return numbers.lower <= value && value <= numbers.upper }
    let set = setValues[Int(setStarts[Int(numbers.members)])..<Int(setStarts[Int(numbers.members) + 1])]
    var (low, high) = (0, set.count)
    while low < high {
      let middle = (low + high) / 2
      if set[middle] < value { low = middle + 1 } else { high = middle }
    }
    return low < set.count && set[low] == value
  }
}

extension SelectorTable {
  /// Collects selectors.
  struct Builder {
    private var numbers = StepNumbers()
    private(set) var stepNumbers: [UInt32] = []
    private(set) var starts: [UInt32] = [0]
    private var patterns = StringTable()
    private var setValues: [Int] = []
    private var setStarts: [UInt32] = [0]
    private var sets: [[Int]: Int32] = [:]

    var steps: [SelectorStep] { numbers.steps }
    var count: Int { starts.count - 1 }

    /// Makes room for selectors that together have so many steps.
    mutating func reserve(_ count: Int, steps: Int) {
      starts.reserveCapacity(starts.count + count)
      stepNumbers.reserveCapacity(stepNumbers.count + steps + count)
    }

    /// Adds a selector and returns its number.
    mutating func add(_ selector: Selector, _ classes: inout ClassTable) -> Int {
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
    private mutating func append(_ steps: [Selector.Step], _ classes: inout ClassTable) -> Bool {
      var wasAny = false
      return steps.withUnsafeBufferPointer { steps in
        for i in steps.indices.reversed() {
          let step = compile(steps.baseAddress.unsafelyUnwrapped + i, &classes)
          let isAny = step.classTest == .anyNumber
          if step.classTest == .glob || (isAny && (wasAny || i == 0)) { return false }
          wasAny = isAny
          stepNumbers.append(numbers.number(of: step))
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
        patterns: patterns, setValues: FrozenArray(setValues), setStarts: FrozenArray(setStarts))
    }

    // By pointer, as a copy counts references to whatever a step can have.
    private mutating func compile(_ step: UnsafePointer<Selector.Step>, _ classes: inout ClassTable) -> SelectorStep {
      // Most are like this.
      if case .component(.name(let name), .index(let test)) = step.pointee {
        return SelectorStep(classTest: .name, locatorTest: .index, number: classes.number(name), first: compile(test))
      }
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

    private mutating func compile(_ test: Selector.NumberTest) -> SelectorStep.Numbers {
      switch test {
      case .any: return SelectorStep.Numbers()
      case .range(let lower, let upper): return SelectorStep.Numbers(lower: lower ?? .min, upper: upper ?? .max)
      case .oneOf(let values):
        let values = Set(values).sorted()
        if let known = sets[values] { return SelectorStep.Numbers(members: known) }
        let number = Int32(setStarts.count - 1)
        setValues += values
        setStarts.append(UInt32(setValues.count))
        sets[values] = number
        return SelectorStep.Numbers(members: number)
      }
    }
  }
}
