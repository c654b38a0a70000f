import EncircleEvents
import EncircleRuleFiles
import EncircleRules
import EncircleText

extension PlanImport {
  /// Returns the files with the changes applied: only differing parts are written, so that comments and layout stay.
  ///
  /// - Parameters:
  ///   - plan: The plan that the table was compared with.
  ///   - texts: The files of the plan.
  ///   - home: The name of the file for new items, one of `texts` or a new one.
  ///   - rules: The rules beside the plan.
  /// - Throws: ``RuleFileErrors`` if a text cannot be changed in this way, or if the rules and the plan would no longer load.
  /// - Complexity: O(*n*), *n* bytes of the files.
  package func files(
    of plan: TrackingPlan, _ texts: [(name: String, text: String)], home: String, rules: RuleFiles
  ) throws(RuleFileErrors) -> [ChangedFile] {
    var changed: [ChangedFile] = []
    var texts = texts
    if !texts.contains(where: { $0.name.hasSameBytes(as: home) }) { texts.append((home, "")) }
    let places = Self.places(in: plan)
    var drafts: [UTF8String: [(place: Int?, draft: PlanDraft)]] = [:]
    for draft in self.drafts where draft.isChanged {
      let file = UTF8String(draft.entry.planned?.file ?? home)
      drafts[file, default: []].append((places[draft.entry.event], draft))
    }
    for i in texts.indices {
      guard let own = drafts[UTF8String(texts[i].name)] else { continue }
      let text = try Self.planText(texts[i], own)
      changed.append(ChangedFile(name: texts[i].name, old: texts[i].text, new: text))
      texts[i].text = text
    }
    let ruleTexts = try changedRules(rules)
    changed += ruleTexts
    let newRules = rules.replacing(
      Dictionary(uniqueKeysWithValues: ruleTexts.map { (UTF8String($0.name), $0.new) }))
    _ = try PlanFiles(texts: texts.filter { !$0.text.isEmpty }, for: try newRules.ruleSet())
    return changed
  }

  /// Returns the number of each event within its file.
  private static func places(in plan: TrackingPlan) -> [UTF8String: Int] {
    var counts: [UTF8String: Int] = [:]
    var places: [UTF8String: Int] = [:]
    for event in plan.entries.compactMap(\.planned) {
      let file = UTF8String(event.file)
      places[event.event] = counts[file, default: 0]
      counts[file, default: 0] += 1
    }
    return places
  }

  private static func planText(
    _ file: (name: String, text: String), _ drafts: [(place: Int?, draft: PlanDraft)]
  ) throws(RuleFileErrors) -> String {
    var items: [EventValue] = []
    if case .object(let object) = try RuleFileDocument(file.text, name: file.name).value,
      case .list(let list)? = object["events"]
    {
      items = list
    }
    var changes: [Int: EventObject] = [:]
    var added: [EventObject] = []
    for (place, draft) in drafts {
      if let place, place < items.count, case .object(let item) = items[place] {
        changes[place] = draft.applied(to: item)
      } else {
        added.append(draft.applied(to: nil))
      }
    }
    return try RuleListEdit.applying(
      changes, appending: added, toListAt: "events", keys: PlanKeys.event, in: file.text, name: file.name)
  }

  private func changedRules(_ rules: RuleFiles) throws(RuleFileErrors) -> [ChangedFile] {
    guard !ruleChanges.isEmpty else { return [] }
    var changed: [ChangedFile] = []
    for name in rules.names {
      guard let text = rules.text(of: name) else { continue }
      var items: [EventValue] = []
      if case .object(let object) = try RuleFileDocument(text, name: name).value,
        case .list(let list)? = object["rules"]
      {
        items = list
      }
      var changes: [Int: EventObject] = [:]
      for (i, item) in items.enumerated() {
        guard case .object(var rule) = item, let id = rule.ruleID, let change = ruleChanges[UTF8String(id)] else {
          continue
        }
        for (key, value) in change.facts { rule[key] = value }
        changes[i] = rule
      }
      if changes.isEmpty { continue }
      let new = try RuleListEdit.applying(
        changes, appending: [], toListAt: "rules", keys: RuleFileKeys.rule, in: text, name: name)
      changed.append(ChangedFile(name: name, old: text, new: new))
    }
    return changed
  }
}
