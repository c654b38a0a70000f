import EncircleEvents
import EncircleIdentity
import EncircleRuleFiles
import EncircleRules
import EncircleText
import EncircleTree

/// Reports classes, pages, properties, events and actions that are not known.
struct NameChecks {
  private let names: KnownNames
  private let hierarchy: ClassHierarchy
  private var classes: NearestNames
  private var pages: NearestNames
  private var events: NearestNames
  private var properties: NearestNames
  private var actions: NearestNames
  private var observed: NearestNames
  private var apps: NearestNames
  // The number of names that may still be compared with a pattern, or without regard to case.
  private var comparisons = 5_000_000
  // If a selector has more unknown classes than this, they are one mistake.
  private static let maximumOfSelector = 8

  init(_ names: KnownNames, _ hierarchy: ClassHierarchy) {
    var names = names
    names.addShortNames(hierarchy)
    self.names = names
    self.hierarchy = hierarchy
    observed = NearestNames(among: names.observedClasses, isComplete: names.hasElements)
    apps = NearestNames(among: names.apps, isComplete: true)
    classes = NearestNames(among: names.classes, isComplete: names.hasElements)
    pages = NearestNames(among: names.pages.union(names.classes), isComplete: names.hasElements)
    events = NearestNames(among: names.events, isComplete: names.hasEvents)
    properties = NearestNames(among: names.properties, isComplete: names.hasEvents)
    actions = NearestNames(among: names.actions, isComplete: true)
  }

  /// Checks all rules.
  mutating func check(_ list: inout FindingList) {
    for name in list.rules.names { check(name, &list) }
    for rule in list.rules.ruleSet.rules where rule.isEnabled {
      for (section, i, clause) in rule.numberedClauses {
        for (j, selector) in clause.selectors.enumerated() {
          let part = RuleSource.Part.selector(section, i, j)
          if !list.addNotation(of: selector, rule, part) { checkClasses(of: selector, rule, part, &list) }
        }
        for (j, reference) in clause.eventIDs.enumerated() {
          checkActions(of: reference, rule, .element(section, i, j), &list)
        }
        if let page = clause.page {
          let patterns = checkPatterns(page, rule, .page(section, i), isPage: true, &list)
          checkPages(page, rule, .page(section, i), patterns, &list)
        }
        if let event = clause.event {
          let patterns = checkPatterns(event, rule, .event(section, i), isPage: false, &list)
          checkEvents(event, rule, .event(section, i), patterns, &list)
        }
        for (j, test) in clause.properties.enumerated() {
          switch test.property {
          case .property(let name): checkProperty(name, rule, .property(section, i, j), &list)
          case .textsWithin(let text):
            guard let selector = try? ElementSelector(parsing: text.text) else { continue }
            let part = RuleSource.Part.property(section, i, j)
            if !list.addNotation(of: selector, rule, part) { checkClasses(of: selector, rule, part, &list) }
            // A clause that names elements is checked on those elements instead.
            if clause.selectors.isEmpty, clause.eventIDs.isEmpty { checkControl(selector, rule, part, &list) }
          default: break
          }
        }
      }
    }
  }

  /// Reports controls around the event's element: a tap inside a control is a tap on the control itself.
  private func checkControl(
    _ selector: ElementSelector, _ rule: SelectionRule, _ part: RuleSource.Part, _ list: inout FindingList
  ) {
    guard case .component(let pattern, _)? = selector.steps.last else { return }
    switch pattern {
    case .name(let name), .kindOf(let name):
      guard ["UIButton", "UISwitch", "UILabel"].contains(where: { hierarchy.isClass(name.text, kindOf: $0) }) else {
        return
      }
      list.add(
        .neverTogether, rule, part,
        "no event names an element in a \(name): a tap there is one on the \(name) itself or on an element around it",
        suggestion: "where: { $element_content: … } for what the element itself says")
    case .any, .glob: return
    }
  }

  private mutating func checkClasses(
    of selector: ElementSelector, _ rule: SelectionRule, _ part: RuleSource.Part, _ list: inout FindingList
  ) {
    let style = list.rules.ruleSet.style
    var count = 0
    // The selector is read again only when the first finding needs the places of its classes.
    var written: SelectorClassNames??
    for (i, step) in selector.steps.enumerated() {
      guard case .component(let pattern, let locator) = step else { continue }
      guard count < Self.maximumOfSelector else { return }
      func className(_ place: RuleSource.Place) -> RuleSource.Place? {
        let classes = written ?? SelectorClassNames(place, of: selector, style: style)
        written = .some(classes)
        return classes?.place(inStep: i)
      }
      switch pattern {
      case .any: continue
      case .name(let name) where names.kindNames.contains(name):
        count += 1
        var edited = selector
        edited.steps[i] = .component(.kindOf(name), locator)
        list.add(
          .unknownClass, rule, part,
          "paths of style \(style.rawValue) have classes with their packages; only a test with ':' knows \(name)",
          suggestion: ":\(name)", replacement: "\(edited)", narrowed: className)
      case .name(let name), .kindOf(let name):
        guard !names.classes.contains(name) else { continue }
        // Class names have no brackets: this is a path of another style, which has been reported already.
        if name.text.utf8.contains(UInt8(ascii: "[")), list.isRepaired(rule, part) { continue }
        if let plain = Self.withoutWideSigns(name, selector) {
          count += 1
          list.add(
            .unknownClass, rule, part, "\(name) has full-width signs, which no class has", suggestion: "\(plain)",
            replacement: "\(plain)", narrowed: className)
          return
        }
        let nearest = classes.nearest(to: name)
        // Without captures the app's own classes are unknown, and only a name near to a known one is a finding.
        guard names.hasElements || nearest != nil else { continue }
        count += 1
        let meant = classes.respelling(of: name)
        let replacement = meant.map { meant in
          var edited = selector
          let isKind = if case .kindOf = pattern { true } else { false }
          edited.steps[i] = .component(isKind ? .kindOf(UTF8String(meant)) : .name(UTF8String(meant)), locator)
          return "\(edited)"
        }
        list.add(
          .unknownClass, rule, part,
          "no class \(name) is known" + (names.hasElements ? " in captures, rules or the system" : ""),
          suggestion: meant, replacement: replacement, narrowed: className)
      case .glob(let glob):
        guard names.hasElements, comparisons > 0 else { continue }
        comparisons -= names.classes.count
        guard !names.classes.contains(where: { Glob.matches($0.text, glob.text) }) else { continue }
        count += 1
        // Regular expressions have a dot before the star.
        let plain = glob.text.replacingBytes(of: ".*", with: "*")
        var meant: String?
        if !plain.hasSameBytes(as: glob.text), names.classes.contains(where: { Glob.matches($0.text, plain) }) {
          var edited = selector
          edited.steps[i] = .component(.glob(UTF8String(plain)), locator)
          meant = "\(edited)"
        }
        list.add(
          .unknownClass, rule, part,
          "no known class has the form \(glob)" + (meant == nil ? "" : ": '*' alone stands for any characters"),
          suggestion: meant, replacement: meant, narrowed: className)
      }
    }
  }

  /// Returns the selector with half-width characters in place of full-width ones; nil if the class name has no full-width
  /// characters, or if the result is not a valid selector.
  private static func withoutWideSigns(_ name: UTF8String, _ selector: ElementSelector) -> ElementSelector? {
    guard TextVariants.hasWideSigns(name.text) else { return nil }
    let text = TextVariants.plain("\(selector)")
    guard let plain = try? ElementSelector(parsing: SelectorNotation(of: text)?.selector ?? text)
    else { return nil }
    return plain == selector ? nil : plain
  }

  /// Reports names that are written as patterns, and returns them.
  private func checkPatterns(
    _ condition: Condition, _ rule: SelectionRule, _ part: RuleSource.Part, isPage: Bool, _ list: inout FindingList
  ) -> Set<UTF8String> {
    let source = list.rules.sources[rule.id]?.condition(part)
    let style = isPage ? list.rules.ruleSet.style : nil
    var found: Set<UTF8String> = []
    for leaf in condition.leaves {
      guard case .value(.string(let name), _, _) = leaf.test, !(isPage ? names.pages : names.events).contains(name),
        !names.classes.contains(name), let pattern = PatternText(name: name.text, ofPageIn: style)
      else { continue }
      if case .alternatives(let parts) = pattern.kind {
        let isKnown = parts.allSatisfy { part in
          let part = UTF8String(part)
          return isPage ? names.pages.contains(part) || names.classes.contains(part) : names.events.contains(part)
        }
        guard isKnown || name.text.utf8.contains(UInt8(ascii: "|")) else {
          continue
        }
      }
      found.insert(name)
      list.add(
        pattern, name.text, isPage ? "the page" : "the event's name",
        ValueChecks.Tested(
          rule: rule, part: part, property: .property(isPage ? "page" : "event"), condition: condition, leaf: leaf,
          source: source, page: nil))
    }
    return found
  }

  private mutating func checkPages(
    _ condition: Condition, _ rule: SelectionRule, _ part: RuleSource.Part, _ patterns: Set<UTF8String>,
    _ list: inout FindingList
  ) {
    guard condition.names.contains(where: { !names.pages.contains($0) }) else { return }
    var written = list.writtenNames(of: condition, rule, part)
    for name in condition.names where !names.pages.contains(name) && isView(name) {
      list.add(
        .unknownPage, rule, part, "\(name) is a class of views, and a page is a class of view controllers",
        suggestion: "'selector' for an element in a \(name)"
      ) { _ in written[name]?.place }
    }
    // A page that the rules declare as a class is known even if no capture shows it.
    for name in WebAddress.withoutEncodedForms(condition.names)
    where !names.classes.contains(name) && !patterns.contains(name) && !isPage(name, list.rules.ruleSet.style) {
      let nearest = pages.nearest(to: name)
      guard names.hasElements || names.hasEvents || nearest != nil else { continue }
      list.add(
        .unknownPage, rule, part, "no page \(name) is known", about: name, in: &written,
        replacement: pages.respelling(of: name))
    }
  }

  /// Returns whether a name is a known page, as a style reads it: in some styles it may be a part of the page in events.
  private mutating func isPage(_ name: UTF8String, _ style: PathStyleName) -> Bool {
    guard !names.pages.contains(name) else { return true }
    guard style.isAndroid || style.isWeb else { return false }
    // If there are too many names to compare, none is reported.
    guard comparisons > 0 else { return true }
    comparisons -= names.pages.count
    let probe = ConditionProbe(Condition.isOneOf([.string(name)], fold: false).readPage(in: style))
    return names.pages.contains { probe.holds(.string($0.text)) }
  }

  /// Returns whether a class is a view class, and so not a page.
  private func isView(_ name: UTF8String) -> Bool {
    hierarchy.isClass(name.text, kindOf: "UIView") || hierarchy.isClass(name.text, kindOf: "android.view.View")
  }

  /// Checks a name that a file has outside its rules.
  private mutating func check(_ name: FileName, _ list: inout FindingList) {
    let (text, hasData) = (name.name, names.hasElements || names.hasEvents)
    switch name.role {
    case .app:
      guard !names.apps.isEmpty, !names.apps.contains(text) else { return }
      let nearest = apps.respelling(of: text)
      list.add(
        .unknownApp, name,
        "no capture or event is of the app \(text), but of \(NameList.text(names.apps.sorted().map(\.text)))",
        suggestion: nearest, replacement: nearest)
    case .excludedPage:
      guard !names.pages.contains(ExcludedPage(text).read(in: list.rules.ruleSet.style).name) else { return }
      if isView(text) {
        list.add(
          .unknownPage, name,
          "\(text) is a class of views, and a page is a class of view controllers: this excludes nothing")
        return
      }
      guard !names.classes.contains(text) else { return }
      guard hasData || pages.nearest(to: text) != nil else { return }
      let meant = pages.respelling(of: text)
      list.add(
        .unknownPage, name, "no page \(text) is known, so this excludes nothing",
        suggestion: meant, replacement: meant)
    case .className:
      // A class that no capture shows may still be one of the app.
      guard names.hasElements, !names.observedClasses.contains(text),
        let nearest = observed.respelling(of: text), !isDeclared(nearest, list)
      else { return }
      list.add(
        .unknownClass, name, "no class \(text) is known in captures or the system", suggestion: nearest,
        replacement: nearest)
    case .superclass:
      guard !names.observedClasses.contains(text), !list.rules.ruleSet.classes.keys.contains(text) else { return }
      guard let meant = observed.respelling(of: text) else { return }
      list.add(
        .unknownClass, name, "no class \(text) is known in captures, rules or the system", suggestion: meant,
        replacement: meant)
    case .property(let field):
      guard names.hasEvents, !names.observedProperties.contains(text) else { return }
      // It is enough if one of the places of the field occurs.
      let places = list.rules.ruleSet.fields.places(of: field)
      guard !places.contains(where: { names.hasObserved($0) }) else { return }
      let meant = properties.respelling(of: text).flatMap { $0.hasSameBytes(as: text.text) ? nil : $0 }
      list.add(
        .unknownProperty, name,
        "no event has the property \(text), in which the field '\(field.rawValue)' is expected",
        suggestion: meant)
    }
  }

  /// Returns whether the rules declare the class; a name that is spelt nearly like it is then probably another class.
  private func isDeclared(_ name: String, _ list: FindingList) -> Bool {
    list.rules.ruleSet.classes.keys.contains(UTF8String(name))
  }

  private mutating func checkEvents(
    _ condition: Condition, _ rule: SelectionRule, _ part: RuleSource.Part, _ patterns: Set<UTF8String>,
    _ list: inout FindingList
  ) {
    guard condition.names.contains(where: { !names.events.contains($0) }) else { return }
    var written = list.writtenNames(of: condition, rule, part)
    for name in condition.names where !names.events.contains(name) && !patterns.contains(name) {
      guard comparisons > 0 else { return }
      comparisons -= names.events.count
      if names.hasEvent(folded: name, condition) { continue }
      let nearest = events.nearest(to: name)
      let isPreset = name.text.utf8.first == UInt8(ascii: "$")
      guard names.hasEvents || isPreset || nearest != nil else { continue }
      list.add(
        .unknownEvent, rule, part,
        names.hasEvents ? "no event \(name) is among the events" : "no event \(name) is known",
        about: name, in: &written, replacement: events.respelling(of: name))
    }
  }

  private mutating func checkProperty(
    _ name: UTF8String, _ rule: SelectionRule, _ part: RuleSource.Part, _ list: inout FindingList
  ) {
    guard !names.properties.contains(name) else { return }
    let isPreset = name.text.utf8.first == UInt8(ascii: "$")
    guard names.hasEvents || isPreset else { return }
    // A name without '/' is never one of the event's own members.
    let meant =
      names.observedMembers.contains(name)
      ? JSONPointer.member(name.text, of: "") : properties.respelling(of: name)
    list.add(
      .unknownProperty, rule, part,
      names.hasEvents ? "no event has a property \(name)" : "no SDK is known to send a property \(name)",
      severity: names.hasEvents ? nil : .note, suggestion: meant, replacement: meant)
  }

  private mutating func checkActions(
    of reference: ElementReference, _ rule: SelectionRule, _ part: RuleSource.Part, _ list: inout FindingList
  ) {
    guard let identity = reference.identity, let parts = IdentityString(parsing: identity.text) else { return }
    if parts.path.utf8.contains(UInt8(ascii: "/")), !rule.sameKind {
      var meant = parts
      meant.path = parts.path.replacingBytes(of: "/", with: "_")
      list.add(
        .selectorNotation, rule, part, "the steps in the path of an identity are separated by '_', as SDKs hash it",
        suggestion: meant.written, replacement: meant.written)
    }
    guard names.hasElements else { return }
    for action in parts.actions where !names.actions.contains(UTF8String(action)) {
      list.add(
        .unknownAction, rule, part, "no control of the captures has the action \(action)",
        suggestion: actions.respelling(of: UTF8String(action)))
    }
  }
}

extension KnownNames {
  /// Returns whether a known event differs from a name only in case, and meets the condition, which then ignores case.
  fileprivate func hasEvent(folded name: UTF8String, _ condition: Condition) -> Bool {
    let probe = ConditionProbe(condition)
    let folded = ConditionProbe(.isOneOf([.string(name)], fold: true))
    return events.contains { event in
      let value = EventValue.string(event.text)
      return folded.holds(value) && probe.holds(value)
    }
  }
}

extension Condition {
  /// The names that the condition tests for, without those under `not`.
  fileprivate var names: [UTF8String] {
    switch self {
    case .all(let parts), .any(let parts): parts.flatMap(\.names)
    case .isOneOf(let values, _):
      values.compactMap { value in
        if case .string(let name) = value { name } else { nil }
      }
    case .kindOf(let names): names
    case .not, .text, .matches, .exists, .number, .version, .items, .numberInText, .sample: []
    }
  }
}

extension FindingList {
  /// Returns the names in a condition on a page or an event as they are written: in the rule, or in a definition.
  fileprivate func writtenNames(
    of condition: Condition, _ rule: SelectionRule, _ part: RuleSource.Part
  ) -> [UTF8String: RuleSource.ConditionSource.Value] {
    guard let values = rules.sources[rule.id]?.condition(part)?.values else { return [:] }
    // Some styles read the name of a page as several tests. The names after it then have other numbers than in the rule.
    let isAsWritten = rules.ruleSet.style == .hubbleData
    var names: [UTF8String: RuleSource.ConditionSource.Value] = [:]
    // Findings are about names outside `not`, so these come first: the same name may also occur inside `not`.
    let leaves = condition.leaves
    for leaf in leaves.filter({ !$0.isNegated }) + leaves.filter(\.isNegated) where leaf.index < values.count {
      let value = values[leaf.index]
      guard isAsWritten || value.place.file != nil else { continue }
      switch leaf.test {
      case .value(.string(let name), _, _), .kind(let name): if names[name] == nil { names[name] = value }
      default: continue
      }
    }
    return names
  }

  /// Adds a finding about a name in a condition on a page or an event: at the name, or else at the condition.
  ///
  /// - Parameter written: The names of the condition. A name that replaces another one in a list is added.
  fileprivate mutating func add(
    _ code: CheckCode, _ rule: SelectionRule, _ part: RuleSource.Part, _ message: String, about name: UTF8String,
    in written: inout [UTF8String: RuleSource.ConditionSource.Value], replacement: String?
  ) {
    guard let value = written[name] else {
      return add(code, rule, part, message, suggestion: replacement, replacement: replacement)
    }
    var edit: Finding.Edit?
    // A list need not have a name twice.
    if let replacement, rules.ruleSet.style == .hubbleData,
      value.role != .item || written[UTF8String(replacement)]?.role != .item
    {
      edit = self.edit(value.place, spelled(replacement, at: value.place))
      if value.role == .item { written[UTF8String(replacement)] = value }
    }
    add(code, rule, part, message, suggestion: replacement, edit: edit) { _ in value.place }
  }
}
