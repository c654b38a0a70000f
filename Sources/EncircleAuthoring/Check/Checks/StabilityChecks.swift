import EncircleEvents
import EncircleIdentity
import EncircleRuleFiles
import EncircleRules
import EncircleText
import EncircleTree

extension FindingList {
  /// Reports the parts of rules that rely on something that will probably change.
  ///
  /// - Parameter releases: The major releases of iOS on which the app is known to be used.
  mutating func checkStability(_ survey: CaptureSurvey, _ hierarchy: ClassHierarchy, releases: ClosedRange<Int>) {
    let all = rules.ruleSet.rules
    let origins = ClassOrigins(in: hierarchy)
    var stabilities: [ElementSelector: SelectorStability] = [:]
    for item in survey.items {
      let rule = all[item.rule]
      let clause = rule.clauses[item.clause]
      if item.isSelector {
        let selector = rule.asMatched(clause.selectors[item.number])
        let known =
          stabilities[selector]
          ?? SelectorStability(of: selector, siblings: { _ in nil }, origin: { origins.origin(of: $0) })
        stabilities[selector] = known
        checkSelector(selector, known, item, rule, releases)
      } else {
        checkReference(clause.eventIDs[item.number], item, rule)
      }
    }
    for rule in all where rule.isEnabled {
      for (i, clause) in rule.clauses.enumerated() {
        for (j, test) in clause.properties.enumerated() { checkText(test, .property(.clauses, i, j), rule) }
      }
    }
  }

  private mutating func checkSelector(
    _ selector: ElementSelector, _ stability: SelectorStability, _ item: CaptureSurvey.Item, _ rule: SelectionRule,
    _ releases: ClosedRange<Int>
  ) {
    let part = RuleSource.Part.selector(.clauses, item.clause, item.number)
    let advice = item.advice
    let better = advice?.better
    // If the number of siblings is unknown, the caller decides.
    func isIndex(_ reason: StabilityReason, ifUnknown: Bool) -> Bool {
      if case .siblingIndex(_, _, let siblings) = reason { siblings.map { $0 > 1 } ?? ifUnknown } else { false }
    }
    var hasRelease = false
    for reason in stability.reasons {
      switch reason {
      case .wrappers(let steps) where stability.reasons.contains(.anchored):
        // Only the wrappers before the first ** are fixed: wrappers matched by ** may change.
        let fixed = selector.steps.firstIndex(of: .recursiveWildcard) ?? selector.steps.count
        let named = steps.filter { $0 < fixed }
        guard !named.isEmpty else { continue }
        add(
          .privateWrapper, rule, part,
          "the selector \(StabilityReason.wrappers(steps: named).description(of: selector)), from the window on",
          example: item.example?.text, suggestion: better.map { "\($0)" }, replacement: better.map { "\($0)" })
      case .someReleases(_, let name, let known):
        guard !hasRelease, (known.first ?? .min) > releases.lowerBound || (known.last ?? .max) < releases.upperBound
        else { continue }
        if let counterpart = known.counterpart, namedClasses(of: rule).contains(counterpart) { continue }
        hasRelease = true
        let other = known.counterpart.map { "; others have \($0)" } ?? ""
        add(
          .osVersionClass, rule, part, "only \(known) \(known.last == nil ? "has" : "had") \(name)\(other)",
          example: item.example?.text,
          suggestion: known.counterpart.map { "a list with a selector that names \($0), too" })
      case .exactRow(let step):
        guard let others = advice?.otherRows[step], others > 1, let free = selector.withFreeRow(step) else { continue }
        add(
          .exactRow, rule, part,
          "\(selector.steps[step]) is one row of a list that has \(others) more, whose content may move",
          example: item.example?.text, suggestion: "\(free)", replacement: "\(free)")
      case .pagePosition(let step):
        guard let advice, advice.slots.contains(step) else { continue }
        add(
          .fragileIndex, rule, part,
          "\(selector.steps[step]) is a slot of a UIPageViewController, which re-uses its three: indexx and indexy name no page",
          example: item.example?.text,
          suggestion: "the page's class in the selector or under 'page:', with a text or a title if all have one class")
      default: continue
      }
    }
    // An index is needed to distinguish siblings, unless another selector works without one.
    if let advice, let better, let index = advice.stability.reasons.first(where: { isIndex($0, ifUnknown: false) }),
      !(advice.betterStability?.reasons.contains { isIndex($0, ifUnknown: true) } ?? true)
    {
      add(
        .fragileIndex, rule, part, "\(index.description(of: selector)); in \(advice.capture) \(better) takes the same",
        example: item.example?.text, suggestion: "\(better)", replacement: "\(better)")
    }
  }

  /// Returns the classes that the selectors of a rule name. The result for the last rule is cached.
  private mutating func namedClasses(of rule: SelectionRule) -> Set<UTF8String> {
    if let last = classesOfRule, last.rule == rule.id { return last.classes }
    var classes: Set<UTF8String> = []
    for clause in rule.clauses {
      for selector in clause.selectors {
        for case .component(.name(let name), _) in selector.steps { classes.insert(name) }
      }
    }
    classesOfRule = (rule.id, classes)
    return classes
  }

  private mutating func checkReference(_ reference: ElementReference, _ item: CaptureSurvey.Item, _ rule: SelectionRule)
  {
    let part = RuleSource.Part.element(.clauses, item.clause, item.number)
    if let identity = reference.identity {
      guard let parts = IdentityString(parsing: identity.text),
        let text = [parts.message, parts.title].compactMap({ $0 }).first(where: Self.isLocalised)
      else { return }
      add(.localisedText, rule, part, "the identity holds the text \"\(text)\", which is another in other languages")
    } else {
      add(
        .bareEventID, rule, part, "the event ID stands alone: nobody can read it, and no tool can repair it",
        example: item.example?.text,
        suggestion:
          "identity: in place of eventID:, with the identity string that `encircle lookup` or `resolve` has for it")
    }
  }

  private mutating func checkText(_ test: PropertyTest, _ part: RuleSource.Part, _ rule: SelectionRule) {
    let fields: [EventFields.Field] = [.content, .title, .alertMessage, .alertTitle]
    guard fields.contains(where: { rules.ruleSet.fields.places(of: $0).contains(test.property) }) else { return }
    let texts = test.condition.texts.filter(Self.isLocalised)
    // A test for texts in several languages is as it should be.
    guard let text = texts.first, Set(texts.map(Self.script)).count == 1 else { return }
    add(
      .localisedText, rule, part,
      "\(test.property) is tested for \"\(text)\", which is another text in other languages",
      suggestion: "a selector instead, or a list with the text in every language of the app")
  }

  /// Returns whether a text has words of a language, and is not a developer's name such as `cart.add`.
  private static func isLocalised(_ text: String) -> Bool {
    let scalars = text.unicodeScalars
    if scalars.contains(where: { !$0.isASCII && $0.properties.isAlphabetic }) { return true }
    let letters = scalars.count { $0.properties.isAlphabetic }
    let isName =
      scalars.contains { "._-$/:".unicodeScalars.contains($0) } || scalars.contains { $0.properties.numericType != nil }
    return letters > 1 && !isName
  }

  /// Returns a number for the script of the first letter, as far as scripts distinguish languages.
  private static func script(_ text: String) -> Int {
    let letter = text.unicodeScalars.first { $0.properties.isAlphabetic }?.value ?? 0
    switch letter {
    case 0..<0x250: return 0
    case 0x3040..<0x3100: return 2
    case 0x3400..<0xA000: return 1
    case 0xAC00..<0xD7B0: return 3
    default: return 4 + Int(letter >> 8)
    }
  }
}

extension ElementSelector {
  /// Returns the selector with any row or item in one step; nil if the step does not name a row or item.
  fileprivate func withFreeRow(_ step: Int) -> ElementSelector? {
    guard case .component(let pattern, .fields(var tests)?) = steps[step] else { return nil }
    var isExact = false
    for (i, test) in tests.enumerated() where test.field == .row || test.field == .item {
      if case .range(let lower?, let upper?) = test.test, lower == upper { isExact = true }
      tests[i].test = .any
    }
    guard isExact else { return nil }
    var result = self
    result.steps[step] = .component(pattern, .fields(tests))
    return result
  }
}

extension Condition {
  /// The texts that the condition tests for, without those under `not`.
  fileprivate var texts: [String] {
    switch self {
    case .all(let parts), .any(let parts): parts.flatMap(\.texts)
    case .isOneOf(let values, _):
      values.compactMap { value in
        if case .string(let name) = value { name.text } else { nil }
      }
    case .text(_, let text, _): [text.text]
    case .items(_, let part): part.texts
    case .not, .matches, .exists, .number, .version, .kindOf, .numberInText, .sample: []
    }
  }
}
