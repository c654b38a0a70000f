import EncircleIdentity
import EncircleText

extension JSONBuilder {
  /// Writes the members of a decision that is explained. ``DecisionRecord`` writes those of many events, without strings.
  ///
  /// - Parameters:
  ///   - defaultPages: The excluded pages that the rule set excludes by default; the member is left out if there are none.
  ///   - track: Which events the rule set selects if no rule matches; the member is left out if it is nil.
  package mutating func members(of decision: Decision, defaultPages: [UTF8String] = [], track: String? = nil) {
    member("selected", decision.isSelected)
    member("event_id", decision.eventID)
    member("rules", decision.rules.map(\.text))
    member("excluded_by", decision.excludedBy.map(\.text))
    member("pages", decision.pages.map(\.text))
    if !defaultPages.isEmpty { member("default_pages", defaultPages.map(\.text)) }
    member("emit", decision.emit.map(\.text))
    member("track", track)
    member(decision.approximate)
    member("resolution", decision.resolution.rawValue)
  }
}
