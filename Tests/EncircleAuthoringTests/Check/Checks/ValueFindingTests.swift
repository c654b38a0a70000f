import EncircleAuthoring
import EncircleRuleFiles
import EncircleTestSupport
import Testing

private let cart = """
  <view class="UIWindow"><view class="UIView" controller="CartViewController">
    <view class="UINavigationBar"><view class="UIButton" actions="clearCart:"/></view>
    <view class="UIButton" title="去结算(3)"/><view class="UIButton" title="去结算(0)"/>
    <view class="UIButton" title="加入购物车"/><view class="UIButton" title="查看全部"/>
    <view class="UIButton" title="结账"/><view class="UIButton" title="确定"/><view class="UIButton" title="确实"/>
    <view class="UISwitch" on="true"/>
  </view></view>
  """

private let events = [
  #"{"event":"$AppClick","properties":{"$app_version":"5.2.1","$alert_title":"退出登录","$os":"iOS","$alert_message":"退出(3)?"}}"#,
  #"{"event":"$AppClick","properties":{"$app_version":"5.10.0","$alert_title":"退出登录","$os":"iOS","vip":true}}"#,
  #"{"event":"pay","properties":{"amount":120,"$app_version":"6.0","currency":"CNY","level":"3","vip":false}}"#,
  #"{"event":"pay","properties":{"amount":80,"currency":"CNY","level":"12","build":"5.2 (17)"}}"#,
  #"{"event":"pay","properties":{"amount":"80.00","price":80,"currency":"CNY","name":"Jo"}}"#,
]

@Suite struct ValueFindingTests {
  static let mistakeCases: [MistakeCase] = [
    MistakeCase(
      claim: "a character taken for another one", clause: "{ where: { $alert_title: 退出登陆 } }",
      message: #"$alert_title is never "退出登陆" in the events; "退出登录" occurs 2 times"#, written: "退出登录"),
    MistakeCase(
      claim: "a typing error in an action", clause: #"{ where: { $element_actions: "clearCar:" } }"#,
      message: #""clearCart:" occurs once"#, written: #""clearCart:""#),
    MistakeCase(
      claim: "an action that nothing has", clause: #"{ where: { $element_actions: "share:" } }"#,
      message: #"$element_actions is never "share:" in the captures, but "clearCart:" (1)"#),
    MistakeCase(
      claim: "a traditional character, with another number", clause: "{ where: { $element_content: 去結算(7) } }",
      message: "去结算(7)", written: "去结算(7)"),
    MistakeCase(
      claim: "quotes that are no quotes in YAML", clause: "{ where: { $element_content: “加入购物车” } }",
      message: "occurs once", written: "加入购物车"),
    MistakeCase(
      claim: "full-width parentheses", clause: "{ where: { $element_content: 去结算（3） } }",
      message: #""去结算(3)" occurs"#, written: "去结算(3)"),
    MistakeCase(
      claim: "a full-width sign in a beginning", clause: "{ where: { $element_content: { prefix: 去结算（ } } }",
      message: "never begins with", written: "去结算("),
    MistakeCase(
      claim: "a text in a list, the others being right",
      clause: "{ where: { $alert_title: [退出登陆, 退出登录2, x] } }", message: "退出登录\" occurs 2", written: "退出登录"),
    MistakeCase(
      claim: "a text that is nearly one of those that people read", clause: "{ where: { $element_content: 查看全都 } }",
      severity: .note, message: "查看全部", written: "查看全部"),
    MistakeCase(
      claim: "a short text, of which one other on the page differs in one character",
      clause: "{ page: CartViewController, where: { $element_content: 结胀 } }", severity: .note,
      message: #"is never "结胀" in the captures; "结账" occurs once"#, written: "结账"),
    MistakeCase(
      claim: "a type of element", clause: "{ where: { $element_type: UIButon } }", message: #""UIButton" occurs"#,
      written: "UIButton"),
    MistakeCase(
      claim: "a type that nothing has, which is not made one that something has",
      clause: "{ where: { $element_type: MyButton } }", message: #"is never "MyButton" in the captures, but"#),
    MistakeCase(
      claim: "another case", clause: "{ where: { $os: ios } }", message: #""iOS" occurs 2 times"#, written: "iOS"),
    MistakeCase(
      claim: "a value in not", clause: "{ where: { currency: { not: CNV } } }", message: #""CNY" occurs 3 times"#,
      written: "CNY"),
    MistakeCase(
      claim: "another app than that of the file", clause: "{ where: { $app_id: com.example.other } }",
      message: "the rules of this file are for events of com.example.shop", written: "com.example.shop",
      head: "app: com.example.shop\n"),
    MistakeCase(
      claim: "numbers compared with versions", clause: #"{ where: { $app_version: { ">=": 5.2, "<": 6 } } }"#,
      code: .wrongType, message: "$app_version is always a text in the events, so no comparison of numbers holds",
      written: #"{ version: ">=5.2 <6" }"#),
    MistakeCase(
      claim: "a number compared with versions, in lines",
      clause: "\n      where:\n        $app_version:\n          \">\": 5.10",
      code: .wrongType, message: "always a text", written: #"version: ">5.10""#),
    MistakeCase(
      claim: "a number for a version", clause: "{ where: { $app_version: 5.10 } }", code: .wrongType,
      message: "a number equals none", written: #""5.10""#),
    MistakeCase(
      claim: "a number for a text", clause: "{ where: { level: 3 } }", code: .wrongType,
      message: "level is always a text in the events", written: #""3""#),
    MistakeCase(
      claim: "a number compared with texts", clause: #"{ where: { level: { ">": 3 } } }"#, code: .wrongType,
      message: "level is always a text in the events, so no comparison"),
    MistakeCase(
      claim: "a text for a number", clause: #"{ where: { price: "100" } }"#, code: .wrongType,
      message: "price is always a number in the events", written: "100"),
    MistakeCase(
      claim: "a text for a number, beside another number", clause: #"{ where: { price: [80, "100"] } }"#,
      code: .wrongType, message: "price is always a number in the events", written: "100"),
    MistakeCase(
      claim: "a value in two types for a third one", clause: #"{ where: { vip: ["12", 12] } }"#, code: .wrongType,
      message: "vip is always true or false in the events"),
    MistakeCase(
      claim: "a text for what is mostly a number", clause: #"{ where: { amount: "100" } }"#, code: .wrongType,
      message: "amount is a number in 2 of 3 cases in the events", written: "100"),
    MistakeCase(
      claim: "a number for a truth value", clause: "{ where: { vip: 1 } }", code: .wrongType, message: "true or false",
      written: "true"),
    MistakeCase(
      claim: "a text for a truth value that captures give", clause: #"{ where: { switchState: "true" } }"#,
      code: .wrongType, message: "switchState is always true or false in the captures", written: "true"),
    MistakeCase(
      claim: "a test of texts on numbers", clause: "{ where: { price: { prefix: 1 } } }", code: .wrongType,
      message: "no test of a text holds"),
    MistakeCase(
      claim: "versions that are none", clause: #"{ where: { build: { version: ">=5" } } }"#, code: .wrongType,
      message: #"never a version in the events, but a text such as "5.2 (17)""#),
    MistakeCase(
      claim: "a page that begins so", clause: #"{ page: "Home*" }"#, code: .patternAsText,
      message: #"the page is compared with "Home*" as it stands"#, written: "{ prefix: Home }"),
    MistakeCase(
      claim: "a page in a test of its own", clause: #"{ page: { equals: "*ViewController" } }"#, code: .patternAsText,
      message: "the page is", written: "suffix: ViewController"),
    MistakeCase(
      claim: "a page with a star in the middle", clause: #"{ page: "Home*Controller" }"#, code: .patternAsText,
      message: "the page is", written: #"{ glob: Home*Controller }"#),
    MistakeCase(
      claim: "a page of SQL", clause: #"{ page: "%Cart%" }"#, code: .patternAsText, message: "the page is",
      written: "{ contains: Cart }"),
    MistakeCase(
      claim: "an event by an expression", clause: #"{ event: "^pay.*" }"#, code: .patternAsText,
      message: "the event's name is", written: #"{ matches: "^pay.*" }"#),
    MistakeCase(
      claim: "a kind of page as a selector writes it", clause: #"{ page: ":BaseViewController" }"#,
      code: .patternAsText, message: "the page is", written: "{ kindOf: BaseViewController }"),
    MistakeCase(
      claim: "several pages in one text", clause: "{ page: HomeViewController|CartViewController }",
      code: .patternAsText, message: "not with each of its parts", written: "[HomeViewController, CartViewController]"),
    MistakeCase(
      claim: "a comparison in a text", clause: #"{ where: { x: ">= 3" } }"#, code: .patternAsText,
      message: "x is compared with", written: #"{ ">=": 3 }"#),
    MistakeCase(
      claim: "full-width comparisons", clause: #"{ where: { x: "＞＝3 ＜10" } }"#, code: .patternAsText,
      message: "x is compared with", written: #"{ ">=": 3, "<": 10 }"#),
    MistakeCase(
      claim: "versions that begin alike in a text", clause: #"{ where: { $app_version: "5.2.*" } }"#,
      code: .patternAsText, message: "$app_version is compared with", written: #"{ version: ">=5.2 <5.3" }"#),
    MistakeCase(
      claim: "versions that begin alike in another notation", clause: #"{ where: { $app_version: 5.x } }"#,
      code: .patternAsText, message: "$app_version is compared with", written: #"{ version: ">=5 <6" }"#),
    MistakeCase(
      claim: "a version with a sign of other languages", clause: #"{ where: { $app_version: "==5.2" } }"#,
      code: .patternAsText, message: "$app_version is compared with", written: #"{ version: "5.2" }"#),
    MistakeCase(
      claim: "a range of versions in a text", clause: #"{ where: { $app_version: ">=5.2 <6" } }"#, code: .patternAsText,
      message: "$app_version is compared with", written: #"{ version: ">=5.2 <6" }"#),
    MistakeCase(
      claim: "an event in quotes that are none", clause: "{ event: “$AppClick” }", code: .unknownEvent,
      message: "no event “$AppClick”", written: "$AppClick"),
    MistakeCase(
      claim: "full-width parentheses in a selector", clause: "{ selector: UIButton（1） }", code: .unknownClass,
      message: "UIButton（1） has full-width signs", written: "UIButton(1)"),
    MistakeCase(
      claim: "a form of values that occur", clause: #"{ where: { $element_content: "去结算*" } }"#,
      code: .patternAsText, message: "$element_content is", written: "{ prefix: 去结算 }"),
  ]

  @Test("impossible values are reported with an edit that corrects them", arguments: mistakeCases)
  func mistakes(row: MistakeCase) throws { try row.check(captures: [cart], events: events) }

  static let rightCases: [(String, CheckCode)] = [
    // Numbers as people write them, and others.
    ("{ where: { $element_content: 立即购买 } }", .unknownValue),
    ("{ where: { $element_content: 去结算(12) } }", .unknownValue),
    ("{ where: { $element_content: 查看 } }", .unknownValue),
    // Two texts of the page are near, or none of this page is.
    ("{ page: CartViewController, where: { $element_content: 确认 } }", .unknownValue),
    ("{ page: OtherViewController, where: { $element_content: 结胀 } }", .unknownValue),
    ("{ where: { $element_content: [查看全部, 查看全文] } }", .unknownValue),
    ("{ where: { $os: { equals: ios, fold: true } } }", .unknownValue),
    ("{ where: { $os: { matches: '^(IOS|O)$', fold: true } } }", .unknownValue),
    ("{ where: { $os: Android } }", .unknownValue),
    ("{ where: { currency: USD } }", .unknownValue),
    ("{ where: { name: Jon } }", .unknownValue),
    ("{ where: { $app_version: 5.2.9 } }", .unknownValue),
    ("{ where: { $element_type: UISlider } }", .unknownValue),
    ("{ where: { $alert_title: { not: 注册 } } }", .unknownValue),
    ("{ where: { $app_id: { not: com.example.other } } }", .unknownValue),
    // Types that occur, or about which nothing is known.
    (#"{ where: { amount: "80.00" } }"#, .wrongType), (#"{ where: { level: "4" } }"#, .wrongType),
    (#"{ where: { unseen: { ">": 4 } } }"#, .wrongType), ("{ where: { price: 5 } }", .wrongType),
    (#"{ where: { $app_version: { version: ">=5.2" } } }"#, .wrongType),
    // One value in both types, as tools mean it that compare texts.
    (#"{ where: { price: [80, "80"] } }"#, .wrongType), (#"{ where: { price: { not: [80, "80"] } } }"#, .wrongType),
    (#"{ where: { amount: ["100", 100] } }"#, .wrongType), (#"{ where: { level: [3, "3"] } }"#, .wrongType),
    (#"{ where: { vip: [true, "true", 1] } }"#, .wrongType),
    ("{ where: { $wifi: [false, 0] } }", .wrongType),
    // The captures' switches say nothing about the events of payments.
    (#"{ event: pay, where: { switchState: "on" } }"#, .wrongType),
    // Texts with such signs.
    (#"{ where: { $element_content: "必填*" } }"#, .patternAsText),
    (#"{ where: { $element_content: ">" } }"#, .patternAsText),
    (#"{ where: { $element_content: "> 3" } }"#, .patternAsText),
    (#"{ where: { name: "a, b" } }"#, .patternAsText), (#"{ event: "Application Opened" }"#, .patternAsText),
    (#"{ page: "UIHostingController<ModifiedContent<AnyView, RootModifier>>" }"#, .patternAsText),
    (#"{ where: { name: "^_^" } }"#, .patternAsText),
  ]

  @Test("values that may be intended are left alone", arguments: rightCases)
  func right(clause: String, code: CheckCode) throws {
    try MistakeCase(claim: "", clause: clause, code: code, message: "", head: "app: com.example.shop\n")
      .check(captures: [cart], events: events)
  }

  @Test(
    "characters that a style writes in pages are no patterns there, and others are",
    arguments: [
      ("sensors-android", "com.k.ShopActivity|com.k.BouquetList", nil),
      (
        "sensors-android", "com.k.ShopActivity|com.k.List, com.k.CartActivity",
        #"["com.k.ShopActivity|com.k.List", com.k.CartActivity]"#
      ),
      ("hubbledata-android", "ShopActivity|CartActivity", "[ShopActivity, CartActivity]"),
      ("sensors-web", "/flowers/", nil), ("posthog-web", "/flowers/", nil),
      ("sensors", "/^Home$/", #"{ matches: "^Home$" }"#),
      ("sensors-web", "/caf%C3%A9", nil), ("posthog-web", "/鲜花", nil), ("posthog-web", "/flowers/*", nil),
      ("sensors-web", "/flowers|/cart", "[/flowers, /cart]"),
    ])
  func pages(style: String, page: String, written: String?) throws {
    try MistakeCase(
      claim: "", clause: #"{ page: "\#(page)" }"#, code: .patternAsText, message: written == nil ? "" : "the page is",
      written: written, head: "style: \(style)\n"
    ).check(captures: [])
  }

  @Test("no finding contains typed text")
  func typed() throws {
    let screen =
      #"<view class="UIWindow"><view class="UITextField" text="my secret words"/><view class="UIButton"/></view>"#
    for test in ["{ glob: secret }", "{ prefix: ^my }", "my secret word"] {
      let rules = "rules:\n  - id: a\n    include: { where: { $element_content: \(test) } }"
      let found = try Checked.findings(rules, captures: [screen], events: events)
      #expect(
        !found.contains { $0.message.contains("secret words") || $0.suggestion?.contains("secret words") == true })
    }
  }

  @Test("edits of JSON are JSON")
  func json() throws {
    let rules = #"""
      {"version":1,"rules":[{"id":"a","include":{"page":"Home*","where":{"$app_version":{">=":5.2},"$os":"ios"}}}]}
      """#
    var checker = RuleChecker(try RuleFiles(text: rules, name: "rules.json").ruleSetWithSources())
    for event in events { checker.add(try .init(json: event)) }
    let edits = checker.check(at: Checked.now).findings.compactMap(\.edit?.replacement)
    #expect(edits == [#"{"prefix": "Home"}"#, #"{"version": ">=5.2"}"#, #""iOS""#])
  }

  @Test("values of hostile size neither trap nor are slow")
  func hostile() throws {
    let long = String(repeating: "去結算（", count: TestSize.isFull ? 20_000 : 5_000)
    let rules = """
      rules:
        - { id: a, include: { page: "\(long)*", where: { k: "\(long)", l: { contains: "\(long)" }, m: ["", "*", "|", ">="] } } }
      """
    let events = (0..<(TestSize.isFull ? 200 : 50)).map {
      #"{"event":"e","properties":{"k":"v\#($0 % 7)x\#($0)","l":"\#(long)x","m":"a"}}"#
    }
    #expect(try Checked.findings(rules, events: events).count < 10)
  }
}
