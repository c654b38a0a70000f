import EncircleEvents
import EncircleIdentity
import EncircleRules
import EncircleText
import Testing

/// Pages of the web, by the path of their address.
@Suite struct PagePathTests {
  private static func decides(_ page: String, _ style: PathStyleName, _ event: String) throws -> Bool {
    try decides(.isOneOf([.string(UTF8String(page))], fold: false), style, event)
  }

  private static func decides(_ page: Condition, _ style: PathStyleName, _ event: String) throws -> Bool {
    var rules = RuleSet()
    rules.style = style
    rules.fields = EventFields(style: style)
    var clause = RuleClause()
    clause.page = page
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

  @Test(
    "escapes in an address and in a rule stand for their characters, as decodeURI reads them",
    arguments: [
      ("/men's-shoes", "/men%27s-shoes", true), ("/men's-shoes", "/men's-shoes", true), ("/a|b/*", "/a%7Cb/1", true),
      ("/a(b)", "/a%28b%29", true), ("/a%28b%29", "/a(b)", true), ("/商城", "/%E5%95%86%e5%9f%8e", true),
      ("/%E5%95%86", "/商", true), ("/%E5%95%86/**", "/%e5%95%86/1", true), ("/C%2B%2B", "/C%2B%2B", true),
      ("/C++", "/C%2B%2B", false), ("/100%", "/100%25", true), ("/a%2Ab", "/a*b", true), ("/a%2Ab", "/a/b", false),
      ("/%E5/(b)", "/%E5/%28b%29", false), ("/%E5/%28b%29", "/%E5/%28b%29", true),
    ] as [(String, String, Bool)])
  func escapes(_ page: String, _ path: String, _ isMatch: Bool) throws {
    for (style, name, places) in [
      (.sensorsWeb, "$WebClick", ["$url_path", "$url"]), (.postHogWeb, "$autocapture", ["$pathname", "$current_url"]),
    ] as [(PathStyleName, String, [String])] {
      for (place, address) in zip(places, [path, "https://a.example\(path)?q=%28"]) {
        let event = #"{"event":"\#(name)","properties":{"\#(place)":"\#(address)"}}"#
        #expect(try Self.decides(page, style, event) == isMatch, "\(event)")
      }
    }
  }

  @Test("parts of a page's path are compared without escapes, too", arguments: ["/商", "/%E5%95%86", "/%e5%95%86"])
  func parts(_ part: String) throws {
    let event = #"{"event":"$autocapture","properties":{"$pathname":"/%E5%95%86%E5%9F%8E"}}"#
    #expect(try Self.decides(.text(.prefix, UTF8String(part), fold: false), .postHogWeb, event))
    #expect(try !Self.decides(.not(.text(.prefix, UTF8String(part), fold: false)), .postHogWeb, event))
  }

  @Test("a path is tested as it is written, and without escapes", arguments: [PathStyleName.sensorsWeb, .postHogWeb])
  func forms(style: PathStyleName) {
    let page = Condition.isOneOf([.string("/商城")], fold: false)
    #expect(page.readPage(in: style).description == page.description)
    let escaped = Condition.isOneOf([.string("/%E5%95%86%E5%9F%8E")], fold: false).readPage(in: style)
    #expect(
      escaped.description
        == Condition.isOneOf([.string("/%E5%95%86%E5%9F%8E"), .string("/商城")], fold: false).description)
  }

  @Test(
    "an excluded page is compared without escapes, too",
    arguments: ["/商城", "/%E5%95%86%E5%9F%8E", "/%e5%95%86%e5%9f%8e"])
  func excluded(page: String) throws {
    for (style, place) in [(.sensorsWeb, "$url_path"), (.postHogWeb, "$pathname")] as [(PathStyleName, String)] {
      var rules = RuleSet()
      rules.style = style
      rules.fields = EventFields(style: style)
      rules.track = .all
      rules.excludedPages = [ExcludedPage(UTF8String(page))]
      var decider = Decider(Matcher(rules))
      let event = #"{"event":"click","properties":{"\#(place)":"/%E5%95%86%E5%9F%8E"}}"#
      #expect(try !decider.decide(json: Array(event.utf8)).isSelected, "\(event)")
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
