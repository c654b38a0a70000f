import CLibxml2
import EncircleText

/// An encoding of text that captures can be read in: one that the system's libxml2 can decode.
public struct CaptureEncoding: Hashable, Sendable {
  enum Kind: Hashable {
    case utf8
    /// Big-endian or not; nil if the byte order mark says it.
    case utf16(bigEndian: Bool?)
    case utf32(bigEndian: Bool?)
    case other
  }

  /// The name, as in an XML declaration.
  public let name: String
  let kind: Kind

  /// Makes the encoding of that name, in upper or lower case; nil if none has it.
  public init?(_ name: String) {
    let isName = name.utf8.allSatisfy {
      ($0 | 0x20 >= 0x61 && $0 | 0x20 <= 0x7A) || ($0 >= 0x30 && $0 <= 0x39) || $0 == UInt8(ascii: "-")
        || $0 == UInt8(ascii: "_") || $0 == UInt8(ascii: ".") || $0 == UInt8(ascii: ":")
    }
    guard isName, !name.isEmpty, name.utf8.count <= 40 else { return nil }
    switch name.lowercased() {
    case "utf-8", "utf8", "us-ascii", "ascii": kind = .utf8
    case "utf-16", "utf16", "ucs-2", "iso-10646-ucs-2": kind = .utf16(bigEndian: nil)
    case "utf-16le", "utf16le", "ucs-2le": kind = .utf16(bigEndian: false)
    case "utf-16be", "utf16be", "ucs-2be": kind = .utf16(bigEndian: true)
    case "utf-32", "utf32", "ucs-4", "iso-10646-ucs-4": kind = .utf32(bigEndian: nil)
    case "utf-32le", "utf32le", "ucs-4le": kind = .utf32(bigEndian: false)
    case "utf-32be", "utf32be", "ucs-4be": kind = .utf32(bigEndian: true)
    default:
      guard let handler = xmlFindCharEncodingHandler(name) else { return nil }
      _ = xmlCharEncCloseFunc(handler)
      kind = .other
    }
    self.name = name
  }
}
