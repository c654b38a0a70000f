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

  /// The value that a request's body states.
  ///
  /// - Throws: ``ServiceError`` with 400 if it is not JSON, and 422 with a JSON Pointer where it says something else.
  static func decode<Value: Decodable>(_ type: Value.Type, from bytes: ByteBuffer) throws -> Value {
    // Foundation's reader says neither where nor what is wrong, and takes what is not UTF-8.
    try check(bytes)
    do {
      return try decoder.decode(type, from: Data(bytes.readableBytesView))
    } catch let error as DecodingError {
      throw ServiceError(error)
    } catch {
      throw ServiceError.malformed("The body is not JSON.", code: "bad-json")
    }
  }

  /// - Throws: ``ServiceError`` with 400, line and column if the bytes are no JSON text, or one that is too deep.
  static func check(_ bytes: ByteBuffer) throws {
    var tape = JSONTape()
    let problem: JSONError? = bytes.withUnsafeReadableBytes { bytes in
      let text = bytes.bindMemory(to: UInt8.self)
      do throws(JSONError) {
        try tape.parse(text)
        return nil
      } catch { return error }
    }
    guard let problem else { return }
    let before = Array(bytes.readableBytesView.prefix(problem.offset))
    let line = before.lastIndex(of: 0x0A).map { $0 + 1 } ?? 0
    throw ServiceError.malformed(
      "The body is not JSON: \(problem.kind.message).", code: "bad-json",
      location: .init(
        line: before.count { $0 == 0x0A } + 1,
        column: String(decoding: before[line...], as: UTF8.self).unicodeScalars.count + 1))
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
