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

  /// Returns the nearest name; nil if more than a third of the letters of each name differ.
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

  /// Returns the nearest name if the given one is probably a misspelling of it: if they differ by at most two edits (for a long
  /// name, one for each five bytes), or only by a prefix. A name that differs more is a different name, so no message offers it.
  mutating func respelling(of name: UTF8String) -> String? {
    guard let nearest = nearest(to: name) else { return nil }
    // The names differ only in case, or in the kind of their quotes or spaces.
    if TextVariants.form(nearest).hasSameBytes(as: TextVariants.form(name.text)) { return nearest }
    if Self.isOtherPrefix(name.text, nearest) { return nearest }
    // Many class names end alike, so a common ending does not show that two of them are the same.
    let count = name.text.utf8.count
    let ending = Self.commonEndings.first { name.text.endsWithBytes(of: $0) }?.utf8.count ?? 0
    let own = count > ending ? count - ending : count
    let most = min(max(2, own / 5), max(1, own / 3))
    return Diagnostic.nearest(to: name.text, among: [nearest], within: most)
  }

  private static let commonEndings = [
    "ViewController", "Controller", "Activity", "Fragment", "TableViewCell", "CollectionViewCell", "Cell", "Button",
    "Label",
    "ImageView", "TextField", "View",
  ]

  /// Returns whether two names differ only by a module, or by the two or three capitals that classes of a library begin with.
  private static func isOtherPrefix(_ a: String, _ b: String) -> Bool {
    let (short, long) = a.utf8.count < b.utf8.count ? (a, b) : (b, a)
    let extra = long.utf8.count - short.utf8.count
    guard extra > 0, short.utf8.count > 3, long.endsWithBytes(of: short) else { return false }
    let prefix = long.utf8.prefix(extra)
    return prefix.last == UInt8(ascii: ".") || extra <= 3 && prefix.allSatisfy(isUpperCase)
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
