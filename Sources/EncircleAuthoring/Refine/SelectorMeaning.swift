import EncircleRules

/// Describes a selector in words, step by step.
package enum SelectorMeaning {
  /// Returns the sentences about the steps, without full stops.
  package static func sentences(_ selector: ElementSelector) -> [String] {
    selector.steps.enumerated().map { i, step in
      sentence(
        step, isFirst: i == 0, isLast: i == selector.steps.count - 1, isAnchored: selector.isAnchored)
    }
  }

  private static func sentence(_ step: ElementSelector.Step, isFirst: Bool, isLast: Bool, isAnchored: Bool) -> String {
    guard case .component(let pattern, let locator) = step else {
      return isLast ? "any element below, at any depth, or what stands before" : "any elements in between, or none"
    }
    var text = className(pattern)
    if let place = locator.map(place) { text += ", " + place }
    if isFirst, isAnchored { text += "; it is a window" }
    if isLast { text += "; this is the element itself" }
    return text
  }

  private static func className(_ pattern: ElementSelector.ClassPattern) -> String {
    switch pattern {
    case .any: "an element of any class"
    case .name(let name): "an element of class \(name)"
    case .glob(let name): "an element whose class is like \(name), * being any characters"
    case .kindOf(let name): "an element of class \(name) or of a subclass"
    }
  }

  private static func place(_ locator: ElementSelector.LocatorPattern) -> String {
    switch locator {
    case .none: "without a number"
    case .conditions(let tests): tests.map { $0.words }.joined(separator: ", ")
    case .texts(let tests):
      tests.map { test in
        switch (test.field, test.text.text.isEmpty) {
        case (.text, true): "without a text"
        case (.id, true): "without a label of a developer"
        case (.text, false): "that says \(test.text)"
        case (.id, false): "with a developer's label \(test.text)"
        }
      }.joined(separator: ", ")
    case .index(.any): "with any number among its siblings of that class"
    case .index(let test): "\(number(test, "number", "numbers")) among its siblings of that class, counted from 0"
    case .fields(let tests):
      tests.map { test in
        switch (test.field, test.test) {
        case (.indexx, _): "\(number(test.test, "column", "columns")) of the pages of its scroll view"
        case (.indexy, _): "\(number(test.test, "line", "lines")) of the pages of its scroll view"
        case (let field, .any): "in any \(field.rawValue)"
        case (let field, let some): "in \(number(some, field.rawValue, field.rawValue + "s"))"
        }
      }.joined(separator: ", ")
    }
  }

  private static func number(_ test: ElementSelector.NumberTest, _ one: String, _ many: String) -> String {
    switch test {
    case .any: "any \(one)"
    case .range(let lower?, let upper?) where lower == upper: "\(one) \(lower)"
    case .range(let lower?, let upper?): "\(many) \(lower) to \(upper)"
    case .range(let lower?, nil): "\(many) from \(lower)"
    case .range(nil, let upper?): "\(many) up to \(upper)"
    case .range(nil, nil): "any \(one)"
    case .oneOf(let numbers): "\(many) \(numbers.map(String.init).joined(separator: ", "))"
    }
  }
}
