import EncircleEvents
import EncircleIdentity
import EncircleText
import EncircleTree

/// A rule set compiled for matching: immutable, shared by any number of threads, each with its own ``MatchState``.
///
/// ```swift
/// let matcher = Matcher(ruleSet)
/// var state = MatchState(for: matcher)
/// let decision = matcher.decide(event, using: &state)
/// ```
///
/// docs/engine.md says how it works.
public struct Matcher: Sendable {
  /// What of events the rules, and decisions, look at: a reader made with it takes out nothing else.
  public let projection: EventProjection
  /// What event IDs are known.
  public let dictionary: ElementDictionary
  /// What is selected where no rule speaks.
  public var track: RuleSet.Tracking { settings.track }

  let settings: MatcherSettings
  let properties: PropertyNumbers
  let fields: FieldTable
  let vocabulary: ClassVocabulary
  let hierarchy: ClassHierarchy
  /// Programs that together hold all rules; nearly always one.
  let programs: [SharedProgram]
  /// By program, the number of its first rule and of its first clause.
  let ruleStarts: [Int]
  let clauseStarts: [Int]
  var excludedPages: [ExcludedPage] { settings.excludedPages }
  /// Whether some rule is found by values of properties.
  let usesValues: Bool
  /// Whether the last classes of a path may show that no rule says anything of an element.
  let rulesOutByEnds: Bool

  /// By program, the rules that it was made of, where it was made by an update.
  let sources: [[SelectionRule]?]
  /// Numbers of rules that updates have taken away or replaced.
  let removed: Set<Int>

  /// Compiles a rule set.
  ///
  /// - Complexity: O(size of the rules), but for a sort of keys.
  public init(_ ruleSet: RuleSet, dictionary: ElementDictionary = ElementDictionary()) {
    self.init(ruleSet, dictionary: dictionary, limits: IndexLimits())
  }

  package init(_ ruleSet: RuleSet, dictionary: ElementDictionary, limits: IndexLimits) {
    let settings = MatcherSettings(ruleSet)
    var properties = PropertyNumbers()
    let fields = FieldTable(settings, &properties)
    var compiler = RuleCompiler(
      hierarchy: settings.hierarchy(dictionary), vocabulary: settings.vocabulary(dictionary), dictionary: dictionary,
      properties: properties, elementProperties: Set(fields.elementProperties), limits: limits)
    let program = SharedProgram(compiler.compile(ruleSet.rules))
    self.init(
      settings, dictionary, compiler.properties, fields, compiler.vocabulary, [program], sources: [nil], removed: [])
  }

  init(
    _ settings: MatcherSettings, _ dictionary: ElementDictionary, _ properties: PropertyNumbers, _ fields: FieldTable,
    _ vocabulary: ClassVocabulary, _ programs: [SharedProgram], sources: [[SelectionRule]?], removed: Set<Int>,
    projection known: EventProjection? = nil
  ) {
    self.settings = settings
    self.properties = properties
    self.fields = fields
    if let known, known.count == properties.references.count {
      projection = known
    } else {
      projection = EventProjection(properties.references, keyPlaces: fields.elementProperties)
    }
    self.dictionary = dictionary
    self.vocabulary = vocabulary
    hierarchy = settings.hierarchy(dictionary)
    self.programs = programs
    self.sources = sources
    self.removed = removed
    usesValues = programs.contains { !$0.program.pointee.values.isEmpty }
    rulesOutByEnds =
      settings.style == .hubbleData && settings.excludedPages.isEmpty
      && programs.allSatisfy { !$0.program.pointee.use.eventIDs && !$0.program.pointee.index.ends.takesAny }
    var ruleStarts = [0]
    var clauseStarts = [0]
    for program in programs {
      ruleStarts.append(ruleStarts[ruleStarts.count - 1] + program.program.pointee.rules.count)
      clauseStarts.append(clauseStarts[clauseStarts.count - 1] + program.program.pointee.clauses.count)
    }
    self.ruleStarts = ruleStarts
    self.clauseStarts = clauseStarts
  }

  /// The number of rules that take part.
  public var ruleCount: Int { ruleStarts[programs.count] - removed.count }

  /// Rules have numbers below this one.
  var ruleNumberLimit: Int { ruleStarts[programs.count] }

  /// The id of a rule.
  public func ruleID(_ number: Int) -> UTF8String {
    UTF8String(String(decoding: idBytes(ofRule: number), as: UTF8.self))
  }

  /// Whether a rule excludes what it matches.
  public func isExclude(_ number: Int) -> Bool {
    let (program, rule) = place(ofRule: number)
    return program.pointee.rules[rule].isExclude
  }

  /// The memory that the compiled rules take, in bytes, without the texts that messages need and without the dictionary.
  public var memoryInBytes: Int { programs.reduce(0) { $0 + $1.program.pointee.byteCount } }

  @inline(__always) func place(ofRule number: Int) -> (program: UnsafePointer<RuleProgram>, rule: Int) {
    if programs.count == 1 { return (UnsafePointer(programs[0].program), number) }
    var i = programs.count - 1
    while ruleStarts[i] > number { i -= 1 }
    return (UnsafePointer(programs[i].program), number - ruleStarts[i])
  }

  // MARK: - Deciding

  /// What the rules say about an event.
  ///
  /// - Complexity: O(*d*) for an element that is known to the state, *d* being the length of the rules that depend on more
  ///   than the element; else O(*c* · *n*), *c* selectors that share a key with the path, *n* components.
  public func decide(_ event: AnalyticsEvent, using state: inout MatchState) -> Decision {
    let own = state.own
    own.pointee.load(event)
    return decide(own.pointee, &state)
  }

  /// What the rules say about an event of which the values have been taken out by the matcher's ``projection``.
  ///
  /// - Complexity: As for an event.
  public func decide(_ event: borrowing ProjectedEvent, using state: inout MatchState) -> Decision {
    precondition(event.projection === projection, "the values are those that another matcher looks at")
    return decide(event, &state)
  }

  /// What the rules say about the event that a reader has returned last.
  ///
  /// Faster for a reader that was made with the matcher's ``projection``.
  ///
  /// - Complexity: As for an event.
  public func decide(eventOf reader: borrowing EventReader, using state: inout MatchState) -> Decision {
    if reader.projection === projection {
      return reader.withUpcomingValues { events in
        state.prepare(events, self)
        return decide(events[0], &state)
      }
    }
    return reader.withParsedEvent { text, tape in decide(tape, of: text, using: &state) }
  }

  package func decide(_ tape: borrowing JSONTape, of text: UnsafeBufferPointer<UInt8>, using state: inout MatchState)
    -> Decision
  {
    let own = state.own
    own.pointee.load(tape, text)
    return decide(own.pointee, &state)
  }

  /// What the rules say about events, in their order.
  public func decide(_ events: some Sequence<AnalyticsEvent>) -> [Decision] {
    var state = MatchState(for: self)
    return events.map { decide($0, using: &state) }
  }

  /// Whether an event is selected; ``MatchState/matchedRules`` then are the rules that match. Works out nothing else, no
  /// event ID for one.
  ///
  /// - Complexity: As for ``decide(_:using:)``.
  public func selects(_ event: borrowing ProjectedEvent, using state: inout MatchState) -> Bool {
    precondition(event.projection === projection, "the values are those that another matcher looks at")
    return state.match(event, self)
  }

  /// Whether the event that a reader has returned last is selected; ``MatchState/matchedRules`` then are the rules that
  /// match. Works out nothing else, no event ID for one.
  ///
  /// Faster for a reader that was made with the matcher's ``projection``.
  ///
  /// - Complexity: As for ``decide(_:using:)``.
  public func selects(eventOf reader: borrowing EventReader, using state: inout MatchState) -> Bool {
    if reader.projection === projection {
      return reader.withUpcomingValues { events in
        state.prepare(events, self)
        return state.match(events[0], self)
      }
    }
    return reader.withParsedEvent { text, tape in
      let own = state.own
      own.pointee.load(tape, text)
      return state.match(own.pointee, self)
    }
  }

  private func decide(_ event: borrowing ProjectedEvent, _ state: inout MatchState) -> Decision {
    var decision = Decision()
    decision.isSelected = state.match(event, self)
    let element = state.element(event, self)
    decision.eventID = element.eventID
    decision.resolution = element.resolution
    let matches = state.sortedByID(self)
    for number in matches {
      if isExclude(number) { decision.excludedBy.append(ruleID(number)) } else { decision.rules.append(ruleID(number)) }
    }
    decision.pages = excludedPageNames(state.matchedPages)
    if decision.isSelected { decision.emit = Set(matches.map(emit)).sorted() }
    return decision
  }

  private func emit(_ number: Int) -> UTF8String {
    UTF8String(String(decoding: emitBytes(ofRule: number), as: UTF8.self))
  }
}

extension [SelectionRule] {
  /// Sorts by the bytes of the ids.
  mutating func sortByID() { sort { $0.id < $1.id } }
}

/// What a rule set says besides its rules.
struct MatcherSettings: Sendable {
  var track: RuleSet.Tracking
  var excludedPages: [ExcludedPage]
  var classes: [UTF8String: UTF8String]
  var fields: EventFields
  var style: PathStyleName

  init(_ ruleSet: RuleSet) {
    track = ruleSet.track
    excludedPages = ruleSet.excludedPages
    classes = ruleSet.classes
    fields = ruleSet.fields
    style = ruleSet.style
  }

  func hierarchy(_ dictionary: ElementDictionary) -> ClassHierarchy {
    var hierarchy = dictionary.hierarchy
    hierarchy.add(classes)
    return hierarchy
  }

  func vocabulary(_ dictionary: ElementDictionary) -> ClassVocabulary {
    var vocabulary = dictionary.vocabulary
    for name in classes.keys { vocabulary.insert(name.text) }
    return vocabulary
  }
}

/// The numbers of the properties in which fields may be.
struct FieldTable: Sendable {
  private let numbers: FrozenArray<Int>
  private let starts: FrozenArray<Int>

  /// The places of fields, which get the first numbers.
  init(_ settings: MatcherSettings, _ properties: inout PropertyNumbers) {
    self.init(
      EventFields.Field.allCases.map { field in settings.fields.places(of: field).map { properties.number($0) } })
  }

  private init(_ numbersOfFields: [[Int]]) {
    var numbers: [Int] = []
    var starts = [0]
    for field in numbersOfFields {
      numbers += field
      starts.append(numbers.count)
    }
    self.numbers = FrozenArray(numbers)
    self.starts = FrozenArray(starts)
  }

  subscript(field: EventFields.Field) -> UnsafeBufferPointer<Int> {
    numbers[starts[field.ordinal]..<starts[field.ordinal + 1]]
  }

  /// The first value of a field that an event has; missing if it has none.
  @inline(__always) func value(of field: EventFields.Field, _ event: borrowing ProjectedEvent) -> ProjectedValue {
    let last = starts[field.ordinal + 1] - 1
    for i in starts[field.ordinal]..<last {
      let value = event[numbers[i]]
      if value.kind != .missing { return value }
    }
    return event[numbers[last]]
  }

  /// The properties that tell the element, and what else rules of elements mostly ask for: what is the same for these is
  /// remembered together.
  var elementProperties: [Int] {
    let fields: [EventFields.Field] = [
      .path, .page, .event, .eventID, .pathIndexes, .actions, .alertMessage, .alertTitle, .app,
    ]
    var result: [Int] = []
    for field in fields { for number in self[field] where !result.contains(number) { result.append(number) } }
    return result
  }
}
