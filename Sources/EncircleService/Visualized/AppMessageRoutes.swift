import EncircleEvents
import EncircleSDK
import EncircleText
import Hummingbird
import NIOCore

/// The route to which apps post their screens. The secret code in the path authorises them.
struct AppMessageRoutes: RouteGroup {
  let state: ServiceState

  var routes: [Route] {
    [
      Route(
        method: .post, path: "/v1/visualized/{code}", operation: "postScreen", role: nil, handler: take)
    ]
  }

  /// The answer that makes an app stop. Only a negative `delay` does so: the status does not matter to the app.
  private static let end = JSON.response(bytes: "{\"delay\":-1}".utf8, headers: [.connection: "close"])

  private func take(_ request: Request, _ context: ServiceContext) async throws -> Response {
    guard let connection = state.visualized.live(context.parameters.get("code") ?? "") else { return Self.end }
    let arrival = try connection.begin()
    var count = 0
    defer { connection.finish(arrival, bytes: count, at: state.visualized.now) }
    let limits = state.configuration.limits
    let body = try await request.bytes(limit: limits.appMessageBytes, limits: limits)
    count = body.readableBytes
    let address = state.clientAddress.address(of: request, from: context.remoteAddress)
    return try await state.workers.run { try take(body, arrival, of: connection, from: address) }
  }

  private func take(
    _ body: ByteBuffer, _ arrival: Int, of connection: VisualizedConnection, from address: String?
  ) throws -> Response {
    let limits = state.configuration.limits.snapshot
    do {
      let message = try SnapshotMessage(body.readableBytesView, limits: limits)
      let peer = VisualizedConnection.Peer(appID: message.appID, os: message.os, address: address)
      guard connection.admits(peer, message, at: state.visualized.now) else { return Self.end }
      let now = state.visualized.now
      let (earlier, isLate) = connection.screen(before: arrival)
      let snapshot = try message.snapshot(
        at: now.formatted(.iso8601), after: earlier?.snapshot, missesEarlier: isLate, limits: limits)
      if let snapshot { show(snapshot, arrival, of: connection) }
      return try answer(to: message, of: connection)
    } catch let error as SnapshotError {
      throw ServiceError(error)
    }
  }

  private func show(_ snapshot: Snapshot, _ arrival: Int, of connection: VisualizedConnection) {
    if let screen = snapshot.screen {
      let picture = try? CoveredPicture(of: snapshot, limits: state.configuration.limits.snapshot)
      connection.show(screen, picture: picture, elements: LiveElements.json(of: screen), arrival: arrival)
    }
    // Rules that cannot be read decide nothing, and the screen is shown nevertheless.
    let rules = try? state.ruleSets.published(connection.ruleSet)
    // A message that arrives twice has the same events.
    let new = snapshot.events.filter { connection.isNew($0) }
    let events = LiveEvents.json(of: new, by: rules, at: state.visualized.now)
    if !events.isEmpty { connection.feed.publish { $0.events += events } }
  }

  /// Returns a JSON object without nulls, because an app crashes on any other answer.
  private func answer(to message: SnapshotMessage, of connection: VisualizedConnection) throws -> Response {
    let isOver = connection.facts(at: state.visualized.now).endedAt != nil
    var answer: EventObject = ["delay": isOver ? -1 : 0]
    if message.enablesProperties {
      let document = try? state.sdkConfigurations.document(
        connection.ruleSet, project: connection.link.project, appID: message.appID ?? "")
      if let document {
        if message.configVersion != document.version { answer["visualized_sdk_config"] = document.value }
      } else if message.configVersion?.beginsWithBytes(of: "\(connection.ruleSet)-") == true {
        // The app has a configuration from this rule set, but the rule set no longer has one for the app.
        answer["visualized_config_disabled"] = true
      }
    }
    return JSON.response(bytes: EventValue.object(answer).json)
  }
}

extension ServiceError {
  init(_ error: SnapshotError) {
    let kind: Kind = error.isExcess ? .tooLarge : error.isSyntax ? .malformed : .invalid
    let message = "The message was not taken: \(error.description)."
    self.init(
      kind, code: error.isExcess ? "too-large" : error.isSyntax ? "bad-json" : "bad-message",
      message: message, location: Location(pointer: error.pointer))
  }
}
