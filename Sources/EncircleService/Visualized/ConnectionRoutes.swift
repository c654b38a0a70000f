import EncircleAuthoring
import EncircleSDK
import EncircleText
import Foundation
import Hummingbird
import NIOCore
import ServiceLifecycle

/// Routes for connections with running apps, which the page uses.
struct ConnectionRoutes: RouteGroup {
  let state: ServiceState

  var routes: [Route] {
    [
      Route(method: .post, path: "/v1/connections", operation: "openConnection", role: .author, handler: open),
      Route(method: .get, path: "/v1/connections", operation: "listConnections", role: .read, handler: list),
      Route(method: .get, path: "/v1/connections/{id}", operation: "getConnection", role: .read, handler: get),
      Route(
        method: .delete, path: "/v1/connections/{id}", operation: "endConnection", role: .author, handler: remove),
      Route(
        method: .get, path: "/v1/connections/{id}/screenshot", operation: "getLiveScreenshot", role: .read,
        handler: screenshot),
      Route(
        method: .get, path: "/v1/connections/{id}/stream", operation: "followConnection", role: .read,
        handler: stream),
      Route(
        method: .post, path: "/v1/connections/{id}/hold", operation: "holdScreen", role: .author, handler: hold),
      Route(
        method: .post, path: "/v1/connections/{id}/keep", operation: "keepScreen", role: .author, handler: keep),
    ]
  }

  private func open(_ request: Request, _ context: ServiceContext) async throws -> Response {
    let wanted = try await request.object(
      members: "scheme", "project", "kind", "ruleset", "host", limit: 64 << 10, limits: state.configuration.limits)
    let scheme = try wanted.required("scheme").text
    let project = try wanted.optional("project") { try $0.text } ?? "default"
    let wantedKind = try wanted.optional("kind") { try $0.text } ?? FeatureLink.Kind.visualized.rawValue
    let wantedRuleSet = try wanted.optional("ruleset") { try $0.text }
    let wantedHost = try wanted.optional("host") { try $0.text }
    @Sendable func wrong(_ part: String, _ message: String) -> ServiceError {
      .invalid(message, code: "bad-value", location: .init(pointer: "/\(part)"))
    }
    guard let kind = FeatureLink.Kind(rawValue: wantedKind) else {
      throw wrong("kind", "kind must be visualized or heatmap.")
    }
    guard let host = wantedHost ?? request.head.authority else {
      throw wrong("host", "State the host at which the phone can reach this service.")
    }
    let link: FeatureLink
    do throws(FeatureLink.Problem) {
      link = try FeatureLink(kind, scheme: scheme, project: project, host: host)
    } catch {
      throw wrong(error.part, error.description)
    }
    return try await state.workers.run {
      let ruleSet = try wantedRuleSet ?? state.ruleSets.name(forAppsOf: link.project)
      guard try state.ruleSets.published(ruleSet) != nil else {
        throw wrong("ruleset", "There is no rule set with this name.")
      }
      let connection = try state.visualized.open(link, ruleSet: ruleSet)
      do {
        try state.audit.record(
          "connection.open", of: "connections/\(connection.id)", by: context.caller.name,
          detail: "\(scheme), \(kind.rawValue)")
      } catch {
        // Nobody gets the link, and the connection would take the place of another one.
        try? state.visualized.remove(connection.id)
        throw error
      }
      let now = state.visualized.now
      return JSON.response(status: .created, headers: [.location: "/v1/connections/\(connection.id)"]) {
        $0.object("connection") { $0.members(of: connection, at: now, withElements: true) }
        $0.member("link", link.text(code: connection.code))
        $0.member("expires_at", connection.facts(at: now).expiresAt.formatted(.iso8601))
      }
    }
  }

  private func list(_ request: Request, _ context: ServiceContext) async throws -> Response {
    let (offset, limit) = try request.listPart()
    let all = state.visualized.all()
    let now = state.visualized.now
    return JSON.response {
      $0.array("connections", Array(all.dropFirst(offset).prefix(limit))) { connection, json in
        json.object { $0.members(of: connection, at: now, withElements: false) }
      }
      $0.member("total", all.count)
    }
  }

  private func get(_ request: Request, _ context: ServiceContext) async throws -> Response {
    let connection = try connection(context)
    return try await state.workers.run {
      let now = state.visualized.now
      return JSON.response {
        $0.object("connection") { $0.members(of: connection, at: now, withElements: true) }
      }
    }
  }

  private func connection(_ context: ServiceContext) throws -> VisualizedConnection {
    try state.visualized.connection(context.parameters.get("id") ?? "")
  }

  private func remove(_ request: Request, _ context: ServiceContext) async throws -> Response {
    let id = context.parameters.get("id") ?? ""
    return try await state.workers.run {
      try state.visualized.remove(id)
      try state.audit.record("connection.end", of: "connections/\(id)", by: context.caller.name, detail: "")
      return Response(status: .noContent)
    }
  }

  private func screenshot(_ request: Request, _ context: ServiceContext) async throws -> Response {
    let revision = try request.query("revision", in: 0...Int.max, default: 0)
    let connection = try connection(context)
    guard let screen = connection.screen(revision) ?? connection.screen, let picture = screen.picture else {
      throw ServiceError.notFound("There is no picture of this connection's screen.")
    }
    return Response(
      picture.bytes, "image/jpeg",
      headers: [.eTag: "\"\(screen.revision)\"", .cacheControl: "private, no-cache"])
  }

  // MARK: - Keeping

  /// Holds a screen for a person who circles on it.
  private func hold(_ request: Request, _ context: ServiceContext) async throws -> Response {
    let connection = try connection(context)
    let wanted = try await request.object(members: "revision", limit: 64 << 10, limits: state.configuration.limits)
    let revision = try wanted.required("revision").integer
    guard connection.hold(revision) else { throw Self.screenChanged }
    return JSON.response {
      $0.member("revision", revision)
      $0.member("capture", LiveScreens.id(of: connection, revision))
    }
  }

  private static let screenChanged = ServiceError.conflict(
    "The app now shows another screen.", code: "screen-changed")

  private func keep(_ request: Request, _ context: ServiceContext) async throws -> Response {
    let connection = try connection(context)
    let wanted = try await request.object(
      members: "name", "revision", limit: 64 << 10, limits: state.configuration.limits)
    let name = try wanted.optional("name") { try $0.text }?.trimmingCharacters(in: .whitespacesAndNewlines) ?? ""
    let revision = try wanted.optional("revision") { try $0.integer }
    guard name.utf8.count <= 200, name.unicodeScalars.allSatisfy({ $0.value >= 0x20 && $0.value != 0x7F }) else {
      throw ServiceError.invalid(
        "This must be a line of at most 200 bytes.", code: "bad-value", location: .init(pointer: "/name"))
    }
    return try await state.workers.run {
      guard let current = connection.screen else {
        throw ServiceError.conflict("The app has not sent a screen yet.", code: "no-screen")
      }
      guard let screen = revision.map({ connection.screen($0) }) ?? current else { throw Self.screenChanged }
      var upload = CaptureUpload(capture: screen.snapshot.capture)
      upload.name = name.isEmpty ? nil : name
      upload.screenshot = try screen.picture.map { try Screenshot(uploaded: $0.bytes) }
      let addition = try state.captures.add(upload, by: context.caller.name)
      return try JSON.response(
        CaptureAnswer(capture: addition.record), status: addition.isNew ? .created : .ok,
        headers: [.location: "/v1/captures/\(addition.record.id)"])
    }
  }

  // MARK: - Following

  private static let heartbeat = Duration.seconds(5)

  private func stream(_ request: Request, _ context: ServiceContext) async throws -> Response {
    let connection = try connection(context)
    let reader = try connection.feed.join()
    let (connections, access) = (state.visualized, state.access)
    return Response(
      status: .ok, headers: .eventStream,
      body: ResponseBody { writer in
        try await withGracefulShutdownHandler {
          defer { connection.feed.leave(reader) }
          try await Self.send(connection, to: reader, connections, &writer) {
            await access.stillHas(.read, request)
          }
        } onGracefulShutdown: {
          reader.end()
        }
      })
  }

  private static func send(
    _ connection: VisualizedConnection, to reader: ConnectionFeed.Reader, _ connections: VisualizedConnections,
    _ writer: inout any ResponseBodyWriter, while isAllowed: () async -> Bool
  ) async throws {
    var sentPhase: VisualizedConnection.Phase?
    var changes = ConnectionFeed.Changes(screen: connection.screen?.revision, hasState: true)
    while !Task.isCancelled, await isAllowed() {
      let facts = connection.facts(at: connections.now)
      var text: [UInt8] = []
      if changes.hasState || facts.phase != sentPhase {
        text += "event: state\ndata: {\"state\":\"\(facts.phase.rawValue)\"}\n\n".utf8
        sentPhase = facts.phase
      }
      if let revision = changes.screen { text += "event: screen\ndata: {\"revision\":\(revision)}\n\n".utf8 }
      if changes.lost > 0 { text += "event: lost\ndata: {\"lost\":\(changes.lost)}\n\n".utf8 }
      if !changes.events.isEmpty {
        text += "event: events\ndata: {\"events\":[".utf8
        text += changes.events.joined(separator: [UInt8(ascii: ",")])
        text += "]}\n\n".utf8
      }
      if text.isEmpty { text += ": \n\n".utf8 }
      try await writer.write(ByteBuffer(bytes: text))
      if facts.phase == .ended || reader.hasEnded { break }
      // Changes without a message, such as an app falling silent, are checked regularly.
      changes = await reader.next(within: heartbeat)
    }
    try await writer.finish(nil)
  }
}
