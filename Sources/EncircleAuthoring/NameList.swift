/// Names in a message.
enum NameList {
  /// Returns the first three names in a row, and the number of the others.
  static func text(_ names: [String]) -> String {
    names.prefix(3).joined(separator: ", ") + (names.count > 3 ? " and \(names.count - 3) more" : "")
  }
}
