import EncircleIdentity
import EncircleRules
import EncircleText
import EncircleTree

/// A selector for an element of a capture, with what it needs beside it.
public struct Suggestion: Sendable {
  /// What of a capture the suggestion selects there.
  public enum Uniqueness: Hashable, Sendable {
    /// The element alone.
    case element
    /// The elements of the same kind alone: those with its path but for the freed row or item.
    case kind(count: Int)
    /// The element and others that no rule can tell from it; `count` with the element.
    case shared(count: Int)
  }

  /// What a rule tests beside the selector and the page, where no selector is enough.
  public enum Evidence: Hashable, Sendable {
    /// The text that events have as `$element_content`; compared by bytes.
    case content(UTF8String)
    /// That events have no `$element_content`.
    case noContent
    /// The event ID: the path, and what else the identity has.
    case eventID(EventID)
    /// The developer's own id, for SDKs that send it as `$element_id`.
    case developerID(UTF8String)
  }

  /// The selector.
  public var selector: ElementSelector
  /// The page of the element, for the rule; nil where the capture tells none.
  public var page: String?
  /// Whether only the page tells the element from another one, so that the selector alone is not enough.
  public var needsPage: Bool
  /// What else is tested; empty where selector and page are enough, several only where none is enough by itself.
  public var evidence: [Evidence]
  /// What it selects in the capture.
  public var uniqueness: Uniqueness
  /// The elements that it selects in the capture, in pre-order; the element is among them.
  public var elements: [ElementID]
  /// What it relies on, and how stable that is.
  public var stability: SelectorStability

  /// Whether it selects the element, or its kind, and nothing else.
  public var isUnique: Bool {
    if case .shared = uniqueness { false } else { true }
  }
}

extension Suggestion.Evidence {
  /// Whether a text differs from language to language: whether it has letters, and not only digits and signs.
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
