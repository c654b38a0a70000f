import EncircleEvents
import EncircleIdentity
import EncircleRuleFiles
import EncircleRules
import EncircleText
import EncircleTree

/// Counts the known events for which the tests of a clause hold, singly and in pairs.
///
/// The events are the given ones, and the events that taps on the tracked elements of captures would send.
struct CooccurrenceSurvey {
  /// A part of a clause.
  enum Part: Hashable {
    case event, page, element
    /// A property, by its number in the clause.
    case property(Int)
    /// All of the clause.
    case clause
  }

  /// Parts of one clause of a rule that are counted together.
  struct Trial: Hashable {
    let rule: Int
    let section: RuleSource.Section
    let clause: Int
    let parts: [Part]
  }

  /// The events that meet all parts of a trial.
  struct Count {
    /// The number of elements of captures, and of events.
    var elements = 0
    var events = 0
    /// For an exception, the number of these events that the rule matches as well.
    var matched = 0
    /// The first such event, in words.
    var example: String?
    /// The different texts of the elements, up to ``CooccurrenceSurvey/maximumContents``.
    var contents: Set<UTF8String> = []

    var total: Int { elements + events }
  }

  /// The maximum number of different texts that are kept.
  static let maximumContents = 5
  // More questions, and elements, would take long.
  private static let maximumQuestions = 20_000
  private static let maximumParts = 6
  private var elements = 100_000

  private let settings: SelectionSettings
  // Trials that ask the same thing share a question, because rules have only few different pages and events.
  private var trials: [Trial: Int] = [:]
  private var known: [UTF8String: Int] = [:]
  private var counts: [Count] = []
  // The questions as rules, and the number of each, without the questions that an earlier survey has answered.
  private var open: [SelectionRule] = []
  private var numbers: [Int] = []
  // For a question that is a whole clause of `include` or `exclude`, its rule; nil for other questions.
  private var clauseOf: [Int?] = []
  // For a question that is a whole clause of `unless`, its rule.
  private var exceptionOf: [Int?] = []
  private var search: RuleSearch
  private var needsKind = false

  /// - Parameter earlier: An earlier survey, whose counts are reused, and the rules that both have in common.
  init(
    _ ruleSet: RuleSet, hierarchy: ClassHierarchy,
    after earlier: (survey: CooccurrenceSurvey, rules: CommonRules)? = nil
  ) {
    settings = SelectionSettings(ruleSet)
    search = RuleSearch([], settings, ElementDictionary())
    if let earlier, !earlier.rules.isRepeated { elements = earlier.survey.elements }
    for (i, rule) in ruleSet.rules.enumerated() where rule.isEnabled {
      for (j, clause) in rule.clauses.enumerated() {
        let own = Self.parts(of: clause, rule, ruleSet.fields)
        // Each property is compared with each other part. The name of an event that has no element is compared with the element.
        let properties = own.filter { if case .property = $0 { true } else { false } }
        let others = own.filter { !properties.contains($0) }
        if !properties.isEmpty, !others.isEmpty {
          for part in own { add(Trial(rule: i, section: .clauses, clause: j, parts: [part]), clause, rule, earlier) }
          for part in others {
            for property in properties {
              add(Trial(rule: i, section: .clauses, clause: j, parts: [part, property]), clause, rule, earlier)
            }
          }
        }
        if others.contains(.element), !EventNames.withoutElement(clause.event).isEmpty {
          add(Trial(rule: i, section: .clauses, clause: j, parts: [.event, .element]), clause, rule, earlier)
        }
        if !rule.unless.isEmpty {
          add(Trial(rule: i, section: .clauses, clause: j, parts: [.clause]), clause, rule, earlier)
        }
      }
      for (j, clause) in rule.unless.enumerated() {
        add(Trial(rule: i, section: .unless, clause: j, parts: [.clause]), clause, rule, earlier)
      }
    }
    for question in open {
      for clause in question.clauses { needsKind = needsKind || clause.needsKind }
    }
    search = RuleSearch(open, settings, ElementDictionary(hierarchy: hierarchy, style: settings.style))
  }

  /// Returns the parts of a clause that are compared.
  private static func parts(of clause: RuleClause, _ rule: SelectionRule, _ fields: EventFields) -> [Part] {
    var parts: [Part] = []
    if clause.event != nil { parts.append(.event) }
    if clause.page != nil { parts.append(.page) }
    // A rule with sameKind also selects the elements in other rows, which its selectors do not name.
    if !rule.sameKind, !clause.selectors.isEmpty || !clause.eventIDs.isEmpty { parts.append(.element) }
    for (k, test) in clause.properties.enumerated() where parts.count < maximumParts && !test.isOfTextsWithin {
      // Fields whose values are always new, such as time, user or version, are not compared.
      let endless: [EventFields.Field] = [.time, .distinctID, .appVersion, .app, .eventID, .path, .pathIndexes]
      if endless.contains(where: { fields.places(of: $0).contains(test.property) }) { continue }
      parts.append(.property(k))
    }
    return parts
  }

  private mutating func add(
    _ trial: Trial, _ clause: RuleClause, _ rule: SelectionRule,
    _ earlier: (survey: CooccurrenceSurvey, rules: CommonRules)?
  ) {
    let key = trial.parts.key(in: clause, rule)
    if let key, let question = known[key] {
      trials[trial] = question
      return
    }
    guard counts.count < Self.maximumQuestions else { return }
    trials[trial] = counts.count
    if let key { known[key] = counts.count }
    let answer = earlier.flatMap { $0.survey.count(of: trial, key, $0.rules) }
    if answer == nil || !(earlier?.rules.isRepeated ?? false) {
      var asked = SelectionRule("question", .include, [trial.parts.clause(of: clause)])
      asked.apps = rule.apps
      asked.sameKind = rule.sameKind
      open.append(asked)
      numbers.append(counts.count)
    }
    counts.append(answer ?? Count())
    let isWhole = trial.parts == [.clause]
    clauseOf.append(isWhole && trial.section == .clauses ? trial.rule : nil)
    exceptionOf.append(isWhole && trial.section == .unless ? trial.rule : nil)
  }

  /// This is true if the survey has questions that the earlier one did not answer, so that captures must be read.
  var hasQuestions: Bool { !open.isEmpty }

  /// Returns the counts for the parts of a trial; nil if they were not looked for.
  func count(of trial: Trial) -> Count? { trials[trial].map { counts[$0] } }

  /// Returns the counts for the parts of a trial of a later survey.
  private func count(of trial: Trial, _ key: UTF8String?, _ rules: CommonRules) -> Count? {
    if let key { return known[key].map { counts[$0] } }
    guard let rule = rules.numbers[trial.rule] else { return nil }
    return count(of: Trial(rule: rule, section: trial.section, clause: trial.clause, parts: trial.parts))
  }

  /// Sets the class hierarchy, when a capture has added to it.
  mutating func set(_ hierarchy: ClassHierarchy) {
    guard needsKind else { return }
    search = RuleSearch(open, settings, ElementDictionary(hierarchy: hierarchy, style: settings.style))
  }

  /// This is true if the events of taps on elements are still asked for.
  var takesTaps: Bool { !open.isEmpty && elements > 0 }

  /// Returns a finder of the questions that events answer; one serves all taps on a capture's elements.
  func finder() -> RuleSearch.Finder { search.finder() }

  /// Adds the event that a tap on an element of a capture would send, if such events are asked for.
  ///
  /// - Parameter place: The element in words.
  mutating func addTap(_ event: AnalyticsEvent, _ finder: inout RuleSearch.Finder, place: () -> String) {
    guard takesTaps else { return }
    elements -= 1
    look(event, &finder, isElement: true, example: place)
  }

  /// Adds an event.
  mutating func add(_ event: AnalyticsEvent) {
    guard !open.isEmpty else { return }
    var finder = search.finder()
    look(event, &finder, isElement: false) { "an event that was given" }
  }

  private mutating func look(
    _ event: AnalyticsEvent, _ finder: inout RuleSearch.Finder, isElement: Bool, example: () -> String
  ) {
    let found = finder.rules(selecting: event).map { numbers[$0] }
    guard !found.isEmpty else { return }
    var content: UTF8String?
    if case .string(let text)? = event.value(of: .content, settings.fields) { content = UTF8String(text) }
    for i in found { counts[i].add(content, isElement: isElement, example) }
    // Few rules have exceptions, and one event answers hundreds of questions.
    let exceptions = found.filter { exceptionOf[$0] != nil }
    guard !exceptions.isEmpty else { return }
    let matching = Set(found.compactMap { clauseOf[$0] })
    for i in exceptions {
      if let rule = exceptionOf[i], matching.contains(rule) { counts[i].matched += 1 }
    }
  }
}

extension CooccurrenceSurvey.Count {
  fileprivate mutating func add(_ content: UTF8String?, isElement: Bool, _ example: () -> String) {
    if isElement { elements += 1 } else { events += 1 }
    if self.example == nil { self.example = example() }
    if let content, contents.count < CooccurrenceSurvey.maximumContents { contents.insert(content) }
  }
}

extension [CooccurrenceSurvey.Part] {
  /// Returns a key that two lists of parts share only if they ask the same thing; nil for parts that hardly any two rules have
  /// in common.
  fileprivate func key(in clause: RuleClause, _ rule: SelectionRule) -> UTF8String? {
    var key = "\(rule.sameKind) \(rule.apps.map { "\($0.text.utf8.count):\($0.text)" }.joined())"
    for part in self {
      switch part {
      case .event: key += " event \(clause.event?.key ?? "")"
      case .page: key += " page \(clause.page?.key ?? "")"
      case .property(let k):
        let place = clause.properties[k].property.description
        key += " property \(place.utf8.count):\(place) \(clause.properties[k].condition.key)"
      case .element, .clause: return nil
      }
    }
    return UTF8String(key)
  }

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
  /// This is true if a test of the clause depends on superclasses.
  fileprivate var needsKind: Bool {
    (page?.needsKind ?? false)
      || selectors.contains { selector in
        selector.steps.contains { if case .component(.kindOf, _) = $0 { true } else { false } }
      }
  }
}

extension Condition {
  fileprivate var needsKind: Bool {
    switch self {
    case .all(let parts), .any(let parts): parts.contains(where: \.needsKind)
    case .not(let part): part.needsKind
    case .kindOf: true
    default: false
    }
  }
}
