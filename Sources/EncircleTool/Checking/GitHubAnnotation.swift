import EncircleAuthoring
import EncircleText

/// Findings as workflow commands, which GitHub shows beside the changed lines.
enum GitHubAnnotation {
  static func line(_ finding: Finding) -> String {
    var text = finding.messageWithRule
    if let example = finding.example { text += "\nexample: \(example)" }
    if let instead = finding.edit?.replacement ?? finding.suggestion { text += "\ninstead: \(instead)" }
    for note in finding.notes { text += "\n\(note.text)" }
    let command = finding.severity == .note ? "notice" : finding.severity.rawValue
    return line(command, finding.file, finding.place.location, finding.code.rawValue, text)
  }

  static func line(_ problem: Diagnostic) -> String {
    let text = ([problem.messageWithSuggestion] + problem.notes.map(\.text)).joined(separator: "\n")
    return line("error", problem.file ?? "", problem.location, CheckFormat.problemCode, text)
  }

  private static func line(
    _ command: String, _ file: String, _ place: SourceLocation?, _ title: String, _ text: String
  ) -> String {
    let position = place.map { ",line=\($0.line),col=\($0.column)" } ?? ""
    return "::\(command) file=\(escaped(file, isProperty: true))\(position),title=\(title)::\(escaped(text))\n"
  }

  /// Escapes the line ends, which would end the command, and in properties also commas and colons, which would end the property.
  private static func escaped(_ text: String, isProperty: Bool = false) -> String {
    var result = ""
    for scalar in VisibleText.escaping(text, keepingNewlines: true).unicodeScalars {
      switch scalar {
      case "%": result += "%25"
      case "\r": result += "%0D"
      case "\n": result += "%0A"
      case ":" where isProperty: result += "%3A"
      case "," where isProperty: result += "%2C"
      default: result.unicodeScalars.append(scalar)
      }
    }
    return result
  }
}
