// Texts of captures and events have any length, and a character may have any number of scalars. So these cut between scalars.
extension String {
  /// Returns the longest beginning of at most `limit` bytes.
  package func beginning(bytes limit: Int) -> String {
    guard utf8.count > limit else { return self }
    var end = utf8.index(startIndex, offsetBy: limit)
    while end.samePosition(in: unicodeScalars) == nil { end = utf8.index(before: end) }
    return String(self[..<end])
  }

  /// Returns the longest beginning of at most `limit` code units of UTF-16.
  package func beginning(utf16Units limit: Int) -> String {
    guard utf16.count > limit else { return self }
    var end = utf16.index(startIndex, offsetBy: limit)
    while end.samePosition(in: unicodeScalars) == nil { end = utf16.index(before: end) }
    return String(self[..<end])
  }
}
