import EncircleCheck
import EncircleText

/// Findings for people.
enum FindingText {
  /// Returns the place and the message, the line with a caret, an example and the correction.
  static func text(_ finding: Finding) -> String {
    var lines = [
      "\(finding.file):\(finding.place.location): \(finding.severity.rawValue)[\(finding.code.rawValue)]: "
        + "\(finding.rule): \(finding.message)"
    ]
    let excerpt = Diagnostic.excerpt(finding.place.sourceLine, column: finding.place.location.column)
    lines += excerpt.split(separator: "\n", omittingEmptySubsequences: false).map { String($0) }
    if let example = finding.example { lines.append("  example: \(example)") }
    if let instead = finding.edit?.replacement ?? finding.suggestion { lines.append("  instead: \(instead)") }
    for note in finding.notes {
      let place = [note.file, note.location.description].compactMap { $0 }.joined(separator: ":")
      lines.append("\(place): note: \(note.message)")
    }
    // Lines are escaped one by one, so that no name can add a line. Tabs stay, as the caret may stand behind them.
    return lines.map { VisibleText.escaping($0, keepingTabs: true) + "\n" }.joined()
  }
}
