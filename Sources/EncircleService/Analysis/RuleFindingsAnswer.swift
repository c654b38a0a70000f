import EncircleAuthoring
import EncircleRuleFiles
import EncircleRules
import EncircleText
import Foundation

/// The findings of a check of rules, each with its fix as a complete new text.
struct RuleFindingsAnswer {
  /// The maximum number of findings in an answer. The answer also states how many there are.
  private static let maximumFindings = 1_000

  private let result: RuleFindings
  private let name: String

  /// Checks rules. If the text does not load, the findings are its errors.
  ///
  /// - Parameter checker: The state of earlier checks of the same rules.
  /// - Throws: ``ServiceError`` when the request has used up its budget.
  init(_ rules: NamedRules, _ analysis: Analysis, with checker: inout IncrementalChecker) throws {
    name = rules.name
    var result = try RuleFindings(
      of: rules, on: analysis.captures, at: EventLibrary.now, with: &checker,
      check: WorkBudget.check)
    let clock = ThreadClock()
    result.fix(first: Self.maximumFindings, in: rules, with: checker) { clock.spent < analysis.workTime * 0.25 }
    self.result = result
  }

  var json: [UInt8] {
    let findings = result.findings
    var json = JSONBuilder()
    json.object {
      $0.array("findings", Array(entries.prefix(Self.maximumFindings)), element: write)
      $0.member("total", result.problemCount + findings.count)
      $0.member("errors", result.problemCount + findings.count { $0.severity == .error })
      $0.member("warnings", findings.count { $0.severity == .warning })
      $0.member("notes", findings.count { $0.severity == .note })
      $0.member("loads", result.problems.isEmpty)
      $0.member("undecided", result.undecided)
    }
    return json.bytes
  }

  private enum Entry {
    case problem(Diagnostic)
    case finding(Finding, fix: String?)
  }

  private var entries: [Entry] {
    result.problems.map { .problem($0) }
      + result.findings.enumerated().map { .finding($1, fix: result.fixes[$0]) }
  }

  private func write(_ entry: Entry, to json: inout JSONBuilder) {
    json.object { json in
      switch entry {
      case .problem(let problem): write(problem, to: &json)
      case .finding(let finding, let fix): write(finding, fix, to: &json)
      }
    }
  }

  private func write(_ problem: Diagnostic, to json: inout JSONBuilder) {
    json.member("code", "broken-rules")
    json.member("severity", Severity.error.rawValue)
    json.member("message", problem.message)
    json.nullable("rule", nil as String?)
    let location = problem.location ?? SourceLocation(line: 1, column: 1)
    write(location, in: name, to: &json)
    write(end: location, to: &json)
    json.nullable("example", nil as String?)
    json.nullable("help", problem.suggestion.map { "Did you mean \($0)?" })
    json.member("fixes", [])
    write(problem.notes, to: &json)
  }

  private func write(_ finding: Finding, _ fix: String?, to json: inout JSONBuilder) {
    json.member("code", finding.code.rawValue)
    json.member("severity", finding.severity.rawValue)
    json.member("message", finding.message)
    json.nullable("rule", finding.rule.text.isEmpty ? nil : finding.rule.text)
    let start = finding.place.location
    write(start, in: finding.file, to: &json)
    var end = start
    end.column += finding.place.written?.unicodeScalars.count ?? 0
    write(end: end, to: &json)
    json.nullable("example", finding.example)
    let instead = finding.edit?.replacement ?? finding.suggestion
    json.nullable("help", instead.map { "instead: \($0)" })
    json.array("fixes", fix.map { [$0] } ?? []) { text, json in
      json.object {
        $0.member("title", "Write \(VisibleText.shortened(finding.edit?.replacement ?? "", columns: 80))")
        $0.member("text", text)
      }
    }
    write(finding.notes, to: &json)
  }

  private func write(_ location: SourceLocation, in file: String, to json: inout JSONBuilder) {
    json.object("location") {
      $0.member("file", file)
      $0.member("line", max(1, location.line))
      $0.member("column", max(1, location.column))
    }
  }

  private func write(end: SourceLocation, to json: inout JSONBuilder) {
    json.object("end") {
      $0.member("line", max(1, end.line))
      $0.member("column", max(1, end.column))
    }
  }

  private func write(_ notes: [Diagnostic.Note], to json: inout JSONBuilder) {
    json.array("notes", notes) { note, json in
      json.object {
        $0.member("message", note.message)
        write(note.location, in: note.file ?? name, to: &$0)
      }
    }
  }
}
