import EncircleAuthoring
import EncircleRuleFiles
import EncircleText

/// Findings for people.
enum FindingText {
  /// Returns the place and the message, the line with a caret, an example and the correction.
  static func text(_ finding: Finding, isColored: Bool) -> String {
    var kind = "\(finding.severity.rawValue)[\(finding.code.rawValue)]:"
    if isColored { kind = color(of: finding.severity).paint(kind) }
    var lines: [String] = []
    // The excerpt is escaped already. Tabs are kept, because the caret below it may follow them.
    let place = finding.place
    let excerpt = Diagnostic.excerpt(place.sourceLine, column: place.location.column - place.sourceColumn + 1)
    if let example = finding.example { lines.append("  example: \(example)") }
    if let instead = finding.edit?.replacement ?? finding.suggestion { lines.append("  instead: \(instead)") }
    lines += finding.notes.map(\.text)
    // Each line is escaped separately, so that no name can add a line.
    return VisibleText.escaping("\(finding.file):\(place.location): ") + kind
      + VisibleText.escaping(" " + finding.messageWithRule) + "\n" + excerpt + "\n"
      + lines.map { VisibleText.escaping($0) + "\n" }.joined()
  }

  private static func color(of severity: Severity) -> Color {
    switch severity {
    case .error: .red
    case .warning: .yellow
    case .note: .cyan
    }
  }
}
