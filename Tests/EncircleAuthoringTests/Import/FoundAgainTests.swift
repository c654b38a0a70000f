import EncircleEvents
import EncircleIdentity
import EncircleRuleFiles
import EncircleTestSupport
import EncircleText
import Testing

@testable import EncircleAuthoring

/// Definitions of each tool, found again by what they have: one element, several, none, and a page that no capture shows.
@Suite struct FoundAgainTests {
  private static let captures: [(name: String, screen: IdentifiedTree)]? = try? [
    "home-feed.xml", "login.xml", "android-shop.xml", "flowers.html",
  ].map { (name: $0, screen: try Screens.named($0)) }

  /// The result for the last definition of a file.
  private static func proposal(_ json: String, style: PathStyleName? = nil) throws -> ImportProposal? {
    var reading = DefinitionImport()
    try reading.add(Array(json.utf8), name: "f.json")
    var report = ImportReport(reading.finish(), ImportReport.Options())
    var finder = ImportFinder(try #require(captures), style: style)
    finder.propose(for: &report)
    return report.entries.last?.proposal
  }

  private func check(_ json: String, _ expected: String?) throws {
    let proposal = try Self.proposal(json)
    let title = proposal?.elements.first?.title
    #expect(proposal.map { $0.verdict.rawValue + (title.map { " " + $0 } ?? "") } == expected, "\(json)")
    for element in proposal?.elements ?? [] {
      #expect(!element.reasons.isEmpty)
      let clause = try #require(element.clause)
      let file: EventObject = ["version": 1, "rules": .list([["id": "a", "include": .object(clause)]])]
      let text = String(decoding: EventValue.object(file).json, as: UTF8.self)
      #expect(throws: Never.self) { try RuleFiles(text: text, name: "rules.json").ruleSet() }
    }
  }

  @Test(
    "an action of PostHog is found by tag, text, link, attributes and what is around, on pages whose address fits",
    arguments: [
      (#""tag_name":"button","text":"清空""#, "found button 清空"),
      (#""tag_name":"button","text":"清","text_matching":"contains""#, "found button 清空"),
      (#""tag_name":"button","text":"^清.$","text_matching":"regex""#, "found button 清空"),
      (#""tag_name":"a","href":"/help","url":"/flowers/""#, "found a 帮助"),
      (#""tag_name":"a","href":"/HELP","href_matching":"contains""#, "found a 帮助"),
      (#""selector":"[data-action=\"clear\"]","url":"today$","url_matching":"regex""#, "found button 清空"),
      // Its attributes are the same, though it is no longer in such a form.
      (#""selector":"form.old > button.add","text":"加入花篮""#, "found button 加入花篮"),
      (#""selector":"button:not(.ghost)[data-extra^=\"c\"]","text":"贺卡""#, "found button 贺卡"),
      // The span in the button says the same: a tap on it is one on the button.
      (#""text":"加入花篮","tag_name":"button""#, "found button 加入花篮"),
      (
        #""properties":[{"type":"element","key":"text","value":["清空"]},{"type":"element","key":"tag_name","value":"button"}]"#,
        "found button 清空"
      ),
      // A text alone, a tag alone.
      (#""text":"看看""#, "several button 看看"), (#""tag_name":"button""#, "several button 筛选"),
      (#""selector":"form.old > input.checkout""#, "several input 去结算"),
      (#""tag_name":"video","text":"没有""#, "none"), (#""selector":"video > track""#, "none"),
      (#""tag_name":"button","text":"清空","url":"/plants""#, "no-capture"),
      (#""tag_name":"button","text":"清空","url":"https://kiosk.example/","url_matching":"exact""#, "no-capture"),
      (#""tag_name":"button","text":"清空","url":"(","url_matching":"regex""#, "no-capture"),
      // Nothing of it can be seen.
      (#""properties":[{"type":"element","key":"text","value":["清空"],"operator":"is_not"}]"#, nil),
    ] as [(String, String?)])
  func postHog(step: String, expected: String?) throws {
    try check(#"[{"id":1,"name":"a","steps":[{"event":"$pageview"},{"event":"$autocapture",\#(step)}]}]"#, expected)
  }

  @Test(
    "an action of PostHog for an app for iOS is found by classes and text on its screen",
    arguments: [
      (#""selector":"UIButton","text":"获取验证码""#, "Login", "found UIButton 获取验证码"),
      (#""tag_name":"UIButton","text":"获取验证码""#, "Login", "found UIButton 获取验证码"),
      // Both sections have such a button.
      (#""selector":"ProductCell UIButton","text":"加入""#, "Home", "several UIButton 加入"),
      (#""selector":"GoneCell","text":"没有""#, "Home", "none"),
      (#""selector":"UIButton","text":"获取验证码""#, "Cart", "no-capture"),
    ])
  func postHogOnIOS(step: String, screen: String, expected: String) throws {
    let filter = #"{"key":"$screen_name","value":["\#(screen)"],"operator":"exact","type":"event"}"#
    try check(
      #"[{"id":1,"name":"a","steps":[{"event":"$autocapture",\#(step),"properties":[\#(filter)]}]}]"#, expected)
  }

  @Test(
    "a visual event of Sensors for web pages is found by text, path and selector on the page of that path",
    arguments: [
      (#""element_path":"html/body/main/div/button","element_content":"清空""#, "/flowers/today", "found button 清空"),
      (#""element_path":"div#clear-dialog > button","element_content":"清空""#, "/flowers/today", "found button 清空"),
      (#""element_selector":"div > div > button.add","element_content":"加入花篮""#, "/flowers/today", "found button 加入花篮"),
      (##""element_selector":"#clear-dialog > button""##, "/flowers/today", "several button 取消"),
      (#""element_selector":"video""#, "/flowers/today", "none"),
      (#""element_path":"div#clear-dialog > button","element_content":"清空""#, "/flowers", "no-capture"),
    ])
  func sensorsOnPages(element: String, path: String, expected: String) throws {
    let field = element.contains("element_selector") ? "element_selector" : "element_path"
    try check(
      """
      {"version":"1","os":"Web","app_id":"a","events":[{"event_name":"e","event_type":"webclick","event":
       {"url_host":"old.example","url_path":"\(path)","element_field":"\(field)","function":"contain",\(element)}}]}
      """, expected)
  }

  private static let list =
    "android.widget.LinearLayout[0]/android.widget.FrameLayout[0]/android.widget.ExpandableListView[0]"
  private static let tabs =
    "android.widget.LinearLayout[0]/android.widget.FrameLayout[0]/com.google.android.material.tabs.TabLayout[0]"

  @Test(
    "a visual event of Sensors for Android is found by text and classes on its page",
    arguments: [
      (
        "\(list)/ELVG[0]/ELVC[-]/android.widget.LinearLayout[0]/androidx.appcompat.widget.AppCompatButton[0]", "看看",
        "found"
      ),
      (
        "\(tabs)/com.google.android.material.tabs.TabLayout.SlidingTabIndicator[0]/com.google.android.material.tabs.TabLayout.TabView[0]",
        "", "several"
      ),
      ("a.B[0]/c.D[0]", "没有", "none"),
    ])
  func sensorsOnAndroid(path: String, text: String, expected: String) throws {
    func json(_ page: String) -> String {
      """
      {"version":"1","os":"Android","app_id":"a","events":[{"event_name":"e","event_type":"appclick","event":
       {"element_path":"\(path)","screen_name":"\(page)","element_content":"\(text)","limit_element_content":false}}]}
      """
    }
    let proposal = try #require(try Self.proposal(json("com.example.kiosk.ShopActivity")))
    #expect(proposal.verdict.rawValue == expected)
    let best = proposal.elements.first
    #expect(expected != "found" || best?.title.hasSuffix("看看") == true && best?.clause?["style"] == "sensors-android")
    #expect(try Self.proposal(json("com.example.kiosk.OtherActivity"))?.verdict == .noCapture)
  }

  @Test(
    "a feature of Pendo is found by its selectors, also by what rules have no words for, on the pages of its page",
    arguments: [
      (#"["[data-action=\"clear\"]"]"#, "//kiosk.example/flowers/*", "found button 清空"),
      (#"[".gone, button:contains(\"清空\")"]"#, "//*.example/flowers/**", "found button 清空"),
      (#"["a[href*=\"/sale\"]"]"#, "//kiosk.example/flowers/today", "found a 广告"),
      (#"[".extra"]"#, "//kiosk.example/flowers/*", "several button 贺卡"),
      (#"[".gone"]"#, "//kiosk.example/flowers/*", "none"),
      (#"["[data-action=\"clear\"]"]"#, "//kiosk.example/plants/*", "no-capture"),
      (#"["[", ":hover", ""]"#, "//kiosk.example/flowers/*", nil),
    ] as [(String, String, String?)])
  func pendo(selectors: String, page: String, expected: String?) throws {
    try check(
      """
      [{"id":"p","kind":"Page","name":"P","rules":[{"rule":"\(page)"}]},
       {"id":"f","kind":"Feature","name":"F","pageId":"p","elementPathRules":\(selectors)}]
      """, expected)
  }

  @Test("any text in a selector is read", arguments: TestSize.scaled(0..<20))
  func selectors(seed: Int) {
    var random = SeededGenerator(seed: UInt64(seed))
    let parts = [
      "a", ".b", "#c", "[", "]", "(", ")", ":contains", ":contains(", ":contains(\"x\")", ":nth-child(2)", ":not", "\"",
      "'",
      "*=", "^=", "href", "=", " ", ">", "+", "~", ",", "\\", ":", "*", "é",
    ]
    for _ in 0..<500 {
      let text = (0..<Int.random(in: 0..<12, using: &random)).map { _ in random.pick(parts) }.joined()
      var circled = RecordedElement(id: "a", style: .postHogWeb)
      circled.add(selector: text)
      #expect(circled.webElements.count <= 20)
    }
    for text in [":contains", "a:contains", ":contains(", ":contains()", "[", "[]", "a[href*=", ":"] {
      #expect(LenientSelector(text).contained ?? "" == "")
    }
    #expect(LenientSelector("a:contains('x')").contained == "x" && LenientSelector("a[href*=\"/s\"]").href == "/s")
    #expect(LenientSelector("p, a + b.c:hover").text == "p, b.c")
  }

  @Test("a named style is used for all clauses, and for none if it cannot serve a capture")
  func style() throws {
    let json = #"[{"id":1,"name":"a","steps":[{"event":"$autocapture","tag_name":"button","text":"清空"}]}]"#
    #expect(try Self.proposal(json, style: .sensorsAndroid)?.elements.first?.clause == nil)
    let web = try Self.proposal(json, style: .sensorsWeb)?.elements.first?.clause
    #expect(web?["event"] == "$WebClick")
    #expect(try Self.proposal(json)?.elements.first?.clause?["event"] == "$autocapture")
  }
}
