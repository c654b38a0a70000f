import EncircleEvents
import EncircleIdentity
import EncircleRuleFiles
import EncircleRules
import EncircleText

/// Writes rules as actions of PostHog: for each name that rules emit, the body of the create call.
package enum PostHogExport {
  /// - Complexity: O(size of the rules).
  package static func report(_ rules: SourcedRuleSet, _ allowance: ExportAllowance) -> ExportReport {
    var report = ExportReport(tool: .posthog)
    var actions: [NamedAction] = []
    var numbers: [UTF8String: Int] = [:]
    let read = ExportedRules(rules, styles: [.postHog, .postHogWeb])
    for (number, rule) in rules.ruleSet.rules.enumerated() {
      let (row, steps) = read.posthog(rule, number)
      report.rows.append(row)
      guard rule.effect == .include, rule.isEnabled else { continue }
      report.rows[number].isWritten = allowance.takes(row)
      for name in rule.names {
        let key = UTF8String(name)
        let action = numbers[key] ?? actions.count
        if action == actions.count {
          numbers[key] = action
          actions.append(NamedAction(action: PostHogAction(name: key)))
        }
        if report.rows[number].isWritten {
          actions[action].add(rule, number, steps)
        } else {
          actions[action].without.append(rule.id)
        }
      }
    }
    var names = ExportFileNames()
    for action in actions where !action.rows.isEmpty {
      let file = names.name(action.action.name.text) + ".json"
      let bytes = action.action.json.json + [UInt8(ascii: "\n")]
      report.files.append(ExportReport.File(name: file, bytes: bytes, count: 1))
      for row in action.rows { report.rows[row].files.append(file) }
      guard !action.without.isEmpty else { continue }
      let verb = action.without.count == 1 ? "selects" : "select"
      report.notes.append(
        ExportReport.Note(
          code: "incomplete-action",
          text:
            "The action \(action.action.name) lacks \(NameList.text(action.without.map { "'\($0)'" })),"
            + " which \(verb) events under this name, too."
        ))
    }
    report.noteOrigins(rules.ruleSet)
    return report
  }

  /// The action of a name, and the rules that select events under it.
  private struct NamedAction {
    var action: PostHogAction
    /// The numbers of the rules in it.
    var rows: [Int] = []
    /// The rules that are not in it.
    var without: [UTF8String] = []
    private var steps: Set<PostHogAction.Step> = []
    private var tags: Set<UTF8String> = []

    init(action: PostHogAction) { self.action = action }

    mutating func add(_ rule: SelectionRule, _ number: Int, _ steps: [PostHogAction.Step]) {
      rows.append(number)
      action.summary = action.summary ?? rule.summary
      for tag in rule.tags where tags.insert(UTF8String(tag)).inserted { action.tags.append(tag) }
      for step in steps where self.steps.insert(step).inserted { action.steps.append(step) }
    }
  }
}
