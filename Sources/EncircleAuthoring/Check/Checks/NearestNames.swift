import EncircleText

/// Finds the nearest of some known names, once for each unknown name.
struct NearestNames {
  private let names: Set<UTF8String>
  // The names in order; made when the first name is sought.
  private var sorted: [String]?
  private let isComplete: Bool
  private var found: [UTF8String: String?] = [:]
  // If more names than this are unknown, they are not typing errors, and comparing them with all known names would take long.
  private static let maximumSought = 1_000
  // The number of comparisons of two names that are left.
  private var comparisons = 10_000_000

  // The known names by their form; made when a name with other than ASCII characters is sought.
  private var forms: [String: String]?

  /// Prepares known names.
  ///
  /// - Parameter isComplete: True if the list of names is complete; if not, at most one letter may differ.
  init(among names: Set<UTF8String>, isComplete: Bool) {
    self.names = names
    self.isComplete = isComplete
  }

  /// Returns the nearest name; nil if no name is near enough.
  mutating func nearest(to name: UTF8String) -> String? {
    if let known = found[name] { return known }
    guard found.count < Self.maximumSought, comparisons > 0 else { return nil }
    comparisons -= names.count
    let ordered = inOrder()
    let nearest =
      variant(of: name.text, among: ordered)
      ?? Diagnostic.nearest(to: name.text, among: ordered, within: isComplete ? .max : 1)
    found[name] = .some(nearest)
    return nearest
  }

  private mutating func inOrder() -> [String] {
    let sorted = sorted ?? names.sorted().map(\.text)
    self.sorted = sorted
    return sorted
  }

  /// Returns the name that differs only in full-width signs, quotes and the like.
  private mutating func variant(of name: String, among names: [String]) -> String? {
    guard name.utf8.contains(where: { $0 >= 0x80 || $0 == UInt8(ascii: "\"") || $0 == UInt8(ascii: "'") }) else {
      return nil
    }
    let forms = forms ?? Dictionary(names.map { (TextVariants.form($0), $0) }) { first, _ in first }
    self.forms = forms
    return forms[TextVariants.form(name)]
  }
}
