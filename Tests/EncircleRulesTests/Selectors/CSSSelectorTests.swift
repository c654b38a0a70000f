import EncircleEvents
import EncircleIdentity
import EncircleRules
import EncircleTestSupport
import EncircleText
import EncircleTree
import Testing

/// Selectors of web pages, in CSS's words.
@Suite struct CSSSelectorTests {
  private static let chain =
    #"svg:attr__viewBox="0 0 24 24"nth-child="1"nth-of-type="1";button.add.md:w-1/2:attr__class="add md:w-1/2"attr__data-action="basket-add"nth-child="3"nth-of-type="2"text="加入";li.bouquet:attr__class="bouquet"nth-child="2"nth-of-type="2";ul:attr__id="bouquets"attr_id="bouquets"nth-child="1"nth-of-type="1";main:nth-child="2"nth-of-type="1";body.page:attr__class="page"nth-child="2"nth-of-type="1""#

  private static func path(_ text: String, _ style: PathStyleName = .postHogWeb) throws -> ElementPath {
    let bytes = Array(text.utf8)
    let readings = try bytes.withUnsafeBufferPointer { try style.style.readings(of: $0) }
    return try #require(readings.graph.only)
  }

  /// Returns whether one of the selectors matches, by the engine and by the reference meaning, which must agree.
  private static func matches(_ selector: String, _ path: ElementPath) throws -> Bool {
    try ElementSelector.css(parsing: selector).contains { selector in
      let result = SelectorMatcher(selector).matches(path)
      #expect(selector.matches(path, hierarchy: .builtIn) == result, "\(selector)")
      return result
    }
  }

  @Test(
    "a selector matches what CSS says, and a tap on what is in a button as one on the button",
    arguments: [
      ("button", true), ("svg", true), ("BUTTON", true), ("li", false), ("*", true), ("button svg", true),
      ("li svg", true),
      ("#bouquets button.add", true), ("#bouquets > button", false), ("ul > li > button", true),
      ("main li > .add", true),
      ("[data-action]", true), (#"[data-action="basket-add"]"#, true), ("[data-action='basket']", false),
      ("[data-action=basket-add]", true), ("button:nth-of-type(2)", true), ("button:nth-child(2)", false),
      (":nth-child(3)", true), (#".md\:w-1\/2"#, true), (".md", false), (".bouquet", false),
      ("li:nth-of-type(2) > button", true),
      ("a, .add", true), ("a, p", false), ("[viewBox]", true), ("[viewbox]", false), (#"#\62 ouquets .add"#, true),
      ("button:nth-of-type(2)[data-action].add", true), ("body.page .add", true), ("html .add", false),
    ] as [(String, Bool)])
  func matching(_ selector: String, _ isMatch: Bool) throws {
    #expect(try Self.matches(selector, try Self.path(Self.chain)) == isMatch)
  }

  @Test(
    "in Sensors' events the selector beside the path says ids and places, and the event the classes of the element alone"
  )
  func sensors() throws {
    let decider = { (selector: String) -> Bool in
      var rules = RuleSet()
      rules.style = .sensorsWeb
      rules.fields = EventFields(style: .sensorsWeb)
      var clause = RuleClause()
      clause.selectors = try ElementSelector.css(parsing: selector)
      rules.rules = [SelectionRule("r", .include, [clause])]
      var decider = Decider(Matcher(rules))
      return try decider.decide(
        json: Array(
          """
          {"event":"$WebClick","properties":{"$element_path":"ul#goods > li > button","$element_class_name":"btn cart",\
          "$element_selector":"#goods > li:nth-of-type(3) > button:nth-of-type(2)","$element_name":"add"}}
          """.utf8)
      ).isSelected
    }
    for selector in [
      "#goods button", "ul#goods > li:nth-of-type(3) > button.cart", "[name=add]", "button:nth-of-type(2)", ".btn.cart",
      #"[class="btn cart"]"#,
    ] {
      #expect(try decider(selector), "\(selector)")
    }
    for selector in ["ol#goods button", "li:nth-of-type(2) > button", "li", "body button", ".btn.other"] {
      #expect(try !decider(selector), "\(selector)")
    }
  }

  @Test(
    "unsupported CSS is an error that says what to write instead",
    arguments: [
      ("a:hover", "do not say ':hover'", "a"), ("a:first-child", "':nth-child(1)'", "a:nth-child(1)"),
      ("a:not(.b)", "'unless'", nil), ("a:has-text(x)", "$el_text", nil),
      ("a:has(b)", "what is inside", nil), ("a + b", "name the parent", nil),
      ("a ~ b", "name the parent", nil), ("[a^=b]", "as a whole", nil), ("[class~=b]", "'.name'", nil),
      ("a::before", "no event", nil),
      ("li:nth-child(2n+1)", "one number", nil), ("li:nth-child(0)", "one number", nil),
      ("a:last-child", "what follows", nil),
      ("ul/li/button", "'>'", "ul > li > button"), ("ul/**/button", "'>'", "ul button"),
      ("ul/\u{301}li", "'>'", "ul > \u{301}li"),
      ("button(1)", "':nth-of-type(n)'", nil),
      ("a >", "after '>'", nil), ("> a", "before '>'", nil), ("a,", "after ','", nil), (",a", "expected", nil),
      ("", "expected", nil),
      ("[a", "expected ']'", nil), ("[a=\"b", "closing quote", nil), ("#", "an ID", nil), (".", "a class", nil),
      ("a\\", "after '\\'", nil),
      ("#ok_id-1.2:3", "'\\'", "#ok_id-1.2\\:3"), (".md:w", "'\\'", ".md\\:w"), ("a|b", "namespaces", nil),
      ("[a=b i]", "bytes", nil),
    ] as [(String, String, String?)])
  func errors(_ selector: String, _ message: String, _ suggestion: String?) {
    do throws(SelectorError) {
      _ = try ElementSelector.css(parsing: selector)
      Issue.record("no error for \(selector)")
    } catch {
      #expect(error.message.contains(message), "\(selector): \(error.message)")
      #expect((0...selector.utf8.count).contains(error.offset))
      #expect(error.suggestion == suggestion, "\(selector)")
    }
  }

  @Test(
    "a written selector is read as it was",
    arguments: ["a", "*", "#a > b c", #".\32 xl"#, #"[a="x\"y\\z"]"#, #"#\-"#, "a.b#c[d]:nth-child(2)", "[a=\"\0\"]"])
  func printing(_ text: String) throws {
    let selectors = try ElementSelector.css(parsing: text)
    #expect(try ElementSelector.css(parsing: selectors[0].description) == selectors)
    let canonical = selectors[0].canonical
    #expect(try ElementSelector.css(parsing: canonical.description) == [canonical])
  }

  @Test("decisions about random chains agree with the reference meaning")
  func random() throws {
    var random = SeededGenerator(seed: 37)
    for _ in 0..<TestSize.scaled(200) {
      var pages = RandomPages(random: random)
      let selectors = (0..<24).map { _ in pages.selector() }
      var rules = RuleSet()
      rules.style = .postHogWeb
      rules.fields = EventFields(style: .postHogWeb)
      rules.rules = try selectors.enumerated().map { i, text in
        var clause = RuleClause()
        clause.selectors = try ElementSelector.css(parsing: text)
        return SelectionRule(UTF8String("r\(i)"), .include, [clause])
      }
      var decider = Decider(Matcher(rules))
      for _ in 0..<12 {
        let chain = pages.chain()
        let path = try Self.path(chain)
        var event = EventObject()
        event["event"] = "$autocapture"
        event["properties"] = .object(["$elements_chain": .string(chain)])
        let decided = decider.decide(AnalyticsEvent(event)).rules.map(\.text).sorted()
        let expected = rules.rules.filter { rule in
          rule.clauses[0].selectors.contains { $0.matches(path, hierarchy: .builtIn) }
        }.map(\.id.text).sorted()
        #expect(decided == expected, "\(chain) by \(selectors)")
      }
      random = pages.random
    }
  }
}

/// Chains of PostHog and selectors over few names, so that they match often.
private struct RandomPages {
  var random: SeededGenerator

  private mutating func one(of texts: [String]) -> String { texts[Int.random(in: 0..<texts.count, using: &random)] }
  private mutating func number() -> Int { Int.random(in: 1...2, using: &random) }

  private static let tags = ["div", "span", "button", "a", "li"]
  private static let names = ["x", "y", "md:w", "图"]

  mutating func chain() -> String {
    let count = Int.random(in: 1...5, using: &random)
    return (0..<count).map { _ in
      let tag = one(of: Self.tags)
      let names = Set((0..<number()).map { _ in one(of: Self.names) }).sorted()
      var pairs = ["nth-child=\"\(number())\"", "nth-of-type=\"\(number())\""]
      var head = tag
      if random.oneIn(2) {
        head += names.map { "." + $0 }.joined()
        pairs.append("attr__class=\"\(names.joined(separator: " "))\"")
      }
      if random.oneIn(3) {
        let id = one(of: Self.names)
        pairs += ["attr__id=\"\(id)\"", "attr_id=\"\(id)\""]
      }
      if random.oneIn(3) { pairs.append("attr__data-a=\"\(one(of: Self.names))\"") }
      pairs.shuffle(using: &random)
      return head + ":" + pairs.joined()
    }.joined(separator: ";")
  }

  mutating func selector() -> String {
    let count = Int.random(in: 1...3, using: &random)
    var text = ""
    for i in 0..<count {
      if i > 0 { text += one(of: [" > ", " ", ">"]) }
      var compound = one(of: Self.tags + ["*", ""])
      for _ in 0..<Int.random(in: 0...2, using: &random) {
        let name = one(of: ["x", "y", "md\\:w", "图"])
        switch Int.random(in: 0..<6, using: &random) {
        case 0: compound += "#\(name)"
        case 1, 2: compound += ".\(name)"
        case 3: compound += "[data-a]"
        case 4: compound += "[data-a=\"\(name.replacing("\\:", with: ":"))\"]"
        default: compound += random.oneIn(2) ? ":nth-of-type(\(number()))" : ":nth-child(\(number()))"
        }
      }
      text += compound.isEmpty ? "*" : compound
    }
    return random.oneIn(6) ? text + ", " + one(of: Self.tags) : text
  }
}
