#if canImport(UIKit)
  import Foundation

  /// Writes the tags of view-tree XML.
  struct XMLText {
    private(set) var text = "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n"

    /// Deeper elements are not indented further, so that the length of the text stays linear in the length of its contents.
    private static let maximumIndentation = 32

    mutating func beginTag(_ name: String, depth: Int) {
      indent(depth)
      text += "<" + name
    }

    /// Adds an attribute to the open tag. Attributes without a value are omitted; an empty value is written.
    mutating func attribute(_ name: String, _ value: String?) {
      guard let value else { return }
      text += " " + name + "=\""
      for scalar in value.unicodeScalars {
        switch scalar {
        case "&": text += "&amp;"
        case "<": text += "&lt;"
        case ">": text += "&gt;"
        case "\"": text += "&quot;"
        // A parser would convert them to spaces.
        case "\n": text += "&#10;"
        case "\r": text += "&#13;"
        case "\t": text += "&#9;"
        // XML cannot hold them, not even as references.
        case "\u{0}"..<" ", "\u{FFFE}", "\u{FFFF}": text.unicodeScalars.append("\u{FFFD}")
        default: text.unicodeScalars.append(scalar)
        }
      }
      text += "\""
    }

    mutating func endTag(isEmpty: Bool) { text += isEmpty ? "/>\n" : ">\n" }

    mutating func endElement(_ name: String, depth: Int) {
      indent(depth)
      text += "</" + name + ">\n"
    }

    private mutating func indent(_ depth: Int) {
      text += String(repeating: "  ", count: min(depth, Self.maximumIndentation))
    }

    /// Returns a number in its XML form, without an unnecessary fraction; nil if it is not finite.
    static func number(_ value: Double) -> String? {
      guard value.isFinite else { return nil }
      return Int64(exactly: value).map { "\($0)" } ?? "\(value)"
    }

    /// Returns a single-precision number without the digits that double precision would add.
    static func number(_ value: Float) -> String? {
      guard value.isFinite else { return nil }
      return Int64(exactly: value).map { "\($0)" } ?? "\(value)"
    }

    /// Returns text of at most 16,384 bytes, which readers of captures accept as a title.
    static func shortened(_ text: String?) -> String? {
      guard let text, text.utf8.count > maximumLength else { return text }
      var end = text.utf8.index(text.utf8.startIndex, offsetBy: maximumLength)
      while end.samePosition(in: text.unicodeScalars) == nil { end = text.utf8.index(before: end) }
      return String(text[..<end])
    }

    private static let maximumLength = 16_384
  }
#endif
