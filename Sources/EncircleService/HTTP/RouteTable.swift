import EncircleText
import HTTPTypes
import Hummingbird

/// A route of the API with its handler.
struct Route: Sendable {
  typealias Handler = @Sendable (Request, ServiceContext) async throws -> Response

  var method: HTTPRequest.Method
  /// The path in OpenAPI's notation: `/v1/captures/{id}`.
  var path: String
  /// The `operationId` of the API's description.
  var operation: String
  /// The role that the caller must have; nil if anyone may call the route.
  var role: Role?
  /// This is true if HEAD is answered, too. It is false for a GET route that stores something, which HEAD must not do.
  var answersHead = true
  var handler: Handler
}

/// Routes that belong together. A file of the API's description describes the same routes.
protocol RouteGroup: Sendable {
  var routes: [Route] { get }
}

/// All routes. The table checks callers' roles and counts requests for each route.
struct RouteTable {
  private(set) var routes: [Route] = []

  mutating func add(_ group: some RouteGroup) { routes += group.routes }

  /// Returns the methods of the routes with this path; empty if no route has it.
  ///
  /// - Complexity: O(*n*), *n* routes. This is called only for requests that no route answers.
  func methods(at path: String) -> [HTTPRequest.Method] {
    let components = path.splitBytes(at: "/")
    let found = routes.filter { route in
      let template = route.path.splitBytes(at: "/")
      return template.count == components.count
        && zip(template, components).allSatisfy { $0.beginsWithBytes(of: "{") || $0.hasSameBytes(as: $1) }
    }
    return found.map(\.method) + (found.contains { $0.method == .get && $0.answersHead } ? [.head] : [])
  }

  /// Returns a router that answers a request by the route's handler, with 405 for another method of its path, or with 404.
  func router(access: any RequestAccess, metrics: ServiceMetrics, memory: BodyMemory) -> Router<ServiceContext> {
    let router = Router(context: ServiceContext.self, options: .autoGenerateHeadEndpoints)
    if !access.origins.allowed.isEmpty { router.add(middleware: CORSMiddleware(origins: access.origins)) }
    router.add(middleware: ErrorMiddleware(metrics: metrics, memory: memory, methods: methods(at:)))
    for route in routes {
      if route.method == .get, !route.answersHead {
        router.on(RouterPath(route.path), method: .head) { _, _ -> Response in throw HTTPError(.notFound) }
      }
      router.on(RouterPath(route.path), method: route.method) { request, context in
        metrics.begin(route.operation)
        if let role = route.role {
          context.caller = try await access.caller(of: request, for: role)
          try Access.check(context.caller, has: role)
          // Routes of SDKs answer damaged queries themselves, and SDKs may add parameters.
          try request.checkQuery()
          try APIDescription.queryParameters[route.operation]?.check(request)
        }
        return Precondition.conditional(try await route.handler(request, context), to: request)
      }
    }
    return router
  }
}
