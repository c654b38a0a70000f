import EncircleIdentity
import EncircleRuleFiles
import EncircleRules
import Testing

@Suite struct StyleKeyTests {
  private func load(_ text: String) throws -> RuleSet { try RuleFiles(text: "version: 1\n" + text).ruleSet() }

  @Test("a rule set has its stated style, or hubbledata", arguments: PathStyleName.allCases)
  func style(name: PathStyleName) throws {
    #expect(try load("style: \(name.rawValue)\nrules: []").style == name)
    #expect(try load("rules: []").style == .hubbleData)
  }

  @Test("an unknown style is an error with its place and a suggestion")
  func unknown() throws {
    let error = #expect(throws: RuleFileErrors.self) { try load("style: sensor\nrules: []") }
    let diagnostic = try #require(error?.diagnostics.first)
    #expect(diagnostic.message.contains("unknown path style 'sensor'"))
    #expect(diagnostic.suggestion == "sensors")
    #expect(diagnostic.location?.line == 2 && diagnostic.location?.column == 8)
  }

  @Test(
    "the path is where the style's SDK has it, unless fields say otherwise",
    arguments: [
      ("hubbledata", "$element_path"), ("sensors", "$element_path"),
      ("lede", "/viewInfo/viewPath viewPath /viewPath $element_path"), ("growingio", "/xpath xpath $element_path"),
      ("posthog", "$elements_chain $element_path"),
    ])
  func fields(style: String, expected: String) throws {
    let places = try load("style: \(style)\nrules: []").fields.places(of: .path)
    #expect(places.map(\.description).joined(separator: " ") == expected)
    let own = try load("style: \(style)\nfields: { path: $mine }\nrules: []").fields.places(of: .path)
    #expect(own.map(\.description) == ["$mine"])
  }

  @Test(
    "selectors may write steps as the style does",
    arguments: [
      ("sensors", "UITableView[0]/ProductCell[0][-]", "UITableView(0)/ProductCell(section:0)"),
      ("sensors-exact", "Cell[1][2]/UIButton", "Cell(section:1 row:2)/UIButton | Cell(section:1 item:2)/UIButton"),
      ("sensors", "UISegmentedControl[0]/UISegment[-]", "UISegmentedControl(0)/UISegment(*)"),
      ("sensors", "Product*Cell[0][-]/**/UIButton(1)", "Product*Cell(section:0)/**/UIButton(1)"),
      ("sensors", ":UITableViewCell[0][-]", ":UITableViewCell(section:0)"), ("sensors", "*[3]", "*(3)"),
      ("sensors", "[SectionHeader][2]", "[SectionHeader](2)"),
      ("sensors", "UIButton", "UIButton"),
      ("hubbledata-android", "Button[0]#pay", "Button#pay(0)"), ("hubbledata-android", "List[0]/T[3]", "List(0)/T(3)"),
      ("growingio", "/A/Section/Cell/UIButton", "/A/Cell/UIButton"),
      ("growingio", "Section(1)/Cell(*)", "Cell(section:1 row:*) | Cell(section:1 item:*)"),
      ("growingio", "Section", "Section"), ("growingio", "Section(0)/Cell(row:1)", "Section(0)/Cell(row:1)"),
      ("hubbledata", "A[0]", "A[0]"), ("lede", "A[0]", "A[0]"),
    ])
  func selectors(style: String, selector: String, expected: String) throws {
    for place in ["include", "unless"] {
      let other = place == "unless" ? "include: { event: e }, " : ""
      let rules = try load("style: \(style)\nrules: [ { id: a, \(other)\(place): { selector: '\(selector)' } } ]").rules
      let clause = try #require(place == "unless" ? rules[0].unless.first : rules[0].clauses.first)
      #expect(clause.selectors.map(\.description).joined(separator: " | ") == expected)
    }
  }

  @Test(
    "rules and clauses say styles of their own; what says none has that of the file, or any",
    arguments: [
      ("rules: [{ id: a, style: lede, include: { selector: A } }]", "lede", "unstated"),
      ("style: lede\nrules: [{ id: a, include: { selector: A } }]", "lede", "unstated"),
      ("style: lede\nrules: [{ id: a, style: any, include: { event: e } }]", "lede", "unstated"),
      (
        "rules: [{ id: a, style: lede, include: [{ selector: A }, { style: sensors, selector: A }, { event: e }] }]",
        "lede sensors", "only(lede) only(sensors) only(lede)"
      ),
      (
        "style: lede\nrules: [{ id: a, include: [{ event: e }, { style: any, event: e }, { style: sensors, page: p }] }]",
        "lede sensors", "only(lede) any only(sensors)"
      ),
      (
        "rules: [{ id: a, include: [{ selector: A }, { event: e }, { style: sensors, selector: A }] }]",
        "hubbledata sensors", "only(hubbledata) any only(sensors)"
      ),
      (
        "rules: [{ id: a, include: [{ event: e }, { style: sensors, selector: A }, { style: lede, page: A }] }]",
        "lede sensors", "any only(sensors) only(lede)"
      ),
    ])
  func own(text: String, styles: String, clauses: String) throws {
    let rules = try load(text)
    #expect(rules.styles.map(\.rawValue).joined(separator: " ") == styles)
    let found = rules.rules[0].clauses.map { clause in
      switch clause.style {
      case .unstated: "unstated"
      case .any: "any"
      case .only(let style): "only(\(style.rawValue))"
      }
    }
    #expect(found.joined(separator: " ") == clauses)
  }

  @Test(
    "wrong styles are refused with what to write",
    arguments: [
      ("rules: [{ id: a, include: { style: any, selector: A } }]", "a clause with 'style: any' cannot name an element"),
      ("rules: [{ id: a, style: any, include: { selector: A } }]", "a clause with 'style: any' cannot name an element"),
      ("rules: [{ id: a, include: { style: lede } }]", "only a style"),
      ("style: any\nrules: []", "a file has one style"),
      ("rules: [{ id: a, style: sensor, include: { event: e } }]", "unknown path style 'sensor'"),
      (
        "rules: [{ id: a, include: [{ style: sensors, event: e }, { style: sensors-exact, event: e }] }]",
        "use the same style for all rules"
      ),
      ("rules: [{ id: a, style: lede, include: { selector: 'A[0]/B[' } }]", ""),
      (
        "rules: [{ id: a, style: hubbledata-android, include: { selector: 'A[0][-]' } }]",
        "has no component of this form"
      ),
      (
        "style: sensors\nrules: [{ id: a, include: { selector: 'A/E[group:1]' } }]",
        "(it is one of 'hubbledata-android')"
      ),
    ])
  func refused(text: String, message: String) throws {
    if message.isEmpty { return _ = try load(text) }
    let error = #expect(throws: RuleFileErrors.self) { try load(text) }
    let messages = error?.diagnostics.map(\.message) ?? []
    #expect(messages.contains { $0.contains(message) }, "\(messages)")
  }

  @Test("an app may be one or several", arguments: [("app: x", "x"), ("app: [x, y]", "x y"), ("app: [x, x]", "x")])
  func apps(text: String, expected: String) throws {
    let rules = try load(text + "\npages: { exclude: P }\nrules: [{ id: a, include: { event: e } }]")
    #expect(rules.rules[0].apps.map(\.text).joined(separator: " ") == expected)
    #expect(rules.excludedPages.compactMap { $0.app?.text }.joined(separator: " ") == expected)
  }
}
