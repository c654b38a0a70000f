import EncircleText
import HTTPTypes
import Hummingbird
import NIOCore
import NIOHTTP1

/// Turns every error into the service's JSON, and adds headers to every answer that keep browsers from running its content.
struct ErrorMiddleware: RouterMiddleware {
  typealias Context = ServiceContext

  let metrics: ServiceMetrics
  let memory: BodyMemory
  /// Returns the methods of a path.
  let methods: @Sendable (_ path: String) -> [HTTPRequest.Method]

  func handle(
    _ request: Request, context: ServiceContext,
    next: (Request, ServiceContext) async throws -> Response
  ) async throws -> Response {
    let start = ContinuousClock.now
    let scope = RequestScope(memory: BodyMemory.Share(of: memory), channel: context.channel)
    var response: Response
    do {
      // The first Host header becomes the authority of the request. If one is still among the headers, it is a second one.
      guard request.headers[Self.host] == nil else {
        throw ServiceError.malformed("The request has two Host headers.", code: "two-hosts")
      }
      // The parser joins the chunks of a body, but does not check whether their content has another coding, such as gzip.
      if let coding = request.headers[.transferEncoding], coding.lowercased() != "chunked" {
        throw ErrorAnswer(
          status: .notImplemented, code: "unknown-transfer-encoding",
          message: "The only Transfer-Encoding is chunked. To send gzip, name it in Content-Encoding.",
          headers: [.connection: "close"])
      }
      response = try await RequestScope.$current.withValue(scope) { try await next(request, context) }
    } catch {
      response = self.error(error, request, context).response
      // After HEAD, a client would take a body for the next answer.
      if request.method == .head { response = response.createHeadResponse() }
    }
    for (name, value) in Self.headers where response.headers[name] == nil { response.headers[name] = value }
    let time = ContinuousClock.now - start
    metrics.count(status: response.status.code, seconds: time / .seconds(1))
    context.logger.debug(
      "request",
      metadata: [
        "method": "\(request.method)", "path": "\(Self.withoutSecret(request.uri.path))",
        "status": "\(response.status.code)",
        "milliseconds": "\(Int(time / .milliseconds(1)))", "caller": "\(context.caller.name)",
      ])
    return response
  }

  /// Returns the path of a request for logs. It omits the code of a link for a running app and the key of an app, because
  /// whoever has one of them may post.
  private static func withoutSecret(_ path: String) -> String {
    let prefixes = ["/v1/visualized/", "/v3/projects/", "/array/"]
    // The router ignores further slashes, as in `//array/…`. SDKs request such paths if their server URL ends in a slash.
    let routed = "/" + path.splitBytes(at: "/").joined(separator: "/")
    return prefixes.first { routed.utf8.starts(with: $0.utf8) }.map { $0 + "…" } ?? path
  }

  private func error(_ error: any Error, _ request: Request, _ context: ServiceContext) -> ErrorAnswer {
    switch error {
    case let error as ErrorAnswer: return error
    case let error as ServiceError: return ErrorAnswer(error)
    case let error as HTTPParserError: return ErrorAnswer(error)
    case let error as HTTPError where error.status == .notFound: return notFound(request)
    case let error as any HTTPResponseError:
      return ErrorAnswer(status: error.status, code: "bad-request", message: "\(error)")
    case is CancellationError: return ErrorAnswer(.unavailable("The service is stopping.", code: "stopping"))
    case is ChannelError, is IOError:
      // The client has closed the connection.
      return ErrorAnswer(.malformed("The body ended before it was complete.", code: "incomplete-body"))
    default: break
    }
    context.logger.error(
      "request failed", metadata: ["path": "\(Self.withoutSecret(request.uri.path))", "error": "\(error)"])
    if let reason = Store.temporaryFailure(error) {
      return ErrorAnswer(.unavailable(reason, code: "storage", retryAfter: 30))
    }
    return ErrorAnswer(status: .internalServerError, code: "internal", message: "The service failed; its log says why.")
  }

  private func notFound(_ request: Request) -> ErrorAnswer {
    let allowed = methods(request.uri.path).map(\.rawValue).joined(separator: ", ")
    // An SDK that posts events to the page's address by mistake keeps them after 404, but deletes them after 405.
    let isSentToPage = request.method == .post && request.uri.path == "/"
    guard !allowed.isEmpty, !isSentToPage else { return ErrorAnswer(.notFound("There is nothing at this path.")) }
    return ErrorAnswer(
      status: .methodNotAllowed, code: "method-not-allowed", message: "This path answers \(allowed) only.",
      headers: [.allow: allowed])
  }

  private static let host = HTTPField.Name("Host")!
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
