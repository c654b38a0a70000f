import EncircleText

/// The facts about an element, besides its class, controller and resource id, that the paths of Android SDKs depend on.
public struct AndroidNode: Hashable, Sendable {
  /// The place of an element in a list.
  public enum Place: Hashable, Sendable {
    /// The element is not a row.
    case view
    /// A row, with its position in the adapter or, if the capture does not give the position, its index in the list.
    case row(Int, isKnown: Bool)
    /// A page of a `ViewPager`. SDKs give every page of it the number of the page that is shown.
    case page(shown: Int)
    /// A group of an expandable list.
    case group(Int)
    /// A child of a group of an expandable list.
    case child(group: Int, child: Int)
    /// A header of an expandable list.
    case header(Int)
    /// A footer of an expandable list.
    case footer(Int)
    /// The child of a `SwipeRefreshLayout`, which SDKs do not count.
    case refreshed
  }

  /// The role of a view as a page in GrowingIO's SDK: the views of activities and of shown fragments are pages.
  public enum PageRole: Hashable, Sendable {
    case activity
    /// A fragment, with the name of its container's resource id.
    case fragment(container: String?)
    /// A fragment that is hidden, was never shown, or lies in such a fragment.
    case hiddenFragment
  }

  /// The number of earlier siblings of the same class or a subclass of it.
  public var kindIndex = 0
  /// The number of earlier siblings with the same simple class name.
  public var nameIndex = 0
  public var place = Place.view
  public var page: PageRole?
  /// This is true if the element's children are rows.
  public var isList = false
  /// This is true if the resource id belongs to the app, not to the system or another package.
  public var hasOwnID = false
  /// The class of the window's activity. It is set only at the root of a window that has no activity itself.
  public var owner: String?
  /// The name of the resource id of a menu item that the element shows; empty if the item has none.
  public var menuItem: String?
  /// This is true if the element is an item of a popup menu. GrowingIO names the item's subviews after the item.
  public var isPopupItem = false
  /// True if the developer makes GrowingIO's SDK ignore the element.
  public var isIgnored = false

  public init() {}

  /// Compares names by their bytes.
  public static func == (a: AndroidNode, b: AndroidNode) -> Bool {
    a.kindIndex == b.kindIndex && a.nameIndex == b.nameIndex && a.place == b.place && a.page == b.page
      && a.isList == b.isList && a.hasOwnID == b.hasOwnID && a.isPopupItem == b.isPopupItem
      && a.isIgnored == b.isIgnored && a.owner.map { UTF8String($0) } == b.owner.map { UTF8String($0) }
      && a.menuItem.map { UTF8String($0) } == b.menuItem.map { UTF8String($0) }
  }

  public func hash(into hasher: inout Hasher) {
    hasher.combine(kindIndex)
    hasher.combine(nameIndex)
    hasher.combine(place)
    hasher.combine(owner.map { UTF8String($0) })
    hasher.combine(menuItem.map { UTF8String($0) })
  }
}
