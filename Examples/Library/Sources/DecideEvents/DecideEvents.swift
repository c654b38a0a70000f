import EncircleEvents
import EncircleRules

/// Decides events that a program has as its own values. It reads no files, and neither YAML nor JSON.
@main
enum DecideEvents {
  /// The values that this program has for an event.
  struct Tap {
    var user: String
    var page: String
    var path: String
    var price: Int
    var isTester = false

    var event: AnalyticsEvent {
      AnalyticsEvent(
        name: "$AppClick", time: 1_773_129_600_000, distinctID: user,
        properties: [
          "$screen_name": .string(page), "$element_path": .string(path), "price": .number(DecimalNumber(price)),
          "is_tester": .bool(isTester),
        ])
    }
  }

  static func main() throws {
    let ruleSet = try makeRules()
    let (page, table) = ("HomeViewController", "UIWindow(0)_UIView(0)_UITableView(0)")
    let taps = [
      Tap(user: "u1", page: page, path: "\(table)_ProductCell(section:0 row:7)_UIButton(1)", price: 12),
      Tap(user: "u2", page: page, path: "\(table)_ProductCell(section:0 row:2)_UIButton(0)", price: 12),
      Tap(user: "u3", page: page, path: "\(table)_ProductCell(section:0 row:7)_UIButton(1)", price: 3),
      Tap(user: "u4", page: page, path: "\(table)_ProductCell(section:0 row:0)_UIButton(1)", price: 12, isTester: true),
    ]

    // One event. A program that goes on for long keeps the matcher, and one state a thread.
    let event = taps[0].event
    let matcher = Matcher(ruleSet)
    var decider = Decider(matcher)
    let decision = decider.decide(event)
    print(decision.isSelected, decision.emit, decision.eventID?.description ?? "-")

    // A batch, in its order.
    for (tap, decision) in zip(taps, matcher.decide(taps.map(\.event))) {
      print("\(tap.user): \(decision.isSelected) rules \(decision.rules) excluded by \(decision.excludedBy)")
    }

    // Why the third is not selected.
    for result in Explainer(ruleSet).explain(taps[2].event).rules {
      print("\(result.rule.id) \(result.matches ? "matches" : "does not match")")
      for test in result.clauses.flatMap(\.tests) {
        print("  \(test.passed ? "+" : "-") \(test.subject) \(test.expected), found \(test.found)")
      }
      if let change = result.change { print("  to match: \(change)") }
    }
  }

  private static func makeRules() throws -> RuleSet {
    let selector = try ElementSelector(parsing: "UITableView/ProductCell(section:0 row:*)/UIButton(1)")
    var button = RuleClause()
    button.event = .isOneOf([.string("$AppClick")], fold: false)
    button.page = .kindOf(["ShopViewController"])
    button.selectors = [selector]
    button.properties = [PropertyTest(.property("price"), .number(.greater, 10))]
    var add = SelectionRule("cart.add", .include, [button])
    add.emit = "add_to_cart"

    var testers = RuleClause()
    testers.properties = [PropertyTest(.property("is_tester"), .isOneOf([.bool(true)], fold: false))]

    var ruleSet = RuleSet()
    ruleSet.classes = ["HomeViewController": "ShopViewController"]
    ruleSet.rules = [add, SelectionRule("testers", .exclude, [testers])]
    return ruleSet
  }
}
