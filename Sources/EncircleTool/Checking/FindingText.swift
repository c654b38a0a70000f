import EncircleCheck
import EncircleText

/// Findings for people.
enum FindingText {
  /// Returns the place and the message, the line with a caret, an example and the correction.
  static func text(_ finding: Finding) -> String {
    let heading =
      "\(finding.file):\(finding.place.location): \(finding.severity.rawValue)[\(finding.code.rawValue)]: "
      + finding.messageWithRule
    var lines: [String] = []
    // Escaped already, but for tabs, as the caret may stand behind them.
    let place = finding.place
    let excerpt = Diagnostic.excerpt(place.sourceLine, column: place.location.column - place.sourceColumn + 1)
    if let example = finding.example { lines.append("  example: \(example)") }
    if let instead = finding.edit?.replacement ?? finding.suggestion { lines.append("  instead: \(instead)") }
    for note in finding.notes {
      let place = [note.file, note.location.description].compactMap { $0 }.joined(separator: ":")
      lines.append("\(place): note: \(note.message)")
    }
    // Lines are escaped one by one, so that no name can add a line.
    return VisibleText.escaping(heading) + "\n" + excerpt + "\n"
      + lines.map { VisibleText.escaping($0) + "\n" }.joined()
  }
}
