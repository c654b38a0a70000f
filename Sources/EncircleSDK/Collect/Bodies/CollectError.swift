/// Why nothing of a request can be read.
public enum CollectError: Error, Hashable, Sendable, CustomStringConvertible {
  /// The body is encrypted, by a scheme of the SDK's own server; the text is the parameter or header that names it.
  case encrypted(String)
  /// The body, or what it becomes when it is decompressed, has more bytes than the limit.
  case tooLarge(limit: Int)
  /// There are more events than the limit.
  case tooMany(limit: Int)
  /// The body is compressed or packed in a way that is not known here; the text is what the request says of it.
  case unknownEncoding(String)
  /// The body has been changed on its way, or cut short.
  case damaged(String)
  /// There is no parameter that holds events.
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

  /// The error for a scheme of encryption that a request names, which may be any text.
  static func encrypted(of scheme: String) -> Self { .encrypted(excerpt(scheme)) }

  /// The error for an encoding that a request names, which may be any text.
  static func unknownEncoding(of name: String) -> Self { .unknownEncoding(excerpt(name)) }

  private static func excerpt(_ text: String) -> String { String(text.unicodeScalars.prefix(30)) }
}
