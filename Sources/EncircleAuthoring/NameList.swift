/// Names in a message.
enum NameList {
  /// Returns the first three names, separated by commas, and the number of further ones.
  static func text(_ names: [String]) -> String {
    names.prefix(3).joined(separator: ", ") + (names.count > 3 ? " and \(names.count - 3) more" : "")
  }
}
