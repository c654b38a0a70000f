import EncircleEvents
import Foundation

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
