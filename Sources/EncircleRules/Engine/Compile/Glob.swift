import EncircleText

/// Patterns over bytes in which `*` matches any run of bytes, including an empty one; every other byte matches itself.
package enum Glob {
  /// Returns whether a pattern matches a whole text.
  ///
  /// - Complexity: O(pattern × text): after a mismatch only the last `*` is extended, by one byte.
  static func matches(_ text: UnsafeBufferPointer<UInt8>, _ pattern: UnsafeBufferPointer<UInt8>) -> Bool {
    let star = UInt8(ascii: "*")
    var p = 0
    var t = 0
    var lastStar: (pattern: Int, text: Int)?
    while t < text.count {
      if p < pattern.count, pattern[p] == star {
        lastStar = (p, t)
        p += 1
      } else if p < pattern.count, pattern[p] == text[t] {
        p += 1
        t += 1
      } else if let (starAt, from) = lastStar {
        p = starAt + 1
        t = from + 1
        lastStar = (starAt, t)
      } else {
        return false
      }
    }
    while p < pattern.count, pattern[p] == star { p += 1 }
    return p == pattern.count
  }

  /// Returns whether a pattern matches a whole text.
  ///
  /// - Complexity: O(pattern × text).
  package static func matches(_ text: String, _ pattern: String) -> Bool {
    var (text, pattern) = (text, pattern)
    return text.withUTF8 { text in pattern.withUTF8 { matches(text, $0) } }
  }
}
