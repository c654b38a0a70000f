import EncircleText
import EncircleText
import Foundation
import Hummingbird

/// Answers and requests in JSON: members in snake case, times as ISO 8601, bytes in a stable order.
enum JSON {
  static var encoder: JSONEncoder {
    let encoder = JSONEncoder()
    encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
    encoder.keyEncodingStrategy = .convertToSnakeCase
    encoder.dateEncodingStrategy = .iso8601
    return encoder
  }

  static var decoder: JSONDecoder {
    let decoder = JSONDecoder()
    decoder.keyDecodingStrategy = .convertFromSnakeCase
    decoder.dateDecodingStrategy = .iso8601
    return decoder
  }

  /// Decodes the value of a body that ``JSONBody`` has read: Foundation's reader reports no places, and accepts bytes that
  /// are not UTF-8.
  ///
  /// - Throws: ``ServiceError`` of the kind `invalid`, with a JSON Pointer to a value of another type.
  static func decode<Value: Decodable>(_ type: Value.Type, from bytes: ByteBuffer) throws -> Value {
    do {
      return try decoder.decode(type, from: Data(bytes.readableBytesView))
    } catch let error as DecodingError {
      throw ServiceError(error)
    } catch {
      throw ServiceError.malformed("The body is not JSON.", code: "bad-json")
    }
  }

  static func response(
    _ value: some Encodable, status: HTTPResponse.Status = .ok, headers: HTTPFields = [:]
  ) throws -> Response {
    response(bytes: ByteBuffer(bytes: try encoder.encode(value)), status: status, headers: headers)
  }

  /// A response of bytes that are JSON already.
  static func response(bytes: ByteBuffer, status: HTTPResponse.Status = .ok, headers: HTTPFields = [:]) -> Response {
    var headers = headers
    headers[.contentType] = "application/json; charset=utf-8"
    return Response(status: status, headers: headers, body: ResponseBody(byteBuffer: bytes))
  }
}

extension ServiceError {
  init(_ error: DecodingError) {
    func pointer(_ path: [any CodingKey]) -> String {
      path.reduce("") { JSONPointer.member($1.intValue.map(String.init) ?? $1.stringValue, of: $0) }
    }
    func wrong(_ path: [any CodingKey], _ message: String) -> ServiceError {
      .invalid(message, code: "bad-value", location: Location(pointer: pointer(path)))
    }
    switch error {
    case .typeMismatch(let type, let context):
      self = wrong(context.codingPath, "This must be \(Self.name(of: type)).")
    case .valueNotFound(let type, let context):
      self = wrong(context.codingPath, "This must be \(Self.name(of: type)), and not null.")
    case .keyNotFound(let key, let context):
      self = wrong(context.codingPath + [key], "This is missing.")
    case .dataCorrupted(let context) where !context.codingPath.isEmpty:
      self = wrong(context.codingPath, context.debugDescription)
    default:
      // It is JSON, as was checked before; Foundation does not say which of its numbers is none that there can be.
      self = .invalid("A value of the body cannot be what it should be.", code: "bad-value")
    }
  }

  private static func name(of type: Any.Type) -> String {
    switch type {
    case is String.Type: "a string"
    case is Bool.Type: "true or false"
    case is Int.Type: "a whole number"
    case is Double.Type: "a number"
    default: "\(type)".hasPrefix("Array") ? "an array" : "an object"
    }
  }
}
