import EncircleText

#if canImport(Darwin)
  import Darwin
#elseif canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#endif

/// Finds start tags with too many or too long attributes before libxml2 sees them.
///
/// libxml2 compares every attribute of an element with every other before its first callback: 50,000 of them take
/// seconds. A value of well-formed XML holds no `<`, so whatever lies between one `<` and the next holds at most one
/// start tag, and most such stretches are too short to be worth a look.
enum TagScan {
  /// Throws if some tag of `text`, which is UTF-8, exceeds the limits.
  ///
  /// - Complexity: O(*n*), and fast where tags are short.
  static func check(_ text: UnsafeBufferPointer<UInt8>, limits: CaptureLimits) throws(CaptureError) {
    guard let base = text.baseAddress else { return }
    // The shortest attribute is ` a=""`.
    let harmless = limits.attributes * 5
    var tag = nextTag(from: 0, base: base, count: text.count)
    while tag < text.count {
      let next = nextTag(from: tag + 1, base: base, count: text.count)
      if next - tag > min(harmless, limits.attributeBytes) {
        try checkTag(text.part(tag..<next), limits: limits) { SourceLocation(of: tag, in: text) }
      }
      tag = next
    }
  }

  private static func nextTag(from start: Int, base: UnsafePointer<UInt8>, count: Int) -> Int {
    guard start < count, let found = memchr(base + start, 0x3C, count - start) else { return count }
    return UnsafeRawPointer(found) - UnsafeRawPointer(base)
  }

  private static func checkTag(
    _ tag: UnsafeBufferPointer<UInt8>, limits: CaptureLimits, location: () -> SourceLocation
  ) throws(CaptureError) {
    if tag.starts(withLiteral: "<!") || tag.starts(withLiteral: "<?") || tag.starts(withLiteral: "</") { return }
    var quote: UInt8 = 0
    var valueStart = 0
    var attributes = 0
    for (i, byte) in tag.enumerated() {
      if quote != 0 {
        if byte == quote {
          if i - valueStart > limits.attributeBytes {
            throw CaptureError(.attributeTooLong(limit: limits.attributeBytes), at: location())
          }
          quote = 0
        }
      } else if byte == UInt8(ascii: "\"") || byte == UInt8(ascii: "'") {
        quote = byte
        valueStart = i + 1
      } else if byte == UInt8(ascii: "=") {
        attributes += 1
        if attributes > limits.attributes {
          throw CaptureError(.tooManyAttributes(limit: limits.attributes), at: location())
        }
      } else if byte == UInt8(ascii: ">") {
        return
      }
    }
    if quote != 0, tag.count - valueStart > limits.attributeBytes {
      throw CaptureError(.attributeTooLong(limit: limits.attributeBytes), at: location())
    }
  }
}
