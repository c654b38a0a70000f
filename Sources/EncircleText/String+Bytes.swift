// These compare bytes. The standard library's functions of the same names compare characters: to them, a separator with a
// combining mark behind it is another character, and "\r\n" does not contain "\n".
extension StringProtocol {
  /// Returns whether the bytes of a word are in the text. The standard library's search over a `utf8` view is not specialised and
  /// therefore slow.
  ///
  /// - Complexity: O(length × length of the word).
  @inlinable package func containsBytes(of word: String) -> Bool {
    withContiguousBytes(utf8) { text in
      withContiguousBytes(word.utf8) { word in text.offset(of: word, from: 0) != nil }
    }
  }

  /// Returns whether both texts have the same bytes. `elementsEqual` over `utf8` views compares them one by one.
  @inlinable package func hasSameBytes(as other: some StringProtocol) -> Bool {
    utf8.count == other.utf8.count
      && withContiguousBytes(utf8) { text in withContiguousBytes(other.utf8) { other in sameBytes(text, other) } }
  }

  /// Returns whether the text begins with the bytes of a word.
  @inlinable package func beginsWithBytes(of word: String) -> Bool { utf8.starts(with: word.utf8) }

  /// Returns whether the text ends with the bytes of a word.
  @inlinable package func endsWithBytes(of word: String) -> Bool {
    utf8.suffix(word.utf8.count).elementsEqual(word.utf8)
  }

  /// Returns the index of the first of an ASCII character's bytes, or nil.
  @inlinable package func indexOfByte(_ byte: Unicode.Scalar) -> Index? { utf8.firstIndex(of: UInt8(ascii: byte)) }

  /// Returns the texts between an ASCII character's bytes.
  package func splitBytes(
    at separator: Unicode.Scalar, maxSplits: Int = .max, omittingEmptySubsequences: Bool = true
  ) -> [Substring] {
    let separator = UInt8(ascii: separator)
    return Substring(self).utf8
      .split(separator: separator, maxSplits: maxSplits, omittingEmptySubsequences: omittingEmptySubsequences)
      .map { Substring($0) }
  }

  /// Returns the text without the ASCII characters at both ends that pass a test.
  package func trimmingBytes(where isTrimmed: (UInt8) -> Bool) -> Substring {
    var rest = Substring(self).utf8.drop(while: isTrimmed)
    while let last = rest.last, isTrimmed(last) { rest.removeLast() }
    return Substring(rest)
  }

  /// Returns the text with other bytes for each occurrence of a word, from the left.
  ///
  /// - Complexity: O(length × length of the word).
  package func replacingBytes(of word: String, with replacement: String) -> String {
    withContiguousBytes(utf8) { text in
      withContiguousBytes(word.utf8) { word in
        guard !word.isEmpty, var next = text.offset(of: word, from: 0) else { return String(self) }
        var result: [UInt8] = []
        result.reserveCapacity(text.count)
        var start = 0
        while true {
          result += text[start..<next]
          result += replacement.utf8
          start = next + word.count
          guard let following = text.offset(of: word, from: start) else { break }
          next = following
        }
        result += text[start...]
        return String(decoding: result, as: UTF8.self)
      }
    }
  }
}

/// Returns whether two texts have the same bytes or are both nil.
package func sameText(_ a: String?, _ b: String?) -> Bool {
  switch (a, b) {
  case (let a?, let b?): a.hasSameBytes(as: b)
  case (nil, nil): true
  default: false
  }
}
