import EncircleText
import EncircleTree

/// The properties of an element that path styles depend on.
///
/// The nodes of an element and its ancestors suffice for the paths of all styles, so a dictionary that stores nodes can give every
/// style.
public struct PathNode: Hashable, Sendable {
  /// The special roles that an element has in some styles.
  public enum Role: Hashable, Sendable {
    case view
    /// A segmented control, with the number of the selected segment if it is known.
    case segmentedControl(selected: Int?)
    /// A segment, with its number from left to right.
    case segment(Int)
    /// The header of a table's section.
    case sectionHeader(Int)
    /// The footer of a table's section.
    case sectionFooter(Int)
    /// The view of an alert or action sheet.
    case alert
    /// The view with the title of an alert's option, with its number among the alert's actions.
    case alertAction(Int)
    /// A cell without an index path from UIKit: the capture has none, or the cell is not a direct subview of its collection view.
    case unplacedCell
  }

  /// The roles for GrowingIO's indexes besides cells.
  public enum ListRole: Hashable, Sendable {
    /// A table or collection view.
    case list
    /// A header, footer or other view of a collection view that is not a cell.
    case reusableView
    /// A segment, with its number in its control or, as iOS 26 nests them, in its superview; nil in a subclass of the
    /// control.
    case segment(Int?)
    /// The cell of an alert's option up to iOS 9, with its number among the alert's actions.
    case alertCell(Int)
  }

  /// A view controller.
  public struct Controller: Hashable, Sendable {
    public var className: String
    /// The number among the child controllers of the same class and parent; 0 for a root controller.
    public var index: Int
    public var kinds: ViewKinds

    public init(_ className: String, index: Int, kinds: ViewKinds = []) {
      self.className = className
      self.index = index
      self.kinds = kinds
    }

    /// Compares names by their bytes.
    public static func == (a: Controller, b: Controller) -> Bool {
      a.index == b.index && a.kinds == b.kinds && a.className.hasSameBytes(as: b.className)
    }

    public func hash(into hasher: inout Hasher) {
      hasher.combine(UTF8String(className))
      hasher.combine(index)
    }
  }

  // A reference, as a node is in the chains of all elements below it.
  private var box: Box

  private final class Box: Sendable {
    // Constant, so that it is read without a check for concurrent changes.
    let properties: Properties
    init(_ properties: Properties) { self.properties = properties }
  }

  /// The properties of a node while it is made.
  struct Properties {
    var className: String
    var locator: Locator
    var index: Int
    var role = Role.view
    var listRole: ListRole?
    var controller: Controller?
    var currentPage: [Controller] = []
    var baseClass: String?
    var text: String?
    var uniqueTag: String?
    var label: String?
    var resourceID: String?
    var android: AndroidNode?
    var web: WebNode?
  }

  public init(_ className: String, _ locator: Locator, index: Int) {
    self.init(Properties(className: className, locator: locator, index: index))
  }

  init(_ properties: Properties) { box = Box(properties) }

  private mutating func set<Value>(_ property: WritableKeyPath<Properties, Value>, _ value: Value) {
    var properties = box.properties
    properties[keyPath: property] = value
    box = Box(properties)
  }

  /// The class name, without wrappers made at run time.
  public var className: String {
    get { box.properties.className }
    set { set(\.className, newValue) }
  }

  /// The locator of the `hubbledata` style.
  public var locator: Locator {
    get { box.properties.locator }
    set { set(\.locator, newValue) }
  }

  /// The number among the siblings of the same class, from 0; 0 for a cell whose index path is known.
  public var index: Int {
    get { box.properties.index }
    set { set(\.index, newValue) }
  }

  /// The special role in some styles.
  public var role: Role {
    get { box.properties.role }
    set { set(\.role, newValue) }
  }

  /// The role for GrowingIO's indexes; nil if it has none.
  public var listRole: ListRole? {
    get { box.properties.listRole }
    set { set(\.listRole, newValue) }
  }

  /// The controller whose root view this is.
  public var controller: Controller? {
    get { box.properties.controller }
    set { set(\.controller, newValue) }
  }

  /// The controllers of GrowingIO's current page, outermost first. They are set for windows and for root views of controllers
  /// that are not pages, because what lies in these is on the current page. Empty for other elements.
  public var currentPage: [Controller] {
    get { box.properties.currentPage }
    set { set(\.currentPage, newValue) }
  }

  /// The nearest superclass, if the capture or the built-in table knows it.
  public var baseClass: String? {
    get { box.properties.baseClass }
    set { set(\.baseClass, newValue) }
  }

  /// The text that an SDK sends of a control: its title or state.
  public var text: String? {
    get { box.properties.text }
    set { set(\.text, newValue) }
  }

  /// GrowingIO's unique tag, which developers give to elements.
  public var uniqueTag: String? {
    get { box.properties.uniqueTag }
    set { set(\.uniqueTag, newValue) }
  }

  /// PostHog's label, which developers give to elements.
  public var label: String? {
    get { box.properties.label }
    set { set(\.label, newValue) }
  }

  /// Android's resource id, without package and type.
  public var resourceID: String? {
    get { box.properties.resourceID }
    set { set(\.resourceID, newValue) }
  }

  /// Further facts for the styles of Android's SDKs; nil on other systems.
  public var android: AndroidNode? {
    get { box.properties.android }
    set { set(\.android, newValue) }
  }

  /// The facts of the web styles about an element of a page; nil on screens of apps.
  var web: WebNode? {
    get { box.properties.web }
    set { set(\.web, newValue) }
  }

  /// The section and row if the element is a cell with a known index path.
  public var cell: (section: Int, row: Int, kind: StyledComponent.CellKind)? {
    switch locator {
    case .row(let section, let row): (section, row, .table)
    case .item(let section, let item): (section, item, .collection)
    case .none, .index, .position: nil
    }
  }

  /// The section and row if UIKit gives the element an index path.
  var placedCell: (section: Int, row: Int, kind: StyledComponent.CellKind)? { role == .unplacedCell ? nil : cell }

  /// Compares texts by their bytes.
  public static func == (a: PathNode, b: PathNode) -> Bool {
    a.box === b.box
      || a.index == b.index && a.locator == b.locator && a.role == b.role && a.controller == b.controller
        && a.listRole == b.listRole && a.currentPage == b.currentPage && a.names == b.names
        && a.android == b.android
  }

  public func hash(into hasher: inout Hasher) {
    hasher.combine(names)
    hasher.combine(locator)
    hasher.combine(index)
  }

  private var names: [UTF8String?] {
    [className, baseClass, text, uniqueTag, label, resourceID].map { $0.map { UTF8String($0) } }
  }
}
