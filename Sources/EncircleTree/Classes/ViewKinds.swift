import EncircleText

/// The kinds of a view or of a view controller that paths, pages and tracking depend on.
public struct ViewKinds: OptionSet, Hashable, Sendable {
  public let rawValue: UInt32

  public init(rawValue: UInt32) { self.rawValue = rawValue }

  // Views.
  public static let window = ViewKinds(rawValue: 1 << 0)
  /// A table or list view, whose cells have rows.
  public static let tableView = ViewKinds(rawValue: 1 << 1)
  /// A cell of a table view.
  public static let tableViewCell = ViewKinds(rawValue: 1 << 2)
  /// A collection view, whose cells have items.
  public static let collectionView = ViewKinds(rawValue: 1 << 3)
  /// A cell of a collection view.
  public static let collectionViewCell = ViewKinds(rawValue: 1 << 4)
  /// A cell of either kind of list.
  public static let anyCell = ViewKinds(rawValue: 1 << 5)
  /// `UINavigationBar`.
  public static let navigationBar = ViewKinds(rawValue: 1 << 6)
  /// A scroll view, lists included.
  public static let scrollView = ViewKinds(rawValue: 1 << 7)
  /// A control, buttons, switches and text fields included.
  public static let control = ViewKinds(rawValue: 1 << 8)
  public static let button = ViewKinds(rawValue: 1 << 9)
  /// A switch, check box or toggle.
  public static let switchControl = ViewKinds(rawValue: 1 << 10)
  public static let searchBar = ViewKinds(rawValue: 1 << 11)
  /// A one-line text field.
  public static let textField = ViewKinds(rawValue: 1 << 12)
  /// A view for typing several lines.
  public static let textView = ViewKinds(rawValue: 1 << 13)
  /// A field for passwords.
  public static let secureField = ViewKinds(rawValue: 1 << 14)
  /// The view of an alert or action sheet.
  public static let alertView = ViewKinds(rawValue: 1 << 15)
  /// The view with the title of an alert's action. Up to iOS 9, people tap this view.
  public static let alertAction = ViewKinds(rawValue: 1 << 16)

  /// A view of another kind that may show typed text, such as a keyboard, or a view whose name suggests it.
  public static let possibleInput = ViewKinds(rawValue: 1 << 17)
  /// The view that represents an alert's action. From iOS 10 on, people tap this view.
  public static let alertRepresentation = ViewKinds(rawValue: 1 << 18)
  /// The cell around an alert's action up to iOS 9.
  public static let alertCell = ViewKinds(rawValue: 1 << 19)
  /// A bar button from iOS 11 on. The views in it take no touches.
  public static let barButton = ViewKinds(rawValue: 1 << 26)
  /// A view that only carries the recognizer of an alert or menu, which finds the action by the place of the touch.
  public static let recognizerCarrier = ViewKinds(rawValue: 1 << 27)
  /// An action of a context menu on iOS 13.
  public static let menuAction = ViewKinds(rawValue: 1 << 28)

  // View controllers.
  /// `UINavigationController`.
  public static let navigationController = ViewKinds(rawValue: 1 << 20)
  /// `UITabBarController`.
  public static let tabBarController = ViewKinds(rawValue: 1 << 21)
  /// `UISplitViewController`.
  public static let splitViewController = ViewKinds(rawValue: 1 << 22)
  /// `UIAlertController`.
  public static let alertController = ViewKinds(rawValue: 1 << 23)
  /// A controller of the keyboard or of something else that the system shows above every page.
  public static let systemOverlay = ViewKinds(rawValue: 1 << 24)
  /// `UIPageViewController`.
  public static let pageViewController = ViewKinds(rawValue: 1 << 25)
  /// An activity of Android.
  public static let activity = ViewKinds(rawValue: 1 << 29)
  /// A fragment of Android.
  public static let fragment = ViewKinds(rawValue: 1 << 30)

  /// Controllers that contain pages but are not pages themselves.
  public static let pageContainers: ViewKinds = [.navigationController, .tabBarController, .splitViewController]

  /// The kinds of views whose text is never shown, nor the text of the views in them.
  public static let typedText: ViewKinds = [.textField, .textView, .secureField, .searchBar, .possibleInput]

  /// Determines the kinds of a class.
  ///
  /// - Parameters:
  ///   - name: The class name, without the affixes that ``RuntimeSubclass`` removes.
  ///   - superclasses: The superclasses that the capture names, separated by white space, or nil if it names none.
  ///   - hierarchy: Superclasses of classes for which the capture names none.
  public init(
    class name: UnsafeBufferPointer<UInt8>, superclasses: UnsafeBufferPointer<UInt8>? = nil,
    in hierarchy: ClassHierarchy = .builtIn
  ) {
    var kinds: ViewKinds = []
    var known = false
    func add(_ name: UnsafeBufferPointer<UInt8>) {
      if let own = Self.byClass[ClassName(name)] { kinds.formUnion(own) }
    }
    func addWithSuperclasses(_ name: UnsafeBufferPointer<UInt8>) {
      add(name)
      hierarchy.forEachSuperclass(from: name) { superclass, _ in
        known = true
        add(superclass)
        return true
      }
    }
    addWithSuperclasses(name)
    if let superclasses {
      for word in superclasses.split(whereSeparator: isWhiteSpace) {
        known = true
        addWithSuperclasses(UnsafeBufferPointer(rebasing: word))
      }
    }
    if !known, kinds.isEmpty, InputNames.areTextField(name) { kinds.insert(.textField) }
    if kinds.isDisjoint(with: .typedText) {
      var suspects = InputNames.suggestInput(name, isUnknown: !known && kinds.isEmpty)
      if let superclasses, !suspects { suspects = InputNames.haveInput(superclasses: superclasses) }
      for word in superclasses?.split(whereSeparator: isWhiteSpace) ?? [] where !suspects {
        suspects = InputNames.suggestInput(UnsafeBufferPointer(rebasing: word), isUnknown: false)
      }
      if suspects, kinds.isDisjoint(with: [.button, .switchControl]) { kinds.insert(.possibleInput) }
    }
    self = kinds
  }

  // A class name as dictionary key, compared by its bytes.
  private struct ClassName: Hashable {
    let bytes: [UInt8]
    init(_ buffer: UnsafeBufferPointer<UInt8>) { bytes = Array(buffer) }
    init(_ name: String) { bytes = Array(name.utf8) }
  }

  private static let byClass: [ClassName: ViewKinds] = {
    let rows: [(ViewKinds, [String])] = [
      (.window, ["UIWindow", "XCUIElementTypeWindow", "UIAWindow", "com.android.internal.policy.DecorView"]),
      ([.tableView, .scrollView], ["UITableView"]),
      (.tableView, ["XCUIElementTypeTable", "UIATableView", "android.widget.AbsListView"]),
      (.tableViewCell, ["UITableViewCell", "UIATableCell"]),
      ([.collectionView, .scrollView], ["UICollectionView"]),
      (
        .collectionView,
        ["XCUIElementTypeCollectionView", "UIACollectionView", "androidx.recyclerview.widget.RecyclerView"]
      ),
      (.collectionViewCell, ["UICollectionViewCell", "UIACollectionCell"]),
      (.anyCell, ["XCUIElementTypeCell"]),
      (.navigationBar, ["UINavigationBar"]),
      (.scrollView, ["UIScrollView"]),
      (.control, ["UIControl"]),
      ([.control, .button], ["UIButton", "XCUIElementTypeButton", "UIAButton", "android.widget.Button"]),
      ([.control, .button], ["android.widget.ImageButton"]),
      // The back button up to iOS 10, which is not a control.
      (.button, ["UINavigationItemButtonView"]),
      (.barButton, ["_UIButtonBarButton"]),
      (
        [.control, .switchControl],
        ["UISwitch", "XCUIElementTypeSwitch", "XCUIElementTypeToggle", "XCUIElementTypeCheckBox"]
      ),
      ([.control, .switchControl], ["UIASwitch", "android.widget.CompoundButton"]),
      (
        .control,
        [
          "XCUIElementTypeSlider", "XCUIElementTypeStepper", "XCUIElementTypeSegmentedControl",
          "XCUIElementTypePageIndicator", "XCUIElementTypeDatePicker", "XCUIElementTypePickerWheel",
          "XCUIElementTypePopUpButton", "XCUIElementTypeMenuButton", "XCUIElementTypeRadioButton",
          "UIASlider", "UIASegmentedControl", "UIAPageIndicator",
          "android.widget.AbsSeekBar", "android.widget.AbsSpinner", "android.widget.NumberPicker",
        ]
      ),
      (
        .searchBar,
        ["UISearchBar", "XCUIElementTypeSearchField", "UIASearchBar", "android.widget.SearchView"]
      ),
      (.searchBar, ["androidx.appcompat.widget.SearchView", "android.support.v7.widget.SearchView"]),
      ([.control, .textField], ["UITextField"]),
      (
        .textField,
        [
          "XCUIElementTypeTextField", "XCUIElementTypeSearchField", "UIATextField", "UIASearchBar",
          "android.widget.EditText", "RCTBaseTextInputView", "RCTTextInputComponentView", "XCUIElementTypeComboBox",
        ]
      ),
      ([.textField, .secureField], ["XCUIElementTypeSecureTextField", "UIASecureTextField"]),
      (.textView, ["UITextView", "XCUIElementTypeTextView", "UIATextView"]),
      (
        .alertView,
        ["_UIAlertControllerView", "UIAlertView", "UIActionSheet", "XCUIElementTypeAlert", "XCUIElementTypeSheet"]
      ),
      (.alertView, ["UIAAlert", "UIAActionSheet"]),
      (.alertAction, ["_UIAlertControllerActionView"]),
      (.alertRepresentation, ["_UIInterfaceActionCustomViewRepresentationView"]),
      (.alertCell, ["_UIAlertControllerCollectionViewCell"]),
      (
        .recognizerCarrier,
        [
          "_UIAlertControllerView", "_UIAlertControllerInterfaceActionGroupView", "UIInterfaceActionGroupView",
          "_UIContextMenuActionsListView",
        ]
      ),
      (.menuAction, ["_UIContextMenuActionView"]),
      // A keyboard proposes words, including the one being typed.
      (.possibleInput, ["XCUIElementTypeKeyboard", "UIAKeyboard", "UIKeyboardCandidateBar", "TUIPredictionView"]),

      (.navigationController, ["UINavigationController"]),
      (.tabBarController, ["UITabBarController"]),
      (.splitViewController, ["UISplitViewController"]),
      (.pageViewController, ["UIPageViewController"]),
      (.alertController, ["UIAlertController"]),
      (.activity, ["android.app.Activity"]),
      (.fragment, ["android.app.Fragment", "android.support.v4.app.Fragment", "androidx.fragment.app.Fragment"]),
      (
        .systemOverlay,
        [
          "UIInputWindowController", "UICompatibilityInputViewController", "UISystemInputAssistantViewController",
          "UIEditingOverlayViewController", "UIApplicationRotationFollowingController",
          "UISystemKeyboardDockController", "UIKeyboardHiddenViewController",
          "UIPredictionViewController", "UICandidateViewController", "_UICursorAccessoryViewController",
        ]
      ),
    ]
    var result: [ClassName: ViewKinds] = [:]
    for (kinds, names) in rows {
      for name in names { result[ClassName(name), default: []].formUnion(kinds) }
    }
    return result
  }()
}
