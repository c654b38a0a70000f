/// The regular expressions of these tests: alternatives of characters and dots, each with `^` and `$` or without.
struct ReferenceExpression {
  let alternatives: [[Unicode.Scalar]]
  // Stands for an escaped dot.
  private static let dot: Unicode.Scalar = "\u{F0000}"

  init(_ text: String) {
    let text = text.replacing("\\.", with: String(Self.dot))
    alternatives = text.split(separator: "|", omittingEmptySubsequences: false).map { Array($0.unicodeScalars) }
  }

  func isIn(_ text: String, fold: Bool) -> Bool {
    let text = Array((fold ? text.lowercased() : text).unicodeScalars)
    return alternatives.contains { alternative in
      var pattern =
        fold ? Array(String(String.UnicodeScalarView(alternative)).lowercased().unicodeScalars) : alternative
      let isAtStart = pattern.first == "^"
      if isAtStart { pattern.removeFirst() }
      let isAtEnd = pattern.last == "$"
      if isAtEnd { pattern.removeLast() }
      guard pattern.count <= text.count else { return false }
      return (0...(text.count - pattern.count)).contains { start in
        if isAtStart && start > 0 || isAtEnd && start + pattern.count < text.count { return false }
        return zip(pattern, text[start...]).allSatisfy { $0 == "." || $0 == $1 || $0 == Self.dot && $1 == "." }
      }
    }
  }
}
