import EncircleText

/// Finds JSON behind other text, such as the line that `maestro hierarchy` prints before it.
enum JSONStart {
  // The number of lines in which JSON may begin.
  private static let maximumLines = 20

  /// Returns the beginning of JSON: the first bracket at the start of one of a text's first lines; nil without one.
  ///
  /// - Complexity: O(bytes of these lines).
  static func find(in text: UnsafeBufferPointer<UInt8>) -> Int? {
    var lineStart = 0
    var lines = 0
    while lineStart < text.count, lines < maximumLines {
      let end = text.lineEnd(from: lineStart)
      if let start = text[lineStart..<end].firstIndex(where: { !isWhiteSpace($0) }) {
        if lines == 0 || text[start] == UInt8(ascii: "{"), isJSON(text, from: start) { return start }
        // This is markup, and everything in it belongs to it.
        if text[start] == UInt8(ascii: "<") { return nil }
        lines += 1
      }
      lineStart = end + 1
    }
    return nil
  }

  /// Returns whether a text begins like JSON rather than with a time or a name in brackets.
  private static func isJSON(_ text: UnsafeBufferPointer<UInt8>, from start: Int) -> Bool {
    let isArray = text[start] == UInt8(ascii: "[")
    guard isArray || text[start] == UInt8(ascii: "{") else { return false }
    guard let next = text[(start + 1)...].firstIndex(where: { !isWhiteSpace($0) }) else { return true }
    switch text[next] {
    case UInt8(ascii: "\""), UInt8(ascii: "}"), UInt8(ascii: "]"), UInt8(ascii: "{"), UInt8(ascii: "["): return true
    case 0x30...0x39:
      let end = text[next...].firstIndex { !isDigit($0) && $0 != UInt8(ascii: ".") }
      guard isArray, let end else { return isArray }
      return text[end] == UInt8(ascii: ",") || text[end] == UInt8(ascii: "]") || isWhiteSpace(text[end])
    default: return false
    }
  }
}
