import EncircleEvents
import EncircleRuleFiles
import EncircleRules
import EncircleTestSupport
import Foundation
import Testing

@testable import EncircleAuthoring

/// A configuration as Sensors' SDKs apply it, according to their sources: from nothing but the exported file.
private struct SensorsApp {
  private let events: [[String: Any]]
  private let isWeb: Bool

  init(_ file: [UInt8]) throws {
    let object = try JSONSerialization.jsonObject(with: Data(file)) as? [String: Any] ?? [:]
    events = object["events"] as? [[String: Any]] ?? []
    isWeb = object["os"] as? String == "Web"
  }

  /// Returns the names of the visual events that an event is one of.
  func names(_ json: String) throws -> Set<String> {
    let object = try JSONSerialization.jsonObject(with: Data(json.utf8)) as? [String: Any] ?? [:]
    guard object["event"] as? String == (isWeb ? "$WebClick" : "$AppClick") else { return [] }
    let properties = object["properties"] as? [String: Any] ?? [:]
    func isEqual(_ key: String, _ wanted: Any?) -> Bool {
      guard let value = properties[key] as? String else { return false }
      return value == wanted as? String
    }
    let found = events.filter { event in
      let element = event["event"] as? [String: Any] ?? [:]
      if element["limit_element_position"] as? Bool == true, !isEqual("$element_position", element["element_position"])
      {
        return false
      }
      if element["limit_element_content"] as? Bool == true, !isEqual("$element_content", element["element_content"]) {
        return false
      }
      guard isWeb else {
        return isEqual("$screen_name", element["screen_name"]) && isEqual("$element_path", element["element_path"])
      }
      guard isEqual("$url_host", element["url_host"]), isEqual("$url_path", element["url_path"]) else { return false }
      let field = element["element_field"] as? String ?? ""
      guard let value = properties["$" + field] as? String, let wanted = element[field] as? String else { return false }
      return element["function"] as? String == "contain" ? value.contains(wanted) : value == wanted
    }
    return Set(found.compactMap { $0["event_name"] as? String })
  }
}

/// Rules and the configurations that were exported of them, on 20,000 random events.
@Suite struct SensorsAlikeTests {
  private static let paths = [
    "UIView/UIButton[0]", "UIView/UITableView[0]/Cell[0][-]", "UIView/UITableView[0]/Cell[1][-]/UIButton[0]",
    "UIView/UISegmentedControl[0]/UISegment[-]", "UIView",
  ]
  private static let webPaths = ["body > a", "ul#list > li > a", "form > button"]
  private static let webSelectors = [
    "#list > li:nth-of-type(1) > a:nth-of-type(1)", "#list > li:nth-of-type(2) > a:nth-of-type(1)",
    "body > a:nth-of-type(1)",
  ]

  /// A random clause, as it is written in a file.
  static func clause(_ style: String, _ random: inout SeededGenerator) -> String {
    var tests: [String] = []
    if random.oneIn(4) { tests.append("$element_content: \(random.pick(["Pay", "[Pay, 加入购物车]"]))") }
    guard style != "sensors-web" else {
      if !random.oneIn(6) {
        let hosts = ["$url_host: a.example", "$url_host: [a.example, b.example]"]
        tests.append(random.pick(hosts + [#"$url: { matches: '^https?://a\.example(:[0-9]+)?/' }"#]))
      }
      let element = random.pick([
        "$element_path: '\(random.pick(webPaths))'", "$element_selector: '\(random.pick(webSelectors))'",
        "$element_selector: { contains: '\(random.pick(["li:nth", "a:nth-of-type(1)"]))' }",
        "$element_path: { contains: '> a' }",
      ])
      if random.oneIn(4) {
        let where_ = tests.isEmpty ? "" : ", where: { \(tests.joined(separator: ", ")) }"
        return "{ event: $WebClick, page: /cart, selector: '#list > li:nth-of-type(2) > a:nth-of-type(1)'\(where_) }"
      }
      return "{ event: $WebClick, page: [/cart, /], where: { \((tests + [element]).joined(separator: ", ")) } }"
    }
    if random.oneIn(4) { tests.append("$element_position: '\(random.pick(["0:1", "1"]))'") }
    let page = "page: \(random.pick(["Home", "[Home, Cart]"]))"
    guard style == "sensors", random.oneIn(2) else {
      let element = "$element_path: \(random.pick(["'\(random.pick(paths))'", "[\"\(random.pick(paths))\", UIView]"]))"
      let screen = "$screen_name: \(random.pick(["Home", "[Home, Cart]"]))"
      return "{ event: $AppClick, where: { \((tests + [element, screen]).joined(separator: ", ")) } }"
    }
    let selector = random.pick([
      "/UIView/UIButton(0)", "/UIView/UITableView(0)/Cell(section:0 row:1)", "/UIView/UITableView(0)/Cell(section:0)",
      "/UIView/UITableView[0]/Cell[1][-]/UIButton[0]", "/UIView/UISegmentedControl(0)/UISegment(1)", "UIButton(0)",
      "/UIView/**/UIButton(0)", "/UIView/UITableView(0)/Cell(section:0 row:0...2)",
    ])
    let where_ = tests.isEmpty ? "" : ", where: { \(tests.joined(separator: ", ")) }"
    return "{ event: $AppClick, \(page), selector: '\(selector)'\(where_) }"
  }

  static func event(_ style: String, _ random: inout SeededGenerator) -> String {
    var members: [String] = []
    func add(_ key: String, _ values: [String]) {
      if !random.oneIn(8) { members.append("\"\(key)\":\"\(random.pick(values))\"") }
    }
    add("$element_content", ["Pay", "加入购物车", "x"])
    if style == "sensors-web" {
      let host = random.pick(["a.example", "b.example"])
      if !random.oneIn(8) { members.append("\"$url_host\":\"\(host)\",\"$url\":\"https://\(host)/x\"") }
      add("$url_path", ["/cart", "/", "/other"])
      let i = Int.random(in: 0..<3, using: &random)
      // Path and selector are of one element.
      let selector = random.pick(i == 1 ? Array(webSelectors[..<2]) : [webSelectors[2]])
      members.append(
        "\"$element_path\":\"\(i == 1 ? webPaths[1] : webPaths[0])\",\"$element_selector\":\"\(selector)\"")
    } else {
      add("$screen_name", ["Home", "Cart", "Other"])
      let path = random.pick(paths)
      let position = path.hasSuffix("UISegment[-]") ? ["0", "1"] : ["0:0", "0:1", "0:2", "1:1"]
      members.append("\"$element_path\":\"\(path)\"")
      if path.contains("[-]") { members.append("\"$element_position\":\"\(random.pick(position))\"") }
    }
    let name = random.pick(
      style == "sensors-web" ? ["$WebClick", "$WebClick", "$pageview"] : ["$AppClick", "$AppClick", "$AppViewScreen"])
    return "{\"event\":\"\(name)\",\"properties\":{\(members.joined(separator: ","))}}"
  }

  @Test(
    "a configuration takes the events that its rules take", arguments: ["sensors", "sensors-android", "sensors-web"])
  func alike(style: String) throws {
    var compared = 0
    var taken = 0
    for seed in TestSize.scaled(0..<70) {
      var random = SeededGenerator(seed: UInt64(seed))
      let rules = (0..<6).map { "  - { id: r\($0), include: \(Self.clause(style, &random)) }\n" }.joined()
      let text = "version: 1\nstyle: \(style)\napp: a.b\nrules:\n" + rules
      let sourced = try RuleFiles(text: text, name: "rules.yaml").ruleSetWithSources()
      let report = SensorsExport(sourced, .init(), .init()).report()
      guard let file = report.files.first(where: { $0.name.hasSuffix(".conf") }) else { continue }
      let app = try SensorsApp(file.bytes)
      let written = Set(report.rows.filter(\.isWritten).map(\.rule.text))
      var decider = Decider(Matcher(sourced.ruleSet))
      for _ in 0..<100 {
        let json = Self.event(style, &random)
        let rulesTaking = Set(try decider.decide(json: Array(json.utf8)).rules.map(\.text)).intersection(written)
        let names = try app.names(json)
        compared += 1
        taken += names.count
        #expect(names == rulesTaking, "seed \(seed)\n\(json)\n\(rules)")
        guard names == rulesTaking else { return }
      }
    }
    #expect(compared >= TestSize.scaled(6_500) && taken * 20 > compared)
  }
}
