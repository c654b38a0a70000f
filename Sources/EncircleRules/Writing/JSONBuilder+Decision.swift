import EncircleIdentity
import EncircleText

extension JSONBuilder {
  /// Writes the members of an explained decision. ``DecisionRecord`` writes decisions on streams of events, without strings.
  ///
  /// - Parameters:
  ///   - defaultPages: The excluded pages that the rule set excludes by default; if empty, the member is omitted.
  ///   - track: The events that the rule set selects if no rule matches; if nil, the member is omitted.
  package mutating func members(of decision: Decision, defaultPages: [UTF8String] = [], track: String? = nil) {
    member("selected", decision.isSelected)
    member("event_id", decision.eventID)
    member("rules", decision.rules.map(\.text))
    member("excluded_by", decision.excludedBy.map(\.text))
    member("pages", decision.pages.map(\.text))
    if !defaultPages.isEmpty { member("default_pages", defaultPages.map(\.text)) }
    member("emit", decision.emit.map(\.text))
    member("track", track)
    member(decision.properties)
    member(decision.approximate)
    member("resolution", decision.resolution.rawValue)
  }

  /// Writes the properties that rules give an event, by rule; omits the member if the list is empty.
  package mutating func member(_ properties: [RulePropertyValues]) {
    if !properties.isEmpty { member("properties") { $0.value(properties) } }
  }

  /// Writes the properties that rules give an event, as an object with an object for each rule.
  package mutating func value(_ properties: [RulePropertyValues]) {
    object { json in
      for rule in properties {
        json.member(escaping: rule.rule.text) { json in
          json.object { json in
            for value in rule.values { json.member(escaping: value.name.text) { $0.value(value.value) } }
          }
        }
      }
    }
  }

  /// Writes a value.
  package mutating func value(_ scalar: Scalar) {
    switch scalar {
    case .null: null()
    case .bool(let flag): value(flag)
    case .number(let number): bytes.append(contentsOf: number.description.utf8)
    case .string(let text): value(text.text)
    }
  }
}
