import EncircleEvents
import EncircleRules
import EncircleText

/// Events as the official command of Sensors takes their metadata: an array with an object for each event.
struct SensorsMetadata {
  private var order: [UTF8String] = []
  private var events: [UTF8String: Event] = [:]

  private struct Event {
    var rule: SelectionRule
    var platforms: [String] = []
  }

  /// - Parameter rows: The rows of rules; only the written ones count.
  init(_ rows: [ExportReport.Row], _ ruleSet: RuleSet) {
    for row in rows where row.isWritten {
      let rule = ruleSet.rules[row.order]
      for name in rule.names {
        let key = UTF8String(name)
        if events[key] == nil { order.append(key) }
        let platform = row.target == "ios" ? "IOS" : row.target == "android" ? "ANDROID" : "WEB"
        if events[key, default: Event(rule: rule)].platforms.contains(platform) { continue }
        events[key, default: Event(rule: rule)].platforms.append(platform)
      }
    }
  }

  var count: Int { order.count }

  var json: EventValue {
    .list(order.compactMap { name in events[name].map { Self.json(name, $0) } })
  }

  private static func json(_ name: UTF8String, _ event: Event) -> EventValue {
    let rule = event.rule
    var object: EventObject = [
      "event_name": .string(name.text), "display_name": .string(rule.name ?? name.text),
      "platform": .list(event.platforms.map { .string($0) }),
    ]
    if let trigger = rule.clauses.first.flatMap({ PlanTrigger.text($0, .sensors) }) {
      object["trigger_timing"] = .string(trigger)
    }
    if let summary = rule.summary { object["remark"] = .string(summary) }
    object["properties"] = .list(
      rule.properties.map { property in
        .object([
          "property_name": .string(property.name.text), "property_display_name": .string(property.name.text),
          "data_type": property.type == .number ? "NUMBER" : "STRING",
        ])
      })
    return .object(object)
  }
}
