import EncircleEvents
import EncircleTestSupport
import EncircleText
import Testing

@testable import EncircleRuleFiles

/// Values as rule files: read, compared and written without their text.
@Suite struct RuleFileValuesTests {
  /// A value of few words, so that some are alike.
  private static func value(_ random: inout SeededGenerator, depth: Int = 0) -> EventValue {
    switch Int.random(in: 0..<(depth > 3 ? 5 : 9), using: &random) {
    case 0: return .string(random.pick(["", "a", "true", "1", "null", "加入购物车", "a: b", "x\ny", "- c", "'\"\\", "$p"]))
    case 1: return .number(DecimalNumber(Int.random(in: -3...3, using: &random)))
    case 2: return random.oneIn(2) ? true : false
    case 3: return .null
    case 4: return .string(String(repeating: "word ", count: Int.random(in: 0..<30, using: &random)) + "w")
    case 5, 6:
      return .list((0..<Int.random(in: 0..<4, using: &random)).map { _ in value(&random, depth: depth + 1) })
    default:
      var object = EventObject()
      for _ in 0..<Int.random(in: 0..<5, using: &random) {
        object[random.pick(["id", "include", "where", "$element_content", "name", "a key"])] = value(
          &random, depth: depth + 1)
      }
      return .object(object)
    }
  }

  @Test("a document equals a value with the same meaning in any order of members", arguments: 0..<20)
  func says(seed: Int) throws {
    var random = SeededGenerator(seed: UInt64(seed))
    for _ in 0..<40 {
      let (own, other) = (Self.value(&random), Self.value(&random))
      for value in [own, other, Self.shuffled(own, &random)] {
        let document = try RuleFileDocument("k: " + ValueLayout.flow(value) + "\n", keepsNodes: random.oneIn(2))
        #expect(document.says(["k": own]) == value.means(own), "\(value) \(own)")
        #expect(document.says(["k": own]) == document.value.means(["k": own]))
      }
    }
    for keepsNodes in [true, false] {
      #expect(try RuleFileDocument("", keepsNodes: keepsNodes).says(.null))
      #expect(try !RuleFileDocument("a: 1", keepsNodes: keepsNodes).says(["a": "1"]))
      #expect(try RuleFileDocument("a: 1", keepsNodes: keepsNodes).says(["a": 1]))
    }
  }

  private static func shuffled(_ value: EventValue, _ random: inout SeededGenerator) -> EventValue {
    guard case .object(let object) = value else { return value }
    return .object(EventObject(object.members.shuffled(using: &random)))
  }

  /// What ``ValueLayout/behindColon(_:column:used:keepsBraces:isLineFree:)`` writes, with each line made as a whole and measured then.
  private static func slow(_ value: EventValue, column: Int, used: Int, keepsBraces: Bool) -> String {
    let line = ValueLayout.flow(value)
    let end = column + used + 1 + SyntaxLayout.columns(line)
    let indent = "\n" + SyntaxLayout.spaces(column + 2)
    func isObject(_ value: EventValue) -> Bool { if case .object = value { true } else { false } }
    func member(_ member: EventObject.Member, _ column: Int) -> String {
      let key = ScalarSpelling.written(member.name)
      return key + ":" + slow(member.value, column: column, used: SyntaxLayout.columns(key) + 1, keepsBraces: false)
    }
    func item(_ value: EventValue, _ column: Int, keepsBraces: Bool) -> String {
      guard case .object(let object) = value, !object.members.isEmpty else { return ValueLayout.flow(value) }
      let line = ValueLayout.flow(value)
      if keepsBraces, column + SyntaxLayout.columns(line) <= SyntaxLayout.width { return line }
      return object.members.map { member($0, column) }.joined(separator: "\n" + SyntaxLayout.spaces(column))
    }
    switch value {
    case .string(let text) where text.contains("\n"): return ValueLayout.behindColon(value, column: column, used: used)
    case .object(let object) where !object.members.isEmpty:
      let isPlain = object.members.allSatisfy { member in
        if case .object(let inner) = member.value { inner.members.allSatisfy { !isObject($0.value) } } else { true }
      }
      if end <= (keepsBraces ? SyntaxLayout.width : isPlain ? 80 : 0) { return " " + line }
      return object.members.map { indent + member($0, column + 2) }.joined()
    case .list(let items) where !items.isEmpty:
      if end <= SyntaxLayout.width, keepsBraces || !items.contains(where: isObject) { return " " + line }
      return items.map { indent + "- " + item($0, column + 4, keepsBraces: end <= 80) }.joined()
    default: return " " + line
    }
  }

  @Test("a value is broken into lines exactly if one line would be too long", arguments: 0..<20)
  func layout(seed: Int) {
    var random = SeededGenerator(seed: UInt64(seed))
    for _ in 0..<60 {
      let value = Self.value(&random)
      for keepsBraces in [true, false] {
        let column = Int.random(in: 0..<90, using: &random)
        let fast = ValueLayout.behindColon(value, column: column, used: 8, keepsBraces: keepsBraces)
        #expect(fast == Self.slow(value, column: column, used: 8, keepsBraces: keepsBraces))
      }
    }
  }

  private static let rules: [EventObject] = [
    ["id": "a", "include": ["event": "$AppClick", "where": ["n": 5, "t": ["x", "y"], "m": ["matches": "^a+$"]]]],
    ["id": "b", "name": "B", "include": [["page": "P", "selector": "UITableView/**/UIButton(0)"], ["event": "e"]]],
    ["id": "c", "enabled": true, "exclude": ["where": ["f": false, "z": ["exists": true]]]],
  ]

  @Test("rules given as values equal the rules of their text")
  func values() throws {
    let header: EventObject = ["version": 1, "style": "sensors", "app": "a.b"]
    var file = header
    file["rules"] = .list(Self.rules.map { .object($0) })
    let text = String(decoding: EventValue.object(file).json, as: UTF8.self)
    let own = try RuleFiles(values: [("f.yaml", header, Self.rules)]).ruleSet()
    let read = try RuleFiles(text: text, name: "f.json").ruleSet()
    let clauses = read.rules.map { "\($0.clauses)" }
    #expect(own.rules.map { "\($0.clauses)" } == clauses && clauses.count == Self.rules.count)
    #expect(own.rules.map(\.apps) == read.rules.map(\.apps) && own.style == read.style)
    for keepsNodes in [true, false] {
      let document = try RuleFileDocument(text, name: "f.json", keepsNodes: keepsNodes)
      #expect(try RuleFiles(documents: [document]).ruleSet().rules.map { "\($0.clauses)" } == clauses)
      let broken = try RuleFileDocument("version: 1\nrules:\n  - id: a\n    incluce: 5\n", keepsNodes: keepsNodes)
      let errors = #expect(throws: RuleFileErrors.self) { try RuleFiles(documents: [broken]).ruleSet() }
      #expect(errors?.diagnostics.first?.location == SourceLocation(line: 4, column: 5))
      let empty = try RuleFileDocument("", keepsNodes: keepsNodes)
      #expect(throws: RuleFileErrors.self) { try RuleFiles(documents: [empty]).ruleSet() }
    }
  }

  @Test("a problem of rules given as values has the rule's number as its line, even for a repeated name")
  func problems() throws {
    var twice = EventObject([.init(name: "id", value: "d"), .init(name: "id", value: "d")])
    twice["include"] = ["event": "e"]
    for (rule, message) in [
      (["id": "d", "include": ["page": ["matches": "("]]] as EventObject, "missing )"), (twice, "occurs twice"),
      (["id": "d", "incluce": ["event": "e"]], "unknown key"),
    ] {
      let files = RuleFiles(values: [("f.yaml", ["version": 1], Self.rules + [rule])])
      let errors = #expect(throws: RuleFileErrors.self) { try files.ruleSet() }
      #expect(errors?.diagnostics.first?.message.contains(message) == true, "\(String(describing: errors))")
      #expect(errors?.diagnostics.first?.location?.line == 4)
    }
  }
}
