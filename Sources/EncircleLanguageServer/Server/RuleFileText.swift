import EncircleAuthoring
import EncircleEvents
import EncircleRuleFiles
import EncircleText

/// Recognises the kind of a file by its text alone.
enum RuleFileText {
  /// Returns whether a text looks like rules or their tests. It must have one of their keys besides `version`, and either
  /// `version` or no other keys. Of these keys, a `package.json` has only `version` and a playbook none, so neither looks like
  /// rules.
  ///
  /// - Complexity: O(length).
  static func looksLikeRules(_ text: String) -> Bool {
    let bytes = Array(text.utf8)
    let keys = topLevelKeys(bytes)
    let own = keys.filter { isAmong(fileKeys, $0) }
    // The keys filtered out here are not enough, because other tools use them: linters have rules, services have checks.
    let distinctive = own.filter { !isAmong(["version", "$schema", "rules", "checks"], $0) }
    let hasVersion = isAmong(own, "version")
    if hasVersion, hasOtherVersion(bytes) { return false }
    if distinctive.isEmpty {
      guard isAmong(own, "rules") else { return false }
      return hasVersion || own.count == keys.count && (hasClauses(text) || !hasOtherKeys(bytes))
    }
    return own.count == keys.count || hasVersion
  }

  /// Returns whether a text may become rules or their tests: it has no key of another kind of file yet.
  ///
  /// - Complexity: O(length).
  static func mayBecomeRules(_ text: String) -> Bool {
    topLevelKeys(Array(text.utf8)).allSatisfy { isAmong(fileKeys, $0) }
  }

  private static let fileKeys = RuleFileKeys.file + RuleTestKeys.file

  private static func isAmong(_ words: [String], _ key: String) -> Bool {
    words.contains { $0.hasSameBytes(as: key) }
  }

  /// Returns whether a text looks like a plan. It must have events, and either `version` or no other keys. A `plan.yaml` of
  /// another tool does not.
  ///
  /// - Complexity: O(length).
  static func looksLikePlan(_ text: String) -> Bool {
    let bytes = Array(text.utf8)
    let keys = topLevelKeys(bytes)
    guard isAmong(keys, "events"), !hasOtherVersion(bytes) else { return false }
    return isAmong(keys, "version") || keys.allSatisfy { isAmong(PlanKeys.file, $0) }
  }

  /// Returns whether `version` is something other than 1, as in a package or in a file of another tool.
  private static func hasOtherVersion(_ bytes: [UInt8]) -> Bool {
    if bytes.first(where: { !isWhiteSpace($0) }) == UInt8(ascii: "{") {
      guard case .object(let object)? = try? EventValue(json: bytes) else { return false }
      switch object["version"] {
      case .number(let number)?: return number != 1
      case .string(let text)?: return text != "1"
      default: return false
      }
    }
    for line in bytes.split(separator: 0x0A) {
      guard
        let start = ["version", "\"version\"", "'version'"].first(where: { word in
          line.starts(with: word.utf8) && line.dropFirst(word.utf8.count).first { $0 != 0x20 } == UInt8(ascii: ":")
        })
      else { continue }
      let value = line.dropFirst(start.utf8.count).drop { [0x20, UInt8(ascii: ":")].contains($0) }
      let word = value.prefix { ![0x20, 0x0D, UInt8(ascii: "#"), UInt8(ascii: ",")].contains($0) }
      // An unfinished version may become 1.
      return word.contains(UInt8(ascii: ".")) || word.count > 1 && word.allSatisfy(isDigit)
    }
    return false
  }

  /// Returns whether a rule seems to have clauses, judging by the words in it.
  private static func hasClauses(_ text: String) -> Bool {
    ["include:", "exclude:", "\"include\"", "\"exclude\""].contains { text.contains($0) }
  }

  /// Returns whether a line after the first has a key that no rule has.
  private static func hasOtherKeys(_ bytes: [UInt8]) -> Bool {
    let words = RuleFileKeys.rule + RuleFileKeys.clause
    let lines = bytes.split { $0 == 0x0A || $0 == UInt8(ascii: ",") || $0 == UInt8(ascii: "{") }
    return lines.dropFirst().prefix(200).contains { line in
      let start = line.drop { [0x20, 0x0D, UInt8(ascii: "-"), UInt8(ascii: "\""), UInt8(ascii: "'")].contains($0) }
      let key = start.prefix { $0 != UInt8(ascii: ":") && $0 != UInt8(ascii: "\"") && $0 != UInt8(ascii: "'") }
      guard !key.isEmpty, key.count < start.count, key.first != UInt8(ascii: "#"),
        start.dropFirst(key.count).contains(UInt8(ascii: ":"))
      else { return false }
      let word = String(decoding: key, as: UTF8.self)
      return word != "rules" && !isAmong(words, word)
    }
  }

  private static func topLevelKeys(_ bytes: [UInt8]) -> [String] {
    let first = bytes.first { !isWhiteSpace($0) }
    if first == UInt8(ascii: "{") || first == UInt8(ascii: "[") {
      guard case .object(let object)? = try? EventValue(json: bytes) else { return [] }
      return object.members.map(\.name)
    }
    var keys: [String] = []
    for line in bytes.split(whereSeparator: { $0 == 0x0A || $0 == 0x0D }) {
      guard let first = line.first, ![0x20, 0x09, 0x23, 0x25, 0x2D].contains(first),
        let colon = line.firstIndex(of: UInt8(ascii: ":"))
      else { continue }
      keys.append(String(decoding: line[..<colon].filter { $0 != 0x22 && $0 != 0x27 && $0 != 0x20 }, as: UTF8.self))
      if keys.count > 100 { break }
    }
    return keys
  }
}
