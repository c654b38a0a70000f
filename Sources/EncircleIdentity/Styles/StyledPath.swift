import EncircleText
import EncircleTree

/// A path as one of the styles has it.
public struct StyledPath: Hashable, Sendable {
  /// The style.
  public var style: PathStyleName
  /// The page, where the written path names it: in `hubbledata-android`.
  public var page: String?
  /// The components, outermost first, also where the style writes the innermost first; not empty.
  public var components: [StyledComponent]

  /// Creates a path.
  public init(_ style: PathStyleName, page: String? = nil, _ components: [StyledComponent]) {
    self.style = style
    self.page = page
    self.components = components
  }

  /// The written form.
  public var written: String {
    var bytes: [UInt8] = []
    style.style.write(self, to: &bytes)
    return String(decoding: bytes, as: UTF8.self)
  }

  /// The id that the style's SDK makes of the path: of `lede` the MD5, of `hubbledata-android` the SHA-256; nil for others.
  ///
  /// An id of `hubbledata` is made of more than the path: it is the event ID.
  public var digest: [UInt8]? {
    guard style.hasOwnIDs else { return nil }
    var bytes: [UInt8] = []
    style.style.write(self, to: &bytes)
    if style == .lede { return md5(bytes) }
    var digest: [UInt8] = []
    bytes.withUnsafeBytes { EventID(identity: $0).appendBytes(to: &digest) }
    return digest
  }

  /// Equal names are equal bytes.
  public static func == (a: StyledPath, b: StyledPath) -> Bool {
    a.style == b.style && a.page.map { UTF8String($0) } == b.page.map { UTF8String($0) } && a.components == b.components
  }

  /// Hashes the bytes of the names.
  public func hash(into hasher: inout Hasher) {
    hasher.combine(style)
    hasher.combine(page.map { UTF8String($0) })
    hasher.combine(components)
  }
}

/// A component of a path in some style.
public struct StyledComponent: Hashable, Sendable {
  /// What tells the element from its siblings.
  public enum Place: Hashable, Sendable {
    /// Nothing.
    case none
    /// A locator of the `hubbledata` style that no other has: a child page's position.
    case position(x: Int, y: Int)
    /// Its number among its siblings, from 0.
    case index(Int)
    /// `[-]` or `-`: the event does not say which.
    case anyIndex
    /// A cell of a list, by section and row or item; `kind` is nil where the text does not tell.
    case cell(section: Int, row: Int, kind: CellKind?)
    /// A cell of a section; the event does not say which.
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

  /// Of which kind of list a cell is.
  public enum CellKind: Hashable, Sendable {
    /// Of a table view; its cells have rows.
    case table
    /// Of a collection view; its cells have items.
    case collection
  }

  /// Attributes that a style writes besides class and place.
  public struct Attributes: Hashable, Sendable {
    /// Android's resource id.
    public var resourceID: String?
    /// PostHog: the text.
    public var text: String?
    /// PostHog: the superclass.
    public var baseClass: String?
    /// PostHog: the developer's label.
    public var label: String?

    /// No attributes.
    public init() {}

    /// Equal texts are equal bytes.
    public static func == (a: Attributes, b: Attributes) -> Bool { a.names == b.names }

    /// Hashes the bytes.
    public func hash(into hasher: inout Hasher) { hasher.combine(names) }

    private var names: [UTF8String?] { [resourceID, text, baseClass, label].map { $0.map { UTF8String($0) } } }
  }

  /// The class name as the style writes it; not empty.
  public var className: String
  /// What tells the element from its siblings.
  public var place: Place
  /// What else is written.
  public var attributes = Attributes()

  /// Creates a component.
  public init(_ className: String, _ place: Place = .none) {
    self.className = className
    self.place = place
  }

  /// Equal names are equal bytes.
  public static func == (a: StyledComponent, b: StyledComponent) -> Bool {
    a.place == b.place && a.className.utf8.elementsEqual(b.className.utf8) && a.attributes == b.attributes
  }

  /// Hashes the bytes of the class name, and the place.
  public func hash(into hasher: inout Hasher) {
    hasher.combine(UTF8String(className))
    hasher.combine(place)
  }
}
