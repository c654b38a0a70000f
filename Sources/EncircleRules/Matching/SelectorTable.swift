import EncircleIdentity
import EncircleTree

/// A path as class numbers and locators, outermost first.
struct CandidatePath {
  let classes: UnsafeBufferPointer<ClassNumber>
  let locators: UnsafeBufferPointer<Locator>
}

/// Selectors over class numbers, all in flat arrays, so that trying one touches nothing but its steps.
struct SelectorTable: Sendable {
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

  /// A test of a number: a closed range, or membership in a set of ``sets``.
  struct Numbers: Sendable {
    var lower = Int.min
    var upper = Int.max
    var set: Int32 = -1
  }

  struct Step: Sendable {
    var classTest: ClassTest
    var locatorTest = LocatorTest.anything
    /// The number of the class or of the glob.
    var number: UInt32 = 0
    // Of an index the first one counts, else those of section and row or item, or indexx and indexy.
    var first = Numbers()
    var second = Numbers()
  }

  // Per selector its steps, the last one first, as matching begins at the element, where it fails soonest; one that is
  // not anchored ends in anyNumber.
  private var steps: [Step] = []
  private var starts: [Int32] = [0]
  private var globs: [Glob] = []
  private var sets: [Set<Int>] = []

  var count: Int { starts.count - 1 }

  /// Adds a selector and returns its number.
  mutating func add(_ selector: Selector, _ classes: inout ClassTable) -> Int {
    let selector = selector.canonical
    for step in selector.steps.reversed() { steps.append(compile(step, &classes)) }
    if !selector.isAnchored { steps.append(Step(classTest: .anyNumber)) }
    starts.append(Int32(steps.count))
    return count - 1
  }

  /// The steps of a selector, the last one first.
  func steps(of selector: Int) -> ArraySlice<Step> { steps[Int(starts[selector])..<Int(starts[selector + 1])] }

  private mutating func compile(_ step: Selector.Step, _ classes: inout ClassTable) -> Step {
    guard case .component(let pattern, let locator) = step else { return Step(classTest: .anyNumber) }
    var result: Step
    switch pattern {
    case .any: result = Step(classTest: .any)
    case .name(let name): result = Step(classTest: .name, number: classes.number(name))
    case .kindOf(let name): result = Step(classTest: .kindOf, number: classes.number(name))
    case .glob(let pattern):
      result = Step(classTest: .glob, number: UInt32(globs.count))
      globs.append(Glob(pattern.text.utf8))
    }
    switch locator {
    case nil: break
    case .some(.none): result.locatorTest = .none
    case .index(let test):
      result.locatorTest = .index
      result.first = numbers(test)
    case .fields(let tests):
      result.locatorTest = .rowOrItem
      for field in tests {
        switch field.field {
        case .section: result.first = numbers(field.test)
        case .row:
          result.locatorTest = .row
          result.second = numbers(field.test)
        case .item:
          result.locatorTest = .item
          result.second = numbers(field.test)
        case .indexx:
          result.locatorTest = .position
          result.first = numbers(field.test)
        case .indexy:
          result.locatorTest = .position
          result.second = numbers(field.test)
        }
      }
    }
    return result
  }

  private mutating func numbers(_ test: Selector.NumberTest) -> Numbers {
    switch test {
    case .any: return Numbers()
    case .range(let lower, let upper): return Numbers(lower: lower ?? .min, upper: upper ?? .max)
    case .oneOf(let values):
      sets.append(Set(values))
      return Numbers(set: Int32(sets.count - 1))
    }
  }

  // MARK: - Matching

  /// Whether a selector matches a path.
  ///
  /// - Complexity: O(steps × components): after a mismatch only the last `**` takes one component more.
  func matches(_ selector: Int, _ path: CandidatePath, _ classes: borrowing ClassTable) -> Bool {
    steps.withUnsafeBufferPointer { all in
      let steps = UnsafeBufferPointer(rebasing: all[Int(starts[selector])..<Int(starts[selector + 1])])
      let last = path.classes.count - 1
      var step = 0
      var component = 0
      var lastAny: (step: Int, component: Int)?
      while component <= last {
        if step < steps.count {
          if steps[step].classTest == .anyNumber {
            lastAny = (step, component)
            step += 1
            if step == steps.count { return true }
            continue
          }
          if takes(steps[step], path.classes[last - component], path.locators[last - component], classes) {
            step += 1
            component += 1
            continue
          }
        }
        guard let (anyAt, from) = lastAny else { return false }
        step = anyAt + 1
        component = from + 1
        lastAny = (anyAt, component)
      }
      while step < steps.count, steps[step].classTest == .anyNumber { step += 1 }
      return step == steps.count
    }
  }

  @inline(__always)
  private func takes(
    _ step: Step, _ number: ClassNumber, _ locator: Locator, _ classes: borrowing ClassTable
  ) -> Bool {
    switch step.classTest {
    case .anyNumber, .any: break
    case .name: if number != step.number { return false }
    case .kindOf: if !classes.isClass(number, kindOf: step.number) { return false }
    case .glob: if !classes.withBytes(of: number, { globs[Int(step.number)].matches($0) }) { return false }
    }
    switch (step.locatorTest, locator) {
    case (.anything, _), (.none, .none): return true
    case (.index, .index(let index)): return takes(step.first, index)
    case (.row, .row(let a, let b)), (.item, .item(let a, let b)), (.rowOrItem, .row(let a, let b)),
      (.rowOrItem, .item(let a, let b)), (.position, .position(let a, let b)):
      return takes(step.first, a) && takes(step.second, b)
    default: return false
    }
  }

  @inline(__always)
  private func takes(_ numbers: Numbers, _ value: Int) -> Bool {
    numbers.set < 0 ? numbers.lower <= value && value <= numbers.upper : sets[Int(numbers.set)].contains(value)
  }
}

extension SelectorTable.Step {
  /// The only locator that the step takes; nil if it takes several, or none.
  var exactLocator: Locator? {
    guard first.set < 0, first.lower == first.upper else { return nil }
    if locatorTest == .index { return .index(first.lower) }
    guard second.set < 0, second.lower == second.upper else { return nil }
    switch locatorTest {
    case .row: return .row(section: first.lower, row: second.lower)
    case .item: return .item(section: first.lower, item: second.lower)
    case .position: return .position(x: first.lower, y: second.lower)
    default: return nil
    }
  }
}
