/// Names in a message, which gives only the first of many.
package enum NameList {
  /// Returns the first names, separated by commas, and the number of further ones: `a, b and 3 more`.
  ///
  /// - Parameter count: The number of all names, if it is not that of the given ones.
  package static func text(_ names: some Collection<String>, atMost limit: Int = 3, of count: Int? = nil) -> String {
    let more = (count ?? names.count) - limit
    return names.prefix(limit).joined(separator: ", ") + (more > 0 ? " and \(more) more" : "")
  }

  /// Returns the first names, separated by commas, and an ellipsis if there are further ones: `a, b, …`.
  package static func shortened(_ names: some Collection<String>, atMost limit: Int) -> String {
    names.prefix(limit).joined(separator: ", ") + (names.count > limit ? ", …" : "")
  }
}
