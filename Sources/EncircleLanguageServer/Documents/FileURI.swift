/// Paths of files as clients write them: `file:///home/a%20b/shop.yaml`.
enum FileURI {
  /// Returns the path of a `file:` URI; nil for another URI.
  static func path(_ uri: String) -> String? {
    let bytes = Array(uri.utf8)
    let scheme = Array("file://".utf8)
    guard bytes.count > scheme.count, bytes.prefix(scheme.count).elementsEqual(scheme) else { return nil }
    // The host name before the path is ignored, because it names this machine.
    guard let start = bytes[scheme.count...].firstIndex(of: UInt8(ascii: "/")) else { return nil }
    var path: [UInt8] = []
    var i = start
    while i < bytes.count {
      if bytes[i] == UInt8(ascii: "%"), i + 2 < bytes.count, let high = digit(bytes[i + 1]),
        let low = digit(bytes[i + 2])
      {
        path.append(high << 4 | low)
        i += 3
      } else {
        path.append(bytes[i])
        i += 1
      }
    }
    guard !path.contains(0) else { return nil }
    return String(validating: path, as: UTF8.self)
  }

  /// Returns the URI of an absolute path.
  static func uri(_ path: String) -> String {
    var bytes = Array("file://".utf8)
    let hexadecimal = Array("0123456789ABCDEF".utf8)
    for byte in path.utf8 {
      switch byte {
      case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
        UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "-"), UInt8(ascii: "."), UInt8(ascii: "_"),
        UInt8(ascii: "~"), UInt8(ascii: "/"):
        bytes.append(byte)
      default: bytes += [UInt8(ascii: "%"), hexadecimal[Int(byte >> 4)], hexadecimal[Int(byte & 15)]]
      }
    }
    return String(decoding: bytes, as: UTF8.self)
  }

  private static func digit(_ byte: UInt8) -> UInt8? {
    switch byte {
    case UInt8(ascii: "0")...UInt8(ascii: "9"): byte - UInt8(ascii: "0")
    case UInt8(ascii: "a")...UInt8(ascii: "f"): byte - UInt8(ascii: "a") + 10
    case UInt8(ascii: "A")...UInt8(ascii: "F"): byte - UInt8(ascii: "A") + 10
    default: nil
    }
  }
}
