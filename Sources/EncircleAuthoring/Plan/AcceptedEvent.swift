import EncircleEvents
import EncircleRuleFiles
import EncircleRules
import EncircleText

/// An event of a checklist as shown to people: planned properties with their values, but no other texts, because they may be private.
struct AcceptedEvent {
  private let event: AnalyticsEvent
  private let planned: PlannedEvent
  private let given: [UTF8String: Scalar]

  private static let longestText = 200
  private static let maximumMembers = 100

  init(_ event: AnalyticsEvent, _ planned: PlannedEvent, given: [UTF8String: Scalar]) {
    (self.event, self.planned, self.given) = (event, planned, given)
  }

  /// The places in an event that identify the device for people.
  private static let devicePlaces: [[PropertyReference]] = [
    ["$manufacturer", "$brand"], ["$model"], ["$os"], ["$os_version"],
  ].map { $0.compactMap { PropertyReference(parsing: $0) } }

  /// Returns the device of an event, such as `Apple iPhone15,2 iOS 17.2`; empty if the event does not state it.
  static func device(_ event: AnalyticsEvent) -> String {
    let words = devicePlaces.compactMap { places -> String? in
      places.lazy.compactMap { place in
        if case .string(let text)? = event.value(at: place), !text.isEmpty, text.utf8.count <= 64 { text } else { nil }
      }.first
    }
    return words.joined(separator: " ")
  }

  /// Describes a fault of a property, with the value that the event has.
  func problem(_ fault: PlanTally.Fault) -> String {
    let property = planned.properties[fault.property]
    let value = value(of: property).map { Self.shown($0) }
    return "\(property.property): \(fault.violation.text(property.type, isList: property.isList, value: value))"
  }

  private func value(of property: PlannedProperty) -> EventValue? {
    if let value = given[property.property] { return value.value }
    let reference = PropertyReference(parsing: property.property.text) ?? .property(property.property)
    return event.value(at: reference)
  }

  private static func shown(_ value: EventValue) -> String {
    VisibleText.shortened(String(decoding: value.json, as: UTF8.self), columns: longestText)
  }

  /// The properties as JSON. The SDK's own are left out, and values of properties that are not planned are masked if they are
  /// texts, lists or objects.
  var json: String {
    var object = EventObject()
    let keys = Set(planned.properties.map(\.property))
    for property in planned.properties {
      if let value = given[property.property] { object[property.property.text] = value.value }
    }
    for container in ["properties", "attributes"] {
      guard case .object(let members)? = event.members[container] else { continue }
      for member in members.members.prefix(Self.maximumMembers) {
        let key = UTF8String(member.name)
        // A property is read from the first container that has it.
        guard member.name.utf8.first != UInt8(ascii: "$"), given[key] == nil, object[member.name] == nil else {
          continue
        }
        object[member.name] = keys.contains(key) ? member.value : Self.masked(member.value)
      }
    }
    return Self.shown(.object(object))
  }

  private static func masked(_ value: EventValue) -> EventValue {
    switch value {
    case .string: .string("(text)")
    case .list: .string("(list)")
    case .object: .string("(object)")
    case .null, .bool, .number: value
    }
  }
}
