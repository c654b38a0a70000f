import EncircleIdentity
import EncircleText
import EncircleTree

// The reference semantics of selectors: plain functions on the syntax, one for each of its types, for checks of rules and for
// suggestions. The engine compiles selectors and matches them by a faster method; tests compare the two.

extension ElementSelector {
  /// Returns whether the steps match all components of a path or, if the selector is not anchored, the innermost ones.
  ///
  /// If a path ends inside a link or button, the link or button may match as well; see ``ElementPath/endCount``.
  ///
  /// - Parameter hierarchy: The superclasses of classes, for steps such as `:UIButton`.
  /// - Complexity: O(*steps* × *components*) matches of a step for each end of the path: a step that does not match moves only the
  ///   nearest `**` before it one component further.
  package func matches(_ path: ElementPath, hierarchy: ClassHierarchy) -> Bool {
    (0..<path.endCount).contains { matches(path.components.dropLast($0), hierarchy) }
  }

  private func matches(_ components: ArraySlice<PathComponent>, _ hierarchy: ClassHierarchy) -> Bool {
    // An unanchored selector is equivalent to one that begins with **.
    let steps = isAnchored ? steps : [.recursiveWildcard] + steps
    var (step, component) = (0, 0)
    // The latest ** and the end of the components that it stands for so far.
    var wildcard: (step: Int, end: Int)?
    while component < components.count || step < steps.count {
      if step < steps.count, steps[step] == .recursiveWildcard {
        wildcard = (step, component)
        step += 1
      } else if step < steps.count, component < components.count,
        steps[step].matches(components[component], hierarchy: hierarchy)
      {
        step += 1
        component += 1
      } else if let (start, end) = wildcard, end < components.count {
        wildcard = (start, end + 1)
        (step, component) = (start + 1, end + 1)
      } else {
        return false
      }
    }
    return true
  }
}

extension ElementSelector.Step {
  /// Returns whether the step can stand for a component; `**` can stand for any.
  package func matches(_ component: PathComponent, hierarchy: ClassHierarchy) -> Bool {
    switch self {
    case .recursiveWildcard: true
    case .component(let pattern, let locator):
      pattern.matches(UTF8String(component.className), hierarchy: hierarchy)
        && locator?.matches(component) ?? true
    }
  }
}

extension ElementSelector.ClassPattern {
  /// Returns whether the pattern matches a class name.
  package func matches(_ name: UTF8String, hierarchy: ClassHierarchy) -> Bool {
    switch self {
    case .any: true
    case .name(let wanted): name == wanted
    case .glob(let pattern): Glob.matches(name.text, pattern.text)
    case .kindOf(let base): hierarchy.isClass(name.text, kindOf: base.text)
    }
  }
}

extension ElementSelector.LocatorPattern {
  /// Returns whether the pattern matches the locator and the texts of a component.
  package func matches(_ component: PathComponent) -> Bool {
    if case .conditions(let tests) = self {
      guard component.locator == .none, let facts = component.texts?.web else { return false }
      return tests.allSatisfy { $0.matches(facts) }
    }
    guard case .texts(let tests) = self else { return matches(component.locator) }
    return component.locator == .none
      && tests.allSatisfy { test in
        let texts = component.texts
        return switch test.field {
        case .text: UTF8String(texts?.text ?? "") == test.text
        case .id: UTF8String(texts?.id ?? "") == test.text
        }
      }
  }

  /// Returns whether the pattern matches a locator, whose component has no texts.
  ///
  /// An index, section, row or item that the event does not give matches only a test that accepts any number. In a position, -1 is
  /// an ordinary number.
  package func matches(_ locator: Locator) -> Bool {
    switch (self, locator) {
    case (.none, .none): true
    case (.texts(let tests), .none): tests.allSatisfy { $0.text.text.isEmpty }
    case (.index(let test), .index(let index)): test.matches(index, orUnknown: true)
    case (.fields(let tests), .row), (.fields(let tests), .item):
      tests.allSatisfy { test in locator[test.field].map { test.test.matches($0, orUnknown: true) } ?? false }
    case (.fields(let tests), .position):
      tests.allSatisfy { test in locator[test.field].map { test.test.matches($0) } ?? false }
    default: false
    }
  }
}

extension ElementSelector.PageTest {
  /// Returns whether the test holds for the element, as far as its event contains the tested values.
  package func matches(_ element: WebFacts) -> Bool {
    switch self {
    case .id(let id): element.id.map { UTF8String($0) == id } ?? false
    case .hasClass(let name): element.classes?.contains { UTF8String($0) == name } ?? false
    case .hasAttribute(let name): element.attributes[name] != nil
    case .attribute(let name, let value): element.attributes[name].map { UTF8String($0) == value } ?? false
    case .nthOfType(let number): element.nthOfType == number
    case .nthChild(let number): element.nthChild == number
    }
  }
}

extension ElementSelector.NumberTest {
  /// Returns whether a number passes the test.
  package func matches(_ number: Int) -> Bool {
    switch self {
    case .any: true
    case .range(let lower, let upper): (lower ?? .min) <= number && number <= (upper ?? .max)
    case .oneOf(let numbers): numbers.contains(number)
    }
  }

  fileprivate func matches(_ number: Int, orUnknown: Bool) -> Bool {
    guard orUnknown, number == Locator.unknown else { return matches(number) }
    return self == .any || self == .range(lower: nil, upper: nil)
  }
}

extension Locator {
  /// The value of a field; nil if the locator does not have it.
  fileprivate subscript(field: ElementSelector.Field) -> Int? {
    switch (field, self) {
    case (.section, .row(let section, _)), (.section, .item(let section, _)): section
    case (.row, .row(_, let row)): row
    case (.item, .item(_, let item)): item
    case (.indexx, .position(let x, _)): x
    case (.indexy, .position(_, let y)): y
    default: nil
    }
  }
}
