import EncircleEvents
import EncircleTestSupport
import EncircleText
import Foundation
import Testing

@testable import EncircleRuleFiles

@Suite struct RuleTransferTests {
  private static let base = """
    version: 1
    rules:
      # Cart

      # Counts taps.
      - id: a
        include: { event: a } # a tap

      # The second.
      - id: b
        include: { event: b }
      - id: c
        include: { event: c }
    # The end.

    """

  /// The text after two people's changes: Lin has changed `a`, removed `b` and added `d`, Bob has changed `c`.
  private static let draft = """
    version: 1
    rules:
      # Cart

      # Counts taps, and more.
      - id: a
        include: { event: a2 } # another tap

      # New.
      - id: d
        include: { event: d }
      - id: c
        include: { event: c2 }
    # The end.

    """

  private func take(_ ids: Set<UTF8String>, from other: String, into text: String) throws -> String {
    try RuleTransfer.taking(ids, from: RuleTransfer.Side(other), into: RuleTransfer.Side(text))
  }

  @Test func `the rules that differ are named`() throws {
    let base = try RuleFileDocument(Self.base).rulesByID
    #expect(
      try RuleTransfer.changes(from: base, to: RuleFileDocument(Self.draft).rulesByID)
        == ["a": .changed, "b": .removed, "c": .changed, "d": .added])
    for (part, other) in [
      ("# a tap", "# one"), ("id: b\n    include: { event: b }", "include: { event: b }\n    id: b"),
    ] {
      let same = try RuleFileDocument(Self.base.replacing(part, with: other)).rulesByID
      #expect(RuleTransfer.changes(from: base, to: same).isEmpty, "\(other)")
    }
  }

  @Test(
    "a text that is no mapping is no rule file, and does not remove all rules",
    arguments: ["hello", "~", "42", "- a", "[]"])
  func noMapping(text: String) {
    let errors = #expect(throws: RuleFileErrors.self) { try RuleTransfer.Side(text) }
    #expect(
      errors?.diagnostics.map(\.message).first?.hasPrefix("expected a rule file, a mapping with '$schema', 'version'")
        == true)
  }

  @Test func `undoing one change also undoes its comments and keeps the others`() throws {
    let changed = try take(["a"], from: Self.base, into: Self.draft)
    #expect(
      changed
        == Self.draft.replacing("taps, and more", with: "taps").replacing("a2 } # another tap", with: "a } # a tap"))
    let added = try take(["d"], from: Self.base, into: Self.draft)
    #expect(added == Self.draft.replacing("\n  # New.\n  - id: d\n    include: { event: d }\n", with: ""))
    let removed = try take(["b"], from: Self.base, into: Self.draft)
    #expect(removed.contains("# another tap\n\n  # The second.\n  - id: b\n    include: { event: b }\n\n  # New."))
  }

  @Test func `undoing all changes gives the text before`() throws {
    #expect(try take(["a", "b", "c", "d"], from: Self.base, into: Self.draft) == Self.base)
  }

  @Test func `one person's changes are made without other people's`() throws {
    let own = try take(["a", "b", "d"], from: Self.draft, into: Self.base)
    #expect(own == Self.draft.replacing("c2", with: "c"))
    #expect(
      try take(["c"], from: Self.draft, into: Self.base) == Self.base.replacing("{ event: c }", with: "{ event: c2 }"))
  }

  @Test func `lists without rules, in brackets, in JSON and with other indentation give and take values`() throws {
    let empty = "version: 1\nrules: []\n"
    let first = try take(["a"], from: Self.draft, into: empty)
    #expect(first.contains("# Counts taps, and more.\n  - id: a\n    include: { event: a2 } # another tap\n"))
    #expect(try take(["a"], from: empty, into: first).contains("rules: []"))
    let flow = "version: 1\nrules: [{ id: a, include: { event: x } }, { id: b, include: { event: y } }]\n"
    let json = #"{"version":1,"rules":[{"id":"a","include":{"event":"x"}}]}"#
    let wide = "version: 1\nrules:\n    - id: a\n      include: { event: x }\n"
    for text in [flow, json, wide] {
      let taken = try RuleFileDocument(take(["a", "d", "b"], from: Self.draft, into: text)).rulesByID
      #expect(taken == (try RuleFileDocument(Self.draft).rulesByID.filter { ["a", "d"].contains($0.key) }), "\(text)")
    }
  }

  @Test func `two thousand rules are taken at once, also into and from an empty list`() throws {
    let empty = try RuleTransfer.Side("version: 1\nrules: []\n")
    let text =
      "version: 1\nrules:\n" + (0..<2_000).map { "  - id: r\($0)\n    include: { event: e\($0) } # \($0)\n" }.joined()
    let all = try RuleTransfer.Side(text)
    let ids = Set(all.document.rulesByID.keys)
    #expect(ids.count == 2_000)
    #expect(try RuleTransfer.takingLines(ids, from: all, into: empty) == text)
    #expect(try RuleTransfer.takingLines(ids, from: empty, into: all) == empty.text)
  }

  @Test func `line ends stay CR LF`() throws {
    let windows = Self.draft.replacing("\n", with: "\r\n")
    let taken = try take(["a"], from: Self.base, into: windows)
    #expect(taken == (try take(["a"], from: Self.base, into: Self.draft)).replacing("\n", with: "\r\n"))
  }

  @Test func `a byte order mark stays`() throws {
    let taken = try take(["a"], from: Self.base, into: "\u{FEFF}" + Self.draft)
    let plain = try take(["a"], from: Self.base, into: Self.draft)
    #expect(Array(taken.utf8) == Array(("\u{FEFF}" + plain).utf8))
  }

  @Test(arguments: ["shop", "chat", "reader"])
  func `each shipped rule can be removed and restored byte for byte`(_ name: String) throws {
    let url = PackageFolder.root.appendingPathComponent("Rules/\(name).yaml")
    let text = try String(contentsOf: url, encoding: .utf8)
    for id in TestSize.part(try RuleFileDocument(text).rules.compactMap(\.ruleID), of: name.utf8.count) {
      let without = try #require(try RuleListEdit.removing(id, in: text))
      #expect(try take([UTF8String(id)], from: text, into: without) == text, "\(id)")
    }
  }
}
