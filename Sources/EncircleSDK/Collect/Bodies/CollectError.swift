/// Why nothing of a request can be read.
public enum CollectError: Error, Hashable, Sendable, CustomStringConvertible {
  /// The body is encrypted, by a scheme whose key only the SDK's own server has; the text is its parameter `gzip`.
  case encrypted(String)
  /// The body, or what it becomes when it is decompressed, has more bytes than the limit.
  case tooLarge(limit: Int)
  /// There are more events than the limit.
  case tooMany(limit: Int)
  /// The body is compressed in a way that is not known here; the text is its `Content-Encoding`.
  case unknownEncoding(String)
  /// The body has been changed on its way, or cut short.
  case damaged(String)
  /// There is no parameter that holds events.
  case noEvents

  /// The problem in a sentence; the body is never quoted.
  public var description: String {
    switch self {
    case .encrypted(let scheme): "The body is encrypted (gzip=\(scheme)), which cannot be read here."
    case .tooLarge(let limit): "The body has more than \(limit) bytes."
    case .tooMany(let limit): "The body has more than \(limit) events."
    case .unknownEncoding(let name): "The body has the Content-Encoding \(name); only gzip can be read here."
    case .damaged(let reason): "The body has been damaged: \(reason)."
    case .noEvents: "There are no events: neither data nor data_list, and no JSON."
    }
  }
}
