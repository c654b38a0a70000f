import EncircleEvents
import EncircleIdentity

/// Tells of which of a rule set's styles events are.
package struct StyleOfEvents: Sendable {
  private let events: EventStyles
  private let projection: EventProjection

  /// Creates what tells the events of a rule set's styles.
  package init(_ ruleSet: RuleSet) {
    var properties = PropertyNumbers()
    events = EventStyles(ruleSet.styles, fields: ruleSet.styles.map { ruleSet.part(of: $0).fields }, &properties)
    projection = EventProjection(properties.references)
  }

  /// Returns the style of an event; nil if it is of none of the rule set's.
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
