import EncircleEvents
import EncircleInput
import EncircleText

/// The reason why an app's message or its payload cannot be read.
public struct SnapshotError: Error, Hashable, Sendable, CustomStringConvertible {
  /// The kinds of problems.
  public enum Kind: Hashable, Sendable {
    /// The message is longer than the limit, in bytes.
    case messageTooLong(limit: Int)
    /// The message is not JSON.
    case notJSON(JSONError)
    /// The message is JSON, but not an object.
    case notAnObject
    /// The message's member `type` is not `snapshot_response`.
    case unknownType
    /// `gzip_payload` is not base64.
    case notBase64
    /// The decoded payload is not gzip data, or is truncated.
    case badCompression(String)
    /// The payload is longer than the limit, in bytes.
    case payloadTooLong(limit: Int)
    /// The payload is not JSON.
    case payloadNotJSON(JSONError)
    /// The payload is JSON, but not an object.
    case payloadNotAnObject
    /// `serialized_objects` has more objects than the limit.
    case tooManyObjects(limit: Int)
    /// No object has the id in `rootObject`.
    case noRoot
    /// The screen cannot be written as a capture; the text is the reason.
    case unusableScreen(String)
  }

  public var kind: Kind

  init(_ kind: Kind) { self.kind = kind }

  /// This is true if the message exceeds a limit.
  public var isExcess: Bool {
    switch kind {
    case .messageTooLong, .payloadTooLong, .tooManyObjects: true
    default: false
    }
  }

  /// This is true if the message is not a JSON object.
  public var isSyntax: Bool {
    switch kind {
    case .notJSON, .notAnObject: true
    default: false
    }
  }

  public var description: String {
    switch kind {
    case .messageTooLong(let limit): "the message is longer than \(limit) bytes"
    case .notJSON(let error): "the message is not JSON: \(error)"
    case .notAnObject: "the message is not a JSON object"
    case .unknownType: "the message's type is not snapshot_response"
    case .notBase64: "gzip_payload is not base64"
    case .badCompression(let reason): "gzip_payload cannot be decompressed: \(reason)"
    case .payloadTooLong(let limit): "the payload is longer than \(limit) bytes"
    case .payloadNotJSON(let error): "the payload is not JSON: \(error)"
    case .payloadNotAnObject: "the payload is not a JSON object"
    case .tooManyObjects(let limit): "the screen has more than \(limit) objects"
    case .noRoot: "the screen has no object with the id of rootObject"
    case .unusableScreen(let reason): "the screen cannot be written as a capture: \(reason)"
    }
  }

  /// The place in the message, as a JSON Pointer.
  public var pointer: String {
    switch kind {
    case .messageTooLong, .notJSON, .notAnObject: ""
    case .unknownType: "/type"
    case .notBase64, .badCompression, .payloadTooLong, .payloadNotJSON, .payloadNotAnObject: "/gzip_payload"
    case .tooManyObjects, .noRoot, .unusableScreen: "/gzip_payload"
    }
  }
}
