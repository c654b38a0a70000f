import EncircleAuthoring
import EncircleText

/// The part of a decision that many events share; it is stored once, in the table `verdict`.
struct StoredDecision: Hashable, Sendable {
  var isSelected: Bool
  /// The matching include rules, in byte order.
  var rules: [String]
  /// The matching exclude rules, in byte order.
  var excludedBy: [String]
  /// The excluded pages that the event is on.
  var pages: [String]
  /// The names under which the event is selected.
  var emit: [String]

  // Strings that are equal in Swift may differ in their bytes.
  static func == (a: StoredDecision, b: StoredDecision) -> Bool {
    func same(_ a: [String], _ b: [String]) -> Bool { a.elementsEqual(b) { $0.hasSameBytes(as: $1) } }
    return a.isSelected == b.isSelected && same(a.rules, b.rules) && same(a.excludedBy, b.excludedBy)
      && same(a.pages, b.pages) && same(a.emit, b.emit)
  }
}

/// An event to be stored. All times are milliseconds since 1970.
struct EventRow: Sendable {
  /// The time of arrival.
  var received: Int64
  /// The corrected time of the event.
  var time: Int64
  /// The device's time and a hash, which identify a repeat; nil if the SDK did not give the event an identifier.
  var key: (sent: Int64, hash: Int64)?
  var event: String?
  var page: String?
  var distinctID: String?
  var appVersion: String?
  /// The event ID of its element, 32 bytes.
  var element: [UInt8]?
  /// The project to which the event was sent; nil for `default`.
  var project: String?
  var decision: StoredDecision
  /// The properties that rules give the event, as a JSON object with an object for each rule; nil if there are none.
  var properties: String?
  /// The JSON of the event.
  var json: [UInt8]
  /// The platform of the event, as a plan names it; nil if the event does not state it.
  var platform: String?
  /// The faults of its properties according to the plans in force.
  var planFaults: [PlanWatch.Fault] = []
}

/// Bytes that arrived in place of an event.
struct RejectRow: Sendable {
  var received: Int64
  var line: Int
  var code: String
  var reason: String
  var text: [UInt8]
}

/// The events and rejects of one request.
struct EventRowBatch: Sendable {
  var events: [EventRow] = []
  var rejects: [RejectRow] = []
}

/// A stored event.
struct StoredEvent: Sendable {
  let id: Int64
  /// The time under which it is counted, in milliseconds since 1970.
  let at: Int64
  let row: EventRow
}
