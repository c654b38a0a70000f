import Hummingbird
import NIOPosix

/// Routes for operators: health, readiness and metrics.
struct SystemRoutes: RouteGroup {
  let metrics: ServiceMetrics
  /// Returns the text of the answer; throws if requests cannot be served now.
  let checkReady: @Sendable () throws -> String

  var routes: [Route] {
    [
      Route(method: .get, path: "/healthz", operation: "health", role: nil) { _, _ in Self.text("ok\n") },
      Route(method: .get, path: "/readyz", operation: "ready", role: nil) { _, _ in
        // The check runs on NIO's own threads, so a service whose workers are all busy still counts as ready.
        Self.text(try await NIOThreadPool.singleton.runIfActive { try checkReady() })
      },
      Route(method: .get, path: "/metrics", operation: "metrics", role: .read) { _, _ in
        Self.text(metrics.text, type: ServiceMetrics.contentType)
      },
    ]
  }

  private static func text(_ text: String, type: String = "text/plain; charset=utf-8") -> Response {
    Response(text.utf8, type)
  }
}

/// The route of the API's description, which authors of clients use.
struct DescriptionRoutes: RouteGroup {
  var routes: [Route] {
    [
      Route(method: .get, path: "/v1/openapi.json", operation: "openapi", role: nil) { _, _ in
        JSON.response(bytes: try APIDescription.bytes())
      }
    ]
  }
}
