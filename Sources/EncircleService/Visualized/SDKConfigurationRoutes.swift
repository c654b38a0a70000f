import EncircleEvents
import Hummingbird
import NIOCore

/// Routes for the configurations that apps request when they start, and for authors' questions about them.
struct SDKConfigurationRoutes: RouteGroup {
  let state: ServiceState

  var routes: [Route] {
    [
      // The SDK requests `config/visualized/iOS.conf` beside the address to which it sends events, which can be at the root.
      Route(
        method: .get, path: "/v1/config/visualized/iOS.conf", operation: "getSDKConfiguration", role: nil,
        handler: configuration),
      Route(
        method: .get, path: "/config/visualized/iOS.conf", operation: "getSDKConfigurationAtRoot", role: nil,
        handler: configuration),
      Route(
        method: .get, path: "/v1/rulesets/{name}/expressible", operation: "listExpressibleRules", role: .read,
        handler: expressible),
    ]
  }

  /// Answers 200 with a configuration, 304 if the app has it already, or 205 if there is none, so that the app forgets an old
  /// one. An empty 200 is never sent, because it would also make the app forget its configuration.
  private func configuration(_ request: Request, _ context: ServiceContext) async throws -> Response {
    let project = try parameter("project", of: request) ?? "default"
    guard let appID = try parameter("app_id", of: request) else {
      throw ServiceError.parameter("app_id", "app_id is missing: the bundle identifier of the app.")
    }
    let known = try parameter("v", of: request)
    return try await state.workers.run {
      let ruleSet = try state.ruleSets.published(project) == nil ? "default" : project
      guard let document = try state.sdkConfigurations.document(ruleSet, project: project, appID: appID) else {
        return Response(status: .resetContent)
      }
      if known == document.version { return Response(status: .notModified) }
      return JSON.response(bytes: ByteBuffer(bytes: document.value.json))
    }
  }

  private func parameter(_ name: String, of request: Request) throws -> String? {
    guard let text = request.query(name), !text.isEmpty else { return nil }
    guard text.utf8.count <= 256 else { throw ServiceError.parameter(name, "\(name) has at most 256 bytes.") }
    return text
  }

  private struct ExpressibleAnswer: Encodable {
    struct Other: Encodable {
      var id: String
      var reason: String
      var code: String
    }

    struct Omitted: Encodable {
      var rule: String
      var property: String
      var reason: String
      var code: String
    }

    var expressible: [String]
    var others: [Other]
    /// The properties that the SDK does not read itself, in the rules that the SDK receives.
    var untoldProperties: [Omitted]
    /// The style of the rule set's paths. If it is not the style of the app's SDK, no rule with a path matches the app's taps.
    var style: String
  }

  private func expressible(_ request: Request, _ context: ServiceContext) async throws -> Response {
    let name = try state.ruleSetName(context)
    return try await state.workers.run {
      guard let current = try state.sdkConfigurations.current(name) else { throw RuleSetLibrary.unknown(name) }
      return try JSON.response(
        ExpressibleAnswer(
          expressible: current.configuration.expressible,
          others: current.configuration.others.map { .init(id: $0.id, reason: $0.reason, code: $0.code) },
          untoldProperties: current.configuration.omittedProperties.map {
            .init(rule: $0.rule, property: $0.name, reason: $0.reason, code: $0.code)
          },
          style: current.style.rawValue))
    }
  }
}
