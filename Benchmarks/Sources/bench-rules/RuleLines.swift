import EncircleEvents
import EncircleRules
import EncircleText
import Foundation

/// Reads a workload's `rules.jsonl`, one rule per line, directly into a rule set: a million rules without YAML.
///
/// The schema is in `Benchmarks/README.md`: `id` and `action`, and any of `event`, `screen`, `path`, `content`, `props` and
/// `version`, which must all hold. A path pattern is anchored at both ends; `**/` at its beginning makes it a selector
/// that begins at any depth.
enum RuleLines {
  struct Problem: Error, CustomStringConvertible {
    let line: Int
    let description: String
  }

  /// Returns the rules of a file, at most `limit` of them.
  ///
  /// Ids are padded, so that they sort in the order of their numbers.
  static func load(_ path: String, limit: Int = .max) throws -> RuleSet {
    var ruleSet = RuleSet()
    let names = UTF8StringPool()
    let data = try Data(contentsOf: URL(fileURLWithPath: path), options: .alwaysMapped)
    var start = data.startIndex
    while start < data.endIndex, ruleSet.rules.count < limit {
      let end = data[start...].firstIndex(of: UInt8(ascii: "\n")) ?? data.endIndex
      do {
        ruleSet.rules.append(try rule(try EventValue(json: Array(data[start..<end])), names))
      } catch {
        throw Problem(line: ruleSet.rules.count + 1, description: "\(path):\(ruleSet.rules.count + 1): \(error)")
      }
      start = min(end + 1, data.endIndex)
    }
    return ruleSet
  }

  private struct Unknown: Error { let what: String }

  private static func rule(_ value: EventValue, _ names: UTF8StringPool) throws -> SelectionRule {
    guard case .object(let object) = value else { throw Unknown(what: "a rule is an object") }
    var id = ""
    var effect = SelectionRule.Effect.include
    var clause = RuleClause()
    for member in object.members {
      switch (member.name, member.value) {
      case ("kind", _): break
      case ("id", .number(let number)):
        let digits = number.description
        id = String(repeating: "0", count: max(0, 7 - digits.utf8.count)) + digits
      case ("action", .string(let text)):
        guard let known = SelectionRule.Effect(rawValue: text) else { throw Unknown(what: "action \(text)") }
        effect = known
      case ("event", .string(let text)): clause.event = equals(text)
      case ("screen", .string(let text)): clause.page = equals(text)
      case ("path", .string(let text)): clause.selectors = [try selector(text, names)]
      case ("content", .object(let test)):
        clause.properties.append(PropertyTest(.property("$element_content"), try condition(test)))
      case ("props", .list(let tests)):
        for case .object(let test) in tests {
          guard case .string(let key)? = test["key"] else { throw Unknown(what: "a test without key") }
          clause.properties.append(PropertyTest(.property(UTF8String(key)), try condition(test)))
        }
      case ("version", .object(let bounds)):
        clause.properties.append(PropertyTest(.property("$app_version"), try version(bounds)))
      default: throw Unknown(what: "member \(member.name)")
      }
    }
    return SelectionRule(UTF8String(id), effect, [clause])
  }

  private static func equals(_ text: String) -> Condition { .isOneOf([.string(UTF8String(text))], fold: false) }

  // MARK: Paths

  /// Returns a path pattern as a selector; names with special characters are quoted.
  private static func selector(_ pattern: String, _ names: UTF8StringPool) throws -> ElementSelector {
    var text = ""
    for component in pattern.utf8.split(separator: UInt8(ascii: "/")) {
      text += text.isEmpty ? "" : "/"
      guard let locator = component.lastIndex(of: UInt8(ascii: "(")), !component[..<locator].allSatisfy(isPlain) else {
        text += String(Substring(component))
        continue
      }
      let name = String(Substring(component[..<locator]))
      text += "'" + name.split(separator: "'", omittingEmptySubsequences: false).joined(separator: "''") + "'"
      text += String(Substring(component[locator...]))
    }
    if text.hasPrefix("**/") { return try ElementSelector(parsing: String(text.dropFirst(3)), names: names) }
    return try ElementSelector(parsing: "/" + text, names: names)
  }

  /// Returns whether a byte can be in a name without quotes; bytes beyond ASCII could be part of a space.
  private static func isPlain(_ byte: UInt8) -> Bool {
    switch byte {
    case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"): true
    case UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "_"), UInt8(ascii: "."): true
    default: false
    }
  }

  // MARK: Tests

  private static func condition(_ test: EventObject) throws -> Condition {
    guard case .string(let name)? = test["op"] else { throw Unknown(what: "a test without op") }
    switch (name, test["value"]) {
    case ("exists", _): return .exists(true)
    case ("eq", let value?): return .isOneOf([try scalar(value)], fold: false)
    case ("in", .list(let values)?): return .isOneOf(try values.map(scalar), fold: false)
    case ("not-in", .list(let values)?): return .not(.isOneOf(try values.map(scalar), fold: false))
    case ("prefix", .string(let text)?): return .text(.prefix, UTF8String(text), fold: false)
    case ("suffix", .string(let text)?): return .text(.suffix, UTF8String(text), fold: false)
    case ("contains", .string(let text)?): return .text(.contains, UTF8String(text), fold: false)
    case ("matches", .string(let text)?): return .matches(try RegularExpression(text))
    case ("lt", .number(let number)?): return .number(.less, number)
    case ("ge", .number(let number)?): return .number(.greaterOrEqual, number)
    default: throw Unknown(what: "test \(name)")
    }
  }

  private static func scalar(_ value: EventValue) throws -> Scalar {
    switch value {
    case .null: .null
    case .bool(let flag): .bool(flag)
    case .number(let number): .number(number)
    case .string(let text): .string(UTF8String(text))
    case .list, .object: throw Unknown(what: "a list or an object as a value")
    }
  }

  private static func version(_ bounds: EventObject) throws -> Condition {
    var parts: [String] = []
    if case .string(let text)? = bounds["min"] { parts.append(">=\(text)") }
    if case .string(let text)? = bounds["max"] { parts.append("<=\(text)") }
    guard let range = VersionRange(parsing: parts.joined(separator: " ")) else { throw Unknown(what: "version") }
    return .version(range)
  }
}
