import EncircleText

/// Mends the dumps that Detox's users keep to compare others with: they have `"<number>"` in place of each number, which
/// XML does not allow.
enum DetoxNumbers {
  /// The text that stands for a missing number.
  static let mended: StaticString = " number "
  private static let placeholder: StaticString = "<number>\""

  /// Returns a dump of Detox without the placeholders, of the same length, so that no place in the text changes; nil if
  /// the text is not a dump of Detox or has no placeholder.
  ///
  /// - Complexity: O(bytes) for a dump of Detox, else O(1).
  static func mended(_ text: UnsafeBufferPointer<UInt8>) -> [UInt8]? {
    guard text.part(0..<min(text.count, 1024)).offset(of: "<ViewHierarchy") != nil else { return nil }
    var result: [UInt8]?
    var i = 0
    while let start = text.offset(of: UInt8(ascii: "<"), from: i) {
      i = start + 1
      guard start > 0, text[start - 1] == UInt8(ascii: "\""),
        text.part(start..<text.count).starts(withLiteral: placeholder)
      else { continue }
      if result == nil { result = Array(text) }
      result?[start] = 0x20
      result?[start + mended.utf8CodeUnitCount - 1] = 0x20
    }
    return result
  }
}
