import EncircleEvents
import EncircleIdentity
import EncircleRuleFiles
import EncircleRules
import EncircleText
import Testing

@Suite("Rules for elements of the same kind")
struct SameKindTests {
  private static let cell = "UIWindow(0)_UITableView(0)_UITableViewCell(section:0 row:1)_UIButton(0)"
  private static let bar = "UIWindow(0)_UINavigationBar(0)_UIButton"

  private func selects(_ identity: String, _ more: String = "", path: String, _ properties: String) throws -> Bool {
    let rules = "version: 1\nrules: [ { id: a, sameKind: true, include: { identity: '\(identity)'\(more) } } ]"
    let event = "{\"properties\":{\"$element_path\":\"\(path)\"\(properties.isEmpty ? "" : ",")\(properties)}}"
    return try Matcher(RuleFiles(text: rules).ruleSet()).decide([try .init(json: event)])[0].isSelected
  }

  @Test(
    "The page of the identity holds whatever the clause asks besides",
    arguments: [
      ("", "Home", true), ("", "Other", false), (", page: Home", "Home", true), (", page: Other", "Other", false),
      (", page: Other", "Home", false), (", page: [Home, Other]", "Home", true),
      (", page: [Home, Other]", "Other", false),
    ] as [(String, String, Bool)])
  func pages(more: String, page: String, expected: Bool) throws {
    let path = Self.cell.replacing("row:1", with: "row:7")
    #expect(
      try selects("path(\(Self.cell))&controller(Home)", more, path: path, "\"$screen_name\":\"\(page)\"") == expected)
  }

  @Test(
    "Of a bar item the actions are kept",
    arguments: [
      (#""$element_actions":"buy:,close:""#, true), (#""$element_actions":"buy: close:""#, true),
      (#""$element_actions":"close:""#, false), (#""$screen_name":"Home""#, false),
    ] as [(String, Bool)])
  func actions(properties: String, expected: Bool) throws {
    #expect(try selects("path(\(Self.bar))&actions(buy:,close:)", path: Self.bar, properties) == expected)
  }

  @Test(
    "Of an alert the message and title are kept",
    arguments: [
      (#""$alert_message":"M","$alert_title":"T""#, true), (#""$alert_message":"M","$alert_title":"U""#, false),
      (#""$alert_message":"N","$alert_title":"T""#, false), (#""$alert_title":"T""#, false),
    ] as [(String, Bool)])
  func alerts(properties: String, expected: Bool) throws {
    let identity = "path(\(Self.cell))&controller(UIAlertController)&message(M)&title(T)"
    let path = Self.cell.replacing("row:1", with: "row:7")
    #expect(try selects(identity, path: path, properties + #","$screen_name":"Home""#) == expected)
  }

  @Test("Of several places of a field, the first that the event has counts")
  func places() throws {
    let rules = """
      version: 1
      fields: { actions: [$element_actions, acts] }
      rules: [ { id: a, sameKind: true, include: { identity: 'path(\(Self.bar))&actions(buy:)' } } ]
      """
    let matcher = Matcher(try RuleFiles(text: rules).ruleSet())
    func selects(_ properties: String) throws -> Bool {
      let json = "{\"properties\":{\"$element_path\":\"\(Self.bar)\",\(properties)}}"
      return matcher.decide([try AnalyticsEvent(json: json)])[0].isSelected
    }
    #expect(try selects(#""$element_actions":"buy:""#))
    #expect(try selects(#""acts":"buy:""#))
    #expect(try selects(#""$element_actions":"buy:","acts":"close:""#))
    #expect(try !selects(#""$element_actions":"close:","acts":"buy:""#))
  }

  @Test("A path without its row is matched by its own selector")
  func unknownRow() throws {
    let path = ElementPath([PathComponent("UITableViewCell", .row(section: 0, row: Locator.unknown))])
    let selector = ElementSelector(exactly: path)
    #expect(selector.description == "/UITableViewCell(section:0 row:*)")
    #expect(SelectorMatcher(selector).matches(path))
    #expect(try ElementSelector(parsing: selector.description) == selector)
  }
}
