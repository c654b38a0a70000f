import EncircleEvents
import EncircleRules
import EncircleText
import Foundation

/// Events that an app tells about while it is circled, with what the published rules say, as JSON like that of stored ones.
enum LiveEvents {
  /// - Complexity: O(rules + length of the events).
  static func json(of events: [EventObject], by rules: PublishedRuleSet?, at now: Date) -> [[UInt8]] {
    guard !events.isEmpty else { return [] }
    var decider = Decider(rules?.matcher ?? Matcher(RuleSet()), cacheLimit: 0)
    let received = now.formatted(Date.ISO8601FormatStyle(includingFractionalSeconds: true))
    return events.map { members in
      let event = AnalyticsEvent(members)
      return json(of: event, decider.decide(event), received: received)
    }
  }

  private static func json(of event: AnalyticsEvent, _ decision: Decision, received: String) -> [UInt8] {
    var json: [UInt8] = Array("{\"received_at\":\"\(received)\"".utf8)
    func member(_ name: StaticString, _ text: String?) {
      json += ",\"\(name)\":".utf8
      if let text { JSONText.append(text, to: &json) } else { json += "null".utf8 }
    }
    func list(_ name: StaticString, _ texts: [UTF8String]) {
      json += ",\"\(name)\":[".utf8
      for (i, text) in texts.enumerated() {
        if i > 0 { json.append(UInt8(ascii: ",")) }
        JSONText.append(text.text, to: &json)
      }
      json.append(UInt8(ascii: "]"))
    }
    func text(_ field: EventFields.Field) -> String? {
      if case .string(let text)? = event.value(of: field, EventFields()) { text } else { nil }
    }
    member("time", time(of: event) ?? received)
    member("event", text(.event))
    member("page", text(.page))
    member("distinct_id", text(.distinctID))
    member("app_version", text(.appVersion))
    member("event_id", decision.eventID?.description)
    json += ",\"selected\":\(decision.isSelected)".utf8
    list("rules", decision.rules)
    list("excluded_by", decision.excludedBy)
    list("emit", decision.emit)
    json += ",\"event_json\":".utf8
    json += event.json
    json.append(UInt8(ascii: "}"))
    return json
  }

  private static func time(of event: AnalyticsEvent) -> String? {
    guard let value = event.value(of: .time, EventFields()), let number = EventTime.milliseconds(value),
      let time = Double(number.description), (0...253_402_300_799_999).contains(time)
    else { return nil }
    return Date(timeIntervalSince1970: time / 1_000).formatted(
      Date.ISO8601FormatStyle(includingFractionalSeconds: true))
  }
}
