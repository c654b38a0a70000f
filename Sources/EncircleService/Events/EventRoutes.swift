import EncircleEvents
import EncircleIdentity
import EncircleText
import Hummingbird
import NIOCore

/// Stored events, and rejects.
struct EventRoutes: RouteGroup {
  let state: ServiceState

  var routes: [Route] {
    [
      Route(method: .get, path: "/v1/events", operation: "listEvents", role: .read) { request, _ in
        let filter = try EventFilter(request)
        let limit = try request.query("limit", in: 1...1_000, default: 100)
        let before = try request.query("before").map { text in
          guard let id = Int64(text), id >= 0 else {
            throw ServiceError.parameter("before", "before must be what an earlier answer gave as next.")
          }
          return id
        }
        return try await state.workers.run {
          let (events, mayBeMore) = try state.events.store.events(
            filter, before: before, limit: limit, bytes: Self.maximumBytes)
          let next = mayBeMore ? events.last?.id : nil
          return JSON.response {
            $0.array("events", events) { event, json in json.object { $0.members(of: event) } }
            // This is a string because it is an opaque place for the next request, not a number to calculate with.
            $0.nullable("next", next.map(String.init))
          }
        }
      },
      Route(method: .get, path: "/v1/events/{id}", operation: "getEvent", role: .read) { _, context in
        guard let id = context.parameters.get("id", as: Int64.self) else {
          throw ServiceError.notFound("The event does not exist, or has been deleted.")
        }
        return try await state.workers.run {
          guard let event = try state.events.store.event(id) else {
            throw ServiceError.notFound("Event \(id) does not exist, or has been deleted.")
          }
          return JSON.response { $0.object("event") { $0.members(of: event) } }
        }
      },
      Route(method: .get, path: "/v1/rejects", operation: "listRejects", role: .read) { request, _ in
        let limit = try request.query("limit", in: 1...1_000, default: 100)
        let offset = try request.query("offset", in: 0...Int(Int32.max), default: 0)
        return try await state.workers.run {
          let found = try state.events.store.rejects(offset: offset, limit: limit, bytes: Self.maximumBytes)
          return try JSON.response(
            RejectList(rejects: found.rows.map { RejectAnswer(id: $0.id, $0.reject) }, total: found.total))
        }
      },
    ]
  }

  /// The maximum size of the events or rejects in an answer, in bytes: a thousand long ones would take a gigabyte.
  private static let maximumBytes = 16 << 20

  private struct RejectList: Encodable {
    var rejects: [RejectAnswer]
    var total: Int
  }

  private struct RejectAnswer: Encodable {
    var id: Int64
    var receivedAt: String
    var line: Int
    var code: String
    var reason: String
    /// The rejected bytes as text; invalid UTF-8 is replaced.
    var text: String

    init(id: Int64, _ reject: RejectRow) {
      self.id = id
      receivedAt = EventText.time(reject.received)
      (line, code, reason) = (reject.line, reject.code, reject.reason)
      text = String(decoding: reject.text, as: UTF8.self)
    }
  }
}

extension EventFilter {
  /// Reads the conditions in a request's query.
  ///
  /// - Throws: ``ServiceError`` with 400.
  init(_ request: Request) throws {
    self.init()
    rule = request.query("rule")
    page = request.query("page")
    distinctID = request.query("distinct_id")
    event = request.query("event")
    project = request.query("project")
    if let text = request.query("event_id") {
      guard let id = EventID(hexadecimal: text) else {
        throw ServiceError.parameter("event_id", "event_id must be 64 hexadecimal digits.")
      }
      element = id.bytes
    }
    if let text = request.query("selected") {
      guard let flag = Bool(text) else { throw ServiceError.parameter("selected", "selected must be true or false.") }
      isSelected = flag
    }
    from = try request.time("from")
    to = try request.time("to")
    if let from, let to, from > to { throw ServiceError.parameter("from", "from must not be later than to.") }
  }
}

extension Request {
  /// Returns the time in a parameter of the query, in milliseconds since 1970; nil if it is missing.
  ///
  /// - Throws: ``ServiceError`` with 400 if it is neither ISO 8601 nor a number of milliseconds or seconds.
  func time(_ name: String) throws -> Int64? {
    guard var text = query(name) else { return nil }
    // A small number is not a time: no question is about the beginning of 1970, and 20260301 is meant as a date.
    if let number = Int64(text), number.magnitude <= 8_640_000_000_000_000, !(1..<100_000_000).contains(number),
      let time = EventTime.wholeMilliseconds(.number(DecimalNumber(number)))
    {
      return time
    }
    if let moment = text.withUTF8({ Timestamp.moment($0) }) { return moment }
    throw ServiceError.parameter(name, "\(name) must be a time such as 2026-11-23T10:00:00Z.")
  }
}
