import EncircleAuthoring
import EncircleRuleFiles
import Testing

/// Findings about what rules mean, alone and together, for whatever events there are.
@Suite struct MeaningFindingTests {
  static let cases: [FindingCase] = [
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
      claim: "an exception with a resource id leaves events that a name without it matches", code: .neverSelects,
      rules: """
        style: hubbledata-android
        rules:
          - { id: a, include: { selector: Bar/Button } }
          - { id: b, include: { selector: Bar/Button }, unless: { selector: "Button#pay" } }
          - { id: e, exclude: { selector: Button }, unless: { selector: "Button#pay" } }
        """, found: ["b 5:11"]),
    FindingCase(
      claim: "an exception takes other forms of a path, but no other class", code: .idleException,
      rules: """
        style: sensors-android
        rules:
          - { id: a, include: { selector: a.Card(*) }, unless: { selector: "a.Card(section:0 row:3)" } }
          - { id: b, include: { selector: a.Card(*) }, unless: { selector: a.Row(3) } }
        """, found: ["b 5:56"]),
    FindingCase(
      claim: "a cell of a class that is not known may be a row and an item", code: .idleException,
      rules: """
        style: sensors
        rules:
          - { id: a, include: { selector: "Cell(section:0 item:*)" }, unless: { selector: "Cell(section:0 row:3)" } }
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
      claim: "two rules of one meaning are reported once, at the later one", code: .sameMeaning,
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
      claim: "numbers in texts and items of lists are compared", code: .coveredRule,
      rules: """
        rules:
          - { id: a, emit: x, include: { where: { k: { number: { ">": 100 } } } } }
          - { id: b, emit: x, include: { where: { k: { number: { ">": 50 } } } } }
          - { id: c, emit: x, include: { where: { l: { any: vip } } } }
          - { id: d, emit: x, include: { where: { l: { any: [vip, new] } } } }
          - { id: e, emit: x, include: { where: { m: { number: { ">": 100 } } } } }
          - { id: f, emit: x, include: { where: { m: { ">": 50 } } } }
        """, found: ["a 3:11", "c 5:11"]),
    FindingCase(
      claim: "no value has contradicting numbers in its text, items or samples", code: .contradiction,
      rules: """
        rules:
          - { id: a, include: { where: { k: { number: { ">": 5, "<": 3 } } } } }
          - { id: b, include: { where: { k: { any: x, equals: y } } } }
          - { id: c, include: { where: { k: { any: { ">": 5, "<": 3 } } } } }
          - { id: d, include: { where: { k: { sample: 10%, not: { sample: 20% } } } } }
          - { id: e, include: { where: { k: { number: { ">": 3, "<": 5 }, any: x } } } }
          - { id: f, include: { where: { k: { all: x, any: { not: y } } } } }
          - { id: g, include: { where: { k: { sample: 10%, not: { sample: { share: 20%, salt: s } } } } } }
        """, found: ["a 3:34", "b 4:34", "c 5:34", "d 6:34", "e 7:34"]),
    FindingCase(
      claim: "a page of GrowingIO's SDKs does not contradict the same page with its slash", code: .contradiction,
      rules: """
        style: growingio
        rules:
          - { id: a, include: { page: Cart, where: { /path: /Cart } } }
          - { id: b, include: { page: Cart, where: { /path: Home } } }
        """, found: ["b 5:23"]),
    FindingCase(
      claim: "the page of an address does not contradict the address", code: .contradiction,
      rules: """
        style: sensors-web
        rules: [ { id: a, include: { page: /商城, where: { $url_path: /%E5%95%86%E5%9F%8E } } } ]
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
      claim: "a range that leaves out one number of many is reported, one that takes one is not", code: .nearlyCovered,
      rules: """
        rules:
          - { id: a, emit: x, include: { selector: "A(row:0...9)/B" } }
          - { id: b, emit: x, include: { selector: "A(row:1...9)/B" } }
          - { id: c, emit: y, include: { selector: "C(row:*)/B" } }
          - { id: d, emit: y, include: { selector: "C(row:0)/B" } }
        """, found: ["a 3:11"]),
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
    FindingCase(
      claim: "sameKind needs a row to free", code: .uselessSameKind,
      rules: """
        rules:
          - { id: a, sameKind: true, include: { selector: UITableView/Cell/UIButton(0) } }
          - { id: b, sameKind: true, include: { selector: "Outer(section:0 row:1)/**/Cell(section:* row:*)" } }
          - { id: c, sameKind: true, include: { selector: Cell(section:0)/UIButton(0) } }
          - { id: d, sameKind: true, include: [{ event: e }, { selector: Cell(section:0 row:1) }] }
          - { id: e, sameKind: true, include: { identity: path(UIWindow(0)) } }
          - { id: f, sameKind: true, include: { event: g }, enabled: false }
          - { id: g, sameKind: false, include: { selector: A } }
        """, found: ["a 3:24", "b 4:24"]),
  ]

  @Test("findings about the meaning of rules", arguments: cases)
  func meaning(row: FindingCase) throws { try row.check() }

  @Test("the remainder of incomplete coverage is shown as an event")
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
}
