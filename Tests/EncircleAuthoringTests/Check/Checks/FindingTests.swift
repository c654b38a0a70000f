import EncircleAuthoring
import EncircleRuleFiles
import EncircleRules
import Testing

/// A rule file, the captures and events that it is checked with, and the expected findings of one kind.
struct FindingCase: Sendable, CustomTestStringConvertible {
  let claim: String
  let code: CheckCode
  let rules: String
  var captures: [String] = []
  var events: [String] = []
  /// `rule line:column` of each finding of the code.
  let found: [String]

  var testDescription: String { claim }
}

private let feed = """
  <view class="UIWindow"><view class="UITableView" controller="FeedViewController" controllerSuperclasses="BaseViewController">
    <view class="FeedCell" superclasses="UITableViewCell" indexPath="0 0"><view class="UIButton"/><view class="UIButton"/></view>
    <view class="FeedCell" superclasses="UITableViewCell" indexPath="0 1"><view class="UIButton"/><view class="UIButton"/></view>
    <view class="FeedCell" superclasses="UITableViewCell" indexPath="1 0"><view class="UIButton"/><view class="UIButton"/></view>
  </view></view>
  """

@Suite struct FindingTests {
  static let meaningCases: [FindingCase] = [
    FindingCase(
      claim: "several excludes together cover a rule, none of them alone", code: .neverSelects,
      rules: """
        rules:
          - { id: a, include: { event: [x, y], selector: "C(row:*)" } }
          - { id: e1, exclude: { event: x } }
          - { id: e2, exclude: { event: y, selector: "C(row:0...3)" } }
          - { id: e3, exclude: { event: y, selector: "C(row:4...)" } }
        """, found: ["a 3:11"]),
    FindingCase(
      claim: "an excluded page with its subclasses covers a rule", code: .neverSelects,
      rules: """
        classes: { LoginPage: UIViewController, SmsLoginPage: LoginPage }
        pages: { exclude: [LoginPage] }
        rules:
          - { id: a, include: { page: SmsLoginPage, selector: C } }
          - { id: b, include: { page: [SmsLoginPage, Home], selector: C } }
        """, found: ["a 5:11"]),
    FindingCase(
      claim: "pages of the system cover rules that are about nothing else", code: .neverSelects,
      rules: """
        classes: { ShareViewController: UIActivityViewController }
        rules:
          - { id: a, include: { page: ShareViewController } }
          - { id: b, include: { event: $AppViewScreen, page: { kindOf: UITabBarController } } }
          - { id: c, include: { event: $AppClick, page: { kindOf: UITabBarController } } }
          - { id: d, include: { page: [ShareViewController, Home] } }
        """, found: ["a 4:11", "b 5:11"]),
    FindingCase(
      claim: "without the default pages their rules select", code: .neverSelects,
      rules: """
        pages: { defaults: false }
        rules:
          - { id: a, include: { page: UIActivityViewController } }
        """, found: []),
    FindingCase(
      claim: "an exclude rule of another app does not cover", code: .neverSelects,
      rules: """
        app: com.example.shop
        rules:
          - { id: a, include: { selector: C } }
          - { id: e, exclude: { selector: C, where: { $app_id: com.example.other } } }
        """, found: []),
    FindingCase(
      claim: "an exclude rule for part of the time does not cover", code: .neverSelects,
      rules: """
        rules:
          - { id: a, include: { selector: C } }
          - { id: e, exclude: { selector: C }, from: 2026-01-01, to: 2030-12-31 }
        """, found: []),
    FindingCase(
      claim: "an exclude rule for all of the rule's time covers", code: .neverSelects,
      rules: """
        rules:
          - { id: a, include: { selector: C }, from: 2026-03-01, to: 2030-03-31 }
          - { id: e, exclude: { selector: C }, from: 2026-01-01, to: 2030-12-31 }
        """, found: ["a 3:11"]),
    FindingCase(
      claim: "what 'unless' of an exclude rule leaves is selected", code: .neverSelects,
      rules: """
        rules:
          - { id: a, include: { selector: C, page: [P, Q] } }
          - { id: e, exclude: { selector: C }, unless: { page: Q } }
        """, found: []),
    FindingCase(
      claim: "a disabled exclude rule covers nothing", code: .neverSelects,
      rules: """
        rules:
          - { id: a, include: { selector: C } }
          - { id: e, enabled: false, exclude: { selector: C } }
        """, found: []),
    FindingCase(
      claim: "a glob covers a class, a kind its subclasses, a longer range a shorter one", code: .coveredRule,
      rules: """
        rules:
          - { id: a, emit: x, include: { selector: ProductCell(row:2...3)/UIButton } }
          - { id: b, emit: x, include: { selector: "Product*(row:1...)/:UIControl" } }
        """, found: ["a 3:11"]),
    FindingCase(
      claim: "a kind does not cover its superclass, nor a range one that begins before it", code: .coveredRule,
      rules: """
        rules:
          - { id: a, emit: x, include: { selector: "ProductCell(row:0...3)/:UIControl" } }
          - { id: b, emit: x, include: { selector: "ProductCell(row:1...)/:UIControl" } }
          - { id: c, emit: x, include: { selector: "ProductCell(row:0...3)/:UIButton" } }
        """, found: ["c 5:11"]),
    FindingCase(
      claim: "the same regular expression is the same, another one is not", code: .coveredRule,
      rules: """
        rules:
          - { id: a, emit: x, include: { event: e, where: { k: { matches: "^a[bc]" } } } }
          - { id: b, emit: x, include: { where: { k: { matches: "^a[bc]" } } } }
          - { id: c, emit: x, include: { event: e, where: { k: { matches: "^a[bd]" } } } }
        """, found: ["a 3:11"]),
    FindingCase(
      claim: "texts that a prefix takes are covered by it, and versions by their range", code: .coveredRule,
      rules: """
        rules:
          - { id: a, emit: x, include: { where: { k: [abc, abd] } } }
          - { id: b, emit: x, include: { where: { k: { prefix: ab } } } }
          - { id: c, emit: x, include: { where: { v: { version: ">=5.2 <5.3" } } } }
          - { id: d, emit: x, include: { where: { v: { version: ">5.1.9 <6" } } } }
        """, found: ["a 3:11", "c 5:11"]),
    FindingCase(
      claim: "two rules of one meaning are told of once, at the later one", code: .sameMeaning,
      rules: """
        rules:
          - { id: a, include: { event: e, selector: ["A(0)/B", "A(1)/B"] } }
          - { id: b, include: [ { event: [e], selector: "A(0...1)/B" } ] }
        """, found: ["b 4:11"]),
    FindingCase(
      claim: "texts are compared by their bytes: é is not e with an accent", code: .sameMeaning,
      rules: """
        rules:
          - { id: a, include: { where: { k: "\u{E9}" } } }
          - { id: b, include: { where: { k: "e\u{301}" } } }
          - { id: c, include: { selector: "\u{E9}" } }
          - { id: d, include: { selector: "e\u{301}" } }
          - { id: e, include: { where: { k: { matches: "\u{E9}" } } } }
          - { id: f, include: { where: { k: { matches: "e\u{301}" } } } }
        """, found: []),
    FindingCase(
      claim: "an include and an exclude rule do not mean the same", code: .sameMeaning,
      rules: """
        rules:
          - { id: a, include: { event: e } }
          - { id: b, exclude: { event: e } }
        """, found: []),
    FindingCase(
      claim: "a contradiction is where it stands", code: .contradiction,
      rules: """
        rules:
          - id: a
            include:
              - event: { equals: x, not: { prefix: x } }
              - { event: y, where: { k: { exists: false, contains: a } } }
          - { id: b, include: { event: { prefix: x, not: { equals: x } } } }
        """, found: ["a 5:16", "a 6:30"]),
    FindingCase(
      claim: "'unless' may take all of a clause", code: .contradiction,
      rules: """
        rules:
          - { id: a, include: { event: e, selector: A/B }, unless: { selector: "**/B" } }
          - { id: b, include: { event: e, selector: A/B }, unless: { selector: "**/B(0)" } }
        """, found: ["a 3:23"]),
    FindingCase(
      claim: "a clause that another one of its rule covers is needless", code: .coveredClause,
      rules: """
        rules:
          - id: a
            include:
              - { page: P, selector: A/B }
              - { selector: B }
              - { selector: C }
        """, found: ["a 5:9"]),
    FindingCase(
      claim: "a class is covered by its superclass", code: .coveredRule,
      rules: """
        classes: { BasePage: UIViewController, LoginPage: BasePage }
        rules:
          - { id: a, include: { page: { kindOf: BasePage }, event: e } }
          - { id: b, include: { page: { kindOf: LoginPage }, event: e } }
          - { id: c, include: { page: { kindOf: LoginPage, prefix: L }, event: e } }
        """, found: ["b 5:11", "c 6:11"]),
    FindingCase(
      claim: "no class is a kind of one and not of its superclass, nor of two that have nothing to do with each other",
      code: .contradiction,
      rules: """
        classes: { BasePage: UIViewController, LoginPage: BasePage, HomePage: UIViewController, Odd: Unknown }
        rules:
          - { id: a, include: { page: { kindOf: LoginPage, not: { kindOf: BasePage } } } }
          - { id: b, include: { page: { kindOf: LoginPage, not: { not: { kindOf: HomePage } } } } }
          - { id: c, include: { page: { kindOf: BasePage, not: { kindOf: LoginPage } } } }
          - { id: d, include: { page: { kindOf: Odd, not: { not: { kindOf: HomePage } } } } }
          - { id: e, include: { page: { kindOf: Other, not: { not: { kindOf: Another } } } } }
        """, found: ["a 4:31", "b 5:31"]),
    FindingCase(
      claim: "exclude rules for classes cover a rule for their subclasses together", code: .neverSelects,
      rules: """
        classes: { BasePage: UIViewController, LoginPage: BasePage, HomePage: UIViewController }
        rules:
          - { id: a, include: { page: { kindOf: [LoginPage, HomePage] } } }
          - { id: b, include: { page: { kindOf: [LoginPage, UIViewController] } } }
          - { id: x, exclude: { page: { kindOf: BasePage } } }
          - { id: y, exclude: { page: { kindOf: HomePage } } }
        """, found: ["a 4:11"]),
    FindingCase(
      claim: "clauses may cover one together, and all of them are needed", code: .coveredClause,
      rules: """
        rules:
          - id: a
            include:
              - { event: e, page: [A, B] }
              - { event: e, page: [A, C] }
              - { event: e, page: [B, D] }
              - { event: e, page: [E, F] }
          - id: b
            include:
              - { event: e, page: [A, B] }
              - { event: e, page: [A, C] }
              - { event: e, page: [B, D], where: { p: x } }
        """, found: ["a 5:9"]),
    FindingCase(
      claim: "selectors of a list may cover one together", code: .coveredClause,
      rules: """
        rules:
          - { id: a, include: { selector: ["A(row:2...6)", "A(row:0...3)", "A(row:4...9)", B] } }
          - { id: b, include: { selector: ["A(row:2...6)", "A(row:0...3)", "A(row:5...9)", B] } }
        """, found: ["a 3:36"]),
    FindingCase(
      claim: "the place where events have the page is the page", code: .coveredRule,
      rules: """
        classes: { HomePage: UIViewController }
        rules:
          - { id: a, include: { page: P, event: e } }
          - { id: b, include: { where: { $screen_name: P }, event: e } }
          - { id: c, include: { page: { kindOf: UIViewController }, event: f } }
          - { id: d, include: { where: { $screen_name: HomePage }, event: f } }
          - { id: e, include: { where: { $screen_name: { prefix: HomePage } }, event: f } }
        """, found: ["b 5:11", "d 7:11"]),
    FindingCase(
      claim: "a page and its property contradict each other, unless the page may come from elsewhere or is renamed",
      code: .contradiction,
      rules: """
        rules:
          - { id: a, include: { page: P, where: { $screen_name: Q } } }
          - { id: b, include: { page: P, where: { $screen_name: { exists: false } } } }
          - { id: c, include: { page: P, where: { $screen_name: { prefix: NSKVO } } } }
          - { id: d, include: { page: P, where: { $screenName: Q } } }
          - { id: e, include: { event: x, where: { /event: { prefix: y } } } }
          - { id: f, include: { event: x, where: { /eventId: { prefix: y } } } }
        """, found: ["a 3:23", "e 7:23"]),
    FindingCase(
      claim: "expressions are compared with each other and with texts", code: .coveredRule,
      rules: """
        rules:
          - { id: a, include: { where: { p: { matches: "^item_[0-9]+$" } } } }
          - { id: b, include: { where: { p: { matches: "^item_\\\\d{2,4}$" } } } }
          - { id: c, include: { where: { p: [item_1, item_22] } } }
          - { id: d, include: { where: { p: [item_1, item_x] } } }
          - { id: e, include: { where: { p: { prefix: item_, matches: "^item_[1-3]$" } } } }
          - { id: f, include: { where: { q: { contains: sale } } } }
          - { id: g, include: { where: { q: { matches: "^(big_)?sale" } } } }
          - { id: h, include: { where: { q: { matches: "(?i)sale" } } } }
          - { id: i, include: { where: { q: { matches: "s.le" } } } }
          - { id: j, include: { where: { r: { matches: "^https?://" } } } }
          - { id: k, include: { where: { r: { prefix: "https://" } } } }
          - { id: l, include: { where: { r: { glob: "http://*.jp" } } } }
        """, found: ["b 4:11", "c 5:11", "e 7:11", "f 8:11", "g 9:11", "k 13:11", "l 14:11"]),
    FindingCase(
      claim: "expressions written in different ways mean the same", code: .sameMeaning,
      rules: """
        rules:
          - { id: a, include: { where: { p: { matches: "^a" } } } }
          - { id: b, include: { where: { p: { prefix: a } } } }
          - { id: c, include: { where: { p: { matches: "^(?:a|a.+)" } } } }
          - { id: d, include: { where: { q: { matches: "^(x|y)$" } } } }
          - { id: e, include: { where: { q: [y, x] } } }
          - { id: f, include: { where: { q: { matches: "(?i)^[xy]$" } } } }
        """, found: ["b 4:11", "c 5:11", "e 7:11"]),
    FindingCase(
      claim: "no text passes tests that contradict each other", code: .contradiction,
      rules: """
        rules:
          - { id: a, include: { where: { p: { matches: "^[a-z]+$", contains: "1" } } } }
          - { id: b, include: { where: { p: { matches: "^a", not: { prefix: a } } } } }
          - { id: c, include: { where: { p: { version: ">=5.2", prefix: "4." } } } }
          - { id: d, include: { where: { p: { version: ">=5.2", prefix: "5." } } } }
          - { id: e, include: { where: { p: { version: "<5", matches: "^[6-9]" } } } }
          - { id: f, include: { where: { p: { version: "<5", matches: "^0" } } } }
          - { id: g, include: { where: { p: { version: ">=5.2", in: ["5.1", "5.0"] } } } }
        """, found: ["a 3:34", "b 4:34", "c 5:34", "e 7:34", "g 9:34"]),
    FindingCase(
      claim: "versions are compared with texts that begin alike", code: .coveredRule,
      rules: """
        rules:
          - { id: a, include: { where: { v: { version: ">=5 <6" } } } }
          - { id: b, include: { where: { v: { version: ">=5.2 <6", prefix: "5." } } } }
          - { id: c, include: { where: { v: { version: ">=5.2", prefix: "5." } } } }
          - { id: d, include: { where: { v: { version: ">=5.2", prefix: "6." } } } }
          - { id: e, include: { where: { v: ["5.2", "5.9.1"] } } }
          - { id: f, include: { where: { v: { prefix: "5." } } } }
        """, found: ["b 4:11", "c 5:11", "e 7:11"]),
    FindingCase(
      claim: "a range that leaves out one number of many is told of, one that takes one is not", code: .nearlyCovered,
      rules: """
        rules:
          - { id: a, emit: x, include: { selector: "A(row:0...9)/B" } }
          - { id: b, emit: x, include: { selector: "A(row:1...9)/B" } }
          - { id: c, emit: y, include: { selector: "C(row:*)/B" } }
          - { id: d, emit: y, include: { selector: "C(row:0)/B" } }
        """, found: ["a 3:11"]),
  ]

  static let otherCases: [FindingCase] = [
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
        """, events: [#"{"event":"pay"}"#], found: ["a 3:32", "c 5:32"]),
    FindingCase(
      claim: "an exact row of a list with few others is no finding, nor a range of rows", code: .exactRow,
      rules: """
        rules:
          - { id: a, include: { selector: "FeedCell(section:0 row:1)" } }
          - { id: b, include: { selector: "FeedCell(section:0 row:0...1)" } }
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
    FindingCase(
      claim: "the time of a rule is over, or yet to come", code: .outOfTime,
      rules: """
        rules:
          - { id: a, include: { event: e }, to: 2026-12-31 }
          - { id: b, include: { event: f }, from: 2027-12-31 }
          - { id: c, include: { event: g }, from: 2026-12-31, to: 2027-12-31 }
        """, found: ["a 3:41", "b 4:43"]),
    FindingCase(
      claim: "a tolerance needs an element", code: .uselessTolerance,
      rules: """
        rules:
          - { id: a, include: { event: e, page: Cart }, tolerance: 0.9 }
          - { id: b, include: [{ event: f }, { selector: Buy }], tolerance: 0.9 }
          - { id: c, include: { identity: path(UIWindow(0)) }, tolerance: 0.9 }
          - { id: d, include: { event: g }, tolerance: 0.9, enabled: false }
          - { id: e, include: { event: h } }
        """, found: ["a 3:60"]),
  ]

  @Test("findings about what rules mean", arguments: meaningCases)
  func meaning(row: FindingCase) throws { try check(row) }

  @Test("findings by captures, events and names", arguments: otherCases)
  func others(row: FindingCase) throws { try check(row) }

  private func check(_ row: FindingCase) throws {
    let findings = try Checked.findings(row.rules, captures: row.captures, events: row.events)
    let found = findings.filter { $0.code == row.code }.map { "\($0.rule) \($0.place.location)" }
    #expect(found == row.found, "\(Checked.lines(findings).joined(separator: "\n"))\n\(findings.map(\.message))")
  }

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

  @Test("a finding has an example and what to write instead, in the quotes of what is there")
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

  @Test("what is left where coverage fails is shown as an event")
  func missing() throws {
    let rules = """
      rules:
        - { id: a, include: { page: P, selector: "A(row:*)" } }
        - { id: e, exclude: { selector: "A(row:1...)" } }
      """
    let finding = try #require(try Checked.findings(rules).first { $0.code == .nearlyCovered })
    #expect(finding.example == "left is an event with path A(section:0 row:0), page \"P\"")
    #expect(finding.suggestion == "A(row:0...) in 'e', if that was meant")
  }

  @Test("rules silence findings, files give them another severity, rules win over files")
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
}
