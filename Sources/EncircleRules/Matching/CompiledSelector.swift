import EncircleIdentity
import EncircleTree

/// A path as class numbers and locators, outermost first.
struct CandidatePath {
  let classes: ArraySlice<ClassNumber>
  let locators: ArraySlice<Locator>
}

/// A selector over class numbers.
struct CompiledSelector: Sendable {
  enum ClassTest: Sendable {
    case any
    case name(ClassNumber)
    case glob(Glob)
    case kindOf(ClassNumber)
  }

  enum Step: Sendable {
    case anyNumber
    case component(ClassTest, Selector.LocatorPattern?)
  }

  // The last step first, as matching begins at the element, where it fails soonest. An unanchored selector ends in
  // anyNumber here.
  private let reversedSteps: [Step]

  init(_ selector: Selector, _ classes: inout ClassTable) {
    var steps: [Step] = []
    for step in selector.canonical.steps.reversed() {
      switch step {
      case .anyNumber: steps.append(.anyNumber)
      case .component(let pattern, let locator):
        let test: ClassTest =
          switch pattern {
          case .any: .any
          case .name(let name): .name(classes.number(name))
          case .glob(let pattern): .glob(Glob(pattern.text.utf8))
          case .kindOf(let name): .kindOf(classes.number(name))
          }
        steps.append(.component(test, locator))
      }
    }
    if !selector.canonical.isAnchored { steps.append(.anyNumber) }
    reversedSteps = steps
  }

  /// The step that the element itself must match; nil if any element may.
  var lastStep: (ClassTest, Selector.LocatorPattern?)? {
    if case .component(let test, let locator)? = reversedSteps.first { (test, locator) } else { nil }
  }

  /// Whether the selector matches a path.
  ///
  /// - Complexity: O(steps × components): after a mismatch only the last `**` takes one component more.
  func matches(_ path: CandidatePath, _ classes: ClassTable) -> Bool {
    let count = path.classes.count
    var step = 0
    var component = 0
    var lastAny: (step: Int, component: Int)?
    while component < count {
      if step < reversedSteps.count {
        switch reversedSteps[step] {
        case .anyNumber:
          lastAny = (step, component)
          step += 1
          if step == reversedSteps.count { return true }
          continue
        case .component(let test, let locator):
          let number = path.classes[path.classes.endIndex - 1 - component]
          if Self.takes(test, number, classes),
            locator?.matches(path.locators[path.locators.endIndex - 1 - component]) ?? true
          {
            step += 1
            component += 1
            continue
          }
        }
      }
      guard let (anyAt, from) = lastAny else { return false }
      step = anyAt + 1
      component = from + 1
      lastAny = (anyAt, component)
    }
    while step < reversedSteps.count, case .anyNumber = reversedSteps[step] { step += 1 }
    return step == reversedSteps.count
  }

  private static func takes(_ test: ClassTest, _ number: ClassNumber, _ classes: ClassTable) -> Bool {
    switch test {
    case .any: true
    case .name(let name): number == name
    case .glob(let glob): classes.withBytes(of: number) { glob.matches($0) }
    case .kindOf(let base): classes.isClass(number, kindOf: base)
    }
  }
}
