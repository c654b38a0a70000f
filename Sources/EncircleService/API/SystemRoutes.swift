import Hummingbird
import NIOPosix

/// Routes for operators: health, readiness, metrics and version.
struct SystemRoutes: RouteGroup {
  let state: ServiceState

  var routes: [Route] {
    [
      Route(method: .get, path: "/healthz", operation: "health", role: nil) { _, _ in text("ok\n") },
      Route(method: .get, path: "/readyz", operation: "ready", role: nil) { _, _ in
        // On threads of its own, as a busy service counts as ready, too.
        try await NIOThreadPool.singleton.runIfActive { try state.store.checkWritable() }
        return text("ready\n")
      },
      Route(method: .get, path: "/metrics", operation: "metrics", role: .read) { _, _ in text(state.metrics.text) },
      Route(method: .get, path: "/v1/openapi.json", operation: "openapi", role: nil) { _, _ in
        JSON.response(bytes: ByteBuffer(bytes: try APIDescription.bytes()))
      },
    ]
  }

  private func text(_ text: String) -> Response {
    Response(
      status: .ok, headers: [.contentType: "text/plain; charset=utf-8"],
      body: ResponseBody(byteBuffer: ByteBuffer(string: text)))
  }
}
