import Foundation
import HTTPTypes
import Hummingbird

/// The answer to a request that was not carried out: a status, and one shape of JSON.
struct ServiceError: Error, HTTPResponseError {
  /// A place in the request, or in a file of rules.
  struct Location: Codable, Sendable, Equatable {
    var file: String? = nil
    var line: Int? = nil
    var column: Int? = nil
    var pointer: String? = nil
    var parameter: String? = nil
  }

  struct Detail: Codable, Sendable {
    var code: String? = nil
    var message: String
    var location: Location? = nil
  }

  private struct Body: Codable {
    struct Content: Codable {
      var code: String
      var message: String
      var location: Location?
      var details: [Detail]?
    }
    var error: Content
  }

  var status: HTTPResponse.Status
  /// A stable name of the kind of error.
  var code: String
  var message: String
  var location: Location? = nil
  var details: [Detail]? = nil
  var headers: HTTPFields = [:]

  func response(from request: Request, context: some RequestContext) throws -> Response { response }

  var response: Response {
    let (head, bytes) = parts
    return Response(status: head.status, headers: head.headerFields, body: ResponseBody(byteBuffer: bytes))
  }

  /// The answer as it is written to a connection.
  var parts: (head: HTTPResponse, body: ByteBuffer) {
    var headers = headers
    headers[.contentType] = "application/json; charset=utf-8"
    let body = Body(error: .init(code: code, message: message, location: location, details: details))
    // Nothing in it can fail to be encoded.
    let bytes = ByteBuffer(bytes: (try? JSON.encoder.encode(body)) ?? Data())
    headers[.contentLength] = String(bytes.readableBytes)
    return (HTTPResponse(status: status, headerFields: headers), bytes)
  }
}

extension ServiceError {
  static func badRequest(_ message: String, code: String = "bad-request", location: Location? = nil) -> Self {
    Self(status: .badRequest, code: code, message: message, location: location)
  }

  static func parameter(_ name: String, _ message: String) -> Self {
    Self(status: .badRequest, code: "bad-parameter", message: message, location: Location(parameter: name))
  }

  static func notFound(_ message: String) -> Self {
    Self(status: .notFound, code: "not-found", message: message)
  }

  static func unprocessable(
    _ message: String, code: String, location: Location? = nil, details: [Detail]? = nil
  ) -> Self {
    Self(
      status: .unprocessableContent, code: code, message: message, location: location, details: details)
  }

  static func conflict(_ message: String, code: String = "conflict") -> Self {
    Self(status: .conflict, code: code, message: message)
  }

  /// The service cannot do this now, but may be able to later. SDKs keep their events on this status.
  static func unavailable(_ message: String, code: String, retryAfter seconds: Int = 5) -> Self {
    Self(
      status: .serviceUnavailable, code: code, message: message, headers: [.retryAfter: String(seconds)])
  }

  static var unknownEncoding: Self {
    Self(
      status: .unsupportedMediaType, code: "bad-encoding", message: "Bodies may be compressed with gzip only.",
      headers: [.acceptEncoding: "gzip"])
  }

  static func tooLarge(limit: Int) -> Self {
    Self(
      status: .contentTooLarge, code: "too-large", message: "The body is longer than \(limit) bytes.",
      headers: [.connection: "close"])
  }
}
