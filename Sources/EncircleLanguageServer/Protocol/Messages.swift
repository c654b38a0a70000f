import EncircleEvents
import EncircleText
import Foundation

/// The number or text that identifies a request and its response.
enum RequestID: Hashable, Codable, Sendable {
  case number(Int)
  case text(UTF8String)

  init(from decoder: any Decoder) throws {
    let container = try decoder.singleValueContainer()
    if let number = try? container.decode(Int.self) {
      self = .number(number)
    } else {
      self = .text(UTF8String(try container.decode(String.self)))
    }
  }

  func encode(to encoder: any Encoder) throws {
    var container = encoder.singleValueContainer()
    switch self {
    case .number(let number): try container.encode(number)
    case .text(let text): try container.encode(text.text)
    }
  }
}

/// A message without its parameters: its kind and its identification.
struct Envelope: Decodable, Sendable {
  /// The version of JSON-RPC.
  let jsonrpc: String?
  /// The id of a request or a response; nil for a notification.
  let id: RequestID?
  /// The method of a request or notification; nil for a response.
  let method: String?

  /// Reads a message; nil if it is not a JSON object with members of these types.
  init?(_ bytes: [UInt8]) {
    guard let envelope = try? JSONDecoder().decode(Envelope.self, from: Data(bytes)) else { return nil }
    self = envelope
  }

  /// Returns whether bytes are JSON. The protocol has a separate error for bytes that are not.
  static func isJSON(_ bytes: [UInt8]) -> Bool { (try? EventValue(json: bytes)) != nil }
}

/// The parameters of a message.
struct Parameters<Value: Decodable>: Decodable {
  let params: Value
}

/// An error response to a request.
struct ResponseError: Error, Codable, Equatable {
  /// The codes of JSON-RPC and of the Language Server Protocol.
  enum Code: Int, Codable {
    case parseError = -32700
    case invalidRequest = -32600
    case methodNotFound = -32601
    case invalidParams = -32602
    case serverNotInitialized = -32002
    case requestFailed = -32803
    case requestCancelled = -32800
  }

  let code: Code
  let message: String

  init(_ code: Code, _ message: String) {
    self.code = code
    self.message = message
  }
}

/// An optional value that is written as null if it is nil, as a response's result must be.
struct Nullable<Value: Encodable>: Encodable {
  let value: Value?

  func encode(to encoder: any Encoder) throws {
    if let value { return try value.encode(to: encoder) }
    var container = encoder.singleValueContainer()
    try container.encodeNil()
  }
}

/// No result, and no parameters.
struct EmptyMessage: Codable {}

/// Writes messages.
enum OutgoingMessage {
  private struct Response<Result: Encodable>: Encodable {
    var jsonrpc = "2.0"
    let id: Nullable<RequestID>
    let result: Nullable<Result>
  }

  private struct Failure: Encodable {
    var jsonrpc = "2.0"
    let id: Nullable<RequestID>
    let error: ResponseError
  }

  private struct Notification<Params: Encodable>: Encodable {
    var jsonrpc = "2.0"
    var id: RequestID?
    let method: String
    let params: Params
  }

  /// Returns the response to a request.
  static func response(_ id: RequestID, _ result: (some Encodable)?) -> [UInt8] {
    bytes(Response(id: Nullable(value: id), result: Nullable(value: result)))
  }

  /// Returns the error response to a request, or to an unreadable message.
  static func failure(_ id: RequestID?, _ error: ResponseError) -> [UInt8] {
    bytes(Failure(id: Nullable(value: id), error: error))
  }

  /// Returns a notification.
  static func notification(_ method: String, _ params: some Encodable) -> [UInt8] {
    bytes(Notification(method: method, params: params))
  }

  /// Returns a request to the client.
  static func request(_ id: RequestID, _ method: String, _ params: some Encodable) -> [UInt8] {
    bytes(Notification(id: id, method: method, params: params))
  }

  private static func bytes(_ value: some Encodable) -> [UInt8] {
    let encoder = JSONEncoder()
    encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
    // No value written here has a number or a key that JSON cannot represent.
    guard let data = try? encoder.encode(value) else { return [] }
    return Array(data)
  }
}
