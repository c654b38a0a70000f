import EncircleIdentity
import EncircleRules
import EncircleText
import EncircleTree

/// A rule file with one rule, made from a suggestion.
public struct SuggestedRule: Sendable {
  /// The id: the developer's own id of the element, or else the page and the class.
  public var id: String
  /// A name for people: the text of the element, if it has one that is short.
  public var name: String?
  /// The app that the rule is for; nil for any.
  public var app: String?
  /// The style of the paths that the selector matches.
  public var style = PathStyleName.hubbleData
  /// The name of the event; nil for any.
  public var event: String?
  /// The page; nil for any.
  public var page: String?
  /// The selector; nil if the rule names no place on a screen.
  public var selector: ElementSelector?
  /// The other values that the rule tests.
  public var evidence: [Suggestion.Evidence]
  /// The identity string of the element, which stands in the rule in place of its event ID.
  public var identity: String?
  /// Lines above the rule that say where it comes from; line breaks in them are escaped.
  public var comments: [String] = []

  /// Creates a rule from a suggestion.
  public init(
    _ suggestion: Suggestion, for element: ElementID, in screen: IdentifiedTree, style: PathStyleName = .hubbleData
  ) {
    self.style = style
    event = screen.tapName(of: element, in: style)
    page = style.namesPages ? suggestion.page : nil
    selector = suggestion.namesPlace ? suggestion.selector : nil
    evidence = suggestion.evidence
    app = screen.tree.header.app.flatMap { $0.isEmpty ? nil : $0 }
    let content = ElementContents(of: screen).content(of: element)
    name = content.flatMap { !$0.isEmpty && $0.utf8.count <= Self.longestName ? $0 : nil }
    id = Self.id(of: element, in: screen)
    identity = screen.identity(of: element)
  }

  /// Creates a rule for the element of an event from a suggestion, or without one from the event ID, or from name and page; nil if
  /// the event has none of these.
  init?(_ suggestion: Suggestion?, for subject: EventSubject) {
    event = subject.name
    page = subject.page
    selector = suggestion?.selector
    evidence = suggestion?.evidence ?? subject.eventID.map { [.eventID($0)] } ?? []
    guard event != nil || page != nil || selector != nil || !evidence.isEmpty else { return nil }
    app = subject.app
    style = subject.style
    name = subject.content.flatMap { !$0.isEmpty && $0.utf8.count <= Self.longestName ? $0 : nil }
    let element = subject.path?.components.last?.className ?? subject.name
    let slugs = [page.map(Self.withoutSuffix), element].compactMap { $0 }.map(Self.slug).filter { !$0.isEmpty }
    id = slugs.isEmpty ? "event" : slugs.joined(separator: ".")
  }

  private static let longestName = 80

  /// Returns an id such as `cart.checkout-button` for a `CheckoutButton` on a `CartViewController`.
  private static func id(of element: ElementID, in screen: IdentifiedTree) -> String {
    if !screen.holdsTypedText(element), let id = screen.tree.value(.identifier, of: element) {
      // An Android resource id has the package in front.
      let own = id.utf8.split(separator: UInt8(ascii: "/")).last.map { String(decoding: $0, as: UTF8.self) } ?? id
      let slug = slug(own)
      if slug.utf8.contains(where: { $0 > 0x39 }) { return slug }
    }
    let parts = [screen.page(of: element).map(withoutSuffix), screen.className(of: element)]
    let slugs = parts.compactMap { $0 }.map(slug).filter { !$0.isEmpty }
    return slugs.isEmpty ? "element-\(element)" : slugs.joined(separator: ".")
  }

  private static func withoutSuffix(_ page: String) -> String {
    for suffix in ["ViewController", "Controller", "Activity", "Page"] {
      let length = suffix.utf8.count
      if page.utf8.count > length, page.utf8.suffix(length).elementsEqual(suffix.utf8) {
        return String(decoding: page.utf8.dropLast(length), as: UTF8.self)
      }
    }
    return page
  }

  /// Returns the text in lower-case ASCII letters and digits, with `-` between words and `.` where the text has one.
  private static func slug(_ text: String) -> String {
    var result: [UInt8] = []
    var previous: UInt8 = 0
    for byte in text.utf8.prefix(longestName) {
      switch byte {
      case UInt8(ascii: "A")...UInt8(ascii: "Z"):
        if isLowerOrDigit(previous) { result.append(UInt8(ascii: "-")) }
        result.append(byte + 0x20)
      case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "0")...UInt8(ascii: "9"): result.append(byte)
      default:
        let separator = UInt8(ascii: byte == UInt8(ascii: ".") ? "." : "-")
        if let last = result.last, last != UInt8(ascii: "-"), last != UInt8(ascii: ".") { result.append(separator) }
      }
      previous = byte
    }
    while let last = result.last, last == UInt8(ascii: "-") || last == UInt8(ascii: ".") { result.removeLast() }
    return String(decoding: result, as: UTF8.self)
  }

  private static func isLowerOrDigit(_ byte: UInt8) -> Bool {
    (byte >= UInt8(ascii: "a") && byte <= UInt8(ascii: "z")) || (byte >= 0x30 && byte <= 0x39)
  }

  // MARK: - YAML

  /// The rule file as YAML that can be loaded as it is.
  public var yaml: String {
    var lines = comments.map { "# " + Self.escaped($0) }
    lines.append("version: 1")
    if let app { lines.append("app: \(Self.scalar(app))") }
    if style != .hubbleData { lines.append("style: \(style.rawValue)") }
    lines += ["rules:", "  - id: \(Self.scalar(id))"]
    if let name { lines.append("    name: \(Self.scalar(name))") }
    lines.append("    include:")
    if let event { lines.append("      event: \(Self.scalar(event))") }
    if let page { lines.append("      page: \(Self.scalar(page))") }
    if let selector { lines.append("      selector: \(Self.scalar(selector.description))") }
    var tests: [String] = []
    let fields = EventFields(style: style)
    func add(_ field: EventFields.Field, _ test: String) {
      if let place = fields.places(of: field).first { tests.append("\(Self.scalar(place.description)): { \(test) }") }
    }
    for evidence in evidence {
      switch evidence {
      case .content(let text): add(.content, "equals: \(Self.quoted(text.text))")
      case .noContent: add(.content, "exists: false")
      case .actions(let names): add(.actions, "equals: \(Self.quoted(names.text))")
      case .alertTitle(let text): add(.alertTitle, "equals: \(Self.quoted(text.text))")
      case .alertMessage(let text): add(.alertMessage, "equals: \(Self.quoted(text.text))")
      case .developerID(let id): tests.append("$element_id: { equals: \(Self.quoted(id.text)) }")
      case .eventID(let id):
        if let identity, EventID(identity: identity) == id {
          lines.append("      identity: \(Self.quoted(identity))")
        } else {
          lines.append("      eventID: \(Self.quoted(id.description))")
        }
      }
    }
    if !tests.isEmpty { lines += ["      where:"] + tests.map { "        " + $0 } }
    return lines.joined(separator: "\n") + "\n"
  }

  /// Returns a text as a YAML scalar: plain if YAML reads that as the text, else in double quotes.
  private static func scalar(_ text: String) -> String {
    var isPlain = true
    var hasLetter = false
    for (i, byte) in text.utf8.enumerated() {
      switch byte {
      case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"), UInt8(ascii: "_"),
        UInt8(ascii: "$"):
        hasLetter = true
      case UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "."), UInt8(ascii: "-"): if i == 0 { isPlain = false }
      case UInt8(ascii: "/"), UInt8(ascii: "("), UInt8(ascii: ")"), UInt8(ascii: "*"): if i == 0 { isPlain = false }
      default: isPlain = false
      }
    }
    return isPlain && hasLetter && !words.contains(UTF8String(text).lowerCase) ? text : quoted(text)
  }

  // The words that YAML 1.1 reads as truth values and null.
  private static let words: Set<[UInt8]> = Set(
    ["y", "n", "yes", "no", "on", "off", "true", "false", "null"].map { Array($0.utf8) })

  private static func quoted(_ text: String) -> String { "\"\(escaped(text))\"" }

  private static func escaped(_ text: String) -> String {
    var result = String.UnicodeScalarView()
    for scalar in text.unicodeScalars {
      switch scalar.value {
      case 0x22, 0x5C:
        result.append("\\")
        result.append(scalar)
      case 0xA0, 0xFFF0...0xFFFF,
        _ where VisibleText.isUnsafe(scalar):
        let digits = String(scalar.value, radix: 16, uppercase: true)
        let (escape, count) = digits.utf8.count <= 4 ? ("\\u", 4) : ("\\U", 8)
        result.append(
          contentsOf: (escape + String(repeating: "0", count: count - digits.utf8.count) + digits).unicodeScalars)
      default: result.append(scalar)
      }
    }
    return String(result)
  }
}

extension UTF8String {
  fileprivate var lowerCase: [UInt8] {
    text.utf8.map { $0 >= UInt8(ascii: "A") && $0 <= UInt8(ascii: "Z") ? $0 + 0x20 : $0 }
  }
}
