import EncircleText

/// The texts that were typed while an app is circled, kept in memory only. They are also removed from events, which may come
/// with a later screen, and from the title of a page, which is the content of its title view.
struct TypedTexts: Sendable {
  /// The texts of the fields on the present screen.
  private(set) var present: Set<UTF8String> = []
  /// The texts of fields on earlier screens, the latest first.
  private(set) var earlier: [UTF8String] = []
  /// This is true if a field on the screen is in a navigation bar, so that its text is the title of the page.
  private(set) var isInBar = false

  /// The shortest text of earlier screens that is searched for; a shorter one is part of nearly every text.
  private static let shortest = 4
  private static let maximumEarlier = 64
  /// No person types more texts than this on one screen.
  private static let maximumPresent = 100
  /// The length in bytes from which a text may have been cut off, so that what follows it in an event may be typed, too.
  private static let longText = 4 << 10
  static let mask = "***"

  init() {}

  init(present: Set<UTF8String>, isInBar: Bool, after earlier: TypedTexts) {
    self.present = Set(present.map { UTF8String(Self.trimmed($0.text)) }).subtracting([""])
    self.isInBar = isInBar
    remember(earlier)
  }

  /// Remembers the texts of the fields on another screen and on the screens before it.
  mutating func remember(_ other: TypedTexts) {
    var known = present
    earlier = Array(
      (Array(other.present) + other.earlier + earlier)
        .filter { known.insert($0).inserted && $0.text.unicodeScalars.count >= Self.shortest }
        .prefix(2 * Self.maximumEarlier))
    while earlier.count > Self.maximumEarlier {
      // Each second of typing leaves the beginning of a text. These go first, lest they displace whole texts.
      let beginning = earlier.indices.dropFirst().last {
        earlier[$0 - 1].text.beginsWithBytes(of: earlier[$0].text)
      }
      earlier.remove(at: beginning ?? earlier.endIndex - 1)
    }
  }

  /// This is true if there are so many texts that a search for all of them would take too long. Events, titles and the queries of
  /// addresses are then removed without a search.
  var isTooMany: Bool { present.count > Self.maximumPresent }

  /// All texts, longer ones first, because a text may be part of another.
  var all: [String] {
    (present + earlier).map(\.text).sorted { $0.utf8.count > $1.utf8.count }
  }

  /// Returns a title without typed texts; nil if nothing is left of it.
  func masked(title: String?) -> String? {
    guard let title, !isTooMany else { return nil }
    let own = isInBar ? present : present.filter { $0.text.unicodeScalars.count >= Self.shortest }
    let texts = own + earlier
    if texts.contains(UTF8String(Self.trimmed(title))) { return nil }
    return Self.mask(title, texts.map(\.text).sorted { $0.utf8.count > $1.utf8.count })
  }

  /// Returns whether a text contains typed text, or may contain it.
  func isIn(_ text: String) -> Bool { isTooMany || !Self.mask(text, all).hasSameBytes(as: text) }

  /// Returns an address without its query if typed text is in it, as on a page with the results of a search. Rules that are
  /// circled on web pages do not test the query.
  func masked(address: String) -> String {
    let end = address.utf8.firstIndex { $0 == UInt8(ascii: "?") || $0 == UInt8(ascii: "#") }
    guard let end, isIn(String(Substring(address.utf8[end...]))) else { return address }
    return String(Substring(address.utf8[..<end]))
  }

  /// Replaces texts wherever they occur, also where they are percent-encoded, as in addresses. A text of one or two characters
  /// is replaced only where it is the whole text.
  static func mask(_ text: String, _ typed: [String]) -> String {
    let masked = maskLiterally(text, typed)
    let mayBeEncoded = masked.utf8.contains { $0 == UInt8(ascii: "%") || $0 == UInt8(ascii: "+") }
    guard mayBeEncoded, !typed.isEmpty else { return masked }
    let bytes = PercentEncoding.decode(Array(masked.utf8)[...], plus: UInt8(ascii: " "))
    let decoded = String(decoding: bytes, as: UTF8.self)
    let cleaned = maskLiterally(decoded, typed)
    return cleaned.hasSameBytes(as: decoded) ? masked : cleaned
  }

  /// Returns a text without spaces and line ends at both ends: keyboards add them, and apps remove them.
  private static func trimmed(_ text: String) -> String { String(text.trimmingBytes { $0 <= UInt8(ascii: " ") }) }

  /// Returns whether a whole text is another one in upper or lower case, as apps send mail addresses. Within longer texts, such as
  /// names of classes, words in other case are not typed ones.
  private static func isInOtherCase(_ text: String, _ secret: String) -> Bool {
    text.utf8.count == secret.utf8.count && text.unicodeScalars.count >= shortest
      && text.lowercased().hasSameBytes(as: secret.lowercased())
  }

  private static func maskLiterally(_ text: String, _ typed: [String]) -> String {
    let whole = trimmed(text)
    var text = text
    for secret in typed {
      if whole.hasSameBytes(as: secret) || isInOtherCase(whole, secret) { return mask }
      guard secret.unicodeScalars.count > 2 else { continue }
      if secret.utf8.count >= longText, let place = text.utf8.firstRange(of: secret.utf8) {
        text = String(Substring(text.utf8[..<place.lowerBound])) + mask
      }
      // This also finds the text in another Unicode normal form, which ASCII does not have. It is slow.
      if !secret.utf8.allSatisfy({ $0 < 0x80 }) { text = text.replacing(secret, with: mask) }
      // A combining mark after the text changes its last character, so only its bytes match.
      text = text.replacingBytes(of: secret, with: mask)
    }
    return text
  }
}
