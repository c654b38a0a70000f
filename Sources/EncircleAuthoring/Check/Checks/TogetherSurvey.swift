import EncircleEvents
import EncircleIdentity
import EncircleRuleFiles
import EncircleRules
import EncircleText
import EncircleTree

/// Counts for which known events the tests of a clause hold, each by itself and two together.
///
/// The events are those that were given, and those that taps on the tracked elements of captures would send.
struct TogetherSurvey {
  /// A part of a clause.
  enum Part: Hashable {
    case event, page, element
    /// A property, by its number in the clause.
    case property(Int)
    /// All of the clause.
    case clause
  }

  /// Parts of one or two clauses of a rule.
  struct Trial: Hashable {
    let rule: Int
    let section: RuleSource.Section
    let clause: Int
    let parts: [Part]
  }

  /// What was found for the parts of a trial.
  struct Count {
    /// The number of elements of captures, and of events.
    var elements = 0
    var events = 0
    /// Of an exception, the number of those that the rule matches, too.
    var matched = 0
    /// The first of them.
    var example: String?
    /// The different texts of the elements, up to ``TogetherSurvey/mostContents``.
    var contents: Set<UTF8String> = []

    var total: Int { elements + events }
  }

  /// The most texts that are told apart.
  static let mostContents = 5
  // More trials, and elements, would take long.
  private static let mostTrials = 20_000
  private static let mostParts = 6
  private var elements = 100_000

  private let settings: SelectionSettings
  private var trials: [Trial] = []
  private var rules: [SelectionRule] = []
  private var search: RuleSearch
  private var asksForKind = false
  private(set) var counts: [Trial: Count] = [:]

  init(_ ruleSet: RuleSet, hierarchy: ClassHierarchy) {
    settings = SelectionSettings(ruleSet)
    search = RuleSearch([], settings, ElementDictionary())
    for (i, rule) in ruleSet.rules.enumerated() where rule.isEnabled {
      for (j, clause) in rule.clauses.enumerated() {
        let own = Self.parts(of: clause, rule, ruleSet.fields)
        if own.count > 1 {
          for (k, part) in own.enumerated() {
            add(Trial(rule: i, section: .clauses, clause: j, parts: [part]), [clause], rule)
            for other in own[(k + 1)...] {
              add(Trial(rule: i, section: .clauses, clause: j, parts: [part, other]), [clause], rule)
            }
          }
        }
        if !rule.unless.isEmpty {
          add(Trial(rule: i, section: .clauses, clause: j, parts: [.clause]), [clause], rule)
        }
      }
      for (j, clause) in rule.unless.enumerated() {
        add(Trial(rule: i, section: .unless, clause: j, parts: [.clause]), [clause], rule)
      }
    }
    for rule in rules {
      for clause in rule.clauses { asksForKind = asksForKind || clause.asksForKind }
    }
    search = RuleSearch(rules, settings, ElementDictionary(hierarchy: hierarchy, style: settings.style))
  }

  /// Returns the parts of a clause that are compared.
  private static func parts(of clause: RuleClause, _ rule: SelectionRule, _ fields: EventFields) -> [Part] {
    var parts: [Part] = []
    if clause.event != nil { parts.append(.event) }
    if clause.page != nil { parts.append(.page) }
    // The elements in other rows of a rule with sameKind are more than its selectors say.
    if !rule.sameKind, !clause.selectors.isEmpty || !clause.eventIDs.isEmpty { parts.append(.element) }
    for (k, test) in clause.properties.enumerated() where parts.count < mostParts && !test.isOfTextsWithin {
      // What is an endless matter of time, user or version is not compared.
      let endless: [EventFields.Field] = [.time, .distinctID, .appVersion, .app, .eventID, .path, .pathIndexes]
      if endless.contains(where: { fields.places(of: $0).contains(test.property) }) { continue }
      parts.append(.property(k))
    }
    return parts
  }

  private mutating func add(_ trial: Trial, _ clauses: [RuleClause], _ rule: SelectionRule) {
    guard trials.count < Self.mostTrials else { return }
    var asked = SelectionRule("trial", .include, clauses.map { trial.parts.clause(of: $0) })
    asked.apps = rule.apps
    asked.sameKind = rule.sameKind
    trials.append(trial)
    rules.append(asked)
    counts[trial] = Count()
  }

  /// Sets the class hierarchy, when a capture has added to it.
  mutating func set(_ hierarchy: ClassHierarchy) {
    guard asksForKind else { return }
    search = RuleSearch(rules, settings, ElementDictionary(hierarchy: hierarchy, style: settings.style))
  }

  /// Adds the events of a capture's elements.
  mutating func add(_ screen: IdentifiedTree, name: String) {
    guard !trials.isEmpty, elements > 0, settings.style.style.unmetRequirement(for: screen) == nil else { return }
    let events = ElementEvents(of: screen, style: settings.style, fields: settings.fields)
    var finder = search.finder()
    for element in screen.tree.elements where screen.trackingType(of: element, in: settings.style) != nil {
      guard elements > 0 else { return }
      elements -= 1
      look(events.event(of: element), &finder, isElement: true) { "\(name) element \(element)" }
    }
  }

  /// Adds an event.
  mutating func add(_ event: AnalyticsEvent) {
    guard !trials.isEmpty else { return }
    var finder = search.finder()
    look(event, &finder, isElement: false) { "an event that was given" }
  }

  private mutating func look(
    _ event: AnalyticsEvent, _ finder: inout RuleSearch.Finder, isElement: Bool, example: () -> String
  ) {
    let found = finder.rules(selecting: event)
    guard !found.isEmpty else { return }
    var content: UTF8String?
    if case .string(let text)? = event.value(of: .content, settings.fields) { content = UTF8String(text) }
    var matching: Set<Int> = []
    for i in found where trials[i].section == .clauses && trials[i].parts == [.clause] {
      matching.insert(trials[i].rule)
    }
    for i in found {
      counts[trials[i]]?.add(content, isElement: isElement, example)
      if trials[i].section == .unless, matching.contains(trials[i].rule) { counts[trials[i]]?.matched += 1 }
    }
  }
}

extension TogetherSurvey.Count {
  fileprivate mutating func add(_ content: UTF8String?, isElement: Bool, _ example: () -> String) {
    if isElement { elements += 1 } else { events += 1 }
    if self.example == nil { self.example = example() }
    if let content, contents.count < TogetherSurvey.mostContents { contents.insert(content) }
  }
}

extension [TogetherSurvey.Part] {
  /// Returns a clause with only these parts of another one.
  fileprivate func clause(of clause: RuleClause) -> RuleClause {
    if contains(.clause) { return clause }
    var result = RuleClause()
    for part in self {
      switch part {
      case .event: result.event = clause.event
      case .page: result.page = clause.page
      case .element:
        result.selectors = clause.selectors
        result.eventIDs = clause.eventIDs
      case .property(let k): result.properties.append(clause.properties[k])
      case .clause: break
      }
    }
    return result
  }
}

extension RuleClause {
  /// Whether a test of the clause depends on superclasses.
  fileprivate var asksForKind: Bool {
    (page?.asksForKind ?? false)
      || selectors.contains { selector in
        selector.steps.contains { if case .component(.kindOf, _) = $0 { true } else { false } }
      }
  }
}

extension Condition {
  fileprivate var asksForKind: Bool {
    switch self {
    case .all(let parts), .any(let parts): parts.contains(where: \.asksForKind)
    case .not(let part): part.asksForKind
    case .kindOf: true
    default: false
    }
  }
}
