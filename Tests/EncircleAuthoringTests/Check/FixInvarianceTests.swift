import EncircleAuthoring
import EncircleCapture
import EncircleEvents
import EncircleIdentity
import EncircleRuleFiles
import EncircleRules
import EncircleTestSupport
import EncircleTree
import Foundation
import Testing

/// Corrections that are made without asking change no decision of a rule set that is right.
@Suite struct FixInvarianceTests {
  private static let screens = Result {
    let names = ["home-feed.xml", "cart.xml", "alert-ios10.xml", "tab-bar.xml", "search.xml"]
    return try TestSize.spread(names, atLeast: 2).map { name in
      let tree = try CaptureReader().read(contentsOf: PackageFolder.viewTrees.appendingPathComponent(name).path)
      return (name, IdentifiedTree(tree))
    }
  }

  private static let shopEvents = Result {
    try String(contentsOf: PackageFolder.root.appendingPathComponent("Rules/events/shop.ndjson"), encoding: .utf8)
      .split(separator: "\n").map { try AnalyticsEvent(json: String($0)) }
  }

  /// Returns the decisions on the taps on all tracked elements of the captures, and on the events of the shop.
  private func decisions(_ ruleSet: RuleSet) throws -> [String] {
    // Captures decide what is asked around elements.
    var dictionary = ElementDictionary(style: ruleSet.style, knowsScreens: ruleSet.readsScreens)
    if ruleSet.readsScreens { for (_, screen) in try Self.screens.get() { dictionary.insert(screen) } }
    var decider = Decider(Matcher(ruleSet, dictionary: dictionary))
    var result: [String] = []
    for (_, screen) in try Self.screens.get() where ruleSet.style.style.unmetRequirement(for: screen) == nil {
      let events = ElementEvents(of: screen, style: ruleSet.style, fields: ruleSet.fields)
      for element in screen.tree.elements where screen.trackingType(of: element, in: ruleSet.style) != nil {
        let decision = decider.decide(events.event(of: element))
        result.append("\(decision.isSelected) \(decision.rules) \(decision.excludedBy)")
      }
    }
    for event in try Self.shopEvents.get() {
      let decision = decider.decide(event)
      result.append("\(decision.isSelected) \(decision.rules) \(decision.excludedBy)")
    }
    return result
  }

  /// Makes the certain corrections of a text, as often as there are some; returns the text, and how many were made.
  private func fixed(_ text: String, name: String) throws -> (text: String, count: Int) {
    var (text, count) = (text, 0)
    for _ in 0..<8 {
      var checker = RuleChecker(try RuleFiles(text: text, name: name).ruleSetWithSources())
      for (name, screen) in try Self.screens.get() { checker.add(screen, name: name) }
      for event in try Self.shopEvents.get() { checker.add(event) }
      let edits = checker.check(at: 1_775_000_000_000).findings.compactMap(\.certainEdit)
      let edited = EditedText(text, edits: edits)
      guard edited.outcomes.contains(.applied) else { break }
      count += edited.outcomes.count { $0 == .applied }
      text = edited.text
    }
    return (text, count)
  }

  @Test("of the rules in this package", arguments: ["shop.yaml", "chat.yaml", "reader.yaml", "shop-app.yaml"])
  func shipped(name: String) throws {
    let text = try String(contentsOf: PackageFolder.root.appendingPathComponent("Rules/\(name)"), encoding: .utf8)
    let after = try fixed(text, name: name).text
    #expect(
      try decisions(RuleFiles(text: text, name: name).ruleSet())
        == decisions(RuleFiles(text: after, name: name).ruleSet()))
  }

  @Test("of generated rules", arguments: TestSize.scaled(1...200 as ClosedRange<UInt64>))
  func generated(seed: UInt64) throws {
    var generator = SeededGenerator(seed: seed)
    let text = try Self.ruleFile(&generator)
    let (after, _) = try fixed(text, name: "rules.yaml")
    let before = try RuleFiles(text: text, name: "rules.yaml").ruleSet()
    let ruleSet = try RuleFiles(text: after, name: "rules.yaml").ruleSet()
    #expect(try decisions(before) == decisions(ruleSet), "seed \(seed):\n\(text)\n--- fixed:\n\(after)")
  }

  /// Makes rules of elements of the captures, of screens that no capture shows, and of events.
  private static func ruleFile(_ generator: inout SeededGenerator) throws -> String {
    let screens = try screens.get().map(\.1)
    // As people name what no capture shows yet.
    let pages = ["PaymentViewController", "RefundViewController", "CouponListController", "MapViewController"]
    let classes = ["RefundButton", "PayButton", "CouponCell", "GiftCell", "MapPinView"]
    var text = "version: 1\nrules:\n"
    for number in 1...Int.random(in: 1...8, using: &generator) {
      let screen = screens.randomElement(using: &generator) ?? screens[0]
      let tracked = screen.tree.elements.filter { screen.trackingType(of: $0) != nil }
      guard let element = tracked.randomElement(using: &generator) else { continue }
      var parts: [String] = []
      if Bool.random(using: &generator) { parts.append("event: $AppClick") }
      let page = screen.page(of: element)
      switch Int.random(in: 0..<6, using: &generator) {
      case 0: parts.append("page: \(pages.randomElement(using: &generator) ?? "")")
      case 1, 2: if let page { parts.append("page: \(page)") }
      case 3: if let page { parts.append("page: { prefix: \(page.prefix(5)) }") }
      default: break
      }
      switch Int.random(in: 0..<5, using: &generator) {
      case 0:
        let steps = (0..<Int.random(in: 1...2, using: &generator)).compactMap { _ in
          classes.randomElement(using: &generator)
        }
        parts.append("selector: \(steps.joined(separator: "/"))")
      case 1, 2, 3:
        let path = screen.path(of: element)
        let count = Int.random(in: 1...min(4, path.components.count), using: &generator)
        var steps = path.components.suffix(count).map { component in
          switch component.locator {
          case .row(let section, _) where Bool.random(using: &generator):
            "\(component.className)(section:\(section) row:*)"
          default: ElementPath([component]).written(.slashes)
          }
        }
        if steps.count > 2, Bool.random(using: &generator) { steps[1] = "**" }
        parts.append("selector: \"\(steps.joined(separator: "/"))\"")
      default: parts.append("eventID: \(screen.eventID(of: element))")
      }
      if let content = ElementContents(of: screen).content(of: element), !content.contains("\""),
        !content.contains("\\"),
        !content.contains("\n"), !content.isEmpty, Int.random(in: 0..<3, using: &generator) == 0
      {
        let test = ["\"\(content)\"", "{ prefix: \"\(content.prefix(1))\" }", "{ contains: \"\(content.suffix(2))\" }"]
        parts.append("where: { $element_content: \(test.randomElement(using: &generator) ?? "") }")
      } else if Int.random(in: 0..<4, using: &generator) == 0 {
        let test = ["version: \">=5.2\"", "version: \">=6\"", "equals: 5.2.1"].randomElement(using: &generator) ?? ""
        parts.append("where: { $app_version: { \(test) } }")
      }
      if Int.random(in: 0..<5, using: &generator) == 0, let around = around(element, in: screen, &generator) {
        parts.append("within: \(around)")
      }
      let effect = Int.random(in: 0..<5, using: &generator) == 0 ? "exclude" : "include"
      text += "  - id: r\(number)\n    \(effect):\n" + parts.map { "      \($0)\n" }.joined()
    }
    return text
  }

  /// Asks what an element says that is around another one.
  private static func around(
    _ element: ElementID, in screen: IdentifiedTree, _ generator: inout SeededGenerator
  ) -> String? {
    let contents = ElementContents(of: screen)
    var view = screen.tree.parent(of: element)
    for _ in 0..<Int.random(in: 0...3, using: &generator) { view = view.flatMap { screen.tree.parent(of: $0) } }
    guard let view else { return nil }
    let texts = (view.index..<screen.tree.subtreeEnd(of: view).index).compactMap {
      contents.shownText(of: ElementID($0), screen)
    }.filter { $0.utf8.allSatisfy { $0 >= 0x20 && $0 != UInt8(ascii: "\"") && $0 != UInt8(ascii: "\\") } }
    guard let text = texts.randomElement(using: &generator), !text.isEmpty else { return nil }
    let tests = ["\"\(text)\"", "{ prefix: \"\(text.prefix(1))\" }", "{ not: \"\(text)\" }"]
    let selector = "'\(screen.className(of: view))'"
    return "{ selector: \"\(selector)\", says: \(tests.randomElement(using: &generator) ?? "") }"
  }
}
