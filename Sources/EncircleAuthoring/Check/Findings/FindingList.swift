import EncircleRuleFiles
import EncircleRules
import EncircleText

/// The findings so far, and the settings of the rules for them.
struct FindingList {
  let rules: SourcedRuleSet
  private(set) var findings: [Finding] = []
  private(set) var suppressions: Suppressions
  // Findings that have been added, because a style that reads a selector in two ways would report each of them twice.
  private var reported: Set<ReportedFinding> = []

  // The selectors that match nothing and already have a correction.
  private var repaired: Set<ReportedFinding> = []

  // The classes that the selectors of one rule name.
  var classesOfRule: (rule: UTF8String, classes: Set<UTF8String>)?

  private struct ReportedFinding: Hashable {
    let code: CheckCode
    let rule: UTF8String
    let location: SourceLocation
    let message: UTF8String
  }

  init(_ rules: SourcedRuleSet) {
    self.rules = rules
    suppressions = Suppressions(rules.suppressions)
  }

  /// Returns the setting that a rule, or else its file, has for a kind of finding.
  func setting(_ code: CheckCode, of rule: UTF8String) -> CheckSetting? {
    guard let source = rules.sources[rule] else { return nil }
    return source.checks[code] ?? rules.fileChecks[UTF8String(source.file)]?[code]
  }

  /// Returns the severity of a kind of finding at the level that is set for it; nil if it is off.
  ///
  /// - Parameter usual: The severity without a level, if it differs from the severity of the code.
  static func severity(_ code: CheckCode, _ level: CheckSetting.Level?, else usual: Severity? = nil) -> Severity? {
    switch level {
    case .off: nil
    case .severity(let other): other
    case nil: usual ?? code.documentation.severity
    }
  }

  /// Returns whether a selector has been reported as matching nothing, together with a correction.
  func isRepaired(_ rule: SelectionRule, _ part: RuleSource.Part) -> Bool {
    guard let source = rules.sources[rule.id] else { return false }
    return repaired.contains(Self.repair(of: rule, source[part].location))
  }

  private static func repair(of rule: SelectionRule, _ location: SourceLocation) -> ReportedFinding {
    ReportedFinding(code: .matchesNothing, rule: rule.id, location: location, message: "")
  }

  /// Adds a finding, unless it is silenced.
  ///
  /// - Parameters:
  ///   - severity: The severity, if it differs from the severity of the code.
  ///   - replacement: The text that the part of the rule should have instead.
  ///   - edit: The correction, if it replaces something other than the part.
  ///   - isGuess: True if something other than the correction may be meant.
  ///   - narrowed: Returns the place in the part that the finding is about; nil for the whole part.
  mutating func add(
    _ code: CheckCode, _ rule: SelectionRule, _ part: RuleSource.Part, _ message: String, severity: Severity? = nil,
    example: String? = nil, suggestion: String? = nil, replacement: String? = nil, edit: Finding.Edit? = nil,
    isGuess: Bool = false, notes: [Diagnostic.Note] = [],
    narrowed: (RuleSource.Place) -> RuleSource.Place? = { _ in nil }
  ) {
    guard let source = rules.sources[rule.id],
      let severity = Self.severity(code, setting(code, of: rule.id)?.level, else: severity)
    else { return }
    let place = source[part]
    let shown = narrowed(place) ?? place
    // The value of a part of the rule may stand in another file, which defines it.
    let file = shown.file ?? source.file
    // The finding may be shown some lines below the beginning of the part; a comment counts in either line.
    if suppressions.silence(code, file: file, line: shown.location.line)
      || suppressions.silence(code, file: place.file ?? source.file, line: place.location.line)
    {
      return
    }
    let key = ReportedFinding(code: code, rule: rule.id, location: place.location, message: UTF8String(message))
    guard reported.insert(key).inserted else { return }
    if code == .matchesNothing, replacement != nil { repaired.insert(Self.repair(of: rule, place.location)) }
    var finding = Finding(
      code: code, severity: severity, rule: rule.id, file: file, place: shown, message: message)
    finding.example = example
    finding.suggestion = suggestion
    finding.edit = edit
    // In other styles the replacement was made from a selector that differs from the one in the file.
    if edit == nil, let replacement, rules.ruleSet.style == .hubbleData {
      finding.edit = self.edit(place, spelled(replacement, at: place))
    }
    if isGuess { finding.edit?.isGuess = true }
    finding.notes = notes
    findings.append(finding)
  }

  /// Adds a finding about a name outside the rules, unless it is silenced.
  mutating func add(
    _ code: CheckCode, _ name: FileName, _ message: String, suggestion: String? = nil, replacement: String? = nil
  ) {
    guard let severity = Self.severity(code, rules.fileChecks[UTF8String(name.file)]?[code]?.level),
      !suppressions.silence(code, file: name.file, line: name.place.location.line)
    else { return }
    var finding = Finding(
      code: code, severity: severity, rule: "", file: name.file, place: name.place, message: message)
    finding.suggestion = suggestion
    finding.edit = replacement.flatMap { edit(name.place, spelled($0, at: name.place)) }
    findings.append(finding)
  }

  /// Returns the setting of the first file that has one, in byte order of the names, for a finding that is in no rule file.
  func anySetting(_ code: CheckCode) -> CheckSetting? {
    rules.fileChecks.keys.sorted().lazy.compactMap { rules.fileChecks[$0]?[code] }.first
  }

  /// Adds a finding about a plan, unless it is silenced. Settings of rule files count for it.
  mutating func add(_ code: CheckCode, _ file: String, _ place: RuleSource.Place?, _ message: String) {
    guard let severity = Self.severity(code, anySetting(code)?.level), let place,
      !suppressions.silence(code, file: file, line: place.location.line)
    else { return }
    findings.append(
      Finding(code: code, severity: severity, rule: "", file: file, place: place, message: message))
  }

  /// Adds the findings of another list with the same rules; no finding may be in both.
  mutating func join(_ other: FindingList) {
    findings += other.findings
    reported.formUnion(other.reported)
    repaired.formUnion(other.repaired)
    suppressions.join(other.suppressions)
  }

  /// Adds findings that are not about parts of rules.
  mutating func append(_ other: [Finding]) { findings += other }

  /// Returns a text as a scalar in the file of a place.
  func spelled(_ text: String, at place: RuleSource.Place?) -> String {
    guard place?.isJSON ?? false else { return ScalarSpelling.written(text) }
    var bytes: [UInt8] = []
    JSONText.append(text, to: &bytes)
    return String(decoding: bytes, as: UTF8.self)
  }

  /// Returns an edit of a place; nil if the text there is unknown or already the replacement.
  func edit(_ place: RuleSource.Place?, _ replacement: String) -> Finding.Edit? {
    guard let place, let written = place.written, !written.hasSameBytes(as: replacement) else { return nil }
    return Finding.Edit(location: place.location, written: written, replacement: replacement)
  }

  /// Returns a note that points at another rule.
  func note(_ message: String, _ rule: SelectionRule, _ part: RuleSource.Part = .id) -> Diagnostic.Note {
    let source = rules.sources[rule.id]
    return Diagnostic.Note(
      message: message, file: source?.file, location: source?[part].location ?? SourceLocation(line: 1, column: 1))
  }
}
