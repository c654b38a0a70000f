import EncircleAuthoring
import EncircleText

/// Findings for programs: one object.
enum FindingJSON {
  static func text(of findings: [Finding]) -> String {
    var json = JSONBuilder()
    json.object { $0.array("findings", findings, element: append) }
    return json.line
  }

  static func text(of problems: [Diagnostic]) -> String {
    var json = JSONBuilder()
    json.object {
      $0.member("findings", [])
      $0.array("errors", problems) { problem, json in
        json.object {
          $0.member("file", problem.file)
          $0.member("line", problem.location?.line)
          $0.member("column", problem.location?.column)
          $0.member("message", problem.message)
          $0.member("suggestion", problem.suggestion)
          append(problem.notes, to: &$0)
        }
      }
    }
    return json.line
  }

  private static func append(_ finding: Finding, to json: inout JSONBuilder) {
    json.object {
      $0.member("code", finding.code.rawValue)
      $0.member("severity", finding.severity.rawValue)
      $0.member("rule", finding.rule.text)
      $0.member("file", finding.file)
      $0.member("line", finding.place.location.line)
      $0.member("column", finding.place.location.column)
      $0.member("message", finding.message)
      $0.member("example", finding.example)
      $0.member("suggestion", finding.suggestion)
      if let edit = finding.edit {
        $0.object("edit") {
          $0.member("written", edit.written)
          $0.member("replacement", edit.replacement)
        }
      }
      append(finding.notes, to: &$0)
    }
  }

  private static func append(_ notes: [Diagnostic.Note], to json: inout JSONBuilder) {
    guard !notes.isEmpty else { return }
    json.array("notes", notes) { note, json in
      json.object {
        $0.member("file", note.file)
        $0.member("line", note.location.line)
        $0.member("column", note.location.column)
        $0.member("message", note.message)
      }
    }
  }
}
