import HTTPTypes
import Hummingbird
import NIOCore

/// Gives every error the service's one shape, and every answer the headers that keep browsers from running anything in it.
struct ErrorMiddleware: RouterMiddleware {
  typealias Context = ServiceContext

  let metrics: ServiceMetrics

  func handle(
    _ request: Request, context: ServiceContext,
    next: (Request, ServiceContext) async throws -> Response
  ) async throws -> Response {
    let start = ContinuousClock.now
    var response: Response
    do {
      response = try await next(request, context)
    } catch let error as ServiceError {
      response = error.response
    } catch let error as HTTPError where error.status == .notFound {
      response = ServiceError.notFound("There is nothing at this path.").response
    } catch let error as any HTTPResponseError {
      response = ServiceError(status: error.status, code: "bad-request", message: "\(error)").response
    } catch is CancellationError {
      response = ServiceError.unavailable("The service is stopping.", code: "stopping").response
    } catch {
      context.logger.error("request failed", metadata: ["path": "\(request.uri.path)", "error": "\(error)"])
      response =
        ServiceError(
          status: .internalServerError, code: "internal", message: "The service failed; its log says why."
        ).response
    }
    for (name, value) in Self.headers where response.headers[name] == nil { response.headers[name] = value }
    let time = ContinuousClock.now - start
    metrics.count(status: response.status.code, seconds: time / .seconds(1))
    context.logger.debug(
      "request",
      metadata: [
        "method": "\(request.method)", "path": "\(request.uri.path)", "status": "\(response.status.code)",
        "milliseconds": "\(Int(time / .milliseconds(1)))", "caller": "\(context.caller.name)",
      ])
    return response
  }

  private static let headers: [(HTTPField.Name, String)] = [
    (
      .contentSecurityPolicy,
      "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data: blob:; connect-src 'self'; "
        + "form-action 'none'; frame-ancestors 'none'; base-uri 'none'"
    ),
    (.xContentTypeOptions, "nosniff"),
    (HTTPField.Name("Referrer-Policy")!, "no-referrer"),
    (HTTPField.Name("Cross-Origin-Resource-Policy")!, "same-origin"),
    (.cacheControl, "no-store"),
  ]
}
