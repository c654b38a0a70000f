import EncircleIdentity
import EncircleRuleFiles
import EncircleRules
import EncircleText

extension FindingList {
  /// Reports properties that no event of their rule gets.
  ///
  /// - Parameter screens: Knows the elements of the captures that the survey counts, and what they say.
  mutating func checkProperties(_ survey: CaptureSurvey, _ screens: ElementDictionary, _ names: KnownNames) {
    for (number, rule) in rules.ruleSet.rules.enumerated() where rule.isEnabled {
      for (i, property) in rule.properties.enumerated() {
        switch property.source {
        case .constant: continue
        case .property(let reference):
          if case .property(let name) = reference { checkReference(name, rule, .given(i), names) }
        case .path, .element: checkElements(property, rule, number, .given(i), survey, screens)
        }
      }
      for (section, clauses) in [(RuleSource.Section.clauses, rule.clauses), (.unless, rule.unless)] {
        for (i, clause) in clauses.enumerated() {
          for (j, test) in clause.properties.enumerated() {
            checkWithin(test, rule, number, .property(section, i, j), survey, screens)
          }
        }
      }
    }
  }

  private mutating func checkReference(
    _ name: UTF8String, _ rule: SelectionRule, _ part: RuleSource.Part, _ names: KnownNames
  ) {
    guard names.hasEvents, !names.properties.contains(name) else { return }
    add(.unreadableProperty, rule, part, "no event has a property \(name)")
  }

  private mutating func checkElements(
    _ property: RuleProperty, _ rule: SelectionRule, _ number: Int, _ part: RuleSource.Part, _ survey: CaptureSurvey,
    _ screens: ElementDictionary
  ) {
    if rule.clauses.allSatisfy(\.isOfPageViews) {
      return add(.unreadableProperty, rule, part, "views of pages have no element, from which \(property.name) is read")
    }
    guard survey.skippedCount == 0, let matches = survey.matches[number] else { return }
    var reasons: Set<String> = []
    var example: String?
    for id in matches.sorted() {
      guard let entry = screens[id] else { return }
      let page = entry.page.map { UTF8String($0) }
      guard let problem = property.problem(at: entry.path, page: page, screens, screens.hierarchy) else { return }
      reasons.insert(problem)
      example = example ?? entry.path.written(.slashes)
    }
    guard !reasons.isEmpty else { return }
    add(
      .unreadableProperty, rule, part,
      "none of the \(matches.count) elements that the rule matches in the captures gets \(property.name), "
        + "\(property.origin): \(reasons.sorted().joined(separator: ", or "))",
      example: example)
  }
}

extension FindingList {
  /// Reports a test of what is said around elements that holds for none of those that the rule matches in captures.
  private mutating func checkWithin(
    _ test: PropertyTest, _ rule: SelectionRule, _ number: Int, _ part: RuleSource.Part, _ survey: CaptureSurvey,
    _ screens: ElementDictionary
  ) {
    guard survey.skippedCount == 0, let matches = survey.matches[number], !matches.isEmpty,
      case .textsWithin(let selector) = test.property
    else { return }
    var known = 0
    var example: String?
    for id in matches.sorted() {
      guard let entry = screens[id] else { return }
      example = example ?? entry.path.written(.slashes)
      guard let page = entry.page,
        let texts = screens.texts(within: selector, around: entry.path, page: UTF8String(page), rules.ruleSet.style)
      else { continue }
      if ConditionProbe(test.condition).holds(.list(texts.map { .string($0) })) { return }
      if known == 0 {
        let said = texts.prefix(5).map { "\"\($0)\"" }.joined(separator: ", ")
        example = "around \(entry.path.written(.slashes)): \(said)"
      }
      known += 1
    }
    let count = "\(matches.count) element\(matches.count == 1 ? "" : "s")"
    add(
      .neverTogether, rule, part,
      known == 0
        ? "none of the \(count) that the rule matches in the captures is within \(selector), of which the captures know texts"
        : "the rule matches \(count) of the captures, \(known) of them within \(selector), where never a text "
          + (test.condition.ofTextWithin ?? test.condition).description, example: example)
  }
}

extension SelectionRule {
  /// Whether the rule reads the surroundings of the elements that it matches: for its properties, or for `within`.
  var readsElements: Bool { !properties.isEmpty || asksForTextsWithin }
}

extension RuleClause {
  /// Whether only events that a page is viewed or left match.
  fileprivate var isOfPageViews: Bool {
    guard case .isOneOf(let values, fold: false)? = event else { return false }
    return values.allSatisfy { value in
      if case .string(let name) = value { ExcludedPage.pageViewEvents.contains(name) } else { false }
    }
  }
}
