import EncircleText

/// The parts of a page's address.
public struct WebAddress: Hashable, Sendable {
  /// The host, with the port if there is one; nil in an address that is a path alone.
  public var host: String?
  /// The path as it is written; `/` if a whole URL has none.
  public var rawPath: String

  /// Takes an address apart: a URL, or a path, each with or without query and fragment.
  public init(_ text: String) {
    let bytes = Array(text.utf8)
    (host, rawPath) = bytes.withUnsafeBufferPointer { bytes in
      let path = Self.pathRange(bytes)
      let start = Self.hostStart(bytes)
      return (
        start.map { String(decoding: bytes[$0..<path.lowerBound], as: UTF8.self) },
        path.isEmpty && start != nil ? "/" : String(decoding: bytes[path], as: UTF8.self)
      )
    }
  }

  /// Returns where the path is in an address, which is empty in a URL without one.
  package static func pathRange(_ text: UnsafeBufferPointer<UInt8>) -> Range<Int> {
    func isEnd(_ byte: UInt8) -> Bool { byte == UInt8(ascii: "?") || byte == UInt8(ascii: "#") }
    var start = 0
    if let host = hostStart(text) {
      start = text[host...].firstIndex { $0 == UInt8(ascii: "/") || isEnd($0) } ?? text.count
    }
    return start..<(text[start...].firstIndex(where: isEnd) ?? text.count)
  }

  /// Returns where the host begins in a URL; nil in another text.
  private static func hostStart(_ text: UnsafeBufferPointer<UInt8>) -> Int? {
    guard text.first != UInt8(ascii: "/"), let colon = text.firstIndex(of: UInt8(ascii: ":")), colon > 0,
      text.part(colon..<text.count).starts(withLiteral: "://"),
      text[..<colon].allSatisfy({ isLetter($0) || (0x2B...0x39).contains($0) })
    else { return nil }
    return colon + 3
  }

  /// The path with percent-encoded characters decoded, except those that separate parts of an address, as `decodeURI` does.
  public var path: String { Self.decoded(rawPath) }

  /// Decodes a text like `decodeURI`; returns a text that `decodeURI` would refuse unchanged.
  package static func decoded(_ text: String) -> String {
    guard text.utf8.contains(UInt8(ascii: "%")) else { return text }
    let bytes = Array(text.utf8)
    var result: [UInt8] = []
    var i = 0
    while i < bytes.count {
      guard bytes[i] == UInt8(ascii: "%") else {
        result.append(bytes[i])
        i += 1
        continue
      }
      guard i + 2 < bytes.count, let high = Hexadecimal.value(of: bytes[i + 1]),
        let low = Hexadecimal.value(of: bytes[i + 2])
      else { return text }
      let byte = UInt8(high << 4 | low)
      if ";/?:@&=+$,#".utf8.contains(byte) {
        result += bytes[i...i + 2]
      } else {
        result.append(byte)
      }
      i += 3
    }
    return String(validating: result, as: UTF8.self) ?? text
  }

  /// Returns paths without those that are percent-encoded forms of others among them. A rule for web pages that writes a path
  /// percent-encoded tests both forms.
  package static func withoutEncodedForms(_ paths: [UTF8String]) -> [UTF8String] {
    let all = Set(paths)
    return paths.filter { path in
      let plain = UTF8String(decoded(path.text))
      return plain == path || !all.contains(plain)
    }
  }

  /// Returns a path percent-encoded as `location.pathname` has it. Browsers write escapes in upper case, but keep those of a link
  /// as they are.
  package static func encoded(_ path: String, inLowerCase: Bool = false) -> String {
    // All other characters are in the set that URLs encode in paths.
    PercentEncoding.escaping(path, inLowerCase: inLowerCase) {
      $0 > 0x20 && $0 < 0x7F && !"\"#<>?`{}^".utf8.contains($0)
    }
  }
}
