import EncircleIdentity
import EncircleText
import EncircleTree

/// The facts that another tool has recorded about a circled element, under an SDK with other paths.
package struct RecordedElement: Sendable {
  /// The pages on which the element may be.
  package enum Page: Sendable {
    /// The one of this name, as the SDK of the style sends it.
    case named(UTF8String)
    /// The pages whose address meets all texts of at least one of the lists.
    case addresses([[CircledText]])
    /// Any.
    case any
    /// The page is unknown.
    case unknown
  }

  /// The id of the definition.
  package var id: UTF8String
  /// The style of the SDK that `page` and `text` come from.
  package var style: PathStyleName
  package var page: Page
  package var text: CircledText?
  /// The address of the link.
  package var href: CircledText?
  /// The classes from the root of the page down to the element, as far as its recorded path names them.
  package var classes: [UTF8String]
  /// This is true if further classes may come between and around these.
  package var isPartOfPath = false
  /// Descriptions of an element of a web page by selectors; each is an alternative.
  package var webElements: [CircledWebElement] = []
  /// In points, from the corner of the screen.
  package var frame: Frame?
  /// The width of the screen on which it was circled; nil if it is the width of the captures.
  package var screenWidth: Double?

  package init(
    id: UTF8String, style: PathStyleName = .sensors, page: UTF8String? = nil, text: UTF8String? = nil,
    path: String = "", frame: Frame? = nil, screenWidth: Double? = nil
  ) {
    (self.id, self.style, self.frame, self.screenWidth) = (id, style, frame, screenWidth)
    self.page = page.map { .named($0) } ?? .unknown
    self.text = text.map { .exact($0) }
    classes = Self.classes(of: path)
  }

  /// This is true if the tool recorded a fact about the element itself.
  var isInformative: Bool {
    text != nil || href != nil || !classes.isEmpty || frame != nil || webElements.contains { $0.own.count > 0 }
  }

  /// Adds the alternatives of a selector of CSS, with its tests of texts and links.
  mutating func add(selector: String) {
    let lenient = LenientSelector(selector)
    webElements += lenient.selectors.prefix(Self.maximumSelectors).map { CircledWebElement($0) }
    text = text ?? lenient.contained.flatMap { CircledText(containing: $0) }
    href = href ?? lenient.href.flatMap { CircledText(containing: $0) }
  }

  /// The maximum number of alternatives of one selector that are compared.
  private static let maximumSelectors = 20

  /// The maximum number of classes of a path that are compared.
  static let maximumClasses = 100

  /// Returns the classes of a path whose parts are separated by slashes, without the locators and ids after their names.
  static func classes(of path: String) -> [UTF8String] {
    var classes: [UTF8String] = []
    for part in path.splitBytes(at: "/") {
      let end = part.utf8.firstIndex { [UInt8(ascii: "["), UInt8(ascii: "("), UInt8(ascii: "#")].contains($0) }
      let name = part[..<(end ?? part.endIndex)]
      // GrowingIO has a separate part for the section of a cell.
      if !name.isEmpty, !name.hasSameBytes(as: "Section") { classes.append(UTF8String(String(name))) }
    }
    return Array(classes.suffix(maximumClasses))
  }
}
