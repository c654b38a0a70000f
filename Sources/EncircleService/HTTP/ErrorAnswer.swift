import Foundation
import HTTPTypes
import Hummingbird

/// The answer to a request that was not carried out: a status, and a JSON object of fixed form.
struct ErrorAnswer: Error, HTTPResponseError {
  private struct Body: Codable {
    struct Content: Codable {
      var code: String
      var message: String
      var location: ServiceError.Location?
      var details: [ServiceError.Detail]?
    }
    var error: Content
  }

  var status: HTTPResponse.Status
  /// A stable name of the kind of error.
  var code: String
  var message: String
  var location: ServiceError.Location? = nil
  var details: [ServiceError.Detail]? = nil
  var headers: HTTPFields = [:]

  func response(from request: Request, context: some RequestContext) throws -> Response { response }

  var response: Response {
    let (head, bytes) = parts
    return Response(status: head.status, headers: head.headerFields, body: ResponseBody(byteBuffer: bytes))
  }

  /// The answer in the form for a connection.
  var parts: (head: HTTPResponse, body: ByteBuffer) {
    var headers = headers
    headers[.contentType] = "application/json; charset=utf-8"
    let body = Body(error: .init(code: code, message: message, location: location, details: details))
    // Encoding strings and numbers cannot fail.
    let bytes = ByteBuffer(bytes: (try? JSON.encoder.encode(body)) ?? Data())
    headers[.contentLength] = String(bytes.readableBytes)
    return (HTTPResponse(status: status, headerFields: headers), bytes)
  }
}

extension ErrorAnswer {
  /// Creates the answer to an error. This is the only place that maps the service's errors to statuses.
  init(_ error: ServiceError) {
    let (status, headers): (HTTPResponse.Status, HTTPFields) =
      switch error.kind {
      case .malformed: (.badRequest, [:])
      case .invalid: (.unprocessableContent, [:])
      case .unsupportedType: (.unsupportedMediaType, [:])
      case .unauthenticated: (.unauthorized, [.wwwAuthenticate: "Bearer realm=\"encircle\""])
      case .forbidden: (.forbidden, [:])
      case .notFound: (.notFound, [:])
      case .conflict: (.conflict, [:])
      case .stale(let current): (.preconditionFailed, current.map { [.eTag: "\"\($0)\""] } ?? [:])
      case .tooLarge: (.contentTooLarge, [.connection: "close"])
      case .tooManyAttempts(let seconds): (.tooManyRequests, [.retryAfter: String(seconds)])
      case .unavailable(let seconds): (.serviceUnavailable, [.retryAfter: String(seconds)])
      }
    self.init(
      status: status, code: error.code, message: error.message, location: error.location, details: error.details,
      headers: headers)
  }

  /// The answer to a body with a Content-Encoding that is not supported.
  static var unknownEncoding: Self {
    Self(
      status: .unsupportedMediaType, code: "bad-encoding", message: "Bodies may be compressed with gzip only.",
      headers: [.acceptEncoding: "gzip"])
  }
}
