import EncircleAuthoring
import EncircleRuleFiles
import EncircleRules
import Testing

private let feed = """
  <view class="UIWindow"><view class="UITableView" controller="FeedViewController" controllerSuperclasses="BaseViewController">
    <view class="FeedCell" superclasses="UITableViewCell" indexPath="0 0"><view class="UIButton"/><view class="UIButton"/></view>
    <view class="FeedCell" superclasses="UITableViewCell" indexPath="0 1"><view class="UIButton"/><view class="UIButton"/></view>
    <view class="FeedCell" superclasses="UITableViewCell" indexPath="1 0"><view class="UIButton"/><view class="UIButton"/></view>
  </view></view>
  """

/// Findings by captures, events and names, and what every finding says.
@Suite struct FindingTests {
  static let cases: [FindingCase] = [
    FindingCase(
      claim: "nothing around the elements of a rule ever says what it asks for", code: .neverTogether,
      rules: """
        rules:
          - { id: a, include: { selector: "FeedCell/UIButton", within: { selector: FeedCell, says: 桃 } } }
          - { id: b, include: { selector: "FeedCell/UIButton", within: { selector: FeedCell, says: 梨 } } }
          - { id: c, include: { selector: "FeedCell/UIButton", within: { selector: UIButton, says: 桃 } } }
          - { id: d, include: { selector: "FeedCell/UIButton", within: { selector: UITableView, says: { not: 桃 } } } }
        """,
      captures: [
        """
        <view class="UIWindow"><view class="UITableView" controller="FeedViewController">
          <view class="FeedCell" superclasses="UITableViewCell" indexPath="0 0"><view class="UILabel" text="桃"/><view class="UIButton"/></view>
        </view></view>
        """
      ], found: ["b 4:76", "c 5:76", "d 6:76"]),
    FindingCase(
      claim: "selectors of a list are looked at one by one", code: .matchesNothing,
      rules: """
        rules:
          - { id: a, include: { selector: [FeedCell/UIButton, FeedCell/UISwitch] } }
        """, captures: [feed], found: ["a 3:55"]),
    FindingCase(
      claim: "a selector that a style reads in two ways is one", code: .matchesNothing,
      rules: """
        style: sensors-exact
        rules:
          - { id: a, include: { selector: "FeedCell[0][1]" } }
          - { id: b, include: { selector: "FeedCell[0][7]" } }
        """, captures: [feed], found: ["b 5:35"]),
    FindingCase(
      claim: "a selector of elements that stand on another page matches nothing", code: .matchesNothing,
      rules: """
        rules:
          - { id: a, include: { page: OtherViewController, selector: FeedCell/UIButton } }
          - { id: b, include: { page: { kindOf: BaseViewController }, selector: FeedCell/UIButton } }
        """, captures: [feed], found: ["a 3:31"]),
    FindingCase(
      claim: "rules without an element match nothing in captures, and need not", code: .matchesNothing,
      rules: "rules: [ { id: a, include: { event: $AppStart } } ]", captures: [feed], found: []),
    FindingCase(
      claim: "disabled rules are left alone", code: .matchesNothing,
      rules: "rules: [ { id: a, enabled: false, include: { selector: Gone } } ]", captures: [feed], found: []),
    FindingCase(
      claim: "the limit of a rule is its own", code: .matchesMany,
      rules: """
        checks: { matches-many: { limit: 5 } }
        rules:
          - { id: a, include: { selector: FeedCell/UIButton } }
          - { id: b, include: { selector: FeedCell/UIButton }, checks: { matches-many: { limit: 6 } } }
          - { id: c, include: { selector: FeedCell/UIButton(1) } }
        """, captures: [feed], found: ["a 4:11"]),
    FindingCase(
      claim: "a class that only the rules declare is known", code: .unknownClass,
      rules: """
        classes: { GoneCell: UITableViewCell }
        rules:
          - { id: a, include: { selector: [GoneCell, GneCell, ":GoneView", "Gone*Cell", "Old*Cell"] } }
        """, captures: [feed], found: ["a 4:46", "a 4:57", "a 4:82"]),
    FindingCase(
      claim: "without captures the app's classes are not unknown, slips of the pen are", code: .unknownClass,
      rules: "rules: [ { id: a, include: { selector: [MyCell/UIButon, MyCell/UIButton] } } ]", found: ["a 2:48"]),
    FindingCase(
      claim: "event names are known by the events that are given, case ignored where the test does",
      code: .unknownEvent,
      rules: """
        rules:
          - { id: a, include: { event: Pay } }
          - { id: b, include: { event: { equals: Pay, fold: true } } }
          - { id: c, include: { event: [pay, refund] } }
        """, events: [#"{"event":"pay"}"#], found: ["a 3:32", "c 5:38"]),
    FindingCase(
      claim: "an exact row of a list with few others is no finding, nor a range of rows, nor one that sameKind frees",
      code: .exactRow,
      rules: """
        rules:
          - { id: a, include: { selector: "FeedCell(section:0 row:1)" } }
          - { id: b, include: { selector: "FeedCell(section:0 row:0...1)" } }
          - { id: c, sameKind: true, include: { selector: "FeedCell(section:0 row:0)" } }
        """, captures: [feed], found: ["a 3:35"]),
    FindingCase(
      claim: "what ** passes over is not gone through", code: .privateWrapper,
      rules: """
        rules:
          - { id: a, include: { selector: /UIWindow/**/UITransitionView/A } }
          - { id: b, include: { selector: UITransitionView/A } }
          - { id: c, include: { selector: /UIWindow/UITransitionView/**/A } }
        """, found: ["c 5:35"]),
    FindingCase(
      claim: "names of the developers' are no localised text, nor texts in several languages", code: .localisedText,
      rules: """
        rules:
          - { id: a, include: { where: { $element_content: cart.add } } }
          - { id: b, include: { where: { $element_content: [Pay, 支付] } } }
          - { id: c, include: { where: { $element_content: { prefix: Pay } } } }
          - { id: d, include: { where: { channel: Pay } } }
          - { id: e, include: { where: { $element_content: "12" } } }
        """, found: ["c 5:34"]),
  ]

  @Test("findings from captures, events and names", arguments: cases)
  func others(row: FindingCase) throws { try row.check() }

  @Test(
    "numbers at the ends of what a word holds are numbers like others",
    arguments: [
      "9223372036854775807", "0...9223372036854775807", "-9223372036854775808...9223372036854775807",
      "-9223372036854775808,9223372036854775807", "9223372036854775806,9223372036854775807", "...-9223372036854775808",
    ])
  func extremes(numbers: String) throws {
    // Only positions may be negative.
    let others = numbers.contains("-") ? [] : ["A(\(numbers))", "A(section:\(numbers) row:\(numbers))"]
    for locator in others + ["A(indexx:\(numbers) indexy:\(numbers))"] {
      let rules = """
        rules:
          - { id: a, include: { selector: "\(locator)" } }
          - { id: b, include: { selector: "A" } }
          - { id: e, exclude: { selector: "\(locator)/**" } }
          - { id: f, exclude: { selector: "A(0...2)" } }
        """
      let findings = try Checked.findings(rules, captures: [feed])
      #expect(findings.contains { $0.code == .coveredRule || $0.code == .neverSelects || $0.code == .contradiction })
    }
  }

  @Test("a finding has an example and a correction in the quotes of the original")
  func edit() throws {
    let rules = """
      rules:
        - id: a
          include: { selector: "FeedCell(section:0 row:1)/UIButton(1)" }
      """
    let finding = try #require(
      try Checked.findings(rules, captures: [feed]).first { $0.code == .exactRow })
    #expect(finding.edit?.written == "\"FeedCell(section:0 row:1)/UIButton(1)\"")
    #expect(finding.edit?.replacement == "FeedCell(section:0 row:*)/UIButton(1)")
    #expect(
      finding.example
        == "capture0.xml element 7: UIWindow(0)/UITableView(0)/FeedCell(section:0 row:1)/UIButton(1)")
  }

  @Test(
    "an unknown class is pointed at where its name is written in the selector",
    arguments: [
      ("GoneView", "hubbledata", "GoneView"), ("FeedCell/GoneView(1)", "hubbledata", "GoneView(1)"),
      ("\"/**/:GoneView(1)\"", "hubbledata", "GoneView(1)\""), ("'**/Gone*View/**'", "hubbledata", "Gone*View/**'"),
      ("\"UIView/'Gone View'(1)\"", "hubbledata", "'Gone View'(1)\""),
      ("'''视图''''s''/**'", "hubbledata", "''视图''''s''/**'"),
      ("'''UIView''/''Gone View''(0)'", "hubbledata", "''Gone View''(0)'"),
      ("\"FeedCell[0][1]/GoneView[2]\"", "sensors", "GoneView[2]\""),
      // If the place in the line is not known, the caret is at the beginning of the selector.
      ("\"UIView/\\u0047oneView\"", "hubbledata", "\"UIView/\\u0047oneView\""),
      ("\"UIView/Section/GoneView\"", "growingio", "\"UIView/Section/GoneView\""),
    ])
  func classPlace(selector: String, style: String, pointedAt: String) throws {
    let rules = "style: \(style)\nrules: [ { id: a, include: { selector: \(selector) } } ]"
    let finding = try #require(try Checked.findings(rules, captures: [feed]).first { $0.code == .unknownClass })
    let line = finding.place.sourceLine.unicodeScalars
    let rest = String(String.UnicodeScalarView(line.dropFirst(finding.place.location.column - 1)))
    #expect(rest == pointedAt + " } } ]")
    if let written = finding.place.written { #expect(pointedAt.hasPrefix(written)) }
    if let edit = finding.edit {
      #expect(edit.written == selector)
      #expect(edit.location.column == line.count - "\(selector) } } ]".unicodeScalars.count + 1)
    }
  }

  @Test("rules silence findings, files change their severity, and rules take precedence")
  func settings() throws {
    let rules = """
      checks: { out-of-time: error, localised-text: { severity: off, reason: one language } }
      rules:
        - { id: a, include: { event: e }, to: 2020-01-01 }
        - { id: b, include: { event: f }, to: 2020-01-01, checks: { out-of-time: { severity: off, reason: kept } } }
        - { id: c, include: { event: g, where: { $title: 首页 } } }
        - { id: d, include: { event: h, where: { $title: 首页 } }, checks: { localised-text: warning } }
      """
    #expect(
      Checked.lines(try Checked.findings(rules)) == [
        "error out-of-time a 4:41", "warning localised-text d 7:44",
      ])
  }

  @Test("a message about one element has no count")
  func oneElement() throws {
    let rules = "rules: [ { id: a, include: { selector: UITableView }, properties: { p: { element: ../UIView } } } ]"
    let findings = try Checked.findings(rules, captures: [feed], events: [])
    let message = findings.first { $0.code == .unreadableProperty }?.message
    #expect(message?.hasPrefix("the only element that the rule matches in the captures does not get p, ") == true)
  }
}
