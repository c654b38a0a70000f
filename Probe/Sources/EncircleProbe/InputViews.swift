#if canImport(UIKit)
  import UIKit

  /// Says how much the probe may write about a view.
  enum Privacy {
    case open
    /// People type in the view: nothing that it shows is written but its placeholder.
    case input
    /// The view is inside one in which people type: nothing that it shows is written.
    case insideInput
  }

  /// Tells the views in which people type.
  @MainActor struct InputViews {
    private var names = InputNames()
    private let isPrivate: (@MainActor (UIView) -> Bool)?

    /// - Parameter isPrivate: Returns whether the app declares a view private, in addition to those that are known to be.
    init(isPrivate: (@MainActor (UIView) -> Bool)?) { self.isPrivate = isPrivate }

    /// Returns whether people type in a view. In doubt they do.
    mutating func contains(_ view: UIView, classNames: [String]) -> Bool {
      // Text fields, text views and the contents of web views take text input; fields for codes often take keys only.
      if view is UIKeyInput || view is UISearchBar { return true }
      if isPrivate?(view) == true { return true }
      if view is UIButton || view is UISwitch { return false }
      return classNames.contains { names.suggestInput($0) || $0 == "WKContentView" }
    }
  }
#endif
