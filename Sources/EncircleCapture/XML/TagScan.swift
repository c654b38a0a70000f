import EncircleText

/// Finds start tags with too many or too long attributes before libxml2 sees them.
///
/// Before it calls back, libxml2 compares each attribute of an element with all others, which takes seconds if there
/// are 50,000. Values in well-formed XML contain no `<`, so between one `<` and the next there is at most one start
/// tag. Most such stretches are shorter than any tag that exceeds the limits.
enum TagScan {
  /// Throws an error if a tag of `text`, which is UTF-8, exceeds the limits.
  ///
  /// - Complexity: O(*n*), *n* bytes; only long tags are examined byte by byte.
  static func check(_ text: UnsafeBufferPointer<UInt8>, limits: CaptureLimits) throws(CaptureError) {
    // The shortest attribute is ` a=""`.
    let harmless = min(limits.attributes, Int.max / 5) * 5
    var tag = text.offset(of: UInt8(ascii: "<")) ?? text.count
    while tag < text.count {
      let next = text.offset(of: UInt8(ascii: "<"), from: tag + 1) ?? text.count
      if next - tag > min(harmless, limits.attributeBytes) {
        try checkTag(text.part(tag..<next), limits: limits) { SourceLocation(of: tag, in: text) }
      }
      tag = next
    }
  }

  private static func checkTag(
    _ tag: UnsafeBufferPointer<UInt8>, limits: CaptureLimits, location: () -> SourceLocation
  ) throws(CaptureError) {
    if tag.starts(withLiteral: "<!") || tag.starts(withLiteral: "<?") || tag.starts(withLiteral: "</") { return }
    var quote: UInt8 = 0
    var valueStart = 0
    var attributes = 0
    for i in tag.indices {
      let byte = tag[i]
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
