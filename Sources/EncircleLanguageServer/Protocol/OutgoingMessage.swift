import Foundation

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

/// An optional value that is written as null if it is nil, as a response's result must be.
struct Nullable<Value: Encodable>: Encodable {
  let value: Value?

  func encode(to encoder: any Encoder) throws {
    if let value { return try value.encode(to: encoder) }
    var container = encoder.singleValueContainer()
    try container.encodeNil()
  }
}
