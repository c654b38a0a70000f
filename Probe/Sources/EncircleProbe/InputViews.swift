#if canImport(UIKit)
  import UIKit

  /// The restrictions on what the probe may write about a view.
  enum Privacy {
    case open
    /// People type in the view: of its contents, only the placeholder is written.
    case input
    /// People type in a view around this one: none of its contents are written.
    case insideInput
  }

  /// Recognizes the views that people type in.
  @MainActor struct InputViews {
    private var names = InputNames()
    private let isPrivate: (@MainActor (UIView) -> Bool)?

    /// - Parameter isPrivate: Returns whether the app declares a view private, in addition to the views that are known to be.
    init(isPrivate: (@MainActor (UIView) -> Bool)?) { self.isPrivate = isPrivate }

    /// Returns whether people type in a view; true in doubt.
    mutating func contains(_ view: UIView, classNames: [String]) -> Bool {
      // Text fields, text views and the contents of web views take text input; fields for codes often take keys only.
      if view is UIKeyInput || view is UISearchBar { return true }
      if isPrivate?(view) == true { return true }
      if view is UIButton || view is UISwitch { return false }
      return classNames.contains { names.suggestInput($0) || $0 == "WKContentView" }
    }
  }
#endif
