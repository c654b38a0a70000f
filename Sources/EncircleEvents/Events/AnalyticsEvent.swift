import EncircleText

/// An event that a backend makes from its own types, without JSON.
///
/// ```swift
/// let event = AnalyticsEvent(
///   name: "$AppClick", time: 1_767_225_600_000, distinctID: "u1", eventID: nil,
///   properties: ["$screen_name": "HomeViewController", "$app_version": "5.2.1"])
/// let same = try AnalyticsEvent(encoding: myEncodableEvent)
/// ```
public struct AnalyticsEvent: Hashable, Sendable {
  /// All members, in the order of writing.
  public var members: EventObject

  /// Creates an event from its members.
  public init(_ members: EventObject) { self.members = members }

  /// Creates an event with the members that the SDKs' events have by default; nil leaves a member out.
  ///
  /// - Parameters:
  ///   - name: Member `event`.
  ///   - time: Member `time`, in milliseconds since 1970.
  ///   - distinctID: Member `distinct_id`, who caused the event.
  ///   - eventID: Member `event_id`, the identity of the element.
  ///   - properties: Member `properties`.
  ///   - others: Further members, such as other names that a rule set's `fields` give to these.
  public init(
    name: String? = nil, time: Int64? = nil, distinctID: String? = nil, eventID: String? = nil,
    properties: EventObject? = nil, others: EventObject = [:]
  ) {
    members = [:]
    if let name { members.members.append(.init(name: "event", value: .string(name))) }
    if let time { members.members.append(.init(name: "time", value: .number(DecimalNumber(time)))) }
    if let distinctID { members.members.append(.init(name: "distinct_id", value: .string(distinctID))) }
    if let eventID { members.members.append(.init(name: "event_id", value: .string(eventID))) }
    if let properties { members.members.append(.init(name: "properties", value: .object(properties))) }
    members.members += others.members
  }

  /// Reads an event from JSON in UTF-8. Numbers keep their exact value, and a lone surrogate becomes U+FFFD.
  ///
  /// - Parameter json: The bytes, such as an array, a `Data`, or a buffer.
  /// - Throws: A `JSONError` with the offset of the problem; `JSONError.Kind.notAnObject` for another JSON value.
  /// - Complexity: O(*n*), *n* bytes.
  public init(json: some Sequence<UInt8>) throws(JSONError) {
    members = try withContiguousBytes(json) { text throws(JSONError) -> EventObject in
      guard case .object(let members) = try EventValue(json: text) else {
        throw JSONError(.notAnObject, at: JSONTape.skipWhiteSpace(text, from: 0))
      }
      return members
    }
  }

  /// Reads an event from JSON.
  ///
  /// - Throws: As for bytes.
  public init(json: String) throws(JSONError) { try self.init(json: json.utf8) }

  /// The event as JSON in UTF-8, in one line.
  ///
  /// - Complexity: O(*n*), *n* bytes of the result.
  public var json: [UInt8] { EventValue.object(members).json }
}
