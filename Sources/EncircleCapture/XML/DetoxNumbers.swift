import EncircleText

#if canImport(Darwin)
  import Darwin
#elseif canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#endif

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
    guard let base = text.baseAddress, isDetox(text.part(0..<min(text.count, 1024))) else { return nil }
    var result: [UInt8]?
    var i = 0
    while i < text.count, let found = memchr(base + i, Int32(UInt8(ascii: "<")), text.count - i) {
      let start = UnsafeRawPointer(found) - UnsafeRawPointer(base)
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

  private static func isDetox(_ head: UnsafeBufferPointer<UInt8>) -> Bool {
    var i = 0
    while let next = head[i...].firstIndex(of: UInt8(ascii: "<")) {
      if head.part(next..<head.count).starts(withLiteral: "<ViewHierarchy") { return true }
      i = next + 1
    }
    return false
  }
}
