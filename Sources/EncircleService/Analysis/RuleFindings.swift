import EncircleAuthoring
import EncircleRuleFiles
import EncircleRules
import EncircleText
import Foundation

/// The findings of a check of rules, each with its fix as a whole new text.
struct RuleFindings {
  /// The most findings that are answered; of more, the number is said.
  static let mostFindings = 1_000
  /// The most texts with a fix, and the most bytes of them all: each is the whole file once more.
  private static let mostFixes = 100
  private static let mostFixBytes = 8 << 20

  private let findings: [Finding]
  private let problems: [Diagnostic]
  private let problemCount: Int
  /// The texts in which a finding is fixed, by the finding's number.
  private var fixes: [Int: String] = [:]
  private let rules: RequestedRules
  private let undecided: Int

  /// Checks rules; a text that does not load has its problems as findings.
  ///
  /// - Throws: ``ServiceError`` when the request has had its share of work.
  init(_ rules: RequestedRules, _ analysis: Analysis) throws {
    self.rules = rules
    let sourced: SourcedRuleSet
    do throws(RuleFileErrors) {
      sourced = try rules.files.ruleSetWithSources()
    } catch {
      problems = error.diagnostics
      problemCount = error.count
      findings = []
      undecided = 0
      return
    }
    problems = []
    problemCount = 0
    try WorkBudget.check()
    var checker = RuleChecker(sourced)
    let settings = RuleSettings(sourced.ruleSet)
    try analysis.captures.forEachScreen { screen in
      try WorkBudget.check()
      checker.add(settings.identified(screen), name: screen.name)
      return true
    }
    try WorkBudget.check()
    let result = checker.check(at: Int64(Date().timeIntervalSince1970 * 1_000))
    findings = result.findings
    undecided = result.undecided
    findFixes(within: analysis.workTime * 0.25)
  }

  private mutating func findFixes(within time: Duration) {
    let clock = ThreadClock()
    var bytes = 0
    for (number, finding) in findings.prefix(Self.mostFindings).enumerated() {
      guard let edit = finding.edit else { continue }
      guard fixes.count < Self.mostFixes, bytes + rules.text.utf8.count <= Self.mostFixBytes,
        clock.spent < time
      else { return }
      let edited = EditedText(rules.text, edits: [edit])
      // With the fix the rules must still load.
      guard edited.outcomes.first == .applied, (try? RuleFiles(text: edited.text, name: rules.name).ruleSet()) != nil
      else { continue }
      bytes += edited.text.utf8.count
      fixes[number] = edited.text
    }
  }

  var json: [UInt8] {
    var json = JSONBuilder()
    json.object {
      $0.array("findings", Array(entries.prefix(Self.mostFindings)), element: write)
      $0.member("total", problemCount + findings.count)
      $0.member("errors", problemCount + findings.count { $0.severity == .error })
      $0.member("warnings", findings.count { $0.severity == .warning })
      $0.member("notes", findings.count { $0.severity == .note })
      $0.member("loads", problems.isEmpty)
      $0.member("undecided", undecided)
    }
    return json.bytes
  }

  private enum Entry {
    case problem(Diagnostic)
    case finding(Finding, number: Int)
  }

  private var entries: [Entry] {
    problems.map { .problem($0) } + findings.enumerated().map { .finding($1, number: $0) }
  }

  private func write(_ entry: Entry, to json: inout JSONBuilder) {
    json.object { json in
      switch entry {
      case .problem(let problem):
        json.member("code", "broken-rules")
        json.member("severity", Severity.error.rawValue)
        json.member("message", problem.message)
        json.nullable("rule", nil as String?)
        let location = problem.location ?? SourceLocation(line: 1, column: 1)
        write(location, in: rules.name, to: &json)
        write(end: location, to: &json)
        json.nullable("example", nil as String?)
        json.nullable("help", problem.suggestion.map { "Did you mean \($0)?" })
        json.array("fixes", [String]()) { $1.value($0) }
        write(problem.notes, to: &json)
      case .finding(let finding, let number):
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
        json.array("fixes", fixes[number].map { [$0] } ?? []) { text, json in
          json.object {
            $0.member("title", "Write \(VisibleText.shortened(finding.edit?.replacement ?? "", columns: 80))")
            $0.member("text", text)
          }
        }
        write(finding.notes, to: &json)
      }
    }
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
        write(note.location, in: note.file ?? rules.name, to: &$0)
      }
    }
  }
}
