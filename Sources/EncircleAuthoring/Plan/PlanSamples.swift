import EncircleEvents
import EncircleRuleFiles
import EncircleRules
import EncircleText

/// Samples of events that a plan does not mention, so that they can be added to it.
///
/// Texts are kept only if several people have sent them, because a text that only one person has sent may be private.
package struct PlanSamples: Sendable {
  /// Bounds the memory that a stream takes.
  private enum Limits {
    static let names = 10_000
    static let properties = 100
    static let allProperties = 100_000
    static let keyLength = 200
  }

  /// A property is suggested as required if at least this number of events was seen and all of them have it.
  static let minimumForRequired = 1_000
  /// A property is suggested to have a fixed set of values if there are at most this many, in at least ``minimumForValues`` events, each
  /// from at least ``minimumPeople`` people.
  static let maximumValues = 20
  static let minimumForValues = 100
  static let minimumPeople = 3
  /// The longest of such values, in bytes.
  static let longestValue = 64

  fileprivate struct Property: Sendable {
    var count = 0
    var types: Set<PlannedProperty.ValueType> = []
    var hasLists = false
    var hasSingles = false
    // This is true if the property has values of a type that plans do not have, or too many texts for a fixed set.
    var hasOthers = false
    var hasTooMany = false
    var values: [UTF8String: Set<UInt64>] = [:]
  }

  private struct Event: Sendable {
    var count = 0
    var platforms: Set<PlannedEvent.Platform> = []
    var properties: [UTF8String: Property] = [:]
  }

  private var events: [UTF8String: Event] = [:]
  private var propertyCount = 0

  init() {}

  /// Adds an event under a name.
  ///
  /// - Parameter given: The values that rules give it, which count rather than its own.
  mutating func add(
    _ name: UTF8String, _ event: AnalyticsEvent, _ platform: PlannedEvent.Platform?, person: UInt64,
    given: [UTF8String: Scalar]
  ) {
    guard events[name] != nil || events.count < Limits.names else { return }
    events[name, default: Event()].count += 1
    if let platform { events[name]?.platforms.insert(platform) }
    for (key, value) in given { note(name, key, value.value, person) }
    for container in ["properties", "attributes"] {
      guard case .object(let object)? = event.members[container] else { continue }
      for member in object.members {
        let key = UTF8String(member.name)
        // The SDK's own properties are not part of a plan.
        if member.name.utf8.first == UInt8(ascii: "$") || given[key] != nil { continue }
        let reference = PropertyReference.text(ofKey: member.name, in: container)
        note(name, UTF8String(reference), member.value, person)
      }
    }
  }

  private mutating func note(_ name: UTF8String, _ key: UTF8String, _ value: EventValue, _ person: UInt64) {
    guard value != .null, !key.text.isEmpty, key.text.utf8.count <= Limits.keyLength else { return }
    if events[name]?.properties[key] == nil {
      guard let event = events[name], event.properties.count < Limits.properties,
        propertyCount < Limits.allProperties
      else { return }
      propertyCount += 1
    }
    events[name]?.properties[key, default: Property()].add(value, person)
  }

  // MARK: - Items of a plan

  /// Returns items for the events that were seen and that the plan does not mention, ordered by name.
  ///
  /// - Parameter names: The names to return; nil for all.
  package func items(for plan: TrackingPlan, _ names: Set<UTF8String>? = nil) -> [EventObject] {
    events.keys.sorted().compactMap { name in
      guard let event = events[name], names?.contains(name) ?? true else { return nil }
      let entry = plan.entry(of: name)
      guard !(entry?.isPlanned ?? false) else { return nil }
      var item: EventObject = ["event": .string(name.text)]
      let platforms = event.platforms.sorted()
      if !platforms.isEmpty { item["platforms"] = .list(platforms.map { .string($0.rawValue) }) }
      let tracking: PlannedEvent.Tracking = entry?.isEmitted ?? false ? .circled : .code
      item["tracking"] = .string(tracking.rawValue)
      let properties = event.properties.sorted { $0.key < $1.key }
      if !properties.isEmpty {
        item["properties"] = .list(properties.map { .object(Self.item($0.key, $0.value, of: event.count)) })
      }
      return item
    }
  }

  /// Returns the text of a plan with further events. An empty text becomes a new plan.
  package static func appending(
    _ items: [EventObject], to text: String, name: String
  ) throws(RuleFileErrors) -> String {
    try RuleListEdit.applying([:], appending: items, toListAt: "events", keys: PlanKeys.event, in: text, name: name)
  }

  private static func item(_ key: UTF8String, _ property: Property, of events: Int) -> EventObject {
    var item: EventObject = ["property": .string(key.text)]
    if let type = property.type { item["type"] = .string(type.rawValue) }
    if property.isList { item["list"] = .bool(true) }
    if events >= minimumForRequired, property.count == events { item["required"] = .bool(true) }
    let values = property.knownValues
    if !values.isEmpty { item["values"] = .list(values.map { .string($0.text) }) }
    return item
  }
}

extension PlanSamples.Property {
  fileprivate mutating func add(_ value: EventValue, _ person: UInt64) {
    count += 1
    guard case .list(let items) = value else {
      hasSingles = true
      return addItem(value, person)
    }
    hasLists = true
    for item in items { addItem(item, person) }
  }

  private mutating func addItem(_ value: EventValue, _ person: UInt64) {
    switch value {
    case .null: break
    case .bool: types.insert(.boolean)
    case .number: types.insert(.number)
    case .string(let text):
      types.insert(Timestamp.parse(text) == nil ? .string : .datetime)
      keep(text, person)
    case .list, .object: hasOthers = true
    }
  }

  private mutating func keep(_ text: String, _ person: UInt64) {
    guard !hasTooMany else { return }
    let value = UTF8String(text)
    if text.utf8.count > PlanSamples.longestValue || (values[value] == nil && values.count >= PlanSamples.maximumValues)
    {
      hasTooMany = true
      values = [:]
      return
    }
    // Events that identify nobody may all be from one person.
    let people = PersonHashes.isIdentified(person) ? [person] : []
    // More people than needed add no information.
    if values[value]?.count ?? 0 < PlanSamples.minimumPeople { values[value, default: []].formUnion(people) }
  }

  /// The type of all values; nil if they have several. If some texts are dates and others are not, the type is text.
  fileprivate var type: PlannedProperty.ValueType? {
    if hasOthers || (hasLists && hasSingles) { return nil }
    if types == [.string, .datetime] { return .string }
    return types.count == 1 ? types.first : nil
  }

  fileprivate var isList: Bool { hasLists && !hasSingles }

  /// The allowed texts; empty unless each was sent often enough, by several people.
  fileprivate var knownValues: [UTF8String] {
    guard type == .string, !hasTooMany, count >= PlanSamples.minimumForValues,
      values.values.allSatisfy({ $0.count >= PlanSamples.minimumPeople })
    else { return [] }
    return values.keys.sorted()
  }
}
