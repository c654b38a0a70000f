import EncircleEvents
import EncircleIdentity
import EncircleRuleFiles
import EncircleRules
import EncircleTestSupport
import Testing

/// Differences between what two rule sets decide.
@Suite struct DecisionComparisonTests {
  private static func matcher(_ rules: String) throws -> Matcher {
    Matcher(try RuleFiles(text: "version: 1\n" + rules).ruleSet())
  }

  private static func compare(
    _ old: String, _ new: String, _ events: [String], limits: DecisionComparison.Limits = .init()
  ) throws -> DecisionComparison.Report {
    let now = try matcher(new)
    var comparison = DecisionComparison(from: try matcher(old), to: now, limits: limits)
    var reader = EventReader(bytes: Array(events.joined(separator: "\n").utf8), projection: now.projection)
    while let record = try reader.next() {
      if case .event(let line) = record { comparison.add(eventOf: reader, file: "e", line: line) }
    }
    return comparison.finish()
  }

  /// `count kind +began -ceased …` and the lines of the examples, for each group.
  private static func lines(_ report: DecisionComparison.Report) -> [String] {
    report.groups.map { group in
      let difference = group.difference
      var words = ["\(group.count)", difference.kind.rawValue]
      for (name, names) in [("", difference.includes), ("!", difference.excludes), ("@", difference.pages)] {
        words += names.began.map { "+\(name)\($0)" } + names.ceased.map { "-\(name)\($0)" }
      }
      words += difference.renamed.map { "~\($0)" }
      if difference.isByTracking { words.append("track") }
      words.append("[\(difference.emitBefore.map(\.text).joined(separator: " "))]")
      words.append("[\(difference.emitNow.map(\.text).joined(separator: " "))]")
      return (words + group.examples.map { "\($0.line ?? -1)" }).joined(separator: " ")
    }
  }

  private static func event(_ page: String, _ properties: String = "") -> String {
    #"{"event":"$AppClick","properties":{"$screen_name":"\#(page)"\#(properties)}}"#
  }

  struct Case: Sendable, CustomTestStringConvertible {
    let claim: String
    let old: String
    let new: String
    let found: [String]
    var testDescription: String { claim }
  }

  private static let cases = [
    Case(
      claim: "an include rule that begins to match selects",
      old: "rules: [ { id: a, include: { page: A } } ]",
      new: "rules: [ { id: a, include: { page: [A, B] } } ]", found: ["1 selected +a [] [a] 2"]),
    Case(
      claim: "a rule that is no longer there selects no longer",
      old: "rules: [ { id: a, include: { page: A } }, { id: b, include: { page: B }, emit: x } ]",
      new: "rules: [ { id: a, include: { page: A } } ]", found: ["1 no_longer_selected -b [x] [] 2"]),
    Case(
      claim: "exclude rules and excluded pages are named, also where the include rule is the same",
      old: "pages: { exclude: [A] }\nrules: [ { id: a, include: { event: $AppClick } } ]",
      new: "rules: [ { id: a, include: { event: $AppClick } }, { id: no, exclude: { page: [B, C] } } ]",
      found: ["1 selected -@A [] [a] 1", "2 no_longer_selected +!no [a] [] 2 3"]),
    Case(
      claim: "another name of the same rule, and another rule of the same name, are distinguished",
      old: "rules: [ { id: a, include: { page: A } }, { id: b, include: { page: B }, emit: x } ]",
      new: "rules: [ { id: a, include: { page: A }, emit: y }, { id: b2, include: { page: B }, emit: x } ]",
      found: ["1 other_names ~a [a] [y] 1", "1 other_rules +b2 -b [x] [x] 2"]),
    Case(
      claim: "what is tracked without rules makes a difference of its own",
      old: "rules: [ { id: a, include: { page: A } } ]",
      new: "track: all\nrules: [ { id: a, include: { page: A } } ]",
      found: ["2 selected track [] [] 2 3"]),
    Case(
      claim: "what neither selects is no difference, whatever rules are about it",
      old: "rules: [ { id: a, exclude: { page: A } } ]", new: "rules: [ { id: b, exclude: { page: [A, B] } } ]",
      found: []),
  ]

  @Test("events are grouped by the cause of the difference", arguments: cases)
  func groups(example: Case) throws {
    let report = try Self.compare(example.old, example.new, ["A", "B", "C"].map { Self.event($0) })
    #expect(Self.lines(report) == example.found)
    #expect(report.compared == 3 && report.ungrouped == 0)
    #expect(report.different == report.groups.reduce(0) { $0 + $1.count })
    let back = try Self.compare(example.new, example.old, ["A", "B", "C"].map { Self.event($0) })
    #expect(back.different == report.different)
  }

  @Test("the largest groups of a kind come first, and the order of the events does not matter")
  func order() throws {
    let old = "rules: []"
    let new =
      "rules: [ { id: a, include: { page: A } }, { id: b, include: { page: B } }, { id: c, include: { page: C } } ]"
    let events = ["C", "A", "B", "B"].map { Self.event($0) }
    let expected = ["2 selected +b [] [b]", "1 selected +a [] [a]", "1 selected +c [] [c]"]
    var limits = DecisionComparison.Limits()
    limits.examples = 0
    #expect(Self.lines(try Self.compare(old, new, events, limits: limits)) == expected)
    #expect(Self.lines(try Self.compare(old, new, events.reversed(), limits: limits)) == expected)
  }

  @Test("groups and examples are bounded, and omitted ones are counted")
  func limits() throws {
    let rules = (0..<20).map { "{ id: r\($0), include: { page: P\($0) } }" }.joined(separator: ", ")
    var limits = DecisionComparison.Limits()
    limits.groups = 5
    limits.examples = 2
    let events = (0..<100).map {
      Self.event("P\($0 % 20)", #","$element_path":"\#(String(repeating: "页", count: 2_000))""#)
    }
    let report = try Self.compare("rules: []", "rules: [ \(rules) ]", events, limits: limits)
    #expect(report.groups.count == 5 && report.groups.allSatisfy { $0.count == 5 && $0.examples.count == 2 })
    #expect(report.ungrouped == 75 && report.different == 100)
    limits.names = 4
    let few = try Self.compare("rules: []", "rules: [ \(rules) ]", events, limits: limits)
    #expect(few.groups.count == 2 && few.ungrouped == 90, "each group has a rule and a name")
    let path = try #require(report.groups[0].examples[0].path)
    #expect(path.utf8.count <= 1_003 && path.hasSuffix("页…"))
  }

  @Test("examples have the place of the event, its element and its page")
  func examples() throws {
    let events = [
      "", Self.event("A", #","$element_path":"UIWindow(0)/B(1)""#),
      #"{"event":"e","attributes":{"$screen_name":"A"},"event_id":"\#(String(repeating: "0", count: 64))"}"#,
    ]
    let report = try Self.compare("rules: []", "rules: [ { id: a, include: { page: A } } ]", events)
    let examples = try #require(report.groups.first?.examples)
    #expect(examples.map(\.line) == [2, 3] && examples.map(\.event) == ["$AppClick", "e"])
    #expect(examples.map(\.page) == ["A", "A"] && examples.map(\.path) == ["UIWindow(0)/B(1)", nil])
    #expect(examples[0].eventID != nil && examples[1].eventID?.description.hasPrefix("000") == true)
  }

  @Test("taps on the elements of a capture are compared, each rule set in its own style")
  func elements() throws {
    let screen = try Screens.of(
      """
      <view class="UIWindow"><view class="UITableView" controller="HomeViewController">
        <view class="Cell" superclasses="UITableViewCell" indexPath="0 0"><view class="UIButton"/><view class="UILabel"/></view>
        <view class="Cell" superclasses="UITableViewCell" indexPath="0 1"><view class="UIButton"/><view class="UILabel"/></view>
      </view></view>
      """)
    func lines(_ old: String, _ new: String) throws -> [String] {
      var comparison = DecisionComparison(from: try Self.matcher(old), to: try Self.matcher(new))
      #expect(comparison.add(screen, name: "home.xml") == nil)
      let report = comparison.finish()
      #expect(report.compared == 4, "two cells and two buttons; a label is not tracked")
      #expect(comparison.finish().compared == 0, "a comparison begins anew")
      return report.groups.map { group in
        "\(group.count) \(group.difference.kind.rawValue) "
          + group.examples.map { "\($0.element ?? -1)" }.joined(separator: " ")
      }
    }
    let first = "rules: [ { id: a, include: { selector: Cell(row:0)/** } } ]"
    #expect(
      try lines(first, "rules: [ { id: a, include: { selector: Cell/UIButton } } ]") == [
        "1 selected 6", "1 no_longer_selected 2",
      ])
    #expect(try lines(first, first).isEmpty)
    let sensors = "style: sensors\nrules: [ { id: a, include: { selector: \"Cell[0][0]/**\" } } ]"
    #expect(try lines(first, sensors).isEmpty)
  }
}
