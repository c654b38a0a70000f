import EncircleAuthoring
import EncircleText

/// The edits of findings that are guesses, and are only made if the user confirms them.
struct GuessedEdits {
  /// The findings with such edits.
  let all: [Finding]

  init(_ findings: [Finding]) { all = findings.filter { $0.edit != nil && $0.certainEdit == nil } }

  /// Asks about each edit on the terminal, or lists the edits without a terminal. Returns the findings with confirmed edits.
  func confirmed() -> [Finding] {
    guard !all.isEmpty else { return [] }
    guard Terminal.canAsk else {
      let count = all.count
      printError(
        "\(count) correction\(count == 1 ? " is a guess" : "s are guesses"), and not made; --yes makes "
          + (count == 1 ? "it:" : "all:"))
      for finding in all { printErrors(Self.text(of: finding)) }
      return []
    }
    var confirmed: [Finding] = []
    for (number, finding) in all.enumerated() {
      printErrors(Self.text(of: finding))
      writeErrors(Array("Correct this (\(number + 1) of \(all.count))? [y]es, [n]o, [a]ll, [q]uit: ".utf8))
      // The end of the input confirms nothing.
      switch readLine()?.lowercased() {
      case "y", "yes": confirmed.append(finding)
      case "a", "all": return confirmed + all[number...]
      case "q", "quit", nil: return confirmed
      default: break
      }
    }
    return confirmed
  }

  private static func text(of finding: Finding) -> String {
    guard let edit = finding.edit else { return "" }
    func shown(_ text: String) -> String { VisibleText.escaping(VisibleText.shortened(text, columns: 100)) }
    let place = "\(VisibleText.escaping(finding.file)):\(edit.location.line):\(edit.location.column)"
    return "\(place): \(finding.code.rawValue): \(shown(edit.written)) → \(shown(edit.replacement))\n  "
      + VisibleText.escaping(finding.messageWithRule)
  }
}
