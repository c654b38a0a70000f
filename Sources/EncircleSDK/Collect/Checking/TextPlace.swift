import EncircleText

/// Finds the line and column of an offset in a text.
struct TextPlace {
  private let text: UnsafeBufferPointer<UInt8>
  private var offset = 0
  private var known = SourceLocation(line: 1, column: 1)

  init(_ text: UnsafeBufferPointer<UInt8>) { self.text = text }

  /// Returns the place of an offset. Lines end with a line feed, and columns count Unicode scalars.
  ///
  /// - Complexity: O(bytes since the last call) when offsets grow, else O(bytes).
  mutating func location(of target: Int) -> SourceLocation {
    if target < offset { self = TextPlace(text) }
    for place in offset..<min(target, text.count) {
      let byte = text[place]
      if byte == UInt8(ascii: "\n") {
        known = SourceLocation(line: known.line + 1, column: 1)
      } else if byte & 0xC0 != 0x80 {
        known.column += 1
      }
    }
    offset = min(target, text.count)
    return known
  }
}
