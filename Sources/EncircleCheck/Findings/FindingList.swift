import EncircleRuleFiles
import EncircleRules
import EncircleText

/// Findings as they are made, with what the rules say of them.
struct FindingList {
  let rules: SourcedRuleSet
  private(set) var findings: [Finding] = []
  // A selector that a style reads in two ways is one to its author.
  private var told: Set<Told> = []

  private struct Told: Hashable {
    let code: CheckCode
    let rule: UTF8String
    let location: SourceLocation
    let message: UTF8String
  }

  init(_ rules: SourcedRuleSet) { self.rules = rules }

  /// What a rule, or else its file, says of a kind of finding.
  func setting(_ code: CheckCode, of rule: UTF8String) -> CheckSetting? {
    guard let source = rules.sources[rule] else { return nil }
    return source.checks[code] ?? rules.fileChecks[source.file]?[code]
  }

  /// Adds a finding, unless it is silenced.
  ///
  /// - Parameters:
  ///   - severity: Where it is another one than that of the code.
  ///   - replacement: What should be written at the place.
  mutating func add(
    _ code: CheckCode, _ rule: SelectionRule, _ part: RuleSource.Part, _ message: String, severity: Severity? = nil,
    example: String? = nil, suggestion: String? = nil, replacement: String? = nil, notes: [Diagnostic.Note] = []
  ) {
    guard let source = rules.sources[rule.id] else { return }
    var severity = severity ?? code.documentation.severity
    switch setting(code, of: rule.id)?.level {
    case .off: return
    case .severity(let other): severity = other
    case nil: break
    }
    let place = source[part]
    let isNew = told.insert(Told(code: code, rule: rule.id, location: place.location, message: UTF8String(message)))
      .inserted
    guard isNew else { return }
    var finding = Finding(
      code: code, severity: severity, rule: rule.id, file: source.file, place: place, message: message)
    finding.example = example
    finding.suggestion = suggestion
    // In another style what is written is not the selector that it is read as.
    if let replacement, let written = place.written, rules.ruleSet.style == .hubbleData {
      let quoted = ScalarSpelling.written(replacement)
      if !quoted.utf8.elementsEqual(written.utf8) { finding.edit = Finding.Edit(written: written, replacement: quoted) }
    }
    finding.notes = notes
    findings.append(finding)
  }

  /// A note that points at another rule.
  func note(_ message: String, _ rule: SelectionRule, _ part: RuleSource.Part = .id) -> Diagnostic.Note {
    let source = rules.sources[rule.id]
    return Diagnostic.Note(
      message: message, file: source?.file, location: source?[part].location ?? SourceLocation(line: 1, column: 1))
  }
}
