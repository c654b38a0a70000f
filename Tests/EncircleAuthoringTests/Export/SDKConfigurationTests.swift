import EncircleRuleFiles
import EncircleRules
import Foundation
import Testing

@testable import EncircleAuthoring

@Suite struct SDKConfigurationTests {
  private func configuration(_ rules: String, style: String = "sensors") throws -> SDKConfiguration {
    let text = "version: 1\nstyle: \(style)\nrules:\n" + rules
    return SDKConfiguration(try RuleFiles(text: text, name: "rules.yaml").ruleSet())
  }

  private func events(_ configuration: SDKConfiguration, app: String = "a.b") throws -> [[String: Any]] {
    let json = Data(configuration.value(version: "7", project: "p", appID: app).json)
    let object = try #require(try JSONSerialization.jsonObject(with: json) as? [String: Any])
    #expect(object["version"] as? String == "7" && object["os"] as? String == "iOS")
    return try #require(object["events"] as? [[String: Any]])
  }

  @Test(
    arguments: [
      ("/UIView/UITableView(0)/ProductCell(section:0)", "UIView/UITableView[0]/ProductCell[0][-]", nil),
      ("/UIView/UITableView(0)/ProductCell(section:0 row:7)", "UIView/UITableView[0]/ProductCell[0][-]", "0:7"),
      (
        "/UIView/UITableView[0]/ProductCell[0][-]/UIButton[1]", "UIView/UITableView[0]/ProductCell[0][-]/UIButton[1]",
        nil
      ),
      (
        "/UIView/UITableView(0)/A(section:0 row:1)/UICollectionView(0)/B(section:0 item:*)",
        "UIView/UITableView[0]/A[0][1]/UICollectionView[0]/B[0][-]", nil
      ),
      (
        "/UILayoutContainerView/UITabBar(0)/UITabBarButton(2)", "UILayoutContainerView/UITabBar[0]/UITabBarButton[-]",
        "2"
      ),
    ] as [(String, String, String?)])
  func `a selector that matches one path becomes that path`(selector: String, path: String, position: String?) throws {
    let rules = "  - id: a\n    include: { event: $AppClick, page: Home, selector: '\(selector)' }\n"
    let configuration = try configuration(rules)
    #expect(configuration.others == [])
    #expect(configuration.expressible == ["a"])
    let event = try #require(try events(configuration).first?["event"] as? [String: Any])
    #expect(event["element_path"] as? String == path)
    #expect(event["element_position"] as? String == position)
    #expect(event["limit_element_position"] as? Bool == (position != nil))
    #expect(event["screen_name"] as? String == "Home")
  }

  private func configured(
    _ properties: String, selector: String = "/UIView/UITableView(0)/ProductCell(section:0)/UIButton(0)"
  ) throws
    -> (properties: [[String: Any]], omitted: [String])
  {
    let rules = """
        - id: a
          include: { event: $AppClick, page: Home, selector: '\(selector)' }
          properties: \(properties)
      """
    let configuration = try configuration(rules)
    #expect(configuration.expressible == ["a"])
    let event = try #require(try events(configuration).first)
    return (
      event["properties"] as? [[String: Any]] ?? [], configuration.omittedProperties.map { "\($0.name): \($0.code)" }
    )
  }

  @Test(
    arguments: [
      ("../UILabel(1)", "UIView/UITableView[0]/ProductCell[0][-]/UILabel[1]", nil),
      ("../../../UILabel[0]", "UIView/UILabel[0]", nil),
      ("./UILabel(0)", "UIView/UITableView[0]/ProductCell[0][-]/UIButton[0]/UILabel[0]", nil),
      (
        "/UIView/UITableView(0)/ProductCell(section:0 row:*)/UILabel(0)",
        "UIView/UITableView[0]/ProductCell[0][-]/UILabel[0]", nil
      ),
      ("/UIView/UITableView(0)/Head(section:0 row:2)/UILabel(0)", "UIView/UITableView[0]/Head[0][-]/UILabel[0]", "0:2"),
    ] as [(String, String, String?)])
  func `another element's property becomes that element's path`(selector: String, path: String, position: String?)
    throws
  {
    let (properties, omitted) = try configured("{ price: { element: '\(selector)', extract: '\\d+', type: number } }")
    #expect(omitted == [])
    let property = try #require(properties.first)
    #expect(property["element_path"] as? String == path && property["element_position"] as? String == position)
    #expect(property["name"] as? String == "price" && property["type"] as? String == "NUMBER")
    #expect(property["regular"] as? String == "[0-9]+" && property["screen_name"] as? String == "Home")
    #expect(property["h5"] as? Bool == false)
  }

  @Test(
    arguments: [
      ("{ a: 1 }", "a: property-source"), ("{ a: { path: row } }", "a: property-source"),
      ("{ 价格: { element: ../UILabel(0) } }", "价格: property-name"), ("{ a: { element: ../UILabel } }", "a: open-index"),
      ("{ a: { element: UILabel(0) } }", "a: floating"), ("{ a: { element: ../**/UILabel(0) } }", "a: wildcard"),
      ("{ a: { element: ../../../../../../UILabel(0) } }", "a: property-place"),
      ("{ a: { element: ../UILabel(0), extract: '\\pN' } }", "a: property-expression"),
      ("{ a: { element: '../../ProductCell(section:0 row:1)/UILabel(0)' } }", "a: several"),
    ])
  func `a property the SDK cannot read is reported, its rule configured`(properties: String, omitted: String) throws {
    let result = try configured(
      properties, selector: "/UIView/UITableView(0)/ProductCell(section:0)/UIView(0)/UIButton(0)")
    #expect(result.properties.isEmpty && result.omitted == [omitted])
  }

  @Test(
    arguments: [
      ("[0-9.]+", "[0-9.]+"), ("^(?:a|b)$", "^(?:a|b)\\z"), ("a.c", "a[^\\n]c"),
      ("[\\d,]+\\.\\d{2}", "[0-9,]+\\.[0-9]{2}"),
      ("\\bx", nil), ("(?P<n>a)", nil), ("[[:alpha:]]", nil), ("[\\D]", nil), ("a{x}", nil), ("(?i)a", nil), ("]", nil),
      ("[^\\s]", "[^\\t\\n\\f\\r ]"),
    ] as [(String, String?)])
  func `an expression means the same in ICU or is not configured`(re2: String, icu: String?) throws {
    #expect(SDKProperty.expression(try RegularExpression(re2)) == icu)
    guard let icu else { return }
    let texts = ["", "a", "b\n", "abc", "a\nc", "12,345.67", "٣", "x y"]
    let expression = try RegularExpression(re2)
    let foundation = try NSRegularExpression(pattern: icu)
    for text in texts {
      let match = foundation.firstMatch(in: text, range: NSRange(text.startIndex..., in: text))
      let found = match.flatMap { Range($0.range, in: text) }.map { String(text[$0]) }
      #expect(expression.firstMatch(in: text) == found, "\(re2) in \(text)")
    }
  }

  @Test(arguments: [
    "$element_position: '1', $url: { prefix: 'https://m.example.com/spring' }",
    // As imports write it.
    #"$element_position: ['1', 1], $url: { matches: '^https?://m\.example\.com(:[0-9]+)?/' }, $url_path: /spring"#,
  ])
  func `an element of a web page is configured with its address for the page's script`(tests: String) throws {
    let rules = """
        - id: web
          include:
            event: $WebClick
            where: { $element_path: 'body > ul > li', \(tests) }
      """
    for style in ["sensors", "hubbledata"] {
      let configuration = try configuration(rules, style: style)
      #expect(configuration.others == [])
      let event = try #require(try events(configuration).first?["event"] as? [String: Any])
      #expect(event["h5"] as? Bool == true && event["screen_name"] == nil)
      #expect(event["element_path"] as? String == "body > ul > li" && event["element_position"] as? String == "1")
      #expect(event["url_host"] as? String == "m.example.com" && event["url_path"] as? String == "/spring")
    }
  }

  @Test(arguments: [
    "{ event: $WebClick, page: Home, where: { $element_path: a } }", "{ event: $WebClick, selector: li }",
    "{ event: $WebClick, where: { $url: { prefix: 'https://a.b/c' } } }",
    "{ event: $WebClick, where: { $element_path: a, $url: 'https://a.b/c?d' } }",
    "{ event: $WebClick, where: { $element_path: a, $url_path: /c } }",
    "{ event: $WebClick, where: { $element_path: a, $url: { prefix: 'https://a.b/c' }, $url_path: /c } }",
    "{ event: $WebClick, where: { $element_path: a, $title: b } }",
  ])
  func `a rule whose conditions the script of a web page cannot compare is not configured`(clause: String) throws {
    let configuration = try configuration("  - { id: web, include: \(clause) }\n")
    #expect(configuration.expressible == [] && configuration.others.count == 1)
  }

  @Test func `equality tests of paths, contents and positions are configured in any style`() throws {
    let rules = """
        - id: a
          emit: bought
          include:
            event: $AppClick
            page: [Home, Cart]
            where: { $element_path: 'UIView/UIButton[0]', $element_content: [Buy, 购买], $element_position: '0:1' }
      """
    let configuration = try configuration(rules, style: "hubbledata")
    let events = try events(configuration)
    #expect(events.count == 4)
    #expect(events.allSatisfy { $0["event_name"] as? String == "bought" })
    let contents = events.compactMap { ($0["event"] as? [String: Any])?["element_content"] as? String }
    #expect(contents == ["Buy", "购买", "Buy", "购买"])
  }

  @Test(arguments: [(1_000, true), (1_001, false)])
  func `a rule may name a thousand elements, however many names and apps it has`(count: Int, isConfigured: Bool) throws
  {
    let contents = (1..<count).map { "'\($0)'" }.joined(separator: ", ")
    let text = """
      version: 1
      style: sensors
      app: [a.b, a.c]
      rules:
        - id: a
          emit: [x, y]
          include:
            - { event: $AppClick, page: Home, where: { $element_path: p, $element_content: '-' } }
            - { event: $AppClick, page: Home, where: { $element_path: p, $element_content: [\(contents)] } }
      """
    let configuration = SDKConfiguration(try RuleFiles(text: text, name: "rules.yaml").ruleSet())
    #expect(configuration.others.map(\.code) == (isConfigured ? [] : ["too-many-elements"]))
    for app in ["a.b", "a.c"] { #expect(try events(configuration, app: app).count == (isConfigured ? 2 * count : 0)) }
    #expect(configuration.isEmpty(for: "a.d"))
  }

  @Test(arguments: [
    ("include: { page: Home, selector: '/UIView/UIButton(0)' }\n    enabled: false", "enabled"),
    ("exclude: { page: Home, selector: '/UIView/UIButton(0)' }", "cannot exclude events"),
    ("include: { page: Home, selector: '/UIView/UIButton(0)' }\n    unless: { page: X }", "unless"),
    ("include: { event: $AppViewScreen, page: Home, selector: '/UIView/UIButton(0)' }", "$AppClick"),
    ("include: { selector: '/UIView/UIButton(0)' }", "no page"),
    ("include: { page: Home }", "no element"),
    ("include: { page: { prefix: Home }, selector: '/UIView/UIButton(0)' }", "whole text"),
    ("include: { page: Home, selector: 'UIView/UIButton(0)' }", "anywhere"),
    ("include: { page: Home, selector: '/UIView/**/UIButton(0)' }", "wildcard"),
    ("include: { page: Home, selector: '/UIView/UIButton(*)' }", "several"),
    ("include: { page: Home, selector: '/UIView/UIButton' }", "which UIButton"),
    ("include: { page: Home, selector: '/UIView/C(section:0 row:1...3)' }", "several rows"),
    ("include: { page: Home, selector: '/UIView/UIButton(0)', where: { $app_version: '5' } }", "$app_version"),
    (
      "include: { page: Home, selector: '/UIView/UIButton(0)', where: { $element_content: { contains: x } } }",
      "whole text"
    ),
    ("include: { page: Home, selector: '/UIView/UIButton(0)' }\n    from: 2026-01-01T00:00:00Z", "time"),
  ])
  func `a rule that says more or less is not configured, with the reason`(rule: String, reason: String) throws {
    let configuration = try configuration("  - id: a\n    \(rule)\n")
    #expect(configuration.expressible == [])
    #expect(configuration.others.map(\.id) == ["a"])
    #expect(configuration.others[0].reason.contains(reason), "\(configuration.others[0].reason)")
    #expect(configuration.isEmpty(for: "a.b"))
  }

  @Test func `selectors of another style are not configured`() throws {
    let rules = "  - id: a\n    include: { page: Home, selector: '/UIWindow(0)/UIButton(0)' }\n"
    #expect(try configuration(rules, style: "hubbledata").others[0].reason.contains("hubbledata"))
  }
}
