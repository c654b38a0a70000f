import EncircleCheck
import EncircleTree

/// Findings for people.
enum FindingText {
  /// The place, what was found, the line with a caret, an example and what to write instead.
  static func text(_ finding: Finding) -> String {
    var text = "\(finding.file):\(finding.place.location): \(finding.severity.rawValue)[\(finding.code.rawValue)]: "
    text += "\(finding.rule): \(finding.message)\n"
    text += Diagnostic.excerpt(finding.place.sourceLine, column: finding.place.location.column) + "\n"
    if let example = finding.example { text += "  example: \(example)\n" }
    if let edit = finding.edit {
      text += "  instead: \(edit.replacement)\n"
    } else if let suggestion = finding.suggestion {
      text += "  instead: \(suggestion)\n"
    }
    for note in finding.notes {
      text +=
        [note.file, note.location.description].compactMap { $0 }.joined(separator: ":") + ": note: \(note.message)\n"
    }
    return VisibleText.escaping(text, keepingNewlines: true)
  }
}
