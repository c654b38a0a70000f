import EncircleText

extension ElementSelector {
  /// The selector in CSS notation.
  var cssText: String {
    var text = ""
    var separator = ""
    for step in steps {
      guard step != .recursiveWildcard else {
        separator = " "
        continue
      }
      text += separator + step.cssText
      separator = " > "
    }
    return text
  }
}

extension ElementSelector.Step {
  fileprivate var cssText: String {
    guard case .component(let pattern, let locator) = self else { return " " }
    var tests: [ElementSelector.PageTest] = []
    if case .conditions(let own)? = locator { tests = own }
    let conditions = tests.map(\.description).joined()
    return switch pattern {
    case .any: conditions.isEmpty ? "*" : conditions
    case .name(let name), .glob(let name), .kindOf(let name): CSSText.name(name) + conditions
    }
  }
}

extension ElementSelector.PageTest: CustomStringConvertible {
  /// The test in CSS notation.
  public var description: String {
    switch self {
    case .id(let id): "#" + CSSText.name(id)
    case .hasClass(let name): "." + CSSText.name(name)
    case .hasAttribute(let name): "[\(CSSText.name(name))]"
    case .attribute(let name, let value): "[\(CSSText.name(name))=\(CSSText.quoted(value))]"
    case .nthOfType(let number): ":nth-of-type(\(number))"
    case .nthChild(let number): ":nth-child(\(number))"
    }
  }

  /// A key that sorts tests in the usual order of CSS: the ID first, then classes, attributes and numbers. Different tests have
  /// different keys.
  package var key: UTF8String {
    switch self {
    case .id(let id): "0\(id)"
    case .hasClass(let name): "1\(name)"
    case .hasAttribute(let name): "2\(name)"
    case .attribute(let name, let value): "3\(name)=\(value)"
    case .nthOfType(let number): "4\(number)"
    case .nthChild(let number): "5\(number)"
    }
  }
}
