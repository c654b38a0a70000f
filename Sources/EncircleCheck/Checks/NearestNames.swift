import EncircleText

/// The nearest of some known names, found once for each unknown one.
struct NearestNames {
  private let names: [String]
  private let isComplete: Bool
  private var found: [UTF8String: String?] = [:]
  // Where more is unknown than this, it is not for slips of the pen.
  private static let mostSought = 1_000

  /// - Parameter isComplete: Whether all names are known that there may be; else one letter is all that may differ.
  init(among names: Set<UTF8String>, isComplete: Bool) {
    self.names = names.sorted().map(\.text)
    self.isComplete = isComplete
  }

  /// The nearest name; nil if none is near enough to be meant.
  mutating func nearest(to name: UTF8String) -> String? {
    if let known = found[name] { return known }
    guard found.count < Self.mostSought else { return nil }
    let nearest = Diagnostic.nearest(to: name.text, among: names, within: isComplete ? .max : 1)
    found[name] = .some(nearest)
    return nearest
  }
}
