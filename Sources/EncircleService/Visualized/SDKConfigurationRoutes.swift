import EncircleAuthoring
import EncircleEvents
import EncircleText
import Hummingbird

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
      let ruleSet = try state.ruleSets.name(forAppsOf: project)
      guard let document = try state.sdkConfigurations.document(ruleSet, project: project, appID: appID) else {
        return Response(status: .resetContent)
      }
      if known == document.version { return Response(status: .notModified) }
      return JSON.response(bytes: document.value.json)
    }
  }

  private func parameter(_ name: String, of request: Request) throws -> String? {
    guard let text = request.query(name), !text.isEmpty else { return nil }
    guard text.utf8.count <= 256 else { throw ServiceError.parameter(name, "\(name) has at most 256 bytes.") }
    return text
  }

  private func expressible(_ request: Request, _ context: ServiceContext) async throws -> Response {
    let name = try state.ruleSetName(context)
    return try await state.workers.run {
      guard let current = try state.sdkConfigurations.current(name) else { throw RuleSetLibrary.unknown(name) }
      return JSON.response {
        $0.member("expressible", current.configuration.expressible)
        $0.array("others", current.configuration.others) { other, json in
          json.object {
            $0.member("code", other.code)
            $0.member("id", other.id)
            $0.member("reason", other.reason)
          }
        }
        // If this is not the style of the app's SDK, no rule with a path matches the app's taps.
        $0.member("style", current.style.rawValue)
        $0.array("untold_properties", current.configuration.omittedProperties) { property, json in
          json.object {
            $0.member("code", property.code)
            $0.member("property", property.name)
            $0.member("reason", property.reason)
            $0.member("rule", property.rule)
          }
        }
      }
    }
  }
}
