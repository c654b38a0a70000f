import EncircleEvents
import EncircleRuleFiles
import EncircleRules
import EncircleText

extension PlanImport {
  /// Returns the files with the changes applied: only differing parts are written, so that comments and layout stay.
  ///
  /// Facts that the plan states although rules emit their events move into these rules. Rejects the rows of events that cannot be
  /// changed on their own, because others share a part of them by a YAML alias.
  ///
  /// - Parameters:
  ///   - plan: The plan that the table was compared with.
  ///   - texts: The files of the plan.
  ///   - home: The name of the file for new items, one of `texts` or a new one.
  ///   - rules: The rules beside the plan.
  /// - Throws: ``RuleFileErrors`` if a fact cannot move, if the rules and the plan would no longer load, or if far too many events
  ///   cannot be changed.
  /// - Complexity: O(*n*), *n* bytes of the files, times O(log events) for each event that cannot be changed.
  package mutating func files(
    of plan: TrackingPlan, _ texts: [(name: String, text: String)], home: String, rules: RuleFiles
  ) throws(RuleFileErrors) -> [ChangedFile] {
    var texts = texts
    if !texts.contains(where: { $0.name.hasSameBytes(as: home) }) { texts.append((home, "")) }
    let places = Self.places(in: plan)
    moveFacts(of: plan)
    while hasChanges {
      var refused: [UTF8String: RuleFileErrors] = [:]
      let plans = try changedPlans(texts, home, places, &refused)
      let ruleTexts = try changedRules(rules, &refused)
      // The plan would not load with a fact that stays, and the table need not have a row of its event.
      for moved in movedFacts { if let error = refused[moved.event] { throw error } }
      if !refused.isEmpty {
        reject(refused.mapValues { $0.diagnostics.first?.shortText ?? "\($0)" })
        continue
      }
      let new = Dictionary((plans + ruleTexts).map { (UTF8String($0.name), $0.new) }) { first, _ in first }
      let newTexts = texts.map { (name: $0.name, text: new[UTF8String($0.name)] ?? $0.text) }
      _ = try PlanFiles(texts: newTexts.filter { !$0.text.isEmpty }, for: try rules.replacing(new).ruleSet())
      // The rules come first: if the plan cannot be written after them, no fact that moves is lost.
      return ruleTexts + plans
    }
    return []
  }

  /// Moves the facts that the plan states although rules emit their events: into the first rule of the event, unless a rule or
  /// the table has another one.
  private mutating func moveFacts(of plan: TrackingPlan) {
    var numbers = Dictionary(drafts.enumerated().map { ($1.entry.event, $0) }) { first, _ in first }
    for entry in plan.entries {
      guard let planned = entry.planned, let first = entry.rules.first else { continue }
      // A literal nil would be a null of YAML.
      let tags = planned.tags.isEmpty ? EventValue?.none : .some(.list(planned.tags.map { .string($0) }))
      let facts: [(key: String, value: EventValue?, home: SelectionRule?)] = [
        ("name", planned.name.map { EventValue.string($0) }, entry.rules.first { $0.name != nil }),
        ("description", planned.summary.map { EventValue.string($0) }, entry.rules.first { $0.summary != nil }),
        ("owner", planned.owner.map { EventValue.string($0) }, entry.rules.first { $0.owner != nil }),
        ("tags", tags, entry.rules.first { !$0.tags.isEmpty }),
      ]
      for (key, value, home) in facts {
        guard let value else { continue }
        let number = numbers[entry.event] ?? drafts.count
        numbers[entry.event] = number
        if number == drafts.count { drafts.append(PlanDraft(entry, isNew: false)) }
        drafts[number].facts.append((key: key, value: nil))
        let rule = home?.id ?? first.id
        let isInTable = ruleChanges[rule]?.facts.contains { $0.key.hasSameBytes(as: key) } ?? false
        let isTaken = home == nil && !isInTable
        if isTaken { ruleChanges[rule, default: .init()].facts.append((key: key, value: value, event: entry.event)) }
        movedFacts.append(MovedFact(event: entry.event, key: key, rule: rule, isTaken: isTaken))
      }
    }
  }

  /// Rejects the rows of events, for the given reasons, with all that they change.
  private mutating func reject(_ refused: [UTF8String: String]) {
    drafts.removeAll { refused[$0.entry.event] != nil }
    for id in Array(ruleChanges.keys) {
      ruleChanges[id]?.facts.removeAll { refused[$0.event] != nil }
      if ruleChanges[id]?.facts.isEmpty ?? false { ruleChanges[id] = nil }
    }
    for i in rows.indices {
      guard let reason = refused[rows[i].event], [.new, .changed, .removed].contains(rows[i].outcome.word) else {
        continue
      }
      rows[i].outcome = .rejected(column: "", reason: reason)
      rows[i].changes = []
    }
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

  /// Returns the files of the plan that change, and adds the events that cannot be changed to `refused`, with the reasons.
  private func changedPlans(
    _ texts: [(name: String, text: String)], _ home: String, _ places: [UTF8String: Int],
    _ refused: inout [UTF8String: RuleFileErrors]
  ) throws(RuleFileErrors) -> [ChangedFile] {
    let changing = Dictionary(grouping: drafts.filter(\.isChanged)) { UTF8String($0.entry.planned?.file ?? home) }
    var changed: [ChangedFile] = []
    for (name, text) in texts {
      guard let own = changing[UTF8String(name)] else { continue }
      let document = try RuleFileDocument(text, name: name)
      let result = try RuleListEdit.editing(document, by: own) { (drafts, document) throws(RuleFileErrors) in
        let items = Self.items(of: document, at: "events")
        var changes: [Int: EventObject] = [:]
        var added: [EventObject] = []
        for draft in drafts {
          if let place = places[draft.entry.event], place < items.count, case .object(let item) = items[place] {
            changes[place] = draft.applied(to: item)
          } else {
            added.append(draft.applied(to: nil))
          }
        }
        return try RuleListEdit.applying(
          changes, appending: added, toListAt: "events", keys: PlanKeys.event, in: document)
      }
      for (draft, error) in result.refused { refused[draft.entry.event] = error }
      changed.append(ChangedFile(name: name, old: text, new: result.document.text))
    }
    return changed
  }

  /// Returns the files of rules that change, and adds the events whose rules cannot be changed to `refused`, with the reasons.
  private func changedRules(
    _ rules: RuleFiles, _ refused: inout [UTF8String: RuleFileErrors]
  ) throws(RuleFileErrors) -> [ChangedFile] {
    guard !ruleChanges.isEmpty else { return [] }
    var changed: [ChangedFile] = []
    for name in rules.names {
      guard let text = rules.text(of: name) else { continue }
      let document = try RuleFileDocument(text, name: name)
      var own: [(place: Int, change: RuleChange)] = []
      for (i, item) in Self.items(of: document, at: "rules").enumerated() {
        guard case .object(let rule) = item, let id = rule.ruleID, let change = ruleChanges[UTF8String(id)] else {
          continue
        }
        own.append((i, change))
      }
      if own.isEmpty { continue }
      let result = try RuleListEdit.editing(document, by: own) { (own, document) throws(RuleFileErrors) in
        let items = Self.items(of: document, at: "rules")
        var changes: [Int: EventObject] = [:]
        for (place, change) in own {
          guard case .object(var rule) = items[place] else { continue }
          for fact in change.facts { rule[fact.key] = fact.value }
          changes[place] = rule
        }
        return try RuleListEdit.applying(
          changes, appending: [], toListAt: "rules", keys: RuleFileKeys.rule, in: document)
      }
      for (own, error) in result.refused {
        for fact in own.change.facts { refused[fact.event] = error }
      }
      changed.append(ChangedFile(name: name, old: text, new: result.document.text))
    }
    return changed
  }

  private static func items(of document: RuleFileDocument, at key: String) -> [EventValue] {
    guard case .object(let object) = document.value, case .list(let list)? = object[key] else { return [] }
    return list
  }
}
