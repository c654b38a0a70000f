import EncircleAuthoring
import EncircleIdentity
import EncircleRuleFiles
import EncircleRules
import EncircleTestSupport
import EncircleText
import EncircleTree
import Testing

@Suite struct SuggestedRuleTests {
  @Test("a rule is readable YAML")
  func text() throws {
    let screen = try Screens.named("cart.xml")
    let first = try #require(Suggester(screen).suggestions(for: ElementID(75)).first)
    var rule = SuggestedRule(first, for: ElementID(75), in: screen)
    rule.comments = ["From a\nb"]
    #expect(
      rule.yaml == """
        # From a\\u{a}b
        version: 1
        app: com.example.shop
        rules:
          - id: cart.checkout
            name: 去结算(3)
            include:
              event: $AppClick
              page: CartViewController
              selector: CheckoutButton

        """)
  }

  @Test(
    "with any texts in a capture, the rule loads and has the same texts",
    arguments: [
      "yes", "No", "null", "~", "1.5", "-", "a: b", "a #b", "\"", "\\", "'", "{x}", "é", "e\u{301}", "\u{85}",
      "\u{2028}", "x\u{FEFF}", "🛒", "*", "&a", "!t", "%", "@", "`", "|", ">", "?", " x ", "\u{7F}", "\u{FFFF}",
      "\u{AD}",
      "a\u{200D}b",
    ])
  func hostile(text: String) throws {
    var builder = ViewTree.Builder(format: .viewTree)
    builder.header.app = text
    builder.beginElement(class: "UINavigationBar")
    builder.addAttribute(.controller, text)
    for title in [text, "other"] {
      builder.beginElement(class: "UIButton")
      builder.addAttribute(.title, title)
      builder.addAttribute(.identifier, text)
      builder.endElement()
    }
    let screen = IdentifiedTree(builder.finish())
    let first = try #require(Suggester(screen).suggestions(for: ElementID(1)).first)
    let rule = SuggestedRule(first, for: ElementID(1), in: screen)
    let loaded = try #require(try RuleFiles(text: rule.yaml).ruleSet().rules.first)
    #expect(loaded.apps == [UTF8String(text)])
    #expect(loaded.name.map { UTF8String($0) } == UTF8String(text))
    #expect(loaded.clauses.first?.selectors == [first.selector])
    guard case .isOneOf(let pages, _)? = loaded.clauses.first?.page else {
      Issue.record("\(rule.yaml)")
      return
    }
    #expect(pages == [.string(UTF8String(text))])
  }

  @Test(
    "an id is made of the developer's id, or of page and class",
    arguments: [
      ("cart.add", "CartViewController", "UIButton", "cart.add"), ("com.x:id/pay_now", "P", "B", "pay-now"),
      ("支付", "CartViewController", "PayButton", "cart.pay-button"), ("42", "Controller", "A", "controller.a"),
      ("", "支付ViewController", "购物", "element-0"),
      ("--", "LoginActivity", "android.widget.Button", "login.android.widget.button"),
      ("com.x:id/0_resource_name_obfuscated", "LoginActivity", "PayButton", "login.pay-button"),
      ("generated:5", "LoginActivity", "PayButton", "login.pay-button"),
    ])
  func ids(identifier: String, page: String, className: String, expected: String) throws {
    var builder = ViewTree.Builder(format: .viewTree)
    builder.beginElement(class: className)
    builder.addAttribute(.controller, page)
    builder.addAttribute(.identifier, identifier)
    let screen = IdentifiedTree(builder.finish())
    let first = try #require(Suggester(screen).suggestions(for: ElementID(0)).first)
    #expect(SuggestedRule(first, for: ElementID(0), in: screen).id == expected)
  }

  @Test("elements of one class without ids of their own get different ids of rules")
  func namelessTwins() throws {
    let screen = try Screens.of(
      """
      <view class='UIWindow'><view class='UIView' controller='LoginViewController'>
        <view class='UIButton' actions='a:' identifier='x:id/0_resource_name_obfuscated'/>
        <view class='UIButton' actions='b:'/>
      </view></view>
      """)
    let suggester = Suggester(screen)
    let ids = try [2, 3].map { element in
      let first = try #require(suggester.suggestions(for: ElementID(element)).first)
      return SuggestedRule(first, for: ElementID(element), in: screen).id
    }
    #expect(ids == ["login.uibutton", "login.uibutton-2"])
  }
}
