import EncircleEvents
import EncircleRules
import EncircleText
import Foundation

/// Events that an app reports while it is circled, with the decisions of the published rules, as JSON in the form of stored events.
enum LiveEvents {
  /// - Complexity: O(rules + length of the events).
  static func json(of events: [EventObject], by rules: PublishedRuleSet?, at now: Date) -> [[UInt8]] {
    guard !events.isEmpty else { return [] }
    var decider = Decider(rules?.matcher ?? Matcher(RuleSet()), cacheLimit: 0)
    let received = EventText.time(Int64((now.timeIntervalSince1970 * 1_000).rounded()))
    return events.map { members in
      let event = AnalyticsEvent(members)
      return json(of: event, decider.decide(event), received: received)
    }
  }

  private static func json(of event: AnalyticsEvent, _ decision: Decision, received: String) -> [UInt8] {
    func text(_ field: EventFields.Field) -> String? {
      if case .string(let text)? = event.value(of: field, EventFields()) { text } else { nil }
    }
    var json = JSONBuilder()
    json.object {
      $0.member("received_at", received)
      $0.member("time", time(of: event) ?? received)
      $0.nullable("event", text(.event))
      $0.nullable("page", text(.page))
      $0.nullable("distinct_id", text(.distinctID))
      $0.nullable("app_version", text(.appVersion))
      $0.nullable("event_id", decision.eventID?.description)
      $0.members(of: StoredDecision(decision))
      $0.member(decision.properties)
      $0.member("event_json", json: event.json)
    }
    return json.bytes
  }

  private static func time(of event: AnalyticsEvent) -> String? {
    guard let value = event.value(of: .time, EventFields()), let number = EventTime.milliseconds(value),
      let time = Double(number.description), (0...253_402_300_799_999).contains(time)
    else { return nil }
    return EventText.time(Int64(time))
  }
}
