import EncircleIdentity
import EncircleText

extension ElementSelector: CustomStringConvertible {
  /// The selector as text; reading it gives an equal selector.
  public var description: String {
    if isCSS { return cssText }
    return (isAnchored ? "/" : "") + steps.map(\.description).joined(separator: "/")
  }

  /// The selector in its canonical form: without needless `**` and `*`, and with numbers and fields in a fixed order.
  ///
  /// Selectors with equal canonical forms match the same paths.
  public var canonical: ElementSelector {
    var steps: [Step] = []
    for step in self.steps {
      // **/** means **.
      if step == .recursiveWildcard, steps.last == .recursiveWildcard { continue }
      steps.append(step.canonical)
    }
    var isAnchored = isAnchored
    // An unanchored selector begins at any depth already.
    if steps.first == .recursiveWildcard {
      isAnchored = false
      if steps.count > 1 { steps.removeFirst() }
    }
    return ElementSelector(isAnchored: isAnchored, steps: steps, isCSS: isCSS)
  }
}

extension ElementSelector.Step: CustomStringConvertible {
  /// The step as text.
  public var description: String {
    switch self {
    case .recursiveWildcard: "**"
    case .component(.any, .conditions(let tests)?) where !tests.isEmpty: tests.map(\.description).joined()
    case .component(let pattern, .conditions(let tests)?): pattern.description + tests.map(\.description).joined()
    case .component(let pattern, let locator): pattern.description + (locator.map { "(\($0))" } ?? "")
    }
  }

  var canonical: ElementSelector.Step {
    switch self {
    case .recursiveWildcard: self
    case .component(let pattern, let locator): .component(pattern.canonical, locator?.canonical)
    }
  }
}

extension ElementSelector.ClassPattern: CustomStringConvertible {
  /// The pattern as text.
  public var description: String {
    switch self {
    case .any: "*"
    case .name(let name): Self.quoted(name)
    case .glob(let pattern): pattern.text
    case .kindOf(let name): ":" + Self.quoted(name)
    }
  }

  // Several * in a row mean the same as one.
  var canonical: ElementSelector.ClassPattern {
    guard case .glob(let pattern) = self else { return self }
    var bytes: [UInt8] = []
    for byte in pattern.text.utf8 where byte != UInt8(ascii: "*") || bytes.last != byte { bytes.append(byte) }
    return bytes == [UInt8(ascii: "*")] ? .any : .glob(UTF8String(String(decoding: bytes, as: UTF8.self)))
  }

  fileprivate static func quoted(_ name: UTF8String) -> String {
    if name.isPlainInSelectors, !name.text.isEmpty { return name.text }
    var bytes: [UInt8] = []
    ElementPath.appendQuoted(name.text, to: &bytes)
    return String(decoding: bytes, as: UTF8.self)
  }
}

extension ElementSelector.LocatorPattern: CustomStringConvertible {
  /// The pattern as text, without its parentheses.
  public var description: String {
    switch self {
    case .none: ""
    case .index(let test): test.description
    case .fields(let tests): tests.map { "\($0.field.rawValue):\($0.test)" }.joined(separator: " ")
    case .texts(let tests):
      tests.map { "\($0.field.rawValue):\(ElementSelector.ClassPattern.quoted($0.text))" }.joined(separator: " ")
    case .conditions(let tests): tests.map(\.description).joined()
    }
  }

  var canonical: ElementSelector.LocatorPattern {
    switch self {
    case .none: self
    case .index(let test): .index(test.canonical)
    case .fields(let tests):
      .fields(
        ElementSelector.Field.allCases.flatMap { field in
          tests.filter { $0.field == field }.map { ElementSelector.FieldTest(field, $0.test.canonical) }
        })
    case .texts(let tests):
      .texts(ElementSelector.TextField.allCases.flatMap { field in tests.filter { $0.field == field } })
    case .conditions(let tests): .conditions(Set(tests).sorted { $0.key < $1.key })
    }
  }
}

extension ElementSelector.NumberTest: CustomStringConvertible {
  /// The test as text.
  public var description: String {
    switch self {
    case .any: "*"
    case .range(let lower?, let upper?) where lower == upper: "\(lower)"
    case .range(let lower, let upper):
      lower == nil && upper == nil ? "*" : "\(lower.map(String.init) ?? "")...\(upper.map(String.init) ?? "")"
    case .oneOf(let numbers): numbers.map(String.init).joined(separator: ",")
    }
  }

  var canonical: ElementSelector.NumberTest {
    guard case .oneOf(let numbers) = self else { return self }
    let sorted = Set(numbers).sorted()
    return sorted.count == 1 ? .range(lower: sorted[0], upper: sorted[0]) : .oneOf(sorted)
  }
}
