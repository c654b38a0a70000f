import EncircleEvents
import EncircleRuleFiles
import EncircleRules
import Testing

/// Rules on events whose paths are written in other SDKs' styles.
@Suite struct StyleTests {
  @Test(
    "selectors match the paths of the rule set's style",
    arguments: [
      (
        "sensors", "UIWindow[0]/UITableView[0]/UITableViewCell[0][3]/UIButton[1]",
        "UITableViewCell(section:0 row:3)/UIButton(1)", true
      ),
      (
        "sensors", "UIWindow[0]/UITableView[0]/UITableViewCell[0][3]/UIButton[1]",
        "UITableViewCell(section:0 row:4)/UIButton(1)", false
      ),
      (
        "sensors", "UIWindow[0]/UITableView[0]/UITableViewCell[0][-]/UIButton[1]",
        "UITableViewCell(section:0 row:*)/UIButton", true
      ),
      ("sensors", "UIWindow[0]/UITableView[0]/UITableViewCell[0][-]/UIButton[1]", "UITableViewCell/UIButton", true),
      (
        "sensors", "UIWindow[0]/UITableView[0]/UITableViewCell[0][-]/UIButton[1]",
        "UITableViewCell(section:0 row:3)/UIButton", false
      ),
      (
        "sensors", "UIWindow[0]/UITableView[0]/UITableViewCell[0][-]/UIButton[1]",
        "UITableViewCell(section:0 row:...5)/UIButton", false
      ),
      (
        "sensors", "UIWindow[0]/UITableView[0]/UITableViewCell[0][-]/UIButton[1]",
        "UITableViewCell(section:0 row:0...)/UIButton", false
      ),
    ])
  func styles(style: String, path: String, selector: String, isMatch: Bool) throws {
    let rules = try RuleFiles(
      text: "version: 1\nstyle: \(style)\nrules:\n  - { id: a, include: { selector: '\(selector)' } }\n"
    ).ruleSet()
    let matcher = Matcher(rules)
    let event = "{\"event\":\"$AppClick\",\"properties\":{\"$element_path\":\"\(path)\"}}"
    let decision = matcher.decide([try AnalyticsEvent(json: event)])[0]
    #expect(decision.isSelected == isMatch)
    #expect(decision.resolution == .path)
    let loaded = try Matcher(compiled: try matcher.compiled())
    #expect(loaded.decide([try AnalyticsEvent(json: event)]) == [decision])
  }
}
