import EncircleEvents
import EncircleText

/// A place in a YAML or JSON document: the keys around it, and the scalar at it.
struct YAMLPlace: Equatable {
  /// A step from a collection to one of its items.
  enum Step: Equatable {
    case key(String)
    case item
  }

  /// The steps from the document to the mapping whose key is at the place, or to the value at the place.
  var path: [Step]
  /// This is true if a key may be at the place.
  var mayBeKey: Bool
  /// This is true if a value may be at the place.
  var mayBeValue: Bool
  /// The byte range of the scalar at the place, with its quotes; empty if no scalar is there.
  var token: Range<Int>
  /// The quote with which the scalar begins.
  var quote: UInt8?
  /// This is true if a colon follows the scalar, which makes the scalar a key.
  var hasColon = false
  /// The keys of the mapping that precede the place.
  var siblings: [String] = []
  /// The values of `style` that precede the place in the mappings around it, the outermost first.
  var styles: [String] = []

  /// Finds the place of a byte offset in a text, which need not be valid YAML.
  ///
  /// - Returns: Nil in comments and in texts over several lines.
  /// - Complexity: O(offset).
  init?(at offset: Int, in bytes: [UInt8]) {
    var scanner = YAMLScanner(bytes, cursor: offset)
    guard let place = scanner.scan() else { return nil }
    self = place
  }

  init(
    _ path: [Step], key: Bool, value: Bool, _ token: Range<Int>, quote: UInt8? = nil, hasColon: Bool = false,
    siblings: [String] = []
  ) {
    self.path = path
    mayBeKey = key
    mayBeValue = value
    self.token = token
    self.quote = quote
    self.hasColon = hasColon
    self.siblings = siblings
  }

  /// Returns the range of the scalar's text without its quotes.
  func content(in bytes: [UInt8]) -> Range<Int> {
    guard let quote else { return token }
    let start = token.lowerBound + 1
    let isClosed = token.count >= 2 && bytes[token.upperBound - 1] == quote
    return start..<max(start, token.upperBound - (isClosed ? 1 : 0))
  }

  /// Returns the text of the scalar. In double quotes, the escapes of JSON are read; if the scalar is unfinished or has escapes
  /// that only YAML has, only `\"` and `\\` are.
  func text(in bytes: [UInt8]) -> String {
    let written = bytes[content(in: bytes)]
    if quote == UInt8(ascii: "\""), written.contains(UInt8(ascii: "\\")),
      case .string(let text)? = try? EventValue(json: Array(bytes[token]))
    {
      return text
    }
    let text = YAMLPlace.unquoted(written, quote)
    // Spaces up to the cursor are in the token but, without quotes, not in the text.
    return quote == nil ? String(text.trimmingBytes { $0 == UInt8(ascii: " ") || $0 == UInt8(ascii: "\t") }) : text
  }

  /// Returns a text as it is written inside the scalar: with the escapes that the scalar's quotes require.
  func escaped(_ text: String) -> String {
    switch quote {
    case UInt8(ascii: "'"): text.replacingBytes(of: "'", with: "''")
    case UInt8(ascii: "\""):
      text.replacingBytes(of: #"\"#, with: #"\\"#).replacingBytes(of: "\"", with: #"\""#)
    default: text
    }
  }

  static func unquoted(_ bytes: ArraySlice<UInt8>, _ quote: UInt8?) -> String {
    var result: [UInt8] = []
    result.reserveCapacity(bytes.count)
    var i = bytes.startIndex
    while i < bytes.endIndex {
      let next = i + 1 < bytes.endIndex ? bytes[i + 1] : 0
      if quote == UInt8(ascii: "'"), bytes[i] == UInt8(ascii: "'"), next == bytes[i] { i += 1 }
      if quote == UInt8(ascii: "\""), bytes[i] == UInt8(ascii: "\\"), next == UInt8(ascii: "\"") || next == bytes[i] {
        i += 1
      }
      result.append(bytes[i])
      i += 1
    }
    return String(decoding: result, as: UTF8.self)
  }
}
