import EncircleEvents
import EncircleRuleFiles
import EncircleRules
import EncircleText

/// An event as an import changes it: the new content of its item in the plan.
struct PlanDraft: Sendable {
  /// The event before the import; a new event has only its name.
  let entry: TrackingPlan.Entry
  /// This is true if neither the plan nor rules had the event.
  let isNew: Bool
  /// The members of the item that change; a value of nil removes the member.
  var facts: [(key: String, value: EventValue?)] = []
  /// The facts about properties, by their keys in events.
  var properties: [UTF8String: PropertyDraft] = [:]
  /// The properties that are new, in their order.
  var newProperties: [UTF8String] = []

  struct PropertyDraft: Sendable {
    var facts: [(key: String, value: EventValue?)] = []
    var isRemoved = false
  }

  init(_ entry: TrackingPlan.Entry, isNew: Bool) { (self.entry, self.isNew) = (entry, isNew) }

  var isChanged: Bool { !facts.isEmpty || !properties.isEmpty || isNew }

  /// Returns the item of the plan with the changes applied.
  ///
  /// - Parameter item: The item as it is; nil if there is none.
  func applied(to item: EventObject?) -> EventObject {
    var result = item ?? ["event": .string(entry.event.text)]
    for (key, value) in facts { result[key] = value }
    if !properties.isEmpty {
      var list: [EventValue] = []
      if case .list(let old)? = result["properties"] { list = old }
      let known = entry.planned?.properties ?? []
      var kept: [EventValue] = []
      for (i, value) in list.enumerated() {
        guard i < known.count, let draft = properties[known[i].property], case .object(var object) = value else {
          kept.append(value)
          continue
        }
        if draft.isRemoved { continue }
        for (key, value) in draft.facts { object[key] = value }
        kept.append(.object(object))
      }
      for name in newProperties {
        guard let draft = properties[name], !draft.isRemoved else { continue }
        var object: EventObject = ["property": .string(name.text)]
        for (key, value) in draft.facts where value != nil { object[key] = value }
        kept.append(.object(Self.ordered(object, PlanKeys.property)))
      }
      result["properties"] = kept.isEmpty ? nil : .list(kept)
    }
    return item == nil ? Self.ordered(result, PlanKeys.event) : result
  }

  private static func ordered(_ object: EventObject, _ keys: [String]) -> EventObject {
    func rank(_ name: String) -> Int { keys.firstIndex { $0.hasSameBytes(as: name) } ?? keys.count }
    return EventObject(object.members.sorted { rank($0.name) < rank($1.name) })
  }
}
