import EncircleText
import EncircleTree

/// A path in one of the styles.
public struct StyledPath: Hashable, Sendable {
  public var style: PathStyleName
  /// The page, if the style's paths contain it, as in `hubbledata-android`.
  public var page: String?
  /// The components, outermost first, even if the style writes the innermost first. Never empty, except for the root of a window in
  /// style `sensors-android`.
  public var components: [StyledComponent]
  /// This is true if a path of style `sensors-android` begins with a slash, as in windows without a `DecorView`.
  public var beginsWithSlash = false
  /// `$element_selector` of style `sensors-web`, which an event has beside the path; nil if it is not known.
  public var selector: String?

  public init(_ style: PathStyleName, page: String? = nil, _ components: [StyledComponent]) {
    self.style = style
    self.page = page
    self.components = components
  }

  /// The path as text.
  public var written: String {
    var bytes: [UInt8] = []
    style.style.write(self, to: &bytes)
    return String(decoding: bytes, as: UTF8.self)
  }

  /// The two lists of a path of style `growingio` or `growingio-android`; nil in other styles.
  public var lists: (xpath: String, xcontent: String)? {
    switch style {
    case .growingIO: (GrowingIOStyle.xpath(of: self), GrowingIOStyle.xcontent(of: self))
    case .growingIOAndroid: (GrowingIOAndroidStyle.xpath(of: self), GrowingIOAndroidStyle.xcontent(of: self))
    case .hubbleData, .hubbleDataAndroid, .lede, .sensors, .sensorsExact, .sensorsAndroid, .postHog, .sensorsWeb,
      .postHogWeb:
      nil
    }
  }

  /// The id that the style's SDK makes of the path: the MD5 in style `lede`, the SHA-256 in style `hubbledata-android`,
  /// else nil.
  ///
  /// The id of style `hubbledata` is made of more than the path. It is the event ID.
  public var digest: [UInt8]? {
    guard style.hasOwnIDs else { return nil }
    var bytes: [UInt8] = []
    style.style.write(self, to: &bytes)
    return style.digest(ofPath: bytes)
  }

  /// Compares names by their bytes.
  public static func == (a: StyledPath, b: StyledPath) -> Bool {
    a.style == b.style && a.page.map { UTF8String($0) } == b.page.map { UTF8String($0) } && a.components == b.components
      && a.beginsWithSlash == b.beginsWithSlash
      && a.selector.map({ UTF8String($0) }) == b.selector.map { UTF8String($0) }
  }

  public func hash(into hasher: inout Hasher) {
    hasher.combine(style)
    hasher.combine(page.map { UTF8String($0) })
    hasher.combine(components)
  }
}

/// A component of a path in some style.
public struct StyledComponent: Hashable, Sendable {
  /// The places that distinguish elements from their siblings.
  public enum Place: Hashable, Sendable {
    case none
    /// The position of a child page. Only the `hubbledata` style has it.
    case position(x: Int, y: Int)
    /// The index among siblings, from 0.
    case index(Int)
    /// An unknown index: `[-]` or `-`.
    case anyIndex
    /// A cell of a list, with section and row or item; `kind` is nil if the text does not give it.
    case cell(section: Int, row: Int, kind: CellKind?)
    /// A cell of a section, with an unknown row or item.
    case anyCell(section: Int, kind: CellKind?)
    /// The header of a section.
    case sectionHeader(Int)
    /// The footer of a section.
    case sectionFooter(Int)
    /// A group of an expandable list.
    case group(Int)
    /// A child of a group of an expandable list.
    case groupChild(group: Int, child: Int)
    /// A header of a list.
    case listHeader(Int)
    /// A footer of a list.
    case listFooter(Int)
  }

  /// The kinds of cell.
  public enum CellKind: Hashable, Sendable {
    /// A cell of a table view, which has a row.
    case table
    /// A cell of a collection view, which has an item.
    case collection
  }

  /// The attributes that some styles write after class and place.
  public struct Attributes: Hashable, Sendable {
    /// Android's resource id.
    public var resourceID: String?
    /// PostHog: the text.
    public var text: String?
    /// PostHog: the superclass.
    public var baseClass: String?
    /// PostHog: the developer's label.
    public var label: String?
    /// GrowingIO: whether a developer's tag takes the place of the class name, so that a cell is not preceded by `Section`.
    public var isTag = false
    /// Further facts of the web styles about an element; nil in other styles.
    public var web: WebFacts? {
      get { webFacts?.facts }
      set { webFacts = newValue.map(WebFactsBox.init) }
    }
    // A reference, so that components of other styles are no larger for it.
    private var webFacts: WebFactsBox?

    public init() {}

    /// Compares texts by their bytes.
    public static func == (a: Attributes, b: Attributes) -> Bool {
      a.names == b.names && a.isTag == b.isTag && a.web == b.web
    }

    public func hash(into hasher: inout Hasher) { hasher.combine(names) }

    private var names: [UTF8String?] { [resourceID, text, baseClass, label].map { $0.map { UTF8String($0) } } }
  }

  /// The class name as the style writes it. It is not empty.
  public var className: String
  /// The place, which distinguishes the element from its siblings.
  public var place: Place
  public var attributes = Attributes()

  public init(_ className: String, _ place: Place = .none) {
    self.className = className
    self.place = place
  }

  /// Compares names by their bytes.
  public static func == (a: StyledComponent, b: StyledComponent) -> Bool {
    a.place == b.place && a.className.hasSameBytes(as: b.className) && a.attributes == b.attributes
  }

  /// Hashes the bytes of the class name, and the place.
  public func hash(into hasher: inout Hasher) {
    hasher.combine(UTF8String(className))
    hasher.combine(place)
  }
}
