import EncircleEvents
import EncircleIdentity
import EncircleTree

/// A rule set compiled for matching: immutable, shared by any number of threads, each with its own ``MatchState``.
///
/// ```swift
/// let matcher = Matcher(ruleSet)
/// var state = MatchState(for: matcher)
/// let decision = matcher.decide(event, using: &state)
/// ```
public struct Matcher: Sendable {
  /// The rules that are enabled, in byte order of their ids.
  public let rules: [Rule]
  /// What event IDs are known.
  public let dictionary: ElementDictionary

  let track: RuleSet.Tracking
  let properties: PropertyTable
  let fields: FieldTable
  let classes: ClassTable
  let vocabulary: ClassVocabulary
  let hierarchy: ClassHierarchy
  let compiledRules: [CompiledRule]
  let clauses: [CompiledClause]
  let selectors: SelectorTable
  let index: RuleIndex
  let excludedPages: [(page: ClassNumber, name: Name, app: Name?)]

  struct CompiledRule: Sendable {
    let effect: Rule.Effect
    let from: DecimalNumber?
    /// Behind the last moment.
    let end: DecimalNumber?
    let app: Name?
    /// Clauses of which none may hold.
    let unless: Range<Int>
  }

  /// Conditions that must all hold. A class, so that looking at one counts one reference.
  final class CompiledClause: Sendable {
    let rule: Int
    let event: CompiledCondition?
    let page: CompiledCondition?
    let selectors: Range<Int>
    /// A selector that the element must match besides.
    let place: Int?
    /// Nil asks nothing.
    let eventIDs: Set<EventID>?
    let properties: [(PropertyNumber, CompiledCondition)]

    init(
      rule: Int, event: CompiledCondition?, page: CompiledCondition?, selectors: Range<Int>, place: Int?,
      eventIDs: Set<EventID>?, properties: [(PropertyNumber, CompiledCondition)]
    ) {
      self.rule = rule
      self.event = event
      self.page = page
      self.selectors = selectors
      self.place = place
      self.eventIDs = eventIDs
      self.properties = properties
    }
  }

  /// Compiles a rule set.
  ///
  /// - Complexity: O(size of the rules).
  public init(_ ruleSet: RuleSet, dictionary: ElementDictionary = ElementDictionary()) {
    let rules = ruleSet.rules.filter(\.isEnabled).sorted { $0.id < $1.id }
    var hierarchy = dictionary.hierarchy
    for (name, superclass) in ruleSet.classes.sorted(by: { $0.key < $1.key }) {
      hierarchy.add(name.text, superclass: superclass.text)
    }
    var compiler = RuleCompiler(
      hierarchy: hierarchy, vocabulary: dictionary.vocabulary, dictionary: dictionary, fields: ruleSet.fields)
    for name in ruleSet.classes.keys { compiler.vocabulary.insert(name.text) }
    for rule in rules { compiler.addNames(of: rule) }
    for (i, rule) in rules.enumerated() { compiler.add(rule, number: i) }
    excludedPages = ruleSet.excludedPages.map { (compiler.classes.number($0.name), $0.name, $0.app) }

    self.rules = rules
    self.hierarchy = hierarchy
    self.dictionary = dictionary
    track = ruleSet.track
    properties = compiler.properties
    fields = compiler.fields
    classes = compiler.classes
    vocabulary = compiler.vocabulary
    compiledRules = compiler.rules
    clauses = compiler.clauses
    selectors = compiler.selectors
    index = compiler.makeIndex()
  }

  // MARK: - Deciding

  /// What the rules say about an event.
  ///
  /// - Complexity: O(*c* · *d*), *c* clauses in the event's buckets of the index, *d* components of its path.
  public func decide(_ event: Event, using state: inout MatchState) -> Decision {
    state.load(event, self)
    return decide(&state)
  }

  /// What the rules say about the event that a reader has returned last.
  ///
  /// - Complexity: O(*c* · *d*), *c* clauses in the event's buckets of the index, *d* components of its path.
  public func decide(eventOf reader: borrowing EventReader, using state: inout MatchState) -> Decision {
    reader.withParsedEvent { text, tape in decide(tape, of: text, using: &state) }
  }

  package func decide(_ tape: borrowing JSONTape, of text: UnsafeBufferPointer<UInt8>, using state: inout MatchState)
    -> Decision
  {
    state.load(tape, text, self)
    return decide(&state)
  }

  /// What the rules say about events, in their order.
  public func decide(_ events: some Sequence<Event>) -> [Decision] {
    var state = MatchState(for: self)
    return events.map { decide($0, using: &state) }
  }

  private func decide(_ state: inout MatchState) -> Decision {
    state.resolveElement(self)
    var decision = Decision()
    decision.eventID = state.eventID
    decision.resolution = state.resolution

    matchRules(&state)
    for number in state.matches.sorted() {
      if compiledRules[number].effect == .include {
        decision.rules.append(rules[number].id)
      } else {
        decision.excludedBy.append(rules[number].id)
      }
    }
    decision.pages = excludedPages(of: state)
    let isWanted = track == .all || !decision.rules.isEmpty
    decision.isSelected = isWanted && decision.excludedBy.isEmpty && decision.pages.isEmpty
    if decision.isSelected {
      decision.emit = Set(state.matches.map { Name(rules[$0].emit) }).sorted()
    }
    return decision
  }

  private func excludedPages(of state: MatchState) -> [Name] {
    guard !excludedPages.isEmpty, let page = state.pageClass else { return [] }
    let found = excludedPages.filter { excluded in
      state.classes.isClass(page, kindOf: excluded.page) && state.isApp(excluded.app, self)
    }
    return Set(found.map(\.name)).sorted()
  }

  /// Sets `state.matches` to the rules that match.
  private func matchRules(_ state: inout MatchState) {
    state.beginMatching(self)
    for i in state.candidates.indices {
      let entry = state.candidates[i]
      guard state.isUndecided(Int(entry.rule)) else { continue }
      if entry.selector >= 0, !state.elements.contains(Int(entry.selector), of: selectors, state.classes) { continue }
      guard holds(Int(entry.clause), elementIsTested: entry.selector >= 0, &state) else { continue }
      state.decide(Int(entry.rule), isMatch: holdsBesides(compiledRules[Int(entry.rule)], &state))
    }
  }

  /// Whether a clause holds.
  private func holds(_ number: Int, elementIsTested: Bool, _ state: inout MatchState) -> Bool {
    let clause = clauses[number]
    if let eventIDs = clause.eventIDs {
      guard let eventID = state.eventID, eventIDs.contains(eventID) else { return false }
    }
    if !clause.selectors.isEmpty, !elementIsTested {
      let isMatch = clause.selectors.contains { state.elements.contains($0, of: selectors, state.classes) }
      guard isMatch else { return false }
    }
    if let place = clause.place, !state.elements.contains(place, of: selectors, state.classes) { return false }
    if let event = clause.event {
      guard event.holds(state.value(of: .event, self), state.values, &state.classes) else { return false }
    }
    if let page = clause.page {
      guard page.holds(state.pageValue(self), state.values, &state.classes) else { return false }
    }
    for (property, condition) in clause.properties {
      guard condition.holds(state.values[property], state.values, &state.classes) else { return false }
    }
    return true
  }

  /// Whether a rule matches once one of its clauses holds: app, time, and no clause of `unless`.
  private func holdsBesides(_ rule: CompiledRule, _ state: inout MatchState) -> Bool {
    guard state.isApp(rule.app, self) else { return false }
    if rule.from != nil || rule.end != nil {
      guard let time = state.time(self) else { return false }
      if let from = rule.from, time < from { return false }
      if let end = rule.end, time >= end { return false }
    }
    return !rule.unless.contains { holds($0, elementIsTested: false, &state) }
  }
}
