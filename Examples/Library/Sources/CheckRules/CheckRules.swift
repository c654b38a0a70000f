import EncircleAuthoring
import EncircleRuleFiles

/// Finds likely mistakes in valid rules.
@main
enum CheckRules {
  static func main() throws {
    let text = """
      version: 1
      rules:
        - id: cart.buy
          include: { page: CartViewController, selector: CartCell(section:0 row:*)/BuyButton }
        - id: no.cells
          exclude: [{ selector: CartCell(row:0...4)/** }, { selector: CartCell(row:5...)/** }]
      """
    let rules = try RuleFiles(text: text, name: "cart.yaml").ruleSetWithSources()
    // The time of the check, by which rules may be out of date, in milliseconds since 1970.
    let result = RuleChecker(rules).check(at: 1_772_323_200_000)
    for finding in result.findings {
      print("\(finding.file):\(finding.place.location): \(finding.code.rawValue): \(finding.message)")
    }
  }
}
