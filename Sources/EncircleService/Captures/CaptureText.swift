/// Texts of captures and events, which may have any length.
enum CaptureText {
  /// Returns a text cut between two characters to a maximum number of bytes.
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
