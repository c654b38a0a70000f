import EncircleRuleFiles
import EncircleRules

@testable import EncircleAuthoring

/// Rules and a plan as they are in files, for tests of the plan as a table.
struct PlanTableFiles {
  static let rules = """
    version: 1
    app: com.example.shop
    rules:
      # The first one.
      - id: cart.add
        name: Add # short
        owner: cart
        tags: [cart]
        include: { event: $AppClick, page: Home, selector: ShopCell/UIButton, where: { $element_content: 加入 } }
        emit: add_to_cart
      - { id: cart.more, include: { selector: MoreButton }, emit: [add_to_cart, add_more] }

    """

  static let plan = """
    version: 1
    events:
      # What people buy.
      - event: add_to_cart
        platforms: [ios, android]   # both
        since: "3.2"
        properties:
          - { property: price, type: number, required: true }
          # Where from.
          - property: channel
            values: [home, "1", 2]
      - event: order_paid
        name: 支付
        tracking: code
        columns: { Sprint: "12" }

    """

  var rules: String
  var plan: String

  init(rules: String = Self.rules, plan: String = Self.plan) {
    (self.rules, self.plan) = (rules, plan)
  }

  var ruleFiles: RuleFiles { RuleFiles(text: rules, name: "r.yaml") }

  func joined() throws -> TrackingPlan {
    let ruleSet = try ruleFiles.ruleSet()
    return TrackingPlan(ruleSet, try PlanFiles(texts: [("r.plan.yaml", plan)], for: ruleSet))
  }

  /// Joins rules and a plan that may state facts of rules.
  func lenient() throws -> TrackingPlan {
    TrackingPlan(try ruleFiles.ruleSet(), try PlanFiles(texts: [("r.plan.yaml", plan)], for: RuleSet()))
  }

  /// Imports a table, and returns the files after that.
  func importing(_ table: String) throws -> (result: PlanImport, files: PlanTableFiles) {
    let plan = try joined()
    var result = try PlanImport(table, into: plan)
    var files = self
    for file in try result.files(of: plan, [("r.plan.yaml", self.plan)], home: "r.plan.yaml", rules: ruleFiles) {
      if file.name == "r.yaml" { files.rules = file.new } else { files.plan = file.new }
    }
    return (result, files)
  }
}
