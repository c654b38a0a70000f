import EncircleTree
import Testing

@Suite struct ViewKindsTests {
  private static func kinds(_ name: String, _ superclasses: String?, in hierarchy: ClassHierarchy) -> ViewKinds {
    Array(name.utf8).withUnsafeBufferPointer { name in
      guard let superclasses else { return ViewKinds(class: name, in: hierarchy) }
      return Array(superclasses.utf8).withUnsafeBufferPointer {
        ViewKinds(class: name, superclasses: $0, in: hierarchy)
      }
    }
  }

  private static let noView: ViewKinds = []

  @Test(
    "the kinds of a known class come from the class and its superclasses",
    arguments: [
      ("UIView", noView), ("UILabel", noView), ("UIWindow", .window),
      ("UITableView", [.tableView, .scrollView]), ("UICollectionView", [.collectionView, .scrollView]),
      ("UIScrollView", .scrollView), ("_UIQueuingScrollView", .scrollView), ("UITableViewCell", .tableViewCell),
      ("UICollectionViewCell", .collectionViewCell), ("UINavigationBar", .navigationBar), ("UIToolbar", noView),
      ("UIButton", [.control, .button]), ("UISwitch", [.control, .switchControl]), ("UISlider", .control),
      ("UISegmentedControl", .control), ("UITextField", [.control, .textField]),
      ("UISearchTextField", [.control, .textField]), ("UISearchBar", .searchBar),
      ("UITextView", [.textView, .scrollView]),
      ("_UIAlertControllerView", [.alertView, .recognizerCarrier]), ("_UIAlertControllerActionView", .alertAction),
      ("_UIInterfaceActionCustomViewRepresentationView", .alertRepresentation),
      ("_UIAlertControllerCollectionViewCell", [.collectionViewCell, .alertCell]),
      ("_UIButtonBarButton", [.control, .barButton]), ("UINavigationItemButtonView", .button),
      ("UINavigationController", .navigationController), ("UITabBarController", .tabBarController),
      ("UISplitViewController", .splitViewController), ("UIAlertController", .alertController),
      ("UIInputWindowController", .systemOverlay),
      ("XCUIElementTypeSecureTextField", [.textField, .secureField]), ("XCUIElementTypeCell", .anyCell),
      ("XCUIElementTypeSearchField", [.searchBar, .textField]), ("UIATextField", .textField),
      ("android.widget.EditText", .textField), ("android.widget.AutoCompleteTextView", .textField),
      ("android.widget.Button", [.control, .button]), ("android.widget.CheckBox", [.control, .button, .switchControl]),
      ("android.widget.ListView", .tableView), ("android.widget.TextView", noView),
    ] as [(String, ViewKinds)])
  func known(name: String, expected: ViewKinds) {
    #expect(Self.kinds(name, nil, in: .builtIn) == expected)
  }

  @Test(
    "the superclasses that a capture names are asked too, and the superclasses of those",
    arguments: [
      ("ProductCell", "UITableViewCell UIView", .tableViewCell), ("ProductCell", "UITableViewCell", .tableViewCell),
      ("ProductCell", "\n BaseCell\tUICollectionViewCell  ", .collectionViewCell), ("ProductCell", "BaseCell", []),
      ("BuyButton", "UIButton", [.control, .button]),
      ("ChatInput", "RCTUITextField UITextField", [.control, .textField]),
      ("UIButton", "UIView", [.control, .button]), ("Odd", "", []), ("Odd", "  ", []),
    ] as [(String, String, ViewKinds)])
  func superclasses(name: String, superclasses: String, expected: ViewKinds) {
    #expect(Self.kinds(name, superclasses, in: .builtIn) == expected)
  }

  @Test(
    "an unknown class is a text field if its name says so",
    arguments: [
      ("XTextField", true), ("ShopTextFieldView", true), ("MyTextInput", true), ("com.x.FancyEditText", true),
      ("PasswordFieldView", true), ("ASecureField", true), ("TextFiel", false), ("textfield", false),
      ("FieldText", false),
    ])
  func unknown(name: String, isTextField: Bool) {
    #expect(Self.kinds(name, nil, in: .builtIn).contains(.textField) == isTextField)
  }

  @Test(
    "a class whose name suggests input may be one, whatever its superclasses",
    arguments: [
      "FlutterTextInputView", "PasswordInput", "UIFieldEditor", "ShopPinView", "Shop.PINCodeView", "PinEntryBox",
      "com.x.NoteEdit", "AmountEditView", "_TtC4Shop7PINView", "OTPInputCell", "CardCVVView", "SmsCodeCell",
      "LoginInputRow",
      "SearchBox", "HomeSearchBarView", "UIKeyboardImpl", "TUIPredictionView", "RichEditor", "ComboBox", "AmountField",
      "passwordbox", "PASSWORD", "TextArea", "UIText>Field", "x.y.Passcode_View", "MessageComposerView", "PwdView",
    ])
  func input(name: String) {
    #expect(!Self.kinds(name, nil, in: .builtIn).isDisjoint(with: .typedText))
    #expect(!Self.kinds(name, "UIView", in: .builtIn).isDisjoint(with: .typedText))
    #expect(!Self.kinds("Known", "\(name) UIView", in: .builtIn).isDisjoint(with: .typedText))
  }

  @Test(
    "other names suggest none",
    arguments: [
      "TextFieldBackground", "ForgotPasswordButton", "EditButton", "EditProfileView", "ShippingView", "SpinnerView",
      "PinterestCell", "QRCodeView", "MapPinAnnotation", "MKPinAnnotationView", "UIInputSetContainerView", "Capital",
      "androidx.compose.ui.platform.ComposeView", "com.app.input.HeaderView", "com.x.PriceTextView", "RCTTextView",
      "android.widget.TextView", "AppCompatTextView", "UIView", "Feedback", "CreditsView", "EditionCell", "OptionView",
      "_TtGC7SwiftUI14_UIHostingViewV4Shop13TextFieldPage_", "SwiftUI.HostingView<TextField>",
    ])
  func harmless(name: String) {
    #expect(Self.kinds(name, "UIView", in: .builtIn).isDisjoint(with: .typedText))
  }

  @Test("an unknown text view is a text view on iOS and a label on Android")
  func textViews() {
    #expect(Self.kinds("GrowingTextView", nil, in: .builtIn).contains(.possibleInput))
    #expect(Self.kinds("Shop.NoteTextView", nil, in: .builtIn).contains(.possibleInput))
    #expect(Self.kinds("com.x.PriceTextView", nil, in: .builtIn).isDisjoint(with: .typedText))
  }

  @Test("an app's own facts about its classes count")
  func ownHierarchy() {
    var hierarchy = ClassHierarchy.builtIn
    hierarchy.add("ProductCell", superclass: "UITableViewCell")
    #expect(Self.kinds("ProductCell", nil, in: hierarchy) == .tableViewCell)
    #expect(Self.kinds("BigCell", "ProductCell", in: hierarchy) == .tableViewCell)
    #expect(Self.kinds("ProductCell", nil, in: .builtIn) == [])
  }
}
