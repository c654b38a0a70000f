import EncircleText

/// The releases of iOS in which a class occurs on screens, for classes that some releases lack.
public struct ClassReleases: Hashable, Sendable, CustomStringConvertible {
  /// The first major release; nil if it is older than the relevant ones.
  public let first: Int?
  /// The last major release; nil if the newest known one has the class.
  public let last: Int?
  /// The class that takes its place in the other releases, if there is one.
  public let counterpart: UTF8String?

  /// Finds the releases of a class; nil if all have it, or nothing is known.
  public init?(of name: UTF8String) {
    guard let known = Self.known[name] else { return nil }
    self = known
  }

  private init(from first: Int? = nil, through last: Int? = nil, else counterpart: UTF8String? = nil) {
    self.first = first
    self.last = last
    self.counterpart = counterpart
  }

  /// Returns whether a release, such as `17.2`, has the class; nil if the text is not a version.
  public func include(_ version: String) -> Bool? {
    guard let major = Int(String(version.prefix { $0 != "." })) else { return nil }
    return (first ?? .min) <= major && major <= (last ?? .max)
  }

  /// The releases in words: `iOS 10 and earlier`.
  public var description: String {
    switch (first, last) {
    case (let first?, let last?): first == last ? "iOS \(first)" : "iOS \(first) to \(last)"
    case (let first?, nil): "iOS \(first) and later"
    case (nil, let last?): "iOS \(last) and earlier"
    case (nil, nil): "iOS"
    }
  }

  // Found in view dumps of several releases and the release notes of UIKit; only certain cases are listed.
  private static let known: [UTF8String: ClassReleases] = [
    // Since iOS 11 bars use Auto Layout, with their items in a content view and a stack.
    "UINavigationButton": .init(through: 10, else: "_UIButtonBarButton"),
    "UINavigationItemButtonView": .init(through: 10, else: "_UIButtonBarButton"),
    "UINavigationItemView": .init(through: 10, else: "_UINavigationBarContentView"),
    "UIToolbarButton": .init(through: 10, else: "_UIButtonBarButton"),
    "UIToolbarTextButton": .init(through: 10, else: "_UIButtonBarButton"),
    "_UIButtonBarButton": .init(from: 11, else: "UINavigationButton"),
    "_UIButtonBarStackView": .init(from: 11),
    "_UIBackButtonContainerView": .init(from: 11),
    "_UIModernBarButton": .init(from: 11),
    "_UINavigationBarContentView": .init(from: 11),
    "_UINavigationBarLargeTitleView": .init(from: 11),
    "_UIToolbarContentView": .init(from: 11),
    "_UITAMICAdaptorView": .init(from: 11),
    "_UINavigationBarBackground": .init(through: 9, else: "_UIBarBackground"),
    "_UIBarBackground": .init(from: 10, else: "_UINavigationBarBackground"),
    // iPadOS 18 and iOS 26 have a new tab bar.
    "UITabBarButton": .init(through: 18, else: "_UITabButton"),
    "_UITabButton": .init(from: 18, else: "UITabBarButton"),
    // Since iOS 10 alerts consist of interface actions; before they had a collection view.
    "_UIAlertControllerCollectionViewCell": .init(
      from: 8, through: 9, else: "_UIInterfaceActionCustomViewRepresentationView"),
    "_UIInterfaceActionCustomViewRepresentationView": .init(from: 10, else: "_UIAlertControllerActionView"),
    "_UIInterfaceActionRepresentationsSequenceView": .init(from: 10),
    "_UIInterfaceActionSeparatableSequenceView": .init(from: 10),
    "_UIInterfaceActionGroupHeaderScrollView": .init(from: 10),
    "_UIAlertControllerShadowedScrollView": .init(through: 9, else: "_UIInterfaceActionGroupHeaderScrollView"),
    // iOS 11 removed the wrapper from table views and has new swipe actions.
    "UITableViewWrapperView": .init(through: 10),
    "UITableViewCellScrollView": .init(from: 7, through: 7),
    "UITableViewCellDeleteConfirmationView": .init(through: 10, else: "UISwipeActionPullView"),
    "_UITableViewCellActionButton": .init(from: 8, through: 10, else: "UISwipeActionStandardButton"),
    "UISwipeActionPullView": .init(from: 11, else: "UITableViewCellDeleteConfirmationView"),
    "UISwipeActionStandardButton": .init(from: 11, else: "_UITableViewCellActionButton"),
    // iOS 13 has a new layout of the search bar.
    "_UISearchBarSearchContainerView": .init(from: 13),
    "_UISearchBarSearchFieldBackgroundView": .init(from: 13),
    // A SwiftUI List is a table view through iOS 15 and a collection view since.
    "SwiftUI.UpdateCoalescingTableView": .init(through: 15, else: "SwiftUI.UpdateCoalescingCollectionView"),
    "UpdateCoalescingTableView": .init(through: 15, else: "UpdateCoalescingCollectionView"),
    "SwiftUI.UpdateCoalescingCollectionView": .init(from: 16, else: "SwiftUI.UpdateCoalescingTableView"),
    "UpdateCoalescingCollectionView": .init(from: 16, else: "UpdateCoalescingTableView"),
    "SwiftUI.ListCollectionViewCell": .init(from: 16),
    "ListCollectionViewCell": .init(from: 16),
    "UICollectionViewListCell": .init(from: 14),
    "_UICollectionViewListCellContentView": .init(from: 14),
  ]
}
