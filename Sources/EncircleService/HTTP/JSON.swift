import Foundation
import Hummingbird

/// Answers in JSON: members in snake case, times as ISO 8601, bytes in a stable order.
enum JSON {
  static var encoder: JSONEncoder {
    let encoder = JSONEncoder()
    encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
    encoder.keyEncodingStrategy = .convertToSnakeCase
    encoder.dateEncodingStrategy = .iso8601
    return encoder
  }

  static func response(
    _ value: some Encodable, status: HTTPResponse.Status = .ok, headers: HTTPFields = [:]
  ) throws -> Response {
    response(bytes: try encoder.encode(value), status: status, headers: headers)
  }

  /// Returns a response with bytes that are already JSON.
  static func response(
    bytes: some Sequence<UInt8>, status: HTTPResponse.Status = .ok, headers: HTTPFields = [:]
  ) -> Response {
    Response(bytes, "application/json; charset=utf-8", status: status, headers: headers)
  }
}
