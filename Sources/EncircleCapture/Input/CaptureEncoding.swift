import CLibxml2
import EncircleText

/// A text encoding of captures: any encoding that the system's libxml2 can decode.
public struct CaptureEncoding: Hashable, Sendable {
  enum Kind: Hashable {
    case utf8
    /// UTF-16 with this byte order; nil if the byte order mark decides.
    case utf16(bigEndian: Bool?)
    case utf32(bigEndian: Bool?)
    case windows1252
    case other
  }

  /// The name, as in an XML declaration.
  public let name: String
  let kind: Kind

  /// Makes the encoding of that name, in upper or lower case; nil if none has it.
  ///
  /// The names of Unicode's encodings and of windows-1252 are known with `_` or nothing in place of `-`, too (`UTF_8`),
  /// whatever libxml2 was built with.
  public init?(_ name: String) {
    let isName = name.utf8.allSatisfy { isLetter($0) || isDigit($0) || "-_.:".utf8.contains($0) }
    guard isName, !name.isEmpty, name.utf8.count <= 40 else { return nil }
    switch name.lowercased().filter({ $0 != "-" && $0 != "_" }) {
    case "utf8", "usascii", "ascii": kind = .utf8
    case "utf16", "ucs2", "iso10646ucs2": kind = .utf16(bigEndian: nil)
    case "utf16le", "ucs2le": kind = .utf16(bigEndian: false)
    case "utf16be", "ucs2be": kind = .utf16(bigEndian: true)
    case "utf32", "ucs4", "iso10646ucs4": kind = .utf32(bigEndian: nil)
    case "utf32le", "ucs4le": kind = .utf32(bigEndian: false)
    case "utf32be", "ucs4be": kind = .utf32(bigEndian: true)
    case "windows1252", "cp1252": kind = .windows1252
    default:
      guard let handler = xmlFindCharEncodingHandler(name) else { return nil }
      _ = xmlCharEncCloseFunc(handler)
      kind = .other
    }
    self.name = name
  }
}
