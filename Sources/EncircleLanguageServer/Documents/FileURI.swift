import EncircleText

/// Paths of files as clients write them: `file:///home/a%20b/shop.yaml`.
enum FileURI {
  /// Returns the path of a `file:` URI; nil for another URI.
  static func path(_ uri: String) -> String? {
    let bytes = Array(uri.utf8)
    let scheme = Array("file://".utf8)
    guard bytes.count > scheme.count, bytes.prefix(scheme.count).elementsEqual(scheme) else { return nil }
    // The host name before the path is ignored, because it names this machine.
    guard let start = bytes[scheme.count...].firstIndex(of: UInt8(ascii: "/")) else { return nil }
    let path = PercentEncoding.decode(bytes[start...])
    guard !path.contains(0) else { return nil }
    return String(validating: path, as: UTF8.self)
  }

  /// Returns the URI of an absolute path.
  static func uri(_ path: String) -> String { "file://" + PercentEncoding.escaping(path, keepingSlashes: true) }
}
