import EncircleIdentity
import EncircleRuleFiles
import EncircleRules
import EncircleTestSupport
import Testing

@testable import EncircleAuthoring

@Suite struct ChangedRulesTests {
  private static func ruleSet(_ text: String) throws -> RuleSet {
    try RuleFiles(text: text, name: "rules.yaml").ruleSet()
  }

  private static let rules = """
    version: 1
    rules:
      - id: buttons
        include: { event: $AppClick, selector: UIButton }
      - id: home
        include: { event: $AppClick, page: HomeViewController }
      - id: none
        exclude: { event: $AppClick, where: { $element_content: 加入 } }

    """

  @Test(arguments: [
    ("selector: UIButton }", "selector: UIButton }\n    unless: { page: HomeViewController }"),
    ("selector: UIButton }", "selector: UIButton }\n    enabled: false"),
    ("selector: UIButton }", "selector: UIButton }\n    emit: tap"),
    ("page: HomeViewController", "page: CartViewController"),
    ("$element_content: 加入", "$element_content: 去结算"),
    ("  - id: none\n    exclude", "  - id: other\n    include"),
    ("  - id: home\n", "  - id: home\n    sameKind: true\n"),
    ("  - id: home\n", "  - id: home\n    owner: shop\n"),
  ])
  func `captures without an element matched by a changed rule are decided alike`(_ old: String, _ new: String) throws {
    let edited = Self.rules.replacing(old, with: new)
    #expect(edited != Self.rules)
    let (before, now) = (try Self.ruleSet(Self.rules), try Self.ruleSet(edited))
    let captures = try StoredCaptures(
      TestSize.isFull
        ? PackageFolder.smallCaptureNames.filter { $0.hasSuffix(".xml") }
        : ["cart.xml", "home-feed.xml", "login.xml", "order-v5.1.xml", "swiftui.xml"])
    let settings = SelectionSettings(now)
    let snapshot = try ScreenIndex(captures).snapshot(settings) {}
    let changed = try #require(ChangedRules(from: before, to: now)).captures(in: snapshot, settings) {}
    var comparison = DecisionComparison(
      from: Matcher(before, dictionary: snapshot.dictionary), to: Matcher(now, dictionary: snapshot.dictionary))
    var different: Set<String> = []
    for name in try captures.captureIDs() {
      _ = comparison.add(try Screens.named(name), name: name)
      if comparison.finish().different > 0 { different.insert(name) }
    }
    #expect(different.isSubset(of: changed))
    #expect(changed.count < snapshot.screens.count)
    #expect(changed.isEmpty == new.contains("owner"))
  }

  @Test func `the times of rules count for events, and not for elements, whose taps have no time`() throws {
    func rules(_ selector: String) throws -> (rules: RuleSet, dictionary: ElementDictionary) {
      let text = "version: 1\nrules:\n  - id: a\n    from: 2026-03-01\n    include: { selector: \(selector) }\n"
      return (try Self.ruleSet(text), ElementDictionary())
    }
    var comparison = RuleDifference(from: try rules("PayButton"), to: try rules("BuyButton"))
    let screen = try Screens.of("<view class='UIWindow'><view class='PayButton' superclasses='UIButton'/></view>")
    comparison.add(screen, name: "a")
    comparison.add(
      #"{"event":"$AppClick","time":1767225600000,"properties":{"$element_path":"UIWindow(0)/PayButton(0)"}}"#.utf8,
      number: 1)
    let (elements, events) = comparison.finish()
    #expect(elements.different == 1 && events.compared == 1 && events.different == 0)
  }

  @Test(arguments: [
    ("rules:", "track: all\nrules:"), ("rules:", "pages: { exclude: [HomeViewController] }\nrules:"),
    ("rules:", "style: sensors\nrules:"), ("rules:", "fields: { page: /page }\nrules:"),
    ("rules:", "classes: { ShopButton: UIButton }\nrules:"),
  ])
  func `changed settings affect all captures`(_ old: String, _ new: String) throws {
    let now = try Self.ruleSet(Self.rules.replacing(old, with: new))
    #expect(ChangedRules(from: try Self.ruleSet(Self.rules), to: now) == nil)
  }
}

extension String {
  fileprivate func replacing(_ old: String, with new: String) -> String {
    guard let range = firstRange(of: old) else { return self }
    return String(self[..<range.lowerBound]) + new + String(self[range.upperBound...])
  }
}
