import Hummingbird

/// A request that the API knows, and what answers it.
struct Route: Sendable {
  typealias Handler = @Sendable (Request, ServiceContext) async throws -> Response

  var method: HTTPRequest.Method
  /// As OpenAPI writes it: `/v1/captures/{id}`.
  var path: String
  /// The `operationId` of the API's description.
  var operation: String
  /// The role that its caller must have; none for what anybody may ask for.
  var role: Role?
  var handler: Handler
}

/// Routes that belong together; a file of the API's description has them, too.
protocol RouteGroup: Sendable {
  var routes: [Route] { get }
}

/// All routes. It looks after what is the same for each of them: who may call it, and how it is counted.
struct RouteTable {
  private(set) var routes: [Route] = []

  mutating func add(_ group: some RouteGroup) { routes += group.routes }

  /// Methods by path, in the order of their routes, for answers to a wrong one.
  var methods: [String: [HTTPRequest.Method]] {
    Dictionary(grouping: routes, by: \.path).mapValues { $0.map(\.method) }
  }

  /// What answers a request: the route's handler, 405 for another method of its path, else 404.
  func router(access: Access, metrics: ServiceMetrics) -> Router<ServiceContext> {
    let router = Router(context: ServiceContext.self)
    router.add(middleware: ErrorMiddleware(metrics: metrics))
    for route in routes {
      router.on(RouterPath(route.path), method: route.method) { request, context in
        var context = context
        metrics.begin(route.operation)
        if let role = route.role {
          context.caller = try await access.caller(of: request, from: context.remoteAddress, for: role)
        }
        return try await route.handler(request, context)
      }
    }
    for (path, methods) in methods {
      for method in [HTTPRequest.Method.get, .head, .post, .put, .delete, .patch, .options, .trace]
      where !methods.contains(method) {
        if method == .head, methods.contains(.get) {
          let route = routes.first { $0.path == path && $0.method == .get }!
          router.on(RouterPath(path), method: .head) { request, context in
            var context = context
            if let role = route.role {
              context.caller = try await access.caller(of: request, from: context.remoteAddress, for: role)
            }
            var response = try await route.handler(request, context)
            response.body = ResponseBody()
            return response
          }
          continue
        }
        router.on(RouterPath(path), method: method) { _, _ -> Response in
          throw ServiceError(
            status: .methodNotAllowed, code: "method-not-allowed",
            message: "This path answers \(methods.map(\.rawValue).joined(separator: ", ")) only.",
            headers: [.allow: methods.map(\.rawValue).joined(separator: ", ")])
        }
      }
    }
    return router
  }
}
