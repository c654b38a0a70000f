import EncircleRuleFiles
import EncircleRules
import EncircleText

extension FindingList {
  /// Reports tests of one clause that never hold together, and exceptions that no event of the rule meets.
  mutating func checkCooccurrence(_ survey: CooccurrenceSurvey) {
    let all = rules.ruleSet.rules
    for (i, rule) in all.enumerated() where rule.isEnabled {
      for (j, clause) in rule.clauses.enumerated() {
        if checkEvent(
          rule, clause, j, survey.count(of: .init(rule: i, section: .clauses, clause: j, parts: [.event, .element])))
        {
          continue
        }
        checkPairs(rule, i, clause, j, survey)
      }
      checkExceptions(rule, i, survey)
    }
  }

  /// Reports names of events without an element in a clause that asks for an element.
  private mutating func checkEvent(
    _ rule: SelectionRule, _ clause: RuleClause, _ number: Int, _ seen: CooccurrenceSurvey.Count?
  ) -> Bool {
    let names = EventNames.withoutElement(clause.event)
    guard !names.isEmpty, seen?.total ?? 0 == 0 else { return false }
    let list = NameList.text(names)
    if !clause.selectors.isEmpty || !clause.eventIDs.isEmpty {
      add(
        .neverTogether, rule, .event(.clauses, number),
        "\(list) is not an event of an element, so no selector or event ID matches it",
        suggestion: "event: $AppClick for taps, or 'page' in place of the element")
      return true
    }
    let fields: [EventFields.Field] = [.content, .type, .position, .actions, .alertTitle, .alertMessage]
    for (k, test) in clause.properties.enumerated() where !ConditionProbe(test.condition).holds(nil) {
      guard fields.contains(where: { rules.ruleSet.fields.places(of: $0).contains(test.property) }) else { continue }
      add(
        .neverTogether, rule, .property(.clauses, number, k),
        "\(list) is not an event of an element, so it never has \(test.property)",
        suggestion: "event: $AppClick for taps")
      return true
    }
    return false
  }

  private mutating func checkPairs(
    _ rule: SelectionRule, _ i: Int, _ clause: RuleClause, _ j: Int, _ survey: CooccurrenceSurvey
  ) {
    func count(_ parts: CooccurrenceSurvey.Part...) -> CooccurrenceSurvey.Count? {
      survey.count(of: .init(rule: i, section: .clauses, clause: j, parts: parts))
    }
    for (k, test) in clause.properties.enumerated() {
      for part in [CooccurrenceSurvey.Part.element, .page, .event] {
        guard let one = count(part), let other = count(.property(k)), let both = count(part, .property(k)),
          both.total == 0, one.total > 0, other.total > 0, isSignificant(part, test, one, other)
        else { continue }
        add(
          .neverTogether, rule, .property(.clauses, j, k),
          "\(describe(part, clause)) and \(test.property) \(test.condition.description) each occur, but never together",
          example: [one.example.map { "the one: \($0)" }, other.example.map { "the other: \($0)" }].compactMap(\.self)
            .joined(separator: "; "))
        break
      }
    }
  }

  /// Returns whether it is significant that a part of the clause and a test of a property never hold together. Elements with many
  /// different texts prove nothing, because lists also show texts that no capture has.
  private func isSignificant(
    _ part: CooccurrenceSurvey.Part, _ test: PropertyTest, _ one: CooccurrenceSurvey.Count,
    _ other: CooccurrenceSurvey.Count
  ) -> Bool {
    func isOne(of fields: EventFields.Field...) -> Bool {
      fields.contains { rules.ruleSet.fields.places(of: $0).contains(test.property) }
    }
    switch part {
    case .element:
      if isOne(of: .type, .actions) { return true }
      return isOne(of: .content, .alertTitle, .alertMessage) && one.contents.count < CooccurrenceSurvey.maximumContents
    case .page: return isOne(of: .content, .alertTitle, .alertMessage, .actions) && one.elements + one.events > 1
    // Unless the event was seen several times, the absence of values may be a coincidence.
    case .event: return one.events >= 3 && other.events > 0 && one.elements == 0
    default: return false
    }
  }

  private func describe(_ part: CooccurrenceSurvey.Part, _ clause: RuleClause) -> String {
    switch part {
    case .element: clause.selectors.isEmpty ? "the event ID" : "the selector"
    case .page: "the page " + (clause.page?.description ?? "")
    default: "the event " + (clause.event?.description ?? "")
    }
  }

  /// Reports clauses of `unless` that hold for known events, but for no event that the rule matches.
  private mutating func checkExceptions(_ rule: SelectionRule, _ i: Int, _ survey: CooccurrenceSurvey) {
    func count(_ section: RuleSource.Section, _ clause: Int) -> CooccurrenceSurvey.Count {
      survey.count(of: .init(rule: i, section: section, clause: clause, parts: [.clause])) ?? .init()
    }
    guard !rule.unless.isEmpty, rule.clauses.indices.contains(where: { count(.clauses, $0).total > 0 }) else { return }
    for (j, clause) in rule.unless.enumerated() {
      // If the rule does not match the element that an exception names, the exception is meant for something else.
      guard !clause.selectors.isEmpty, clause.event == nil, count(.unless, j).total > 0, count(.unless, j).matched == 0
      else { continue }
      add(
        .idleException, rule, .clause(.unless, j),
        "the exception holds for elements and events that were given, but for none that the rule matches",
        example: count(.unless, j).example)
    }
  }
}
