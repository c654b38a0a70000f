import EncircleEvents
import EncircleIdentity

/// Determines which of a rule set's styles an event is in.
package struct StyleOfEvents: Sendable {
  private let events: EventStyles
  private let projection: EventProjection

  /// Prepares the styles of a rule set.
  package init(_ ruleSet: RuleSet) {
    var properties = PropertyNumbers()
    events = EventStyles(ruleSet.styles, fields: ruleSet.styles.map { ruleSet.part(of: $0).fields }, &properties)
    projection = EventProjection(properties.references)
  }

  /// Returns the style of an event; nil if it is in none of the rule set's styles.
  package func style(of event: AnalyticsEvent) -> PathStyleName? {
    var projected = ProjectedEvent(projection)
    projected.load(event)
    let number = events.number(of: projected)
    return number < events.styles.count ? events.styles[number] : nil
  }
}

extension SelectionRule {
  /// Returns whether some clause of the rule is for events of a style and of no other.
  package func hasClause(for style: PathStyleName) -> Bool { clauses.contains { $0.style == .only(style) } }
}
