import EncircleEvents
import EncircleIdentity
import EncircleRules
import EncircleText
import EncircleTree

/// One of the rules that are proposed for many elements of a capture at once.
public struct ProposedRule: Sendable {
  /// A reason to review a rule before its use.
  public enum ReviewReason: Hashable, Sendable {
    /// The selector relies on something that may change.
    case relies(StabilityReason)
    /// It also selects other elements, which the rules cannot distinguish.
    case selectsOthers(count: Int)
    /// It does not select the element in all places.
    case missesPlaces(count: Int)
  }

  /// An id that no other rule has.
  public internal(set) var id: String
  /// The text of the element; nil if its places do not share one.
  public let name: String?
  /// The element's places in the capture, in pre-order; not empty.
  public let elements: [ElementID]
  /// The type of its events.
  public let type: TrackingType
  /// The suggestion for the rule.
  public let suggestion: Suggestion
  /// The reasons to review it; empty if its selector is good.
  public let reviewReasons: [ReviewReason]
  /// The clause as a rule file has it.
  package let clause: EventObject

  /// The name of the selected events, which stays the same if somebody changes the rule's id.
  public var emit: String { id }

  /// The first of its places.
  public var element: ElementID { elements[0] }

  /// The rule as a rule file has it.
  package var object: EventObject {
    var rule: EventObject = ["id": .string(id)]
    if let name { rule["name"] = .string(name) }
    rule["include"] = .object(clause)
    rule["emit"] = .string(emit)
    return rule
  }
}

extension ProposedRule.ReviewReason {
  // A selector with a lower score needs a review; the page calls its stability middling.
  private static let minimumScore = 75
  private static let minimumPenalty = 8
  private static let maximumReasons = 3

  /// Returns the reasons to review a selector alone, most serious first.
  static func reasons(of stability: SelectorStability) -> [Self] {
    guard stability.score < minimumScore else { return [] }
    let heavy = stability.reasons.filter { $0.penalty >= minimumPenalty }
    return (heavy.isEmpty ? stability.reasons : heavy).prefix(maximumReasons).map { .relies($0) }
  }

  /// Returns the reason as a sentence without a full stop.
  ///
  /// - Parameter selector: The selector of the rule.
  public func description(of selector: ElementSelector) -> String {
    switch self {
    case .relies(let reason): reason.description(of: selector)
    case .selectsOthers(let count): "also selects \(counted(count, "other element"))"
    case .missesPlaces(let count): "does not select \(count) of the element's places"
    }
  }

  /// The stable names of the reasons that are not a `StabilityReason`, for translation by clients.
  package enum Code: String, CaseIterable, Sendable {
    case selectsOthers = "selects-others"
    case missesPlaces = "misses-places"
  }

  /// Returns the stable name of the reason, and the arguments of its sentence.
  package func coded(of selector: ElementSelector) -> (code: String, arguments: [String]) {
    switch self {
    case .relies(let reason):
      let (code, arguments) = reason.coded(of: selector)
      return (code.rawValue, arguments)
    case .selectsOthers(let count): return (Code.selectsOthers.rawValue, ["\(count)"])
    case .missesPlaces(let count): return (Code.missesPlaces.rawValue, ["\(count)"])
    }
  }
}
