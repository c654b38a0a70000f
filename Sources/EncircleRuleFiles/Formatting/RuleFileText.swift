import EncircleEvents
import EncircleText

/// Writes rule files that a program has made, laid out as ``RuleFileFormatter`` does it.
package enum RuleFileText {
  /// Returns the text of a file with one rule.
  ///
  /// - Parameters:
  ///   - file: The keys of the file, without `rules`.
  ///   - rule: The rule. Each clause is on separate lines, however short it is.
  ///   - comments: Lines above the rule. Invisible characters in them are escaped.
  package static func written(_ file: EventObject, _ rule: EventObject, comments: [String]) -> String {
    written(file, [(rule, [])], comments: comments)
  }

  /// Returns the text of a file with several rules, each with the lines above it.
  package static func written(
    _ file: EventObject, _ rules: [(rule: EventObject, comments: [String])], comments: [String]
  ) -> String {
    var lines = comments.map { "# " + VisibleText.escaping($0) }
    lines += file.members.map { ValueLayout.member($0.name, $0.value, column: 0) }
    lines.append(rules.isEmpty ? "rules: []" : "rules:")
    for (rule, comments) in rules {
      lines += comments.map { "  # " + VisibleText.escaping($0) }
      var start = "  - "
      for member in rule.members {
        if ["include", "exclude"].contains(member.name), case .object(let clause) = member.value {
          lines.append("\(start)\(member.name):")
          lines += clause.members.map { "      " + ValueLayout.member($0.name, $0.value, column: 6) }
        } else {
          lines.append(start + ValueLayout.member(member.name, member.value, column: 4))
        }
        start = "    "
      }
    }
    let text = lines.joined(separator: "\n") + "\n"
    return (try? RuleFileFormatter.format(text)) ?? text
  }
}
