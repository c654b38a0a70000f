import EncircleEvents
import EncircleIdentity
import EncircleRules
import EncircleText
import Testing

/// Pages of the web, by the path of their address.
@Suite struct PagePathTests {
  private static func decides(_ page: String, _ style: PathStyleName, _ event: String) throws -> Bool {
    var rules = RuleSet()
    rules.style = style
    rules.fields = EventFields(style: style)
    var clause = RuleClause()
    clause.page = .isOneOf([.string(UTF8String(page))], fold: false)
    var rule = SelectionRule("r", .include, [clause])
    rule.readSelectors(in: style)
    rules.rules = [rule]
    var decider = Decider(Matcher(rules))
    return try decider.decide(json: Array(event.utf8)).isSelected
  }

  @Test(
    "a page is a path where one star matches text between slashes, and two match anything",
    arguments: [
      ("/orders/1", "/orders/1", true), ("/orders", "/orders/1", false), ("/orders/*", "/orders/1", true),
      ("/orders/*", "/orders/1/items", false), ("/orders/*", "/orders/", true), ("/orders/**", "/orders/1/items", true),
      ("/*/items", "/orders/items", true), ("/o.ders", "/orders", false), ("/o.ders/*", "/orders/1", false),
      ("/商城/*", "/商城/1", true), ("/商城/P", "/商城/P", true),
      ("**", "/a/b", true), ("/orders/*", "/my/orders/1", false),
    ] as [(String, String, Bool)])
  func paths(_ page: String, _ path: String, _ isMatch: Bool) throws {
    let sensors = #"{"event":"$WebClick","properties":{"$url_path":"\#(path)","$url":"https://other.example/x"}}"#
    #expect(try Self.decides(page, .sensorsWeb, sensors) == isMatch)
    let whole = #"{"event":"$WebClick","properties":{"$url":"https://a.example:8080\#(path)?q=/orders#top"}}"#
    #expect(try Self.decides(page, .sensorsWeb, whole) == isMatch)
    for name in ["商城", "%E5%95%86%E5%9F%8E", "%e5%95%86%e5%9f%8e"] {
      let encoded = path.replacing("商城", with: name)
      let postHog = #"{"event":"$autocapture","properties":{"$pathname":"\#(encoded)","$host":"a.example"}}"#
      #expect(try Self.decides(page, .postHogWeb, postHog) == isMatch)
      let current = #"{"event":"$autocapture","properties":{"$current_url":"https://a.example\#(encoded)"}}"#
      #expect(try Self.decides(page, .postHogWeb, current) == isMatch)
    }
  }

  @Test("an event of a web view is one of the web, whatever the app adds to it")
  func webViews() throws {
    var web = RuleClause()
    web.style = .only(.sensorsWeb)
    web.selectors = try ElementSelector.css(parsing: "#join")
    var app = RuleClause()
    app.style = .only(.sensorsAndroid)
    app.selectors = [try ElementSelector(parsing: "android.widget.Button")]
    var rules = RuleSet()
    rules.style = .sensorsAndroid
    rules.fields = EventFields(style: .sensorsAndroid)
    rules.otherStyles = [.sensorsWeb]
    rules.rules = [SelectionRule("join", .include, [app, web])]
    var decider = Decider(Matcher(rules))
    func isSelected(_ event: String) throws -> Bool { try decider.decide(json: Array(event.utf8)).isSelected }
    let click = ##""$element_path":"button#join","$element_selector":"#join","$url_path":"/groups/1""##
    for event in [
      #"{"event":"$WebClick","_hybrid_h5":true,"lib":{"$lib":"js"},"properties":{\#(click),"$lib":"Android","$os":"Android"}}"#,
      #"{"event":"$WebClick","lib":{"$lib":"js"},"properties":{\#(click),"$os":"Android","$app_version":"5.2"}}"#,
      #"{"event":"$WebClick","properties":{\#(click),"$lib":"js"}}"#,
      #"{"event":"$AppClick","properties":{"$lib":"Android","$os":"Android","$element_path":"android.widget.Button[0]"}}"#,
    ] {
      #expect(try isSelected(event), "\(event)")
    }
    #expect(try !isSelected(#"{"event":"$AppClick","properties":{"$lib":"Android",\#(click)}}"#))
  }
}
