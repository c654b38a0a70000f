import EncircleAuthoring
import EncircleEvents
import EncircleRuleFiles
import EncircleRules
import EncircleText

/// The answer of `GET /v1/drift`.
struct DriftAnswer {
  let versions: ScreenVersions
  let report: DriftReport
  /// The only rule to list; nil for all rules.
  let only: UTF8String?
  /// The rules in force.
  let ruleSet: RuleSet
  /// The rules in force, as their file contains them.
  let document: RuleFileDocument
  /// The ids of the rules that break in the draft; nil without a readable draft.
  let brokenInDraft: Set<UTF8String>?
  let records: [String: CaptureRecord]

  func append(to json: inout JSONBuilder) {
    json.nullable("app", versions.app)
    json.nullable("version", versions.version)
    json.member("complete", versions.isComplete)
    json.member("rules_compared", report.ruleCount ?? 0)
    json.member("broken", report.rules.count)
    if let brokenInDraft {
      json.member("broken_in_draft", report.rules.count { brokenInDraft.contains($0.drift.id) })
    }
    let rules = report.rules.filter { only == nil || only == $0.drift.id }
    let document = document.rulesByID
    let read = Dictionary(ruleSet.rules.map { ($0.id, $0) }) { first, _ in first }
    json.array("rules", rules) { rule, json in
      json.object {
        DriftJSON.append(rule, report.screens, to: &$0)
        append(rule, document[rule.drift.id], read[rule.drift.id], to: &$0)
      }
    }
    json.array("screens", report.screens) { screen, json in
      json.object {
        append(screen.old.name, as: "old", to: &$0)
        append(screen.new.name, as: "new", to: &$0)
        $0.member("unchanged", screen.unchangedCount)
        for kind in ScreenDrift.Kind.allCases {
          $0.member(kind.rawValue, screen.changes.count { $0.kinds.contains(kind) })
        }
        $0.member("gone", screen.gone.count)
        $0.member("added", screen.added.count)
        $0.member("reused_ids", report.reusedIDs(screen).count)
      }
    }
    json.array("new_pages", versions.onlyNew) { id, json in json.object { append(id, to: &$0) } }
  }

  /// Writes the possible changes of the rule: its repaired form, its retired form, and its form in the draft.
  private func append(
    _ rule: DriftReport.Rule, _ written: EventObject?, _ read: SelectionRule?, to json: inout JSONBuilder
  ) {
    json.member("message", rule.drift.kind.heading)
    json.nullable("name", Self.text(written?["name"]))
    if let written { json.member("etag", "\"\(RuleSetLibrary.digest(written))\"") }
    if let brokenInDraft { json.member("broken_in_draft", brokenInDraft.contains(rule.drift.id)) }
    if let repair = rule.repair { json.member("repaired", .object(repair.rule)) }
    let pairs = rule.drift.brokenPairs.map { report.screens[$0] }
    let version = pairs.compactMap { $0.new.screen.tree.header.appVersion }.first
    json.nullable("version", version)
    json.nullable("old_version", pairs.compactMap { $0.old.screen.tree.header.appVersion }.first)
    guard let version, let written, let read,
      let retired = RetiredRule.retiring(
        written, read: read, in: ruleSet, from: version,
        on: pairs.map(\.new.screen).filter { $0.tree.header.appVersion?.hasSameBytes(as: version) ?? false })
    else { return }
    json.member("retired", .object(retired))
  }

  private static func text(_ value: EventValue?) -> String? { if case .string(let text)? = value { text } else { nil } }

  private func append(_ id: String, as name: String, to json: inout JSONBuilder) {
    json.object(name) { append(id, to: &$0) }
  }

  private func append(_ id: String, to json: inout JSONBuilder) {
    json.member("id", id)
    guard let record = records[id] else { return }
    json.member("name", record.name)
    json.nullable("page", record.page)
    json.nullable("title", record.title)
    json.nullable("app_version", record.appVersion)
  }
}
