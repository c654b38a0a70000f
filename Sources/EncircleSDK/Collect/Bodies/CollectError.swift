/// The reason why nothing in a request can be read.
public enum CollectError: Error, Hashable, Sendable, CustomStringConvertible {
  /// The body is encrypted by a scheme of the SDK's own server; the text is the parameter or header that names the scheme.
  case encrypted(String)
  /// The body has more bytes than the limit, before or after decompression.
  case tooLarge(limit: Int)
  /// There are more events than the limit.
  case tooMany(limit: Int)
  /// The body is compressed or packed in an unknown way; the text is the request's name for it.
  case unknownEncoding(String)
  /// The body was altered or truncated in transit.
  case damaged(String)
  /// No parameter holds events.
  case noEvents

  /// The problem in a sentence; the body is never quoted.
  public var description: String {
    switch self {
    case .encrypted(let scheme): "The body is encrypted (\(scheme)), which cannot be read here."
    case .tooLarge(let limit): "The body has more than \(limit) bytes."
    case .tooMany(let limit): "The body has more than \(limit) events."
    case .unknownEncoding(let name): "The body is packed as \(name); only JSON and gzip can be read here."
    case .damaged(let reason): "The body has been damaged: \(reason)."
    case .noEvents: "There are no events: neither data nor data_list, and no JSON."
    }
  }

  /// Returns the error for an encryption scheme that a request names, which may be any text.
  static func encrypted(of scheme: String) -> Self { .encrypted(excerpt(scheme)) }

  /// Returns the error for an encoding that a request names, which may be any text.
  static func unknownEncoding(of name: String) -> Self { .unknownEncoding(excerpt(name)) }

  private static func excerpt(_ text: String) -> String { String(text.unicodeScalars.prefix(30)) }
}
