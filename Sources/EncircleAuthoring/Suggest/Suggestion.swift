import EncircleIdentity
import EncircleRules
import EncircleText
import EncircleTree

/// A selector for an element of a capture, with the tests that a rule needs in addition to it.
public struct Suggestion: Sendable {
  /// The elements that a suggestion selects in the capture.
  public enum Uniqueness: Hashable, Sendable {
    /// Only the element.
    case element
    /// Only elements of the same kind: their path differs at most in the freed row or item.
    case kind(count: Int)
    /// The element and others that no rule can distinguish from it; the count includes the element.
    case shared(count: Int)
  }

  /// A value that a rule tests in addition to the selector and the page, if these are not enough.
  public enum Evidence: Hashable, Sendable {
    /// The text in `$element_content` of events.
    case content(UTF8String)
    /// The absence of `$element_content`.
    case noContent
    /// The names of the actions in `$element_actions` of events, which items of navigation bars have.
    case actions(UTF8String)
    /// The title of the alert in `$alert_title` of events.
    case alertTitle(UTF8String)
    /// The message of the alert in `$alert_message` of events.
    case alertMessage(UTF8String)
    /// The event ID, which identifies the path and the rest of the identity.
    case eventID(EventID)
    /// The developer's own id of the element, which some SDKs send as `$element_id`.
    case developerID(UTF8String)
    /// A text in the innermost element around it that a selector matches, which captures know by the place of the event.
    case within(UTF8String, says: UTF8String)
  }

  /// The selector.
  public var selector: ElementSelector
  /// This is true if the rule has the selector. It has none if the element's events have no path, or the capture does not have
  /// their path; ``evidence`` then names the element.
  public var namesPlace = true
  /// The page of the element, for the rule; nil if the capture has none.
  public var page: String?
  /// This is true if the rule must test the page to distinguish the element from another one.
  public var needsPage: Bool
  /// The other values that the rule must test; several only if none alone is enough.
  public var evidence: [Evidence]
  /// The kind of elements that the suggestion selects in the capture.
  public var uniqueness: Uniqueness
  /// The elements that the suggestion selects in the capture, in pre-order; the element is among them.
  public var elements: [ElementID]
  /// The stability of the selector and the tests beside it.
  public var stability: SelectorStability

  /// This is true if the suggestion selects only the element, or only elements of its kind.
  public var isUnique: Bool {
    if case .shared = uniqueness { false } else { true }
  }

  /// This is true if the suggestion tests texts around the element, which no event has, so that captures decide it.
  public var needsCaptures: Bool { evidence.contains { if case .within = $0 { true } else { false } } }
}

extension Suggestion.Evidence {
  /// This is true if the value is a text that differs between languages, that is, has letters.
  public var isLocalised: Bool { text.map(Self.isLocalised) ?? false }

  static func isLocalised(_ text: UTF8String) -> Bool {
    text.text.unicodeScalars.contains { $0.properties.isAlphabetic }
  }

  /// The text on the screen that is tested; nil if it is not one.
  public var text: UTF8String? {
    switch self {
    case .content(let text), .alertTitle(let text), .alertMessage(let text), .within(_, let text): text
    case .noContent, .actions, .eventID, .developerID: nil
    }
  }

  /// Returns what a rule that tests the value relies on, for events of a style.
  func reason(in style: PathStyleName) -> StabilityReason {
    switch self {
    case .developerID where style == .sensorsAndroid: .resourceID
    case .content, .noContent, .alertTitle, .alertMessage: .text(isLocalised: isLocalised)
    case .actions: .actions
    case .eventID: .eventID
    case .developerID: .developerID
    case .within: .textAround
    }
  }
}
