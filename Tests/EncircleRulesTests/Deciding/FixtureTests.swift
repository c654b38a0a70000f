import EncircleEvents
import EncircleRules
import EncircleTestSupport
import EncircleText
import Foundation
import Testing

enum SharedFixture {
  /// The folder `bench/fixture` of the data that `ENCIRCLE_SHARED` names, which are not part of this repository; nil without it.
  static let folder: URL? = {
    let folder = PackageFolder.shared?.appendingPathComponent("bench/fixture")
    return folder.flatMap { FileManager.default.fileExists(atPath: $0.path) ? $0 : nil }
  }()
}

/// Rules and events of the shared benchmark, with matches that an independent matcher has found.
@Suite(.enabled(if: SharedFixture.folder != nil, "there is no bench/fixture in a shared folder"))
struct FixtureTests {
  private static func lines(_ name: String) throws -> [[UInt8]] {
    let folder = try #require(SharedFixture.folder)
    return try PackageFolder.bytes(folder.appendingPathComponent(name)).split(separator: 0x0A).map { Array($0) }
  }

  private static func object(_ line: [UInt8]) throws -> EventObject {
    guard case .object(let object) = try EventValue(json: line) else {
      throw Unexpected(String(decoding: line, as: UTF8.self))
    }
    return object
  }

  struct Unexpected: Error {
    let text: String
    init(_ text: String) { self.text = text }
  }

  @Test("all rules match all events as in the fixture")
  func fixture() throws {
    var ruleSet = RuleSet()
    ruleSet.rules = try Self.lines("rules.jsonl").map { try Self.rule(try Self.object($0)) }
    #expect(ruleSet.rules.count > 700)
    let matcher = Matcher(ruleSet)
    var decider = Decider(matcher)
    let events = try Self.lines("events.ndjson")
    let expected = try Self.lines("expected.jsonl").map { String(decoding: $0, as: UTF8.self) }
    try #require(events.count == expected.count && !events.isEmpty)
    for (i, line) in events.enumerated() {
      let decision = decider.decide(try AnalyticsEvent(json: line))
      let parsed = try AgreementTests.decide(String(decoding: line, as: UTF8.self), &decider)
      #expect(parsed == decision)
      let ids = (decision.rules + decision.excludedBy).compactMap { Int($0.text) }.sorted()
      #expect("{\"i\":\(i),\"ids\":[\(ids.map(String.init).joined(separator: ","))]}" == expected[i])
      #expect(decision.isSelected == (!decision.rules.isEmpty && decision.excludedBy.isEmpty))
    }
  }

  // MARK: - Conversion

  private static func rule(_ object: EventObject) throws -> SelectionRule {
    guard case .number(let id)? = object["id"], case .string(let action)? = object["action"],
      let effect = SelectionRule.Effect(rawValue: action)
    else { throw Unexpected("\(object)") }
    var clause = RuleClause()
    if case .string(let event)? = object["event"] { clause.event = .isOneOf([.string(UTF8String(event))], fold: false) }
    if case .string(let page)? = object["screen"] { clause.page = .isOneOf([.string(UTF8String(page))], fold: false) }
    if case .string(let path)? = object["path"] {
      clause.selectors = [ElementSelector(isAnchored: true, steps: try path.split(separator: "/").map(step))]
    }
    if case .object(let content)? = object["content"] {
      clause.properties.append(PropertyTest(.property("$element_content"), try condition(content)))
    }
    if case .list(let tests)? = object["props"] {
      for case .object(let test) in tests {
        guard case .string(let key)? = test["key"] else { throw Unexpected("\(test)") }
        clause.properties.append(PropertyTest(.property(UTF8String(key)), try condition(test)))
      }
    }
    if case .object(let bounds)? = object["version"] {
      let words = [(">=", bounds["min"]), ("<=", bounds["max"])].compactMap { sign, bound in
        if case .string(let version)? = bound { sign + version } else { nil }
      }
      guard let range = VersionRange(parsing: words.joined(separator: " ")) else { throw Unexpected("\(bounds)") }
      clause.properties.append(PropertyTest(.property("$app_version"), .version(range)))
    }
    return SelectionRule(UTF8String(id.description), effect, [clause])
  }

  private static func step(_ text: Substring) throws -> ElementSelector.Step {
    if text == "**" { return .recursiveWildcard }
    if text == "*" { return .component(.any, nil) }
    guard text.last == ")", let open = text.lastIndex(of: "(") else { throw Unexpected(String(text)) }
    let words = text[text.index(after: open)...].dropLast().split(separator: " ")
    let tests = try words.map { word -> (field: ElementSelector.Field?, test: ElementSelector.NumberTest) in
      let parts = word.split(separator: ":")
      guard let value = parts.last else { throw Unexpected(String(text)) }
      let number = Int(value)
      guard number != nil || value == "*" else { throw Unexpected(String(text)) }
      return (
        parts.count == 2 ? ElementSelector.Field(rawValue: String(parts[0])) : nil,
        number.map { .range(lower: $0, upper: $0) } ?? .any
      )
    }
    let fields = tests.compactMap { test in test.field.map { ElementSelector.FieldTest($0, test.test) } }
    let name = ElementSelector.ClassPattern.name(UTF8String(String(text[..<open])))
    if fields.isEmpty { return .component(name, .index(tests[0].test)) }
    return .component(name, .fields(fields))
  }

  private static func condition(_ test: EventObject) throws -> Condition {
    guard case .string(let operation)? = test["op"] else { throw Unexpected("\(test)") }
    switch (operation, test["value"]) {
    case ("exists", _): return .exists(true)
    case ("eq", let value?): return .isOneOf([try scalar(value)], fold: false)
    case ("in", .list(let values)?): return .isOneOf(try values.map(scalar), fold: false)
    case ("prefix", .string(let text)?): return .text(.prefix, UTF8String(text), fold: false)
    case ("contains", .string(let text)?): return .text(.contains, UTF8String(text), fold: false)
    case ("lt", .number(let number)?): return .number(.less, number)
    case ("ge", .number(let number)?): return .number(.greaterOrEqual, number)
    default: throw Unexpected("\(test)")
    }
  }

  private static func scalar(_ value: EventValue) throws -> Scalar {
    switch value {
    case .null: return .null
    case .bool(let flag): return .bool(flag)
    case .number(let number): return .number(number)
    case .string(let text): return .string(UTF8String(text))
    case .list, .object: throw Unexpected("\(value)")
    }
  }
}
