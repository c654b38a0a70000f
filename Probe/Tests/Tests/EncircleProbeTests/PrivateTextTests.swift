import Foundation
import Testing
import UIKit

@testable import EncircleProbe

private final class CodeBox: UIView, UIKeyInput {}

@MainActor @Suite struct PrivateTextTests {
  private let window = UIWindow(frame: CGRect(x: 0, y: 0, width: 390, height: 844))

  private func makeLabel(in view: UIView, _ text: String) {
    let label = UILabel(frame: .zero)
    label.text = text
    label.accessibilityLabel = text
    view.addSubview(label)
  }

  private func makeView(_ name: String) -> UIView {
    let view = UIView(frame: .zero)
    view.standInClassNames = [name, "UIView", "UIResponder", "NSObject"]
    window.addSubview(view)
    return view
  }

  @Test("of fields, only what the app says is written")
  func fields() {
    let field = UITextField(frame: .zero)
    field.text = "typed"
    field.accessibilityLabel = "typed"
    field.placeholder = "手机号"
    field.accessibilityIdentifier = "login.phone"
    field.isSecureTextEntry = true
    let text = UITextView(frame: .zero)
    text.text = "typed"
    let search = UISearchBar(frame: .zero)
    search.text = "typed"
    search.placeholder = "搜索"
    for view in [field, text, search] {
      window.addSubview(view)
      makeLabel(in: view, "typed")
    }
    let xml = CaptureTests.write([window])
    #expect(!xml.contains("typed"))
    for part in ["placeholder=\"手机号\"", "placeholder=\"搜索\"", "identifier=\"login.phone\"", "secure=\"true\""] {
      #expect(xml.contains(part))
    }
  }

  @Test("whatever takes keys is a field, and nothing in it is written, however deep")
  func keyInput() {
    let box = CodeBox(frame: .zero)
    window.addSubview(box)
    let inner = UIView(frame: .zero)
    box.addSubview(inner)
    makeLabel(in: inner, "typed")
    let button = UIButton(frame: .zero)
    button.currentTitle = "typed"
    button.accessibilityIdentifier = "typed"
    inner.addSubview(button)
    let controller = UIViewController()
    controller.title = "typed"
    controller.standInLoad(inner)
    #expect(!CaptureTests.write([window]).contains("typed"))
  }

  @Test(
    "classes are fields by their names",
    arguments: [
      ("NoteComposer", true), ("ShopPinView", true), ("OTPView", true), ("LoginTextField", true),
      ("Shop.PasswordRow", true), ("NoteEdit", true), ("RCTUITextView", true), ("ShopPinCode2View", true),
      ("PhoneInput", true), ("UIKeyboardImpl", true), ("Pass\u{301}word\u{301}View", true),
      (String(repeating: "A", count: 5000), true), ("_TtGC4Shop7SmsCodeVS_5Label_", true),
      ("EditButton", false), ("ProductCell", false), ("HotProductCell", false), ("ShoppingView", false),
      ("UIInputSetContainerView", false), ("SearchToolbar", false), ("Shop.Box<Swift.TextField>", false),
      ("_TtGC7SwiftUI14_UIHostingViewV4Shop9TextField_", false), ("PasswordIcon", false), ("", false), ("视图", false),
    ])
  func names(name: String, isInput: Bool) {
    var names = InputNames()
    #expect(names.suggestInput(name) == isInput)
    #expect(names.suggestInput(name) == isInput)
  }

  @Test("a label in a view with such a name is not written, a button or switch with such a name is")
  func namedViews() {
    makeLabel(in: makeView("OTPView"), "typed")
    let button = UIButton(frame: .zero)
    button.standInClassNames = ["PasswordToggleControl", "UIButton", "UIControl", "UIView"]
    button.currentTitle = "显示"
    window.addSubview(button)
    let xml = CaptureTests.write([window])
    #expect(!xml.contains("typed"))
    #expect(xml.contains("title=\"显示\""))
  }

  @Test("a view around a field has no accessibility label, which may be made of what is in it")
  func labelsAround() {
    let cell = makeView("FormCell")
    cell.accessibilityLabel = "typed"
    cell.addSubview(UITextField(frame: .zero))
    let other = makeView("InfoCell")
    other.accessibilityLabel = "说明"
    let xml = CaptureTests.write([window])
    #expect(!xml.contains("typed"))
    #expect(xml.contains("label=\"说明\""))
  }

  @Test("the app can say that more views are private")
  func privateViews() {
    let view = makeView("BalanceView")
    view.tag = 7
    makeLabel(in: view, "typed")
    var writer = ViewWriter(imageName: nil)
    writer.write(WindowTree([window], isPrivate: { $0.tag == 7 }), header: [])
    #expect(!writer.xml.text.contains("typed"))
  }

  @Test("in pictures, fields and what is in them are covered, where they are on the screen")
  func screenshots() {
    window.frame.origin = CGPoint(x: 0, y: 10)
    let scroll = UIScrollView(frame: CGRect(x: 5, y: 100, width: 300, height: 300))
    scroll.contentOffset = CGPoint(x: 0, y: 40)
    let field = UITextField(frame: CGRect(x: 10, y: 60, width: 200, height: 30))
    let inner = UIView(frame: CGRect(x: 2, y: 3, width: 400, height: 5))
    let hidden = UITextField(frame: CGRect(x: 0, y: 0, width: 9, height: 9))
    hidden.isHidden = true
    window.addSubview(scroll)
    scroll.addSubview(field)
    field.addSubview(inner)
    window.addSubview(hidden)
    UIGraphicsImageRenderer.standInLog = []
    let bounds = CGRect(x: 0, y: 0, width: 390, height: 844)
    let png = Screenshot.png(of: [window], tree: WindowTree([window], isPrivate: nil), bounds: bounds)
    #expect(png != nil)
    #expect(
      UIGraphicsImageRenderer.standInLog == [
        "draw 0.0 10.0 390.0 844.0", "fill 15.0 130.0 200.0 30.0", "fill 17.0 133.0 400.0 5.0",
      ])
  }
}
