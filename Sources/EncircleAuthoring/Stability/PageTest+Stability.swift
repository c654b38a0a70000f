import EncircleRules
import EncircleText

extension ElementSelector.PageTest {
  /// The origin of the name in the test; nil for a place.
  var origin: PageName? {
    switch self {
    case .id(let id): PageName(ofValue: id)
    case .hasClass(let name): PageName(ofClass: name)
    // These give only the kind of the element, which many elements share.
    case .hasAttribute("role"), .hasAttribute("type"), .attribute("role", _), .attribute("type", _): nil
    case .hasAttribute(let name): PageName(ofAttribute: name)
    case .attribute(let name, let value):
      if name == "class" {
        PageName(ofClass: value)
      } else if PageName.isFrameworks(attribute: name) {
        PageName(ofAttribute: name)
      } else if name == "href" || value.text.isEmpty {
        .people
      } else {
        PageName(ofValue: value)
      }
    case .nthOfType, .nthChild: nil
    }
  }

  /// Appends why the test may fail in the next release.
  func appendReasons(step: Int, to reasons: inout [StabilityReason]) {
    switch self {
    case .nthOfType(let number), .nthChild(let number):
      return reasons.append(.siblingIndex(step: step, indexes: .range(lower: number, upper: number), siblings: nil))
    case .attribute("aria-label", let text), .attribute("title", let text), .attribute("alt", let text),
      .attribute("placeholder", let text):
      return reasons.append(.text(isLocalised: Suggestion.Evidence.isLocalised(text)))
    case .id, .hasClass, .hasAttribute, .attribute: break
    }
    switch origin {
    case .generated: reasons.append(.generatedPageName(step: step, "\(description)"))
    case .look: reasons.append(.lookClass(step: step, "\(description)"))
    case .state: reasons.append(.stateClass(step: step, "\(description)"))
    case .people, nil: break
    }
  }

  /// The test in words.
  var words: String {
    switch self {
    case .id(let id): "the id \(id)"
    case .hasClass(let name): "the class \(name)"
    case .hasAttribute(let name): "an attribute \(name)"
    case .attribute(let name, let value): "the attribute \(name) \(value)"
    case .nthOfType(let number): "place \(number) among the siblings of its tag, counted from 1"
    case .nthChild(let number): "place \(number) among its siblings, counted from 1"
    }
  }
}
