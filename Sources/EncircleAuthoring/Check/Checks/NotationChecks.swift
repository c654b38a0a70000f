import EncircleRuleFiles
import EncircleRules
import EncircleText

extension FindingList {
  /// Reports a selector that is valid but written in the notation of another tool.
  ///
  /// - Returns: True if it was reported; other faults of the selector then do not matter.
  mutating func addNotation(
    of selector: ElementSelector, _ rule: SelectionRule, _ part: RuleSource.Part
  ) -> Bool {
    if selector.isCSS { return false }
    // A quoted class name may contain anything.
    if rules.sources[rule.id]?[part].written?.dropFirst().dropLast().utf8.contains(UInt8(ascii: "'")) ?? false {
      return false
    }
    let text = "\(selector)"
    if addBrackets(of: selector, text, rule, part) { return true }
    guard let notation = SelectorNotation(of: text), !notation.hasWideSigns else { return false }
    let meant = notation.selector.flatMap { (try? ElementSelector(parsing: $0)).map { "\($0)" } }
    add(
      .selectorNotation, rule, part, notation.message, suggestion: meant, replacement: meant)
    return true
  }

  /// Reports the brackets in which other SDKs write indexes, rows and sections.
  private mutating func addBrackets(
    of selector: ElementSelector, _ text: String, _ rule: SelectionRule, _ part: RuleSource.Part
  ) -> Bool {
    // If captures have shown the meaning of the brackets, it has been reported already.
    guard rules.ruleSet.style == .hubbleData, text.utf8.contains(UInt8(ascii: "[")), !isRepaired(rule, part),
      !SelectorNotation.isXPath(text)
    else { return false }
    let steps = text.splitBytes(at: "/", omittingEmptySubsequences: false).map(Self.withoutBrackets)
    let written = steps.compactMap { $0 }.joined(separator: "/")
    guard !steps.contains(nil), let meant = try? ElementSelector(parsing: written), meant != selector else {
      return false
    }
    add(
      .selectorNotation, rule, part, "indexes are written in parentheses; other SDKs write them in brackets",
      suggestion: "\(meant)", replacement: "\(meant)")
    return true
  }

  /// Returns a step with `(n)` for `[n]`, and a section and row for `[n][m]`; nil if the brackets hold something else.
  private static func withoutBrackets(_ step: Substring) -> String? {
    guard let open = step.indexOfByte("[") else { return String(step) }
    let parts = step[open...].splitBytes(at: "]").map { $0.dropFirst() }
    guard step.last == "]", parts.allSatisfy({ $0 == "-" || Int($0).map { $0 >= 0 } ?? false }) else { return nil }
    switch parts.count {
    case 1 where parts[0] != "-": return step[..<open] + "(\(parts[0]))"
    case 2:
      let (section, row) = (parts[0] == "-" ? "*" : parts[0], parts[1] == "-" ? "*" : parts[1])
      return step[..<open] + "(section:\(section) row:\(row))"
    default: return nil
    }
  }
}
