import EncircleEvents
import EncircleIdentity
import EncircleRuleFiles
import EncircleRules
import EncircleTree

extension FindingList {
  /// Classes, pages, properties, events and actions that nothing knows.
  mutating func checkNames(_ names: KnownNames) {
    for rule in rules.ruleSet.rules where rule.isEnabled {
      for (section, clauses) in [(RuleSource.Section.clauses, rule.clauses), (.unless, rule.unless)] {
        for (i, clause) in clauses.enumerated() {
          for (j, selector) in clause.selectors.enumerated() {
            checkClasses(of: selector, names, rule, .selector(section, i, j))
          }
          for (j, reference) in clause.eventIDs.enumerated() {
            checkActions(of: reference, names, rule, .element(section, i, j))
          }
          if let page = clause.page { checkPages(page, names, rule, .page(section, i)) }
          if let event = clause.event { checkEvents(event, names, rule, .event(section, i)) }
          for (j, test) in clause.properties.enumerated() {
            if case .property(let name) = test.property { checkProperty(name, names, rule, .property(section, i, j)) }
          }
        }
      }
    }
  }

  private mutating func checkClasses(
    of selector: Selector, _ names: KnownNames, _ rule: Rule, _ part: RuleSource.Part
  ) {
    for (i, step) in selector.steps.enumerated() {
      guard case .component(let pattern, _) = step else { continue }
      switch pattern {
      case .any: continue
      case .name(let name), .kindOf(let name):
        guard !names.classes.contains(name) else { continue }
        let nearest = KnownNames.nearest(to: name, among: names.classes, isKnown: names.hasElements)
        // Without captures the app's classes are not known, but a slip of the pen may be.
        guard names.hasElements || nearest != nil else { continue }
        var replacement: String?
        if let nearest {
          var edited = selector
          if case .component(let pattern, let locator) = step {
            let isKind = if case .kindOf = pattern { true } else { false }
            edited.steps[i] = .component(isKind ? .kindOf(Name(nearest)) : .name(Name(nearest)), locator)
          }
          replacement = "\(edited)"
        }
        add(
          .unknownClass, rule, part,
          "no class \(name) is known" + (names.hasElements ? " in captures, rules or the system" : ""),
          suggestion: nearest, replacement: replacement)
      case .glob(let glob):
        guard names.hasElements, !names.classes.contains(where: { Glob.matches($0.text, glob.text) }) else { continue }
        add(.unknownClass, rule, part, "no known class has the form \(glob)")
      }
    }
  }

  private mutating func checkPages(_ condition: Condition, _ names: KnownNames, _ rule: Rule, _ part: RuleSource.Part) {
    for name in condition.names where !names.pages.contains(name) {
      let nearest = KnownNames.nearest(to: name, among: names.pages.union(names.classes), isKnown: names.hasElements)
      // A page that is declared as a class is known, though no capture shows it.
      guard !names.classes.contains(name), names.hasElements || names.hasEvents || nearest != nil else { continue }
      add(.unknownPage, rule, part, "no page \(name) is known", suggestion: nearest, replacement: nearest)
    }
  }

  private mutating func checkEvents(_ condition: Condition, _ names: KnownNames, _ rule: Rule, _ part: RuleSource.Part)
  {
    for name in condition.names where !names.events.contains(name) && !names.hasEvent(folded: name, condition) {
      let nearest = KnownNames.nearest(to: name, among: names.events, isKnown: names.hasEvents)
      let isPreset = name.text.utf8.first == UInt8(ascii: "$")
      guard names.hasEvents || isPreset || nearest != nil else { continue }
      add(
        .unknownEvent, rule, part,
        names.hasEvents ? "no event \(name) is among the events" : "no event \(name) is known", suggestion: nearest,
        replacement: nearest)
    }
  }

  private mutating func checkProperty(_ name: Name, _ names: KnownNames, _ rule: Rule, _ part: RuleSource.Part) {
    guard !names.properties.contains(name) else { return }
    let nearest = KnownNames.nearest(to: name, among: names.properties, isKnown: names.hasEvents)
    let isPreset = name.text.utf8.first == UInt8(ascii: "$")
    guard names.hasEvents || isPreset else { return }
    add(
      .unknownProperty, rule, part,
      names.hasEvents ? "no event has a property \(name)" : "no SDK is known to send a property \(name)",
      severity: names.hasEvents ? nil : .note, suggestion: nearest, replacement: nearest)
  }

  private mutating func checkActions(
    of reference: ElementReference, _ names: KnownNames, _ rule: Rule, _ part: RuleSource.Part
  ) {
    guard names.hasElements, let identity = reference.identity, let parts = IdentityString(parsing: identity.text)
    else { return }
    for action in parts.actions where !names.actions.contains(Name(action)) {
      add(
        .unknownAction, rule, part, "no control of the captures has the action \(action)",
        suggestion: KnownNames.nearest(to: Name(action), among: names.actions, isKnown: true))
    }
  }
}

extension KnownNames {
  /// Whether an event has a name but for its case, and the condition ignores case.
  fileprivate func hasEvent(folded name: Name, _ condition: Condition) -> Bool {
    let probe = ConditionProbe(condition)
    let folded = ConditionProbe(.isOneOf([.string(name)], fold: true))
    return events.contains { event in
      let value = EventValue.string(event.text)
      return folded.holds(value) && probe.holds(value)
    }
  }
}

extension Condition {
  /// The names of which a value must be one, but for those under `not`.
  fileprivate var names: [Name] {
    switch self {
    case .all(let parts), .any(let parts): parts.flatMap(\.names)
    case .isOneOf(let values, _):
      values.compactMap { value in
        if case .string(let name) = value { name } else { nil }
      }
    case .kindOf(let names): names
    case .not, .text, .matches, .exists, .number, .version: []
    }
  }
}
