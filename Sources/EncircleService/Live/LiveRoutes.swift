import EncircleText
import HTTPTypes
import Hummingbird
import NIOCore
import ServiceLifecycle

/// Streams events with their decisions, as they are stored.
///
/// Source of the format: https://html.spec.whatwg.org/multipage/server-sent-events.html
struct LiveRoutes: RouteGroup {
  let state: ServiceState

  var routes: [Route] {
    [
      Route(method: .get, path: "/v1/live", operation: "live", role: .read) { request, _ in
        let filter = try EventFilter(request)
        let last = try Self.lastEvent(request)
        // The watcher subscribes before stored events are read, so no event in between is missed.
        let watcher = try state.events.live.watch(filter)
        var missed: (events: [StoredEvent], missed: Int)?
        if let last {
          missed = try await state.workers.run {
            try state.events.store.events(
              filter, after: last, most: Self.maximumRepeated, bytes: Self.maximumRepeatedBytes)
          }
        }
        let access = state.access
        return Response(
          status: .ok, headers: .eventStream,
          body: ResponseBody { [missed] writer in
            try await withGracefulShutdownHandler {
              defer { state.events.live.leave(watcher) }
              try await Self.send(watcher, after: missed, to: &writer) { await access.stillHas(.read, request) }
            } onGracefulShutdown: {
              state.events.live.end()
            }
          })
      }
    ]
  }

  private static let heartbeat = Duration.seconds(5)
  /// The maximum number of events, and of their bytes, that are sent to a client that reconnects.
  private static let maximumRepeated = 1_000
  private static let maximumRepeatedBytes = 4 << 20

  /// Returns the last event that the client has received: browsers send it in the header when they reconnect, and pages in the parameter.
  private static func lastEvent(_ request: Request) throws -> Int64? {
    if let text = HTTPField.Name("Last-Event-ID").flatMap({ request.headers[$0] }) {
      // A text that is not the id of an event is ignored.
      return Int64(text).flatMap { $0 >= 0 ? $0 : nil }
    }
    return try request.query("last_event_id", in: 0...Int.max).map { Int64($0) }
  }

  private static func send(
    _ watcher: LiveHub.Watcher, after missed: (events: [StoredEvent], missed: Int)?,
    to writer: inout any ResponseBodyWriter,
    while isAllowed: () async -> Bool
  ) async throws {
    // The head goes out with the first bytes of the body.
    var first = Array(": events as they are stored\n\n".utf8)
    if let missed {
      write(missed: missed.missed, to: &first)
      for event in missed.events { write(event, to: &first) }
    }
    try await writer.write(ByteBuffer(bytes: first))
    let last = missed?.events.last?.id ?? .min
    while !watcher.hasEnded, !Task.isCancelled {
      // A disconnected client is noticed when something is sent to it.
      let items = await watcher.next(within: heartbeat)
      guard await isAllowed() else { break }
      var bytes: [UInt8] = []
      for item in items {
        switch item {
        case .lost(let count): write(missed: count, to: &bytes)
        case .event(let event): if event.id > last { write(event, to: &bytes) }
        }
      }
      if bytes.isEmpty { bytes += ": \n\n".utf8 }
      try await writer.write(ByteBuffer(bytes: bytes))
    }
    try await writer.finish(nil)
  }

  private static func write(_ event: StoredEvent, to bytes: inout [UInt8]) {
    var json = JSONBuilder()
    json.object { $0.members(of: event) }
    bytes += "id: \(event.id)\nevent: decision\ndata: ".utf8 + json.bytes + "\n\n".utf8
  }

  private static func write(missed count: Int, to bytes: inout [UInt8]) {
    if count > 0 { bytes += "event: missed\ndata: {\"missed\":\(count)}\n\n".utf8 }
  }
}

extension HTTPFields {
  /// The header of a stream of server-sent events. The last field asks nginx not to buffer the stream.
  static let eventStream: HTTPFields = [
    .contentType: "text/event-stream; charset=utf-8", .cacheControl: "no-store",
    HTTPField.Name("X-Accel-Buffering")!: "no",
  ]
}
