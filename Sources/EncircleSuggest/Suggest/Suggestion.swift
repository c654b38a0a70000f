import EncircleIdentity
import EncircleRules
import EncircleText
import EncircleTree

/// A selector for an element of a capture, with the tests that a rule needs beside it.
public struct Suggestion: Sendable {
  /// The elements that a suggestion selects in the capture.
  public enum Uniqueness: Hashable, Sendable {
    /// Only the element.
    case element
    /// Only the elements of the same kind: those with its path but for the freed row or item.
    case kind(count: Int)
    /// The element and others that no rule can tell from it; the count includes the element.
    case shared(count: Int)
  }

  /// A value that a rule tests beside the selector and the page, if these are not enough.
  public enum Evidence: Hashable, Sendable {
    /// The text in `$element_content` of events.
    case content(UTF8String)
    /// The absence of `$element_content`.
    case noContent
    /// The event ID, which stands for the path and the rest of the identity.
    case eventID(EventID)
    /// The developer's own id of the element, which some SDKs send as `$element_id`.
    case developerID(UTF8String)
  }

  /// The selector.
  public var selector: ElementSelector
  /// The page of the element, for the rule; nil if the capture has none.
  public var page: String?
  /// Whether the rule must test the page to tell the element from another one.
  public var needsPage: Bool
  /// The other values that the rule must test; several only if none is enough by itself.
  public var evidence: [Evidence]
  /// The kind of elements that the suggestion selects in the capture.
  public var uniqueness: Uniqueness
  /// The elements that the suggestion selects in the capture, in pre-order; the element is among them.
  public var elements: [ElementID]
  /// The stability of the selector and the tests beside it.
  public var stability: SelectorStability

  /// Whether the suggestion selects only the element, or only elements of its kind.
  public var isUnique: Bool {
    if case .shared = uniqueness { false } else { true }
  }
}

extension Suggestion.Evidence {
  /// Whether the value is a text that differs from language to language: one with letters, not only digits and signs.
  public var isLocalised: Bool {
    guard case .content(let text) = self else { return false }
    return text.text.unicodeScalars.contains { $0.properties.isAlphabetic }
  }

  var reason: StabilityReason {
    switch self {
    case .content, .noContent: .text(isLocalised: isLocalised)
    case .eventID: .eventID
    case .developerID: .developerID
    }
  }
}
