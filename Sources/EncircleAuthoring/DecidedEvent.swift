import EncircleEvents
import EncircleRules

/// An event, and the decision of rules about it.
package struct DecidedEvent: Sendable {
  package let event: AnalyticsEvent
  package let decision: Decision

  package init(event: AnalyticsEvent, decision: Decision) { (self.event, self.decision) = (event, decision) }
}

extension Decider {
  /// Returns the event that a reader has returned last, with its decision; nil if it was not an event.
  mutating func decided(eventOf reader: borrowing EventReader) -> DecidedEvent? {
    guard let event = reader.withEvent({ try? AnalyticsEvent(json: Array($0)) }) else { return nil }
    return DecidedEvent(event: event, decision: decide(eventOf: reader))
  }

  /// Returns an event with its decision.
  mutating func decided(_ event: AnalyticsEvent) -> DecidedEvent {
    DecidedEvent(event: event, decision: decide(event))
  }
}
