/// Texts of captures, which may have any length.
enum CaptureText {
  /// A text of at most so many bytes, cut between two characters.
  ///
  /// - Complexity: O(limit).
  static func shortened(_ text: String, to limit: Int) -> String {
    guard text.utf8.count > limit else { return text }
    var scalars = String.UnicodeScalarView()
    var length = 0
    for scalar in text.unicodeScalars {
      length += UTF8.width(scalar)
      guard length <= limit else { break }
      scalars.append(scalar)
    }
    return String(scalars)
  }
}
