/// The part of a decision that many events have in common; it is stored once.
public struct Verdict: Hashable, Sendable {
  public var isSelected: Bool
  /// The include rules that match; in byte order.
  public var rules: [String]
  /// The exclude rules that match; in byte order.
  public var excludedBy: [String]
  /// The excluded pages that the event is on.
  public var pages: [String]
  /// The names under which the event is selected.
  public var emit: [String]

  public init(isSelected: Bool, rules: [String], excludedBy: [String], pages: [String], emit: [String]) {
    self.isSelected = isSelected
    self.rules = rules
    self.excludedBy = excludedBy
    self.pages = pages
    self.emit = emit
  }

  // Strings that Swift takes for equal may differ in their bytes.
  public static func == (a: Verdict, b: Verdict) -> Bool {
    func same(_ a: [String], _ b: [String]) -> Bool { a.elementsEqual(b) { $0.utf8.elementsEqual($1.utf8) } }
    return a.isSelected == b.isSelected && same(a.rules, b.rules) && same(a.excludedBy, b.excludedBy)
      && same(a.pages, b.pages) && same(a.emit, b.emit)
  }
}

/// An event to be stored. All times are milliseconds since 1970.
public struct EventRow: Sendable {
  /// When it arrived.
  public var received: Int64
  /// When it happened, corrected.
  public var time: Int64
  /// The device's time and a number by which a repeat is recognised; nil if the event has none.
  public var key: (sent: Int64, hash: Int64)?
  public var event: String?
  public var page: String?
  public var distinctID: String?
  public var appVersion: String?
  /// The event ID of its element, 32 bytes.
  public var element: [UInt8]?
  /// The project to which it was sent; nil for `default`.
  public var project: String?
  public var verdict: Verdict
  /// The properties that rules give it, as a JSON object with an object for each rule; nil if there are none.
  public var properties: String?
  /// The event.
  public var json: [UInt8]

  public init(
    received: Int64, time: Int64, key: (sent: Int64, hash: Int64)?, event: String?, page: String?, distinctID: String?,
    appVersion: String?, element: [UInt8]?, project: String? = nil, verdict: Verdict, properties: String? = nil,
    json: [UInt8]
  ) {
    self.properties = properties
    self.project = project
    self.received = received
    self.time = time
    self.key = key
    self.event = event
    self.page = page
    self.distinctID = distinctID
    self.appVersion = appVersion
    self.element = element
    self.verdict = verdict
    self.json = json
  }
}

/// Bytes that arrived in place of an event.
public struct RejectRow: Sendable {
  public var received: Int64
  public var line: Int
  public var code: String
  public var reason: String
  public var text: [UInt8]

  public init(received: Int64, line: Int, code: String, reason: String, text: [UInt8]) {
    self.received = received
    self.line = line
    self.code = code
    self.reason = reason
    self.text = text
  }
}

/// The events and rejects of one request.
public struct EventRowBatch: Sendable {
  public var events: [EventRow]
  public var rejects: [RejectRow]

  public init(events: [EventRow] = [], rejects: [RejectRow] = []) {
    self.events = events
    self.rejects = rejects
  }
}

/// An event that is stored.
public struct StoredEvent: Sendable {
  public let id: Int64
  public let row: EventRow

  public init(id: Int64, row: EventRow) {
    self.id = id
    self.row = row
  }
}

/// The limits of retention: events beyond any of them are deleted.
public struct EventLimits: Sendable {
  /// Days since an event was received.
  public var days: Int
  /// All events together.
  public var rows: Int
  /// The most bytes that they take on disk, counters included.
  public var bytes: Int

  public init(days: Int = 30, rows: Int = 1_000_000, bytes: Int = 8 << 30) {
    self.days = days
    self.rows = rows
    self.bytes = bytes
  }
}
