import EncircleTestSupport
import Foundation
import Testing

/// `encircle diff`, run as a process.
@Suite struct DiffTests {
  private static let changed = RulesFolder.rules
    .replacing("emit: quantity", with: "emit: \"cart|quantity\"")
    .replacing("where: { tester: true }", with: "page: HomeViewController")
    .replacing("from: 2026-03-01", with: "from: 2026-04-01")

  private static let capture = """
    <viewTree version="1"><view class="UIWindow"><view class="UITableView" controller="CartViewController">
      <view class="CartRowCell" superclasses="UITableViewCell" indexPath="0 0"><view class="_UIStepperButton" superclasses="UIButton"/></view>
      <view class="CartRowCell" superclasses="UITableViewCell" indexPath="1 0"><view class="_UIStepperButton" superclasses="UIButton"/></view>
    </view></view></viewTree>
    """

  /// A folder with two rule sets, events without broken ones, and a capture.
  private func folder() throws -> RulesFolder {
    let folder = try RulesFolder()
    try folder.write("new.yaml", Self.changed)
    try folder.write("good.ndjson", RulesFolder.goodEvents.joined(separator: "\n") + "\n")
    try folder.write("cart.xml", Self.capture)
    return folder
  }

  @Test("text says how many events change, by which rules, with their places")
  func text() throws {
    let folder = try folder()
    defer { folder.remove() }
    let result = try folder.run("diff rules.yaml new.yaml --events good.ndjson --captures cart.xml")
    #expect(
      result.text == """
        6 events compared, 3 selected differently
        now selected: 1
          1  exclude internal ceases to match (as checkout)
             good.ndjson:2  $AppClick  CartViewController
        no longer selected: 1
          1  include spring ceases to match (was spring)
             good.ndjson:6  $AppClick  UIWindow(0)_A_B
        under other names: 1
          1  'emit' of cart.quantity has changed (quantity → cart|quantity)
             good.ndjson:1  $AppClick  CartViewController  UIWindow(0)/CartRowCell(…7)/UIStepper(0)/_UIStepperButton(1)

        4 elements of captures compared, 1 selected differently
        under other names: 1
          1  'emit' of cart.quantity has changed (quantity → cart|quantity)
             cart.xml element 3  $AppClick  CartViewController  UIWindow(0)_UITableView(…ection:0 row:0)__UIStepperButton(0)

        """, "\(result.text)")
    #expect(result.errors.isEmpty && result.status == 0)
    #expect(
      try folder.run("diff rules.yaml rules.yaml --events good.ndjson").text == "6 events compared, no difference\n")
  }

  @Test("Markdown is a table for a comment; no name ends a cell or a line of code")
  func markdown() throws {
    let folder = try folder()
    defer { folder.remove() }
    let result = try folder.run(
      "diff rules.yaml new.yaml --events good.ndjson --format markdown --examples 1")
    #expect(
      result.text == """
        ### 6 events compared, 3 selected differently

        | | events | why | names | for example |
        | --- | ---: | --- | --- | --- |
        | now selected | 1 | exclude `internal` ceases to match | as `checkout` | `good.ndjson:2` `$AppClick` `CartViewController` |
        | no longer selected | 1 | include `spring` ceases to match | was `spring` | `good.ndjson:6` `$AppClick` |
        | under other names | 1 | 'emit' of `cart.quantity` has changed | `quantity` → `cart\\|quantity` | `good.ndjson:1` `$AppClick` `CartViewController` |

        """, "\(result.text)")
  }

  @Test("JSON has the same counts, groups and examples")
  func json() throws {
    let folder = try folder()
    defer { folder.remove() }
    let result = try folder.run("diff rules.yaml new.yaml --events good.ndjson --format json")
    let object = try #require(
      try JSONSerialization.jsonObject(with: Data(result.output)) as? [String: [String: Any]])
    let events = try #require(object["events"])
    #expect(object["elements"] == nil)
    #expect(events["compared"] as? Int == 6 && events["different"] as? Int == 3 && events["selected"] as? Int == 1)
    let groups = try #require(events["groups"] as? [[String: Any]])
    #expect(groups.map { $0["change"] as? String } == ["selected", "no_longer_selected", "other_names"])
    #expect((groups[0]["excludes"] as? [String: [String]])?["ceased"] == ["internal"])
    #expect((groups[2]["emit"] as? [String: [String]]) == ["before": ["quantity"], "now": ["cart|quantity"]])
    #expect((groups[1]["examples"] as? [[String: Any]])?.first?["line"] as? Int == 6)
  }

  @Test(
    "the exit status says how it went",
    arguments: [
      ("diff rules.yaml new.yaml --events good.ndjson --exit-code", 1),
      ("diff rules.yaml rules.yaml --events good.ndjson --exit-code", 0),
      ("diff rules.yaml new.yaml --captures cart.xml --exit-code", 1),
      ("diff rules.yaml new.yaml", 64), ("diff rules.yaml", 64), ("diff - - --events good.ndjson", 64),
      ("diff rules.yaml new.yaml --events good.ndjson --examples -1", 64),
      ("diff rules.yaml new.yaml --events good.ndjson --format xml", 64),
      ("diff rules.yaml new.yaml --events good.ndjson --encoding GB18030", 64),
      ("diff rules.yaml new.yaml --events events.ndjson", 65), ("diff rules.yaml cart.xml --events good.ndjson", 65),
      ("diff rules.yaml new.yaml --captures rules.yaml", 65), ("diff missing new.yaml --events good.ndjson", 66),
      ("diff rules.yaml new.yaml --events missing", 66), ("diff rules.yaml new.yaml --captures missing", 66),
    ] as [(String, Int32)])
  func statuses(arguments: String, status: Int32) throws {
    let folder = try folder()
    defer { folder.remove() }
    let result = try folder.run(arguments)
    #expect(result.status == status, "\(result.errors)")
    #expect(status <= 1 || !result.errors.isEmpty)
  }

  @Test("directories and compiled rules are compared like files, and events may come from standard input")
  func inputs() throws {
    let folder = try folder()
    defer { folder.remove() }
    try folder.write("old/a.yaml", RulesFolder.rules)
    #expect(try folder.run("compile new.yaml -o new.compiled").status == 0)
    let expected = try folder.run("diff rules.yaml new.yaml --events good.ndjson").text
    #expect(try folder.run("diff old new.compiled --events good.ndjson").text == expected)
    let input = try folder.run(
      "diff old new.compiled --events -", input: RulesFolder.goodEvents.joined(separator: "\n"))
    #expect(input.text == expected.replacing("good.ndjson", with: "<stdin>"))
    let damaged = Array(try PackageFolder.bytes(folder.url.appendingPathComponent("new.compiled")).prefix(200))
    try folder.write("damaged", damaged)
    #expect(try folder.run("diff old damaged --events good.ndjson").status == 65)
  }

  @Test("event IDs are looked up in captures by both rule sets")
  func dictionary() throws {
    let folder = try folder()
    defer { folder.remove() }
    let resolved = try folder.run("resolve cart.xml --format ndjson --only trackable")
    let id = try #require(resolved.text.firstMatch(of: /"element":3,.*?"event_id":"([0-9a-f]{64})"/)?.1)
    try folder.write("ids.ndjson", "{\"event\":\"$AppClick\",\"event_id\":\"\(id)\"}\n")
    let result = try folder.run("diff rules.yaml new.yaml --events ids.ndjson --captures cart.xml")
    #expect(result.text.hasPrefix("1 event compared, 1 selected differently\nunder other names: 1\n"), "\(result.text)")
  }

  @Test("the times of rules do not count on captures, where taps have no time")
  func timesOnCaptures() throws {
    let folder = try folder()
    defer { folder.remove() }
    for (name, section) in [("first", 0), ("second", 1)] {
      try folder.write(
        "\(name).yaml",
        "version: 1\nrules:\n  - id: step\n    from: 2026-03-01\n"
          + "    include: { selector: 'CartRowCell(section:\(section) row:0)/_UIStepperButton' }\n")
    }
    let text = try folder.run("diff first.yaml second.yaml --captures cart.xml").text
    #expect(text.contains("now selected: 1\n") && text.contains("no longer selected: 1\n"), "\(text)")
  }

  @Test("rules that ask for a text around the element are compared by the captures, and refused without any")
  func textsAround() throws {
    let folder = try folder()
    defer { folder.remove() }
    for (name, text) in [("peach", "桃"), ("pear", "梨")] {
      try folder.write(
        "\(name).yaml",
        "version: 1\nrules:\n  - id: add\n"
          + "    include: { selector: UIButton, within: { selector: CartRowCell, says: \(text) } }\n")
    }
    try folder.write(
      "peach.xml",
      viewTree(
        """
        <view class="UIWindow"><view class="UITableView" controller="CartViewController">
          <view class="CartRowCell" superclasses="UITableViewCell" indexPath="0 0"><view class="UILabel" text="桃"/><view class="UIButton"/></view>
        </view></view>
        """))
    let result = try folder.run("diff peach.yaml pear.yaml --captures peach.xml")
    #expect(result.text.contains("no longer selected: 1\n"), "\(result.text)\(result.errors)")
    let refused = try folder.run("diff peach.yaml rules.yaml --events good.ndjson")
    #expect(refused.status == 64 && refused.errors.contains("Rule 'add' asks for texts around"), "\(refused.errors)")
  }

  @Test("no name in a rule or an event adds a line")
  func hostileNames() throws {
    let folder = try folder()
    defer { folder.remove() }
    try folder.write(
      "hostile.yaml", "version: 1\nrules: [ { id: \"a\\n`b` | c\", include: { event: \"x\\ny\" } } ]\n")
    try folder.write("none.yaml", "version: 1\nrules: []\n")
    try folder.write("x.ndjson", "{\"event\":\"x\\ny\",\"properties\":{\"$screen_name\":\"<b>\\u001b[1m\"}}\n")
    let text = try folder.run("diff none.yaml hostile.yaml --events x.ndjson").text
    #expect(text.split(separator: "\n").count == 4, "\(text)")
    #expect(text.utf8.allSatisfy { $0 >= 0x20 || $0 == 0x0A })
    let markdown = try folder.run("diff none.yaml hostile.yaml --events x.ndjson --format markdown").text
    #expect(markdown.split(separator: "\n").count == 4, "\(markdown)")
    #expect(markdown.contains(#"include `` a\u{a}`b` \| c `` begins"#) || markdown.contains(#"``a\u{a}`b` \| c``"#))
  }
}
