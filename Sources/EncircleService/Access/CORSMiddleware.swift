import HTTPTypes
import Hummingbird

/// Lets pages of the configured origins use the API from a browser, by the CORS protocol; other origins get no CORS headers.
///
/// It is outside ``ErrorMiddleware``, so that pages can read every error.
struct CORSMiddleware: RouterMiddleware {
  typealias Context = ServiceContext

  let origins: Origins

  func handle(
    _ request: Request, context: ServiceContext,
    next: (Request, ServiceContext) async throws -> Response
  ) async throws -> Response {
    var response: Response
    guard let origin = request.headers[.origin], origins.isAllowed(origin) else {
      response = try await next(request, context)
      Self.vary(&response)
      return response
    }
    if request.method == .options, request.headers[.accessControlRequestMethod] != nil {
      response = Response(
        status: .noContent,
        headers: [
          .accessControlAllowMethods: "GET, HEAD, POST, PUT, PATCH, DELETE",
          .accessControlAllowHeaders:
            "Authorization, Content-Type, Content-Encoding, If-Match, If-None-Match, Last-Event-ID, "
            + "Dry-Run, X-Client-ID, X-CSRF-Token",
          .accessControlMaxAge: "600",
        ])
    } else {
      response = try await next(request, context)
      response.headers[.accessControlExposeHeaders] = "ETag, Retry-After, Location"
    }
    response.headers[.accessControlAllowOrigin] = origin
    Self.vary(&response)
    return response
  }

  /// Adds `Vary`, because the answer to another origin differs and caches must keep the answers apart.
  private static func vary(_ response: inout Response) {
    response.headers[.vary] = [response.headers[.vary], "Origin"].compactMap { $0 }.joined(separator: ", ")
  }
}
