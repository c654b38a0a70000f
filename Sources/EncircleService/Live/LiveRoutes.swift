import EncircleText
import Hummingbird
import NIOCore
import ServiceLifecycle

/// Events with their decisions, as they are stored.
///
/// Source of the format: https://html.spec.whatwg.org/multipage/server-sent-events.html
struct LiveRoutes: RouteGroup {
  let state: ServiceState

  var routes: [Route] {
    [
      Route(method: .get, path: "/v1/live", operation: "live", role: .read) { request, _ in
        let watcher = try state.events.live.watch(EventFilter(request))
        let access = state.access
        return Response(
          status: .ok,
          headers: [.contentType: "text/event-stream; charset=utf-8", .cacheControl: "no-store"],
          body: ResponseBody { writer in
            try await withGracefulShutdownHandler {
              defer { state.events.live.leave(watcher) }
              try await Self.send(watcher, to: &writer) { await access.stillHas(.read, request) }
            } onGracefulShutdown: {
              state.events.live.end()
            }
          })
      }
    ]
  }

  private static let heartbeat = Duration.seconds(5)

  private static func send(
    _ watcher: LiveHub.Watcher, to writer: inout any ResponseBodyWriter, while isAllowed: () async -> Bool
  ) async throws {
    // The head goes out with the first bytes of the body.
    try await writer.write(ByteBuffer(string: ": events as they are stored\n\n"))
    while !watcher.hasEnded, !Task.isCancelled {
      // A client that is gone is noticed when something is sent to it.
      let items = await watcher.next(within: heartbeat)
      guard await isAllowed() else { break }
      var bytes: [UInt8] = []
      for item in items {
        switch item {
        case .lost(let count): bytes += "event: lost\ndata: {\"lost\":\(count)}\n\n".utf8
        case .event(let event):
          var json = JSONBuilder()
          json.object { $0.members(of: event) }
          bytes += "id: \(event.id)\nevent: decision\ndata: ".utf8 + json.bytes + "\n\n".utf8
        }
      }
      if items.isEmpty { bytes += ": \n\n".utf8 }
      try await writer.write(ByteBuffer(bytes: bytes))
    }
    try await writer.finish(nil)
  }
}
