import EncircleRuleFiles
import EncircleRules
import EncircleText

/// The findings of a check of a text of rules on stored captures, with the texts in which they are fixed.
package struct RuleFindings {
  /// The maximum number of findings that are fixed, and of bytes of the fixed texts. Each fix yields the whole file again, so for a
  /// large file, all fixes would take longer than the check.
  private static let maximumFixes = 100
  private static let maximumFixBytes = 1 << 20

  /// The problems of a text that does not load; only the first if there are very many.
  package private(set) var problems: [Diagnostic] = []
  /// The number of all problems.
  package private(set) var problemCount = 0
  /// The findings in a text that loads.
  package private(set) var findings: [Finding] = []
  /// The number of rules that were not compared with all others.
  package private(set) var undecided = 0
  /// The texts in which a finding is fixed, by the finding's number.
  package private(set) var fixes: [Int: String] = [:]

  /// Checks rules.
  ///
  /// - Parameters:
  ///   - now: The time, in milliseconds since 1970.
  ///   - checker: The checker with the results of earlier checks of the same rules.
  ///   - check: Called now and then; an error ends the check.
  /// - Complexity: As for ``IncrementalChecker``.
  package init(
    of rules: NamedRules, on captures: any ScreenStore, at now: Int64, with checker: inout IncrementalChecker,
    check: () throws -> Void
  ) throws {
    let sourced: SourcedRuleSet
    do throws(RuleFileErrors) {
      sourced = try checker.read(rules)
    } catch {
      problems = error.diagnostics
      problemCount = error.count
      return
    }
    try check()
    let result = try checker.check(sourced, on: captures, at: now, check: check)
    findings = result.findings
    undecided = result.undecided
  }

  /// Fixes each finding alone, in the unchanged rules; a fix is kept only if the rules load with it.
  ///
  /// - Parameters:
  ///   - count: The first findings are fixed.
  ///   - checker: The checker that has found them.
  ///   - hasTime: Returns whether to go on.
  package mutating func fix(
    first count: Int, in rules: NamedRules, with checker: IncrementalChecker, while hasTime: () -> Bool
  ) {
    var bytes = 0
    // The cache reads only the rule that a fix changes, not the whole text again.
    var cache = checker.files
    guard findings.contains(where: { $0.edit != nil }), (try? cache.load([(rules.name, rules.text)])) != nil else {
      return
    }
    for (number, finding) in findings.prefix(count).enumerated() {
      guard let edit = finding.edit else { continue }
      guard fixes.count < Self.maximumFixes, bytes + rules.text.utf8.count <= Self.maximumFixBytes, hasTime() else {
        return
      }
      let edited = EditedText(rules.text, edits: [edit])
      guard edited.outcomes.first == .applied, (try? cache.load([(rules.name, edited.text)])) != nil
      else { continue }
      bytes += edited.text.utf8.count
      fixes[number] = edited.text
    }
  }
}
