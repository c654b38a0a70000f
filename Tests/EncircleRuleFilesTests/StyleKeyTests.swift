import EncircleIdentity
import EncircleRuleFiles
import EncircleRules
import Testing

@Suite struct StyleKeyTests {
  private func load(_ text: String) throws -> RuleSet { try RuleFiles(text: "version: 1\n" + text).ruleSet() }

  @Test("a rule set has the style that it says, hubbledata unless it says one", arguments: PathStyleName.allCases)
  func style(name: PathStyleName) throws {
    #expect(try load("style: \(name.rawValue)\nrules: []").style == name)
    #expect(try load("rules: []").style == .hubbleData)
  }

  @Test("an unknown style is an error with its place and what was probably meant")
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
}
