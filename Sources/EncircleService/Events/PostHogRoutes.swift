import EncircleText
import HTTPTypes
import Hummingbird

/// Answers the other requests of PostHog's SDKs, so that the SDKs work: autocapture is on, and there are no feature flags,
/// surveys, session recordings, or scripts to load.
///
/// The answers reveal nothing about this service, and need no token.
struct PostHogRoutes: RouteGroup {
  let limits: ServiceLimits

  var routes: [Route] {
    [
      Route(method: .post, path: "/flags", operation: "getPostHogFlags", role: nil, handler: flags),
      Route(method: .post, path: "/decide", operation: "getPostHogDecision", role: nil, handler: flags),
      Route(method: .get, path: "/array/{key}/config", operation: "getPostHogConfiguration", role: nil) { _, context in
        _ = try Self.key(context)
        return JSON.response(bytes: Self.configuration.utf8, headers: Self.headers)
      },
      Route(
        method: .get, path: "/array/{key}/config.js", operation: "getPostHogConfigurationScript", role: nil
      ) { _, context in
        let script = Self.script(key: try Self.key(context))
        return Response(script.utf8, "text/javascript; charset=utf-8", headers: Self.headers)
      },
    ]
  }

  /// Answers `/flags?v=2`, and the older `/decide`, whose answer also contains the content of today's `/array/KEY/config`.
  private func flags(_ request: Request, _ context: ServiceContext) async throws -> Response {
    _ = try await request.bytes(limit: min(limits.collectBytes, 1 << 20), limits: limits)
    return JSON.response(bytes: Self.decision.utf8)
  }

  /// Returns the key in the path.
  ///
  /// - Throws: ``ServiceError`` with 404 if no app can have such a key, because the script repeats the key.
  private static func key(_ context: ServiceContext) throws -> String {
    let key = context.parameters.get("key") ?? ""
    guard (1...200).contains(key.utf8.count), key.utf8.allSatisfy(isFilenameByte) else {
      throw ServiceError.notFound("No app has such a key.")
    }
    return key
  }

  /// The headers for pages of other sites, which may load these answers without CORS.
  private static let headers: HTTPFields = [
    .cacheControl: "public, max-age=300", HTTPField.Name("Cross-Origin-Resource-Policy")!: "cross-origin",
  ]

  /// The members of a configuration. A browser that has never received `autocapture_opt_out` captures nothing.
  ///
  /// Source: posthog-js 1.418 (`RemoteConfig`), posthog-ios 3.69, posthog-android; older versions read the same from `/decide`.
  private static let members = """
    "supportedCompression":["gzip-js"],"autocapture_opt_out":false,"elementsChainAsString":true,"hasFeatureFlags":false,\
    "sessionRecording":false,"surveys":false,"productTours":false,"heatmaps":false,"captureDeadClicks":false,\
    "capturePerformance":false,"autocaptureExceptions":false,"errorTracking":{"autocaptureExceptions":false},\
    "logs":{"captureConsoleLogs":false},"conversations":false,"defaultIdentifiedOnly":true,"isAuthenticated":false,\
    "toolbarParams":{},"siteApps":[]
    """

  private static let configuration = "{\(members)}"

  private static let decision = """
    {"config":{"enable_collect_everything":true},"flags":{},"featureFlags":{},"featureFlagPayloads":{},\
    "errorsWhileComputingFlags":false,\(members)}
    """

  private static func script(key: String) -> String {
    """
    (function () {
      window._POSTHOG_REMOTE_CONFIG = window._POSTHOG_REMOTE_CONFIG || {};
      window._POSTHOG_REMOTE_CONFIG["\(key)"] = { config: \(configuration), siteApps: [] };
    })();

    """
  }
}
