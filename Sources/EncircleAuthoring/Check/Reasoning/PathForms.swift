import EncircleIdentity
import EncircleRules
import EncircleText

// In most styles one path has several forms, and a selector matches if it matches one of them: a cell whose class is unknown is both a
// row and an item, a row of Android also an index, and a component with a resource id has it in its name or not. Paths are compared
// form by form, so a form outside a selector does not show that the selector takes no event with this form.

extension PathStyleName {
  /// This is true if an event of the style can have several forms of its path.
  var hasFormsOfPaths: Bool {
    switch self {
    case .lede, .sensors, .sensorsExact, .growingIO, .hubbleDataAndroid, .sensorsAndroid, .growingIOAndroid: true
    case .hubbleData, .postHog, .sensorsWeb, .postHogWeb: false
    }
  }

  /// This is true if the style writes resource ids into the names of components.
  fileprivate var hasResourceIDsInNames: Bool { self == .hubbleDataAndroid || self == .growingIOAndroid }
}

extension Box {
  /// Returns a superset of the box: the events that it may take if some other form of their paths is known.
  func inAnyForm(of style: PathStyleName) -> Box {
    guard style.hasFormsOfPaths else { return self }
    return mappingSelectors { $0.inAnyForm(of: style) }
  }
}

extension ElementSelector {
  /// Returns a selector that matches all forms of each path of which this one matches some form. It may match other paths, too.
  fileprivate func inAnyForm(of style: PathStyleName) -> ElementSelector {
    var result = self
    for (i, step) in steps.enumerated() {
      guard case .component(let pattern, let locator) = step else { continue }
      let hasOneForm = locator?.hasOneForm(in: style) ?? true
      result.steps[i] = .component(
        style.hasResourceIDsInNames ? pattern.withOrWithoutID : pattern, hasOneForm ? locator : nil)
    }
    return result
  }
}

extension ElementSelector.ClassPattern {
  fileprivate var withOrWithoutID: Self {
    guard case .name(let name) = self else { return .any }
    let plain = String(name.text.splitBytes(at: "#", omittingEmptySubsequences: false)[0])
    return plain.utf8.contains(UInt8(ascii: "*")) ? .any : .glob(UTF8String(plain + "*"))
  }
}

extension ElementSelector.LocatorPattern {
  /// Returns whether the test gives the same answer for all forms of a component.
  fileprivate func hasOneForm(in style: PathStyleName) -> Bool {
    switch self {
    case .index: style != .sensorsAndroid && style != .growingIOAndroid
    case .fields(let tests):
      style != .sensorsAndroid && style != .growingIOAndroid
        && !tests.contains { $0.field == .row || $0.field == .item }
    case .none, .texts, .conditions: true
    }
  }
}
