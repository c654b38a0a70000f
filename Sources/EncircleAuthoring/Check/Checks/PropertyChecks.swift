import EncircleIdentity
import EncircleRuleFiles
import EncircleRules
import EncircleText

extension FindingList {
  /// Reports properties that no event of their rule gets.
  ///
  /// - Parameter screens: The elements of the captures that the survey counts, with the texts that they show.
  mutating func checkProperties(_ survey: CaptureSurvey, _ screens: ElementDictionary, _ names: KnownNames) {
    for (number, rule) in rules.ruleSet.rules.enumerated() where rule.isEnabled {
      for (i, property) in rule.properties.enumerated() {
        switch property.source {
        case .constant(let value): checkConstant(value, rule, .given(i))
        case .property(let reference):
          if case .property(let name) = reference { checkReference(name, rule, .given(i), names) }
        case .path, .element: checkElements(property, rule, number, .given(i), survey, screens)
        }
      }
      for (section, i, clause) in rule.numberedClauses {
        for (j, test) in clause.properties.enumerated() {
          checkWithin(test, rule, number, .property(section, i, j), survey, screens)
        }
      }
    }
  }

  /// Reports a constant text that looks like a path, a template or the name of a property to read from.
  private mutating func checkConstant(_ value: Scalar, _ rule: SelectionRule, _ part: RuleSource.Part) {
    guard case .string(let text) = value else { return }
    let bytes = text.text.utf8
    if bytes.starts(with: "../".utf8) || bytes.starts(with: "./".utf8) {
      add(
        .patternAsText, rule, part, "the property is the text \"\(text)\" itself, not what an element says",
        suggestion: "{ element: \(text) }")
    } else if bytes.first == UInt8(ascii: "{") || bytes.starts(with: "${".utf8), bytes.last == UInt8(ascii: "}") {
      add(
        .patternAsText, rule, part, "the property is the text \"\(text)\" itself: there are no templates",
        suggestion: "{ property: … } for another property, { element: … } for the text of an element")
    } else if bytes.first == UInt8(ascii: "$"), bytes.count > 2,
      bytes.dropFirst().allSatisfy({ ($0 | 0x20) >= 0x61 && ($0 | 0x20) <= 0x7A || $0 == UInt8(ascii: "_") })
    {
      add(
        .patternAsText, rule, part, "the property is the text \"\(text)\" itself, not another property of the event",
        suggestion: "{ property: \(text) }")
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
    if rule.clauses.allSatisfy({ !EventNames.withoutElement($0.event).isEmpty }) {
      return add(
        .unreadableProperty, rule, part,
        "events of pages and of the app have no element from which \(property.name) is read")
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
    let gets =
      matches.count == 1
      ? "the only element that the rule matches in the captures does not get"
      : "none of the \(matches.count) elements that the rule matches in the captures gets"
    add(
      .unreadableProperty, rule, part,
      "\(gets) \(property.name), \(property.origin): \(reasons.sorted().joined(separator: ", or "))",
      example: example)
  }
}

extension FindingList {
  /// Reports a test of the texts around an element if it holds for no element that the rule matches in the captures.
  private mutating func checkWithin(
    _ test: PropertyTest, _ rule: SelectionRule, _ number: Int, _ part: RuleSource.Part, _ survey: CaptureSurvey,
    _ screens: ElementDictionary
  ) {
    guard survey.skippedCount == 0, case .textsWithin(let selector) = test.property else { return }
    guard let matches = survey.matches[number], !matches.isEmpty else {
      // A rule that names no element applies to all of them.
      if screens.count > 0, rule.clauses.allSatisfy({ $0.selectors.isEmpty && $0.eventIDs.isEmpty }) {
        checkWithin(test, selector, rule, part, screens)
      }
      return
    }
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
    let count = counted(matches.count, "element")
    let isWithin =
      matches.count == 1
      ? "the only element that the rule matches in the captures is not"
      : "none of the \(count) that the rule matches in the captures is"
    add(
      .neverTogether, rule, part,
      known == 0
        ? "\(isWithin) within a \(selector) with texts"
        : "the rule matches \(count) of the captures, \(known) of them within \(selector), where never a text "
          + (test.condition.ofTextWithin ?? test.condition).description, example: example)
  }
}

extension FindingList {
  // The maximum number of elements whose surroundings are read.
  private static let maximumAround = 300

  /// Reports a test of the texts around an element if it holds for no element of the captures.
  private mutating func checkWithin(
    _ test: PropertyTest, _ selector: UTF8String, _ rule: SelectionRule, _ part: RuleSource.Part,
    _ screens: ElementDictionary
  ) {
    var known = 0
    var holds = false
    var example: String?
    screens.forEachEntry { _, entry in
      guard !holds, known < Self.maximumAround, let page = entry.page,
        let texts = screens.texts(within: selector, around: entry.path, page: UTF8String(page), rules.ruleSet.style)
      else { return }
      known += 1
      if ConditionProbe(test.condition).holds(.list(texts.map { .string($0) })) { holds = true }
      if example == nil {
        let said = texts.prefix(5).map { "\"\($0)\"" }.joined(separator: ", ")
        example = "around \(entry.path.written(.slashes)): \(said)"
      }
    }
    guard !holds, known < Self.maximumAround else { return }
    add(
      .neverTogether, rule, part,
      known == 0
        ? "no element of the captures is within a \(selector) with texts"
        : "\(known) elements of the captures are within \(selector), where never a text "
          + (test.condition.ofTextWithin ?? test.condition).description, example: example)
  }
}

extension SelectionRule {
  /// This is true if the rule reads elements around the matched one, as properties and `within` do.
  var readsElements: Bool { !properties.isEmpty || needsTextsWithin }
}
