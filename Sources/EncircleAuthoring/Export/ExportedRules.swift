import EncircleIdentity
import EncircleRuleFiles
import EncircleRules
import EncircleText

/// A rule set, read for a tool: once for each style of the tool's events.
struct ExportedRules {
  private static let maximumReasons = 50
  private let whole: SourcedRuleSet
  /// The part of the rule set for each style, and where its rules are.
  let parts: [(style: PathStyleName, ruleSet: RuleSet, numbers: [UTF8String: Int], excludedPages: Set<UTF8String>)]
  /// The first few enabled rules that exclude events: of all such rules, of those for every app, and of those for each app.
  private var excludingAll = FirstRules()
  private var excludingAnyApp = FirstRules()
  private var excludingByApp: [UTF8String: FirstRules] = [:]

  /// The first few of many rules.
  private struct FirstRules {
    var ids: [UTF8String] = []
    mutating func add(_ id: UTF8String) { if ids.count < 4 { ids.append(id) } }
  }

  /// - Parameter styles: The styles of the tool. If no rule is in one of them, the rules are read in the style of the rule set:
  ///   clauses without a path and a page can still be exported.
  init(_ rules: SourcedRuleSet, styles: [PathStyleName]) {
    whole = rules
    let own = styles.filter { rules.ruleSet.styles.contains($0) }
    parts = (own.isEmpty ? [rules.ruleSet.style] : own).map { style in
      let part = rules.ruleSet.part(of: style)
      var numbers: [UTF8String: Int] = [:]
      for (number, rule) in part.rules.enumerated() { numbers[rule.id] = number }
      return (style, part, numbers, PostHogSteps.excludedPages(of: part))
    }
    for rule in rules.ruleSet.rules where rule.effect == .exclude && rule.isEnabled {
      excludingAll.add(rule.id)
      if rule.apps.isEmpty { excludingAnyApp.add(rule.id) }
      for app in rule.apps { excludingByApp[app, default: FirstRules()].add(rule.id) }
    }
  }

  /// Returns the first few rules that exclude events of a rule's apps.
  func excluding(_ rule: SelectionRule) -> [UTF8String] {
    guard !rule.apps.isEmpty else { return excludingAll.ids }
    var first = excludingAnyApp
    for app in rule.apps { for id in excludingByApp[app]?.ids ?? [] where !first.ids.contains(id) { first.add(id) } }
    return first.ids
  }

  /// Returns the reason if the definition of a rule also takes events that exclude rules leave out; nil without such rules.
  func excludedElsewhere(_ rule: SelectionRule) -> String? {
    let ids = excluding(rule)
    guard !ids.isEmpty else { return nil }
    let shown = ids.prefix(3).map { "'\($0)'" }.joined(separator: ", ") + (ids.count > 3 ? " and others" : "")
    return "The definition also takes events that \(shown) \(ids.count == 1 ? "excludes" : "exclude")."
  }

  /// Returns the steps of a rule in all its styles, and its row of the report.
  func posthog(_ rule: SelectionRule, _ number: Int) -> (ExportReport.Row, [PostHogAction.Step]) {
    var row = ExportReport.Row(rule: rule.id, name: rule.name, target: "action", reasons: [])
    row.order = number
    var steps: [PostHogAction.Step] = []
    var isRead = false
    for part in parts {
      guard let place = part.numbers[rule.id] else { continue }
      isRead = true
      let read = PostHogSteps(part.ruleSet.rules[place], in: part.ruleSet, excludedPages: part.excludedPages)
      steps += read.steps.filter { !steps.contains($0) }
      let pointer = RulePointer(rule, whole.sources[rule.id], style: part.style)
      for reason in read.reasons { add(reason, pointer, to: &row) }
    }
    let pointer = RulePointer(rule, whole.sources[rule.id], style: parts[0].style)
    if !isRead {
      add(PostHogReason(.otherStyle, "It is for events of SDKs other than PostHog's."), pointer, to: &row)
    }
    if rule.names.contains(where: { $0.utf16.count > PostHogAction.longestName }) {
      let text = "PostHog takes names of at most \(PostHogAction.longestName) characters."
      add(PostHogReason(.nameTooLong, .refused, text, key: "/emit"), pointer, to: &row)
    }
    if row.status != .refused, let text = excludedElsewhere(rule) {
      add(PostHogReason(.excludeRules, .wider, text), pointer, to: &row)
    }
    return (row, row.status == .refused ? [] : steps)
  }

  private func add(_ reason: PostHogReason, _ pointer: RulePointer, to row: inout ExportReport.Row) {
    add(reason.code.rawValue, reason.effect, reason.text, reason.part, reason.key, pointer, to: &row)
  }

  /// Adds a reason, unless it is there already.
  func add(
    _ code: String, _ effect: ExportReport.Effect, _ text: String, _ part: RuleSource.Part?, _ key: String?,
    _ pointer: RulePointer, to row: inout ExportReport.Row
  ) {
    // Nobody would read more reasons for one rule. The first one of each effect is always there, as the status depends on it.
    guard row.reasons.count < Self.maximumReasons || !row.reasons.contains(where: { $0.effect == effect }) else {
      return
    }
    let reason = ExportReport.Reason(
      code: code, effect: effect, text: text, pointer: key ?? part.map(pointer.pointer) ?? "",
      place: pointer.place(part ?? .id))
    let isKnown = row.reasons.contains { known in
      known.code == reason.code && known.pointer == reason.pointer && known.text.hasSameBytes(as: text)
    }
    if !isKnown { row.reasons.append(reason) }
  }
}
