import EncircleRules
import EncircleText

extension ElementSelector {
  /// The properties that an element must keep for the selector to match it, step by step, in words.
  ///
  /// ```
  /// ProductCell, any row of section 0
  /// UIButton, index 1
  /// ```
  public var reliances: [String] {
    var result: [String] = []
    if isAnchored { result.append("the window") }
    for step in steps {
      switch step {
      case .recursiveWildcard: continue
      case .component(let pattern, let locator):
        let name: String =
          switch pattern {
          case .any: "any class"
          case .name, .glob: "\(pattern)"
          case .kindOf(let name): "\(name) or a subclass"
          }
        result.append(([name] + (locator.map(Self.words) ?? [])).joined(separator: ", "))
      }
    }
    return result
  }

  private static func words(_ locator: LocatorPattern) -> [String] {
    switch locator {
    case .none: return ["no index"]
    case .conditions(let tests): return tests.map(\.words)
    case .texts(let tests):
      return tests.map { test in
        switch (test.field, test.text.text.isEmpty) {
        case (.text, true): "no text"
        case (.id, true): "no label of a developer"
        case (.text, false): "the text \(test.text)"
        case (.id, false): "the developer's label \(test.text)"
        }
      }
    case .index(.any): return ["any index"]
    case .index(let test): return ["index \(test)"]
    case .fields(let tests):
      let section = tests.first { $0.field == .section && $0.test != .any }
      var words: [String] = []
      for test in tests where test.field != .section {
        words.append(test.test == .any ? "any \(test.field.rawValue)" : "\(test.field.rawValue) \(test.test)")
      }
      guard let section else { return words.isEmpty ? ["any section"] : words }
      return [(words + ["section \(section.test)"]).joined(separator: " of ")]
    }
  }
}
