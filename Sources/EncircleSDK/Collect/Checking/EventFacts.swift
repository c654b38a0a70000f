import EncircleEvents
import EncircleRules
import EncircleText

/// The checked facts that are read from each event.
struct EventFacts {
  /// The time of the event by the device's clock, in milliseconds since 1970.
  var time: Int64?
  /// The name of the member that holds the time; nil if the time is deeper in the event.
  var timeMember: String?
  /// The milliseconds between the event and its request; nil if the event has a time.
  var offset: Int64?
  /// The time of sending by the device's clock.
  var flushTime: Int64?
  /// This is true if the event's time was corrected before.
  var isCorrected: Bool
  var key: EventKey?
  var fields: [String?]

  /// The longest name or identifier, in bytes.
  private static let nameLimit = 1_024

  /// - Throws: ``EventProblem``.
  init(_ text: UnsafeBufferPointer<UInt8>, _ tape: JSONTape, _ plan: CollectPlan) throws(EventProblem) {
    var kind = RecordKind.event
    // Events of the other SDKs always have a name and a person.
    var isNamed = plan.sdk != .sensors
    // HubbleData's records name an element by its ID, and have the kind of the tap as their type.
    func isOfElement() -> Bool {
      ["eventId", "event_id"].contains { (member: StaticString) in
        tape.member(member, of: 0, in: text).map { tape[$0].kind == .string } ?? false
      }
    }
    if plan.sdk == .sensors, let node = tape.member("type", of: 0, in: text) {
      let known = tape[node].kind == .string ? RecordKind(tape.string(node, in: text)) : nil
      guard known != nil || isOfElement() else {
        throw .value("type", "track, track_signup, profile_set, item_set, or another type of the protocol")
      }
      kind = known ?? .event
      isNamed = known != nil
    }
    if let node = tape.member("properties", of: 0, in: text), tape[node].kind != .object {
      throw .value("properties", "an object")
    }
    (time, timeMember) = try Self.time(text, tape, plan)
    flushTime = try? Self.milliseconds("_flush_time", text, tape)
    isCorrected = tape.member(Self.mark, of: 0, in: text) != nil
    fields = Self.fields(text, tape, plan)
    switch kind {
    case .event: try Self.check(.event, named: plan.sdk.eventMember, isNeeded: isNamed || !isOfElement(), fields)
    case .profile: break
    case .item:
      for member: StaticString in ["item_type", "item_id"] {
        guard let node = tape.member(member, of: 0, in: text), tape[node].kind == .string, !tape[node].range.isEmpty
        else { throw .missing("\(member)") }
      }
    }
    if kind != .item { try Self.check(.distinctID, named: plan.sdk.personMember, isNeeded: isNamed, fields) }
    key = kind == .item ? Self.itemKey(text, tape, time) : Self.key(text, tape, time, fields, plan.sdk)
    if time == nil, let member = plan.sdk.offsetMember, let node = tape.member(member, of: 0, in: text) {
      // The offset is limited to a year (366 days), so the time cannot overflow.
      offset = tape.number(node, in: text).flatMap { Double($0.description) }.flatMap { number in
        (0...31_622_400_000).contains(number) ? Int64(number) : nil
      }
    }
  }

  /// The range of a JavaScript `Date`, in milliseconds since 1970. Other languages can read these times, too.
  static let dates: ClosedRange<Int64> = -8_640_000_000_000_000...8_640_000_000_000_000

  private static let mark: StaticString = "_time_correction"

  private static func check(
    _ field: CollectPlan.Field, named name: String, isNeeded: Bool, _ fields: [String?]
  ) throws(EventProblem) {
    guard let value = fields[field.rawValue], !value.isEmpty else {
      if isNeeded { throw .missing(name) }
      return
    }
    guard value.utf8.count <= nameLimit else { throw .value(name, "of no more than \(nameLimit) bytes") }
  }

  /// Returns the time in the first place that holds one. A member `time` must hold a time; otherwise the event is refused.
  private static func time(
    _ text: UnsafeBufferPointer<UInt8>, _ tape: JSONTape, _ plan: CollectPlan
  ) throws(EventProblem) -> (Int64?, member: String?) {
    for place in plan.timePlaces {
      guard let node = tape.find(place, in: text) else { continue }
      let member = place.memberOfEvent
      if let time = milliseconds(node, text, tape) { return (time, member) }
      if let member, member.hasSameBytes(as: "time") {
        throw .value(member, "milliseconds or seconds since 1970, or a date and time of ISO 8601")
      }
    }
    return (nil, nil)
  }

  /// Returns a value as milliseconds since 1970; nil if it is not a time.
  private static func milliseconds(_ node: Int, _ text: UnsafeBufferPointer<UInt8>, _ tape: JSONTape) -> Int64? {
    let value: EventValue
    switch tape[node].kind {
    case .number: value = .number(tape.number(node, in: text) ?? 0)
    case .string:
      let time = tape.string(node, in: text)
      // A date without a time of day is not the time of an event.
      guard time.utf8.count > "2026-03-02".utf8.count else { return nil }
      value = .string(time)
    default: return nil
    }
    guard let time = EventTime.wholeMilliseconds(value), dates.contains(time) else { return nil }
    return time
  }

  /// Returns the whole number of milliseconds in a member; nil if the member is missing.
  private static func milliseconds(
    _ member: StaticString, _ text: UnsafeBufferPointer<UInt8>, _ tape: JSONTape
  ) throws(EventProblem) -> Int64? {
    guard let node = tape.member(member, of: 0, in: text) else { return nil }
    guard let number = tape.number(node, in: text), let value = Int64(number.description), dates.contains(value)
    else { throw .value("\(member)", "a whole number of milliseconds since 1970") }
    return value
  }

  /// Returns the fields by their raw values.
  static func fields(_ text: UnsafeBufferPointer<UInt8>, _ tape: JSONTape, _ plan: CollectPlan) -> [String?] {
    CollectPlan.Field.allCases.map { field in
      for (i, place) in (plan.places[field] ?? []).enumerated() {
        // If an event has no name but the type of a tap, it gets the name of a tap.
        if field == .event, i == 1, let shape = plan.tapShape, isTap(shape, text, tape) { return shape.tapName }
        guard let node = tape.find(place, in: text) else { continue }
        switch tape[node].kind {
        case .string:
          let value = tape.string(node, in: text)
          // SQLite ends a text at a NUL character. In JSON, this character is always an escape.
          return tape[node].hasEscapes ? value.replacingBytes(of: "\0", with: "\u{FFFD}") : value
        case .number: return String(decoding: text.part(tape[node].range), as: UTF8.self)
        default: return nil
        }
      }
      return nil
    }
  }

  private static func isTap(_ shape: EventShape, _ text: UnsafeBufferPointer<UInt8>, _ tape: JSONTape) -> Bool {
    shape.tapTypePlaces.contains { place in
      guard let node = tape.find(place, in: text), tape[node].kind == .string else { return false }
      return EventShape.isTapType(tape.string(node, in: text))
    }
  }

  private static func key(
    _ text: UnsafeBufferPointer<UInt8>, _ tape: JSONTape, _ time: Int64?, _ fields: [String?], _ sdk: CollectProtocol
  ) -> EventKey? {
    guard let node = tape.member(sdk.numberMember, of: 0, in: text), [.number, .string].contains(tape[node].kind),
      // For PostHog the UUID is enough, because events of browsers may have no time.
      let time = time ?? (sdk == .postHog ? 0 : nil)
    else { return nil }
    let parts = [CollectPlan.Field.event, .distinctID].map { Array((fields[$0.rawValue] ?? "").utf8)[...] }
    return EventKey(time: time, parts: parts + [Array(text.part(tape[node].range))[...]])
  }

  /// Returns the key of an item, which is made of the parts that are the same in every attempt to send it.
  private static func itemKey(_ text: UnsafeBufferPointer<UInt8>, _ tape: JSONTape, _ time: Int64?) -> EventKey {
    let members: [StaticString] = ["type", "item_type", "item_id", "properties"]
    return EventKey(
      time: time ?? 0,
      parts: members.map { member in
        guard let node = tape.member(member, of: 0, in: text) else { return [] }
        return Array(text.part(tape[node].range))[...]
      })
  }
}
