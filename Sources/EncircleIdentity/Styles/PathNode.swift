import EncircleText
import EncircleTree

/// What path styles ask about one element on the way from the window down.
///
/// All styles can be computed from a chain of these, so a dictionary that keeps them can write every style.
public struct PathNode: Hashable, Sendable {
  /// What an element is to some style beyond being a view.
  public enum Role: Hashable, Sendable {
    case view
    /// A segmented control, with the selected segment if that is known.
    case segmentedControl(selected: Int?)
    /// A segment, by its place from left to right.
    case segment(Int)
    /// Header of a section of a table.
    case sectionHeader(Int)
    /// Footer of a section of a table.
    case sectionFooter(Int)
    /// The view of an alert or action sheet.
    case alert
    /// An alert's action, by its place among the actions.
    case alertAction(Int)
  }

  /// A view controller, of its root view.
  public struct Controller: Hashable, Sendable {
    /// The class.
    public var className: String
    /// Its number among the children of that class of the controller around it; 0 for a root controller.
    public var index: Int
    /// What kind of controller it is.
    public var kinds: ViewKinds

    /// Creates a controller.
    public init(_ className: String, index: Int, kinds: ViewKinds = []) {
      self.className = className
      self.index = index
      self.kinds = kinds
    }

    /// Equal names are equal bytes.
    public static func == (a: Controller, b: Controller) -> Bool {
      a.index == b.index && a.kinds == b.kinds && a.className.utf8.elementsEqual(b.className.utf8)
    }

    /// Hashes the bytes of the name.
    public func hash(into hasher: inout Hasher) {
      hasher.combine(UTF8String(className))
      hasher.combine(index)
    }
  }

  /// The class, without what libraries add at run time.
  public var className: String
  /// The locator of the `hubbledata` style.
  public var locator: Locator
  /// The number among the siblings of the same class, from 0; 0 for a cell whose index path is known.
  public var index: Int
  /// What the element is.
  public var role = Role.view
  /// The controller whose root view this is.
  public var controller: Controller?
  /// The nearest superclass, if the capture or the built-in table knows it.
  public var baseClass: String?
  /// The text that an analytics SDK takes from such a view: titles and states of controls.
  public var text: String?
  /// Developers' names for the element: GrowingIO's unique tag.
  public var uniqueTag: String?
  /// PostHog's label.
  public var label: String?
  /// Android's resource id, without package and type.
  public var resourceID: String?

  /// Creates a node.
  public init(_ className: String, _ locator: Locator, index: Int) {
    self.className = className
    self.locator = locator
    self.index = index
  }

  /// The place in the list if this is a cell whose index path is known.
  public var cell: (section: Int, row: Int, kind: StyledComponent.CellKind)? {
    switch locator {
    case .row(let section, let row): (section, row, .table)
    case .item(let section, let item): (section, item, .collection)
    case .none, .index, .position: nil
    }
  }

  /// Equal texts are equal bytes.
  public static func == (a: PathNode, b: PathNode) -> Bool {
    a.index == b.index && a.locator == b.locator && a.role == b.role && a.controller == b.controller
      && a.names == b.names
  }

  /// Hashes the bytes of the names.
  public func hash(into hasher: inout Hasher) {
    hasher.combine(names)
    hasher.combine(locator)
    hasher.combine(index)
  }

  private var names: [UTF8String?] {
    [className, baseClass, text, uniqueTag, label, resourceID].map { $0.map { UTF8String($0) } }
  }
}
