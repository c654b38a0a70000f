import EncircleText

/// What somebody has typed while an app is circled, kept in memory only. It is removed elsewhere, too: from events, which may
/// come with a later screen, and from the title of a page, which is the content of its title view.
struct TypedTexts: Sendable {
  /// The texts of the fields on the present screen.
  private(set) var present: Set<UTF8String> = []
  /// Those of screens before, the last ones first.
  private(set) var earlier: [UTF8String] = []
  /// Whether a field on the screen is in a navigation bar, so that its text is the title of the page.
  private(set) var isInBar = false

  /// Of screens before, shorter texts are not looked for: they are part of nearly everything.
  private static let shortest = 4
  private static let mostEarlier = 64
  static let mask = "***"

  init() {}

  init(present: Set<UTF8String>, isInBar: Bool, after earlier: TypedTexts) {
    self.present = present
    self.isInBar = isInBar
    self.earlier = Array(
      (earlier.present.subtracting(present) + earlier.earlier.filter { !present.contains($0) })
        .filter { $0.text.unicodeScalars.count >= Self.shortest }.prefix(Self.mostEarlier))
  }

  /// All texts, longer ones first: a text may be a part of another.
  var all: [String] {
    (present + earlier).map(\.text).sorted { $0.utf8.count > $1.utf8.count }
  }

  /// Returns a title without what somebody typed; nil if nothing is left of it.
  func masked(title: String?) -> String? {
    guard let title else { return nil }
    let own = isInBar ? present : present.filter { $0.text.unicodeScalars.count >= Self.shortest }
    let texts = own + earlier
    if texts.contains(UTF8String(title)) { return nil }
    return Self.mask(title, texts.map(\.text).sorted { $0.utf8.count > $1.utf8.count })
  }

  /// Whether a text has something in it that somebody typed.
  func isIn(_ text: String) -> Bool { !Self.mask(text, all).utf8.elementsEqual(text.utf8) }

  /// Replaces texts wherever they stand. One or two characters are looked for as whole texts only.
  static func mask(_ text: String, _ typed: [String]) -> String {
    var text = text
    for secret in typed {
      if text.utf8.elementsEqual(secret.utf8) { return mask }
      guard secret.unicodeScalars.count > 2 else { continue }
      // This also finds the text in another Unicode normal form.
      text = text.replacing(secret, with: mask)
      // A combining mark after the text changes its last character, so that only its bytes match.
      text = text.replacingBytes(of: secret, with: mask)
    }
    return text
  }
}
