import EncircleEvents
import EncircleTestSupport
import Foundation
import Testing

@testable import EncircleRuleFiles

@Suite struct RuleListEditTests {
  private static let yaml = """
    # The shop.
    version: 1
    app: com.example.shop  # one app

    rules:
      # Cart

      # Counts taps.
      - id: cart.add
        name: Add  # to the cart
        # Where it is.
        include:
          event: $AppClick  # a tap
          page: CartViewController
          selector: UIButton(0)
        emit: add_to_cart

      - { id: home, include: { event: $AppStart } } # the start

      # Search

      - id: search
        include:
          - selector: A(0)
          # the other one
          - selector: B(0)
    # The end.

    """

  private func object(_ json: String) throws -> EventObject {
    guard case .object(let object) = try EventValue(json: json.utf8) else { throw CocoaError(.coderReadCorrupt) }
    return object
  }

  private func set(_ id: String, _ json: String, in text: String = Self.yaml, name: String = "a.yaml") throws -> String
  {
    try RuleListEdit.setting(object(json), id: id, in: text, name: name)
  }

  private func remove(_ id: String, in text: String = Self.yaml, name: String = "a.yaml") throws -> String {
    try #require(try RuleListEdit.removing(id, in: text, name: name))
  }

  /// The lines that are in one text only: `-` in the old one, `+` in the new one.
  private func difference(_ new: String, _ old: String = Self.yaml) -> [String] {
    func lines(_ text: String) -> [Substring] { text.split(separator: "\n", omittingEmptySubsequences: false) }
    return lines(new).difference(from: lines(old)).map { change in
      switch change {
      case .remove(_, let line, _): "-\(line)"
      case .insert(_, let line, _): "+\(line)"
      }
    }
  }

  // MARK: - YAML

  @Test func `a rule that stays the same changes nothing`() throws {
    for rule in try RuleFileDocument(Self.yaml).rules {
      let id = try #require(rule.ruleID)
      #expect(try RuleListEdit.setting(rule, id: id, in: Self.yaml) == Self.yaml)
    }
  }

  @Test func `only the member that differs is written, and comments stay`() throws {
    let text = try set(
      "cart.add",
      #"{"id":"cart.add","name":"Add","include":{"event":"$AppClick","page":"CartViewController","selector":"UIButton(1)"},"emit":"add_to_cart"}"#
    )
    #expect(difference(text) == ["-      selector: UIButton(0)", "+      selector: UIButton(1)"])
  }

  @Test func `members are added and removed at their usual places`() throws {
    let text = try set(
      "cart.add",
      #"{"id":"cart.add","description":"All taps","enabled":false,"include":{"event":"$AppClick","selector":"UIButton(0)","where":{"$os":"iOS"}},"emit":"add_to_cart","tags":["a","b"]}"#
    )
    #expect(
      text.contains(
        """
          # Counts taps.
          - id: cart.add
            description: All taps
            tags: [a, b]
            enabled: false
            # Where it is.
            include:
              event: $AppClick  # a tap
              selector: UIButton(0)
              where: { $os: iOS }
            emit: add_to_cart

        """))
  }

  @Test func `a member that is null is left out`() throws {
    let text = try set("search", #"{"id":"search","name":null,"include":[{"selector":"A(0)"},{"selector":"B(0)"}]}"#)
    #expect(text == Self.yaml)
  }

  @Test func `a list of clauses of unchanged length changes item by item`() throws {
    let text = try set("search", #"{"id":"search","include":[{"selector":"A(0)"},{"selector":"B(1)","page":"P"}]}"#)
    #expect(text.contains("      - selector: A(0)\n      # the other one\n      - page: P\n        selector: B(1)\n"))
  }

  @Test func `text in braces stays in braces while it fits`() throws {
    let text = try set("home", #"{"id":"home","include":{"event":"$AppEnd"}}"#)
    #expect(text.contains("  - { id: home, include: { event: $AppEnd } } # the start\n"))
    let long = String(repeating: "x", count: 200)
    let broken = try set("home", #"{"id":"home","description":"\#(long)","include":{"event":"$AppEnd"}}"#)
    #expect(broken.contains("  - id: home\n    description: \(long)\n    include: { event: $AppEnd }"))
  }

  @Test func `in braces only differences are written, and comments stay`() throws {
    let text = """
      rules:
        - {
            id: a, # the first
            from: 2026-01-01, owner: 'lin',
            include: { event: "$AppClick", where: { price: { ">": 1.50 } } }, # a tap
            emit: x,
          }
        - { id: b, name: 'B', emit: "b" } # the end

      """
    let include = #""include":{"event":"$AppClick","where":{"price":{">":1.5}}}"#
    #expect(try set("a", #"{"id":"a","from":"2026-01-01","owner":"lin",\#(include),"emit":"x"}"#, in: text) == text)
    let named = try set(
      "a", #"{"id":"a","name":"A","from":"2026-01-01","owner":"lin",\#(include),"emit":"z"}"#, in: text)
    #expect(difference(named, text) == ["-      emit: x,", "+      name: A,", "+      emit: z,"])
    #expect(named.contains("id: a, # the first\n      name: A,\n"))
    let without = try set("a", #"{"id":"a","owner":"lin",\#(include)}"#, in: text)
    #expect(without.contains("# the first\n      owner: 'lin',\n") && without.contains("}, # a tap\n"))
    let renamed = try set("b", #"{"id":"b","name":"B","emit":"c","enabled":false}"#, in: text)
    #expect(renamed.contains("  - { id: b, name: 'B', enabled: false, emit: c } # the end\n"))
  }

  @Test func `a list of clauses grows and shrinks, and other clauses stay unchanged`() throws {
    let a = #"{"selector":"A(0)"}"#
    let b = #"{"selector":"B(0)"}"#
    let c = #"{"event":"x","selector":"C(0)"}"#
    func clauses(_ list: String...) throws -> String {
      try set("search", #"{"id":"search","include":[\#(list.joined(separator: ","))]}"#)
    }
    #expect(difference(try clauses(a, b, c)) == ["+      - event: x", "+        selector: C(0)"])
    #expect(difference(try clauses(a, c, b)) == ["+      - event: x", "+        selector: C(0)"])
    #expect(difference(try clauses(c, a, b)) == ["+      - event: x", "+        selector: C(0)"])
    #expect(difference(try clauses(a)) == ["-      - selector: B(0)", "-      # the other one"])
    #expect(difference(try clauses(b)) == ["-      - selector: A(0)"])
  }

  @Test func `a clause keeps its comments when another is added beside it`() throws {
    let text = try set(
      "cart.add",
      #"{"id":"cart.add","name":"Add","include":[{"event":"$AppClick","page":"CartViewController","selector":"UIButton(0)"},{"page":"P"}],"emit":"add_to_cart"}"#
    )
    #expect(
      text.contains(
        """
            include:
              - event: $AppClick  # a tap
                page: CartViewController
                selector: UIButton(0)
              - page: P
            emit: add_to_cart

        """))
  }

  @Test func `a member without a value stays as it is written`() throws {
    let text = "rules:\n  - id: a\n    description:\n    include: { event: x }\n"
    #expect(try set("a", #"{"id":"a","description":null,"include":{"event":"x"}}"#, in: text) == text)
  }

  @Test func `a new rule is added after the others`() throws {
    let text = try set("new", #"{"id":"new","include":{"event":"$AppClick","selector":"UIButton[0]/**"}}"#)
    #expect(
      text.hasSuffix(
        """
              - selector: B(0)

          - id: new
            include: { event: $AppClick, selector: "UIButton[0]/**" }
        # The end.

        """))
  }

  @Test func `an empty list gets its first rule`() throws {
    let rule = #"{"id":"a","include":{"event":"x"}}"#
    let item = "rules:\n  - id: a\n    include: { event: x }"
    #expect(try set("a", rule, in: "version: 1\nrules: []\n") == "version: 1\n\(item)\n")
    #expect(try set("a", rule, in: "version: 1\nrules:\n") == "version: 1\n\(item)\n")
    #expect(try set("a", rule, in: "rules: [] # none\nversion: 1\n") == "\(item) # none\nversion: 1\n")
    #expect(try set("a", rule, in: "version: 1") == "version: 1\n\(item)\n")
    #expect(try set("a", rule, in: "version: 1\n# end\n") == "version: 1\n\(item)\n# end\n")
    #expect(try set("a", rule, in: "") == "version: 1\n\(item)\n")
    #expect(try set("a", rule, in: "# nothing\n") == "# nothing\nversion: 1\n\(item)\n")
  }

  @Test func `a comment behind a value stays one if a text of several lines ends the new value`() throws {
    let long = String(repeating: "x", count: 120)
    let rules = [
      #"{"id":"home","include":{"event":"e"},"description":"\#(long)\nb"}"#,
      #"{"id":"home","include":{"event":"\#(long)\nb"}}"#,
      #"{"id":"home","include":[{"event":"\#(long)\nb"}]}"#,
    ]
    for rule in rules {
      for list in ["[] # the start", "# the start", "~ # the start"] {
        let text = try set("home", rule, in: "version: 1\nrules: \(list)\n")
        #expect(text.hasSuffix("\" # the start\n"), "\(text)")
      }
      let text = try set("home", rule)
      #expect(text.contains("  # the start\n  - id: home\n"), "\(text)")
    }
  }

  @Test func `a comment behind braces stays with all lines that replace them`() throws {
    let text = """
      version: 1
      rules:
        - id: a
          include: { page: [A, B], selector: Bar/UIButton(2) } # encircle: off unknown-page - an old name
        - id: b
          include:
            - { page: [A, B] } # encircle: off unknown-page - an old name
            - { page: C } # the other one

      """
    let selector = "OrderBar/UIStackView(0)/UIStackView(0)/UIStackView(0)/UIButton(2)"
    let test = #""where":{"$app_version":{"version":"<5.2.0"}}"#
    let include = #"[{"page":["A","B"],"selector":"\#(selector)",\#(test)},{"page":"C"}]"#
    let comment = "# encircle: off unknown-page - an old name"
    let lines = ["- page: [A, B]", "  selector: \(selector)", #"  where: { $app_version: { version: "<5.2.0" } }"#]
    func written(_ lines: [String]) -> String { lines.map { "      \($0)\n" }.joined() }
    let divided = try set("a", #"{"id":"a","include":\#(include)}"#, in: text)
    let expected = "    include: \(comment)\n" + written(lines + ["- page: C"])
    #expect(divided.contains(expected + "  - id: b\n"), "\(divided)")
    let item = try set("b", #"{"id":"b","include":\#(include)}"#, in: text)
    #expect(item.hasSuffix(written([comment] + lines + ["- { page: C } # the other one"])), "\(item)")
  }

  @Test func `a comment behind the header of a text in block style stays`() throws {
    let text = "version: 1\nrules:\n  - id: a\n    description: |- # why\n      b\n      c\n    include: { event: e }\n"
    #expect(
      try set("a", #"{"id":"a","description":"d\ne","include":{"event":"e"}}"#, in: text)
        == text.replacing("|- # why\n      b\n      c\n", with: "\"d\\ne\" # why\n"))
  }

  @Test func `removing a rule removes the comments right above it`() throws {
    #expect(
      difference(try remove("cart.add")).allSatisfy { $0.hasPrefix("-") })
    let text = try remove("cart.add")
    #expect(text.contains("rules:\n  # Cart\n\n  - { id: home"))
    #expect(!text.contains("Counts taps"))
    #expect(try remove("home").contains("    emit: add_to_cart\n\n  # Search\n\n  - id: search\n"))
    #expect(try remove("search").hasSuffix("# the start\n\n  # Search\n\n# The end.\n"))
  }

  @Test func `the last rule of a list can be removed`() throws {
    let text = "version: 1\nrules: # all\n  # one\n\n  - id: a\n    include: { event: x }\nchecks: {}\n"
    #expect(try remove("a", in: text) == "version: 1\nrules: [] # all\n  # one\n\nchecks: {}\n")
  }

  @Test func `multi-line texts, and texts that YAML takes for something else, survive a round trip`() throws {
    for text in [
      "a\nb", "a\n\nb\n", " a\nb", "a\n", "yes", "5.2", "", "# no", "a: b", "é\u{85}x", "\u{1F600} 'a' \"b\"", "a\\b",
    ] {
      let json = String(decoding: EventValue.string(text).json, as: UTF8.self)
      let changed = try set("cart.add", #"{"id":"cart.add","description":\#(json),"include":{"event":\#(json)}}"#)
      let rule = try #require(try RuleFileDocument(changed).rulesByID["cart.add"])
      #expect(rule["description"] == .string(text))
      #expect(rule["include"] == .object(["event": .string(text)]))
    }
  }

  @Test func `in braces a text has the escapes that people write`() throws {
    let text = "version: 1\nrules:\n  - { id: a, include: { event: e } }\n"
    let json = #"{"id":"a","description":"x\ny\tz\r\u0007\u2028","include":{"event":"e"}}"#
    let written = #"  - { id: a, description: "x\ny\tz\r\u0007\u2028", include: { event: e } }"#
    #expect(try set("a", json, in: text) == "version: 1\nrules:\n" + written + "\n")
  }

  @Test func `line ends stay CR LF`() throws {
    let text = Self.yaml.replacing("\n", with: "\r\n")
    let changed = try set("home", #"{"id":"home","include":{"event":"$AppEnd"}}"#, in: text)
    #expect(changed.replacing("\r\n", with: "\n") == (try set("home", #"{"id":"home","include":{"event":"$AppEnd"}}"#)))
    #expect(!changed.replacing("\r\n", with: "").contains("\n"))
  }

  @Test func `line ends stay CR`() throws {
    let rule = #"{"id":"home","include":{"event":"$AppEnd"}}"#
    let (changed, plain) = (try set("home", rule, in: Self.yaml.replacing("\n", with: "\r")), try set("home", rule))
    #expect(Array(changed.utf8) == Array(plain.replacing("\n", with: "\r").utf8))
  }

  @Test func `a byte order mark stays`() throws {
    let marked = "\u{FEFF}" + Self.yaml
    let rule = #"{"id":"home","include":{"event":"$AppEnd"}}"#
    let (changed, plain) = (try set("home", rule, in: marked), try set("home", rule))
    #expect(Array(changed.utf8) == Array(("\u{FEFF}" + plain).utf8))
    let (left, plainLeft) = (try remove("home", in: marked), try remove("home"))
    #expect(Array(left.utf8) == Array(("\u{FEFF}" + plainLeft).utf8))
  }

  @Test func `rules in brackets are changed there`() throws {
    let text = "version: 1\nrules: [{ id: a, include: { event: x } }, { id: b, include: { event: y } }]\n"
    #expect(
      try set("a", #"{"id":"a","include":{"event":"z"}}"#, in: text)
        == "version: 1\nrules: [{ id: a, include: { event: z } }, { id: b, include: { event: y } }]\n")
    #expect(try remove("a", in: text) == "version: 1\nrules: [{ id: b, include: { event: y } }]\n")
    #expect(try remove("b", in: text) == "version: 1\nrules: [{ id: a, include: { event: x } }]\n")
    #expect(try remove("b", in: remove("a", in: text)) == "version: 1\nrules: []\n")
    #expect(
      try set("c", #"{"id":"c","include":{"event":"z"}}"#, in: remove("a", in: text))
        == "version: 1\nrules: [{ id: b, include: { event: y } }, { id: c, include: { event: z } }]\n")
  }

  @Test func `a rule on which another depends cannot be removed`() throws {
    let text = "version: 1\nrules:\n  - id: a\n    include: &x { event: x }\n  - id: b\n    include: *x\n"
    #expect(throws: RuleFileErrors.self) { try RuleListEdit.removing("a", in: text) }
    #expect(try remove("b", in: text) == "version: 1\nrules:\n  - id: a\n    include: &x { event: x }\n")
  }

  @Test func `a part that cannot be changed alone, as an alias repeats it, is named with its place`() throws {
    let text = "version: 1\nrules:\n  - id: a\n    include: &x { event: x }\n  - id: b\n    include: *x\n"
    let changed = #expect(throws: RuleFileErrors.self) {
      try set("a", #"{"id":"a","include":{"event":"y"}}"#, in: text)
    }
    let removed = #expect(throws: RuleFileErrors.self) { try RuleListEdit.removing("a", in: text, name: "a.yaml") }
    for error in [changed, removed] {
      #expect(error?.description.contains("a.yaml:4:14: error: '&x' is used again as '*x'") == true)
    }
  }

  @Test func `other files than rules are refused, and an unknown id is not found`() throws {
    for text in ["[1]", "a: [", "rules: 3\n", "rules: { a: 1 }\n", "\u{7}"] {
      #expect(throws: RuleFileErrors.self) { try set("a", #"{"id":"a"}"#, in: text) }
    }
    #expect(try RuleListEdit.removing("none", in: Self.yaml) == nil)
    #expect(try RuleListEdit.removing("none", in: "") == nil)
  }

  @Test func `broken rules beside a changed rule stay unchanged`() throws {
    let text = "version: 1\nrules:\n  - 7\n  - id: [a]\n  - id: b\n    inclde: x\n"
    #expect(
      try set("b", #"{"id":"b","include":{"event":"x"}}"#, in: text)
        == "version: 1\nrules:\n  - 7\n  - id: [a]\n  - id: b\n    include: { event: x }\n")
  }

  // MARK: - JSON

  private static let json = """
    {
      "version": 1,
      "rules": [
        { "id": "a", "include": { "event": "x" } },
        {
          "id": "b",
          "include": { "event": "y" }
        }
      ]
    }

    """

  @Test func `JSON stays JSON`() throws {
    let changed = try set("a", #"{"id":"a","include":{"event":"z"}}"#, in: Self.json, name: "a.json")
    #expect(difference(changed, Self.json).first == "-    { \"id\": \"a\", \"include\": { \"event\": \"x\" } },")
    let added = try set("c", #"{"id":"c","include":{"event":"z"}}"#, in: changed, name: "a.json")
    #expect(try RuleFileDocument(added, name: "a.json").rules.map(\.ruleID) == ["a", "b", "c"])
    var rest = added
    for id in ["b", "a", "c"] { rest = try remove(id, in: rest, name: "a.json") }
    #expect(rest.contains("\"rules\": []"))
    let again = try set("c", #"{"id":"c","include":{"event":"z"}}"#, in: rest, name: "a.json")
    #expect(again.contains("  \"rules\": [\n    {"))
    #expect(
      try RuleFileDocument(set("a", #"{"id":"a"}"#, in: #"{"version":1}"#, name: "a.json"), name: "a.json").rules.count
        == 1)
  }

  private static let longName = String(repeating: "x", count: 300)

  @Test(
    "a list on one line stays on one line, however long it is",
    arguments: [
      (
        #"{"version":1,"rules":[{"id":"a","name":"\#(longName)"},"#
          + #"{"id":"b","name":"B","include":[{"event":"b1"},{"event":"b2"}]}]}"#,
        #"{"version":1,"rules":[{"id":"a","name":"\#(longName)"},"#
          + #"{"id":"b","name":"New","include":[{"event":"b1", "page": "P"},{"event":"b2"}], "emit": "e"}, "#
          + #"{"id":"c","include":{"event":"c1"}}]}"#
      ),
      (
        "rules: [{ id: a, name: \(longName) }, { id: b, name: B, include: [{ event: b1 }, { event: b2 }] }]\n",
        "rules: [{ id: a, name: \(longName) }, "
          + "{ id: b, name: New, include: [{ event: b1, page: P }, { event: b2 }], emit: e }, "
          + "{ id: c, include: { event: c1 } }]\n"
      ),
    ])
  func oneLine(before: String, after: String) throws {
    let rule = #"{"id":"b","name":"New","include":[{"event":"b1","page":"P"},{"event":"b2"}],"emit":"e"}"#
    let changed = try set("b", rule, in: before)
    #expect(try set("c", #"{"id":"c","include":{"event":"c1"}}"#, in: changed) == after)
  }

  @Test func `items added after a shared line have its indentation`() throws {
    let head = #"{ "rules": ["# + "\n" + #"  {"id":"a"}, {"id":"b","name":"B","#
    let text = head + "\n" + #"  "emit":"x"}"# + "\n]}\n"
    let rule = #"{"id":"b","name":"B","owner":"lin","emit":"x"}"#
    let changed = try set("b", rule, in: text, name: "a.json")
    #expect(changed == head + "\n" + #"  "owner": "lin","# + "\n" + #"  "emit":"x"}"# + "\n]}\n")
    let added = try set("c", #"{"id":"c"}"#, in: text, name: "a.json")
    #expect(added == text.replacing("\n]", with: ",\n  {\n    \"id\": \"c\"\n  }\n]"))
  }

  // MARK: - All shipped rules

  @Test(arguments: ["shop", "chat", "reader"])
  func `shipped rules can be changed one by one, and nothing else changes`(_ name: String) throws {
    let url = PackageFolder.root.appendingPathComponent("Rules/\(name).yaml")
    let text = try String(contentsOf: url, encoding: .utf8)
    let rules = try RuleFileDocument(text).rules
    // Each reads the whole file eight times.
    for (i, rule) in TestSize.part(Array(rules.enumerated()), of: name.utf8.count) {
      let id = try #require(rule.ruleID)
      #expect(try RuleListEdit.setting(rule, id: id, in: text) == text)
      var others = rules
      others.remove(at: i)
      let without = try remove(id, in: text)
      #expect(try RuleFileDocument(without).rules == others)
      #expect(difference(without, text).allSatisfy { $0.hasPrefix("-") })
      let back = try RuleListEdit.setting(rule, id: id, in: without)
      #expect(try RuleFileDocument(back).rulesByID[.init(id)]?["id"] == rule["id"])
      #expect(difference(back, without).allSatisfy { $0.hasPrefix("+") })
      var renamed = rule
      renamed["emit"] = "another name"
      renamed["owner"] = nil
      let changed = try RuleListEdit.setting(renamed, id: id, in: text)
      #expect(difference(changed, text).count <= 3)
      _ = try RuleFiles(text: changed).ruleSet()
    }
  }

  // MARK: - Several at once

  @Test(
    "several rules are set as one after the other are",
    arguments: [
      yaml, "", "version: 1\n", "version: 1\nrules: []\n", "version: 1\nrules: [{ id: home, include: { event: x } }]\n",
      #"{"version": 1, "rules": [{"id": "search", "include": {"event": "x"}}]}"#, #"{"version": 1, "rules": []}"#,
      "version: 1\nrules:\n  - id: home\n    include: { event: x }\n",
    ])
  func several(text: String) throws {
    let changes = [
      ("home", #"{"id":"home","include":{"event":"$AppStart"},"owner":"lin"}"#),
      ("new.1", #"{"id":"new.1","name":"首页","include":{"page":"P"}}"#),
      ("search", #"{"id":"search","include":{"selector":"C(0)"}}"#),
      ("new.2", #"{"id":"new.2","include":{"page":"Q"}}"#),
      ("new.1", #"{"id":"new.1","name":"Home","include":{"page":"P"}}"#),
    ]
    let rules = try changes.map { (id: $0.0, rule: try object($0.1)) }
    let name = text.hasPrefix("{") ? "a.json" : "a.yaml"
    let many = try RuleListEdit.setting(rules, in: text, name: name)
    var one = text
    for (id, rule) in rules { one = try RuleListEdit.setting(rule, id: id, in: one, name: name) }
    // In YAML only blank lines between new rules may differ.
    func rows(_ text: String) -> [Substring] { text.split(separator: "\n") }
    if name == "a.yaml" { #expect(rows(many).sorted() == rows(one).sorted()) }
    #expect(try RuleFileDocument(many, name: name).rulesByID == RuleFileDocument(one, name: name).rulesByID)
    #expect(try RuleListEdit.setting([], in: text, name: name) == text)
  }
}
