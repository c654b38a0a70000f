import EncircleAuthoring
import EncircleCapture
import EncircleEvents
import EncircleIdentity
import EncircleRuleFiles
import EncircleTestSupport
import Testing

/// Findings about rules in several styles.
@Suite struct SeveralStylesCheckTests {
  private func findings(_ rules: String, captures: [String] = [], events: [String] = []) throws -> [String] {
    var checker = RuleChecker(try RuleFiles(text: "version: 1\n" + rules, name: "rules.yaml").ruleSetWithSources())
    for name in captures {
      let tree = try CaptureReader().read(contentsOf: PackageFolder.viewTrees.appendingPathComponent(name).path)
      checker.add(IdentifiedTree(tree), name: name)
    }
    for event in events { checker.add(try AnalyticsEvent(json: event)) }
    return checker.check(at: 1_780_000_000_000).findings.map {
      "\($0.place.location) \($0.code.rawValue) \($0.rule)"
    }
  }

  @Test("a clause is checked on captures of its platform and reported at its place")
  func captures() throws {
    let rules = """
      rules:
        - id: a
          include:
            - style: sensors-android
              selector: android.widget.Nothing
            - style: hubbledata
              selector: ProductCell/Nothing
            - style: hubbledata
              selector: ProductCell/**/UIButton
      """
    let found = try findings(rules, captures: ["home-feed.xml"])
    #expect(
      found.contains("8:19 matches-nothing a")
        || found.contains { $0.hasPrefix("8:") && $0.contains("matches-nothing") })
    #expect(!found.contains { $0.hasPrefix("6:") })
  }

  @Test("a capture of another platform has hubbledata identities but no effect on hubbledata clauses")
  func otherPlatform() throws {
    let rules = """
      rules:
        - id: a
          include:
            - style: hubbledata
              selector: ProductCell/NoView
            - style: sensors-android
              selector: android.widget.Nothing
      """
    let found = try findings(rules, captures: ["android-shop.xml"]).filter {
      $0.contains("matches-nothing") || $0.contains("unknown-class")
    }
    #expect(!found.isEmpty && found.allSatisfy { $0.hasPrefix("8:") || $0.hasPrefix("7:") }, "\(found)")
  }

  @Test("a page outside the rules is unknown only if no platform has it")
  func pages() throws {
    let rules = """
      pages:
        exclude: [HomeViewControler, HomeViewController, com.example.kiosk.ShopActivity]
      rules:
        - id: a
          include: { selector: UIButton }
        - id: b
          include: { style: sensors-android, event: $AppClick }
      """
    func unknown(_ captures: [String]) throws -> [String] {
      try findings(rules, captures: captures).filter { $0.contains("unknown-page") }
    }
    #expect(try unknown(["home-feed.xml", "android-shop.xml"]) == ["3:13 unknown-page "])
    #expect(try unknown(["home-feed.xml"]).isEmpty)
  }

  @Test("tolerance and sameKind need an effect on one platform only")
  func effects() throws {
    let rules = """
      rules:
        - id: a
          sameKind: true
          tolerance: 0.9
          include:
            - { style: sensors, selector: "Cell[0][3]" }
            - { style: sensors-web, event: $WebClick }
        - id: b
          sameKind: true
          tolerance: 0.9
          include: [{ style: sensors, event: a }, { style: sensors-web, event: $WebClick }]
      """
    let found = try findings(rules).filter { $0.contains("useless") }
    #expect(found == ["10:15 useless-same-kind b", "11:16 useless-tolerance b"])
  }

  @Test("a rule covered on all platforms is reported, one covered on a single platform is not")
  func covers() throws {
    let some = """
      rules:
        - { id: a, include: { where: { p: 1 } } }
        - { id: b, style: sensors, include: { where: { p: [1, 2] } } }
        - { id: c, style: growingio, include: { selector: A } }
      """
    #expect(try findings(some).filter { $0.contains("covered-rule") }.isEmpty)
    let all = some.replacing("style: sensors", with: "style: any").replacing(
      "id: c", with: "id: d, style: sensors, include: { selector: B } }\n  - { id: c")
    #expect(try findings(all).filter { $0.contains("covered-rule a") }.count == 1)
  }

  @Test("tests of lists, numbers in texts and samples prove nothing wrong")
  func opaque() throws {
    let rules = """
      rules:
        - { id: a, include: { where: { p: { any: x, all: { not: y } } } } }
        - { id: b, include: { where: { p: { any: x } } } }
        - { id: c, include: { where: { p: { sample: 10% } } } }
        - { id: d, include: { where: { p: { number: { ">": 1 }, prefix: a } } } }
      """
    #expect(
      try findings(rules) == ["3:11 covered-rule a"] || findings(rules).allSatisfy { $0.contains("covered-rule a") })
  }

  @Test("rules with disjoint spans of time are not the same")
  func spans() throws {
    let rules = """
      rules:
        - { id: a, during: [{ to: 2020-01-01 }, { from: 2099-01-01 }], include: { event: e } }
        - { id: b, from: 2030-01-01, to: 2031-01-01, include: { event: e } }
      """
    #expect(try findings(rules).filter { !$0.contains("out-of-time") }.isEmpty)
  }

  @Test("a value test of something that is always a list is found, and a test of its items is not")
  func lists() throws {
    let rules = """
      rules:
        - { id: a, include: { where: { tags: vip } } }
        - { id: b, include: { where: { tags: { any: new } } } }
      """
    let event = #"{"event":"e","properties":{"tags":["vip"]}}"#
    #expect(try findings(rules, events: [event]).filter { $0.contains("wrong-type") } == ["3:40 wrong-type a"])
  }
}
