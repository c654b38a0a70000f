import EncircleEvents
import EncircleIdentity
import EncircleText
import EncircleTree

/// A rule set compiled for matching: immutable, shared by any number of threads, each with its own ``Decider``.
///
/// ```swift
/// let matcher = Matcher(ruleSet)
/// var decider = Decider(matcher)
/// let decision = decider.decide(event)
/// ```
public struct Matcher: Sendable {
  /// The places in events that the rules read. A reader made with this projection extracts nothing else.
  public let projection: EventProjection
  /// The dictionary of known event IDs.
  public let dictionary: ElementDictionary
  /// Says whether events that no rule is about are selected.
  public var track: RuleSet.Tracking { settings.track }

  /// The places of the fields that rules test.
  package var fieldPlaces: EventFields { settings.fields }

  /// Returns the places of the fields that rules test in events of a style.
  ///
  /// - Parameter number: A ``Decider/styleNumber`` of this matcher.
  package func fieldPlaces(ofStyle number: Int?) -> EventFields {
    guard let styles, let number else { return fieldPlaces }
    return styles.parts[number].fieldPlaces
  }

  /// The path style of events and selectors.
  package var style: PathStyleName { settings.style }
  /// The styles of the rules, with the places of the fields that rules test in events of each.
  package var stylesAndFields: [(PathStyleName, EventFields)] {
    guard let styles else { return [(style, fieldPlaces)] }
    return zip(styles.events.styles, styles.parts).map { ($0, $1.settings.fields) }
  }
  /// Returns the classes that are known for events of a style, by the rules and the dictionary.
  package func hierarchy(of style: PathStyleName) -> ClassHierarchy {
    styles?.parts.first { $0.style == style }?.hierarchy ?? hierarchy
  }

  /// The options for the identities from which event IDs are computed.
  package var identity: IdentityOptions { settings.identity }

  let settings: MatcherSettings
  let properties: PropertyNumbers
  let fields: FieldTable
  let vocabulary: ClassVocabulary
  let hierarchy: ClassHierarchy
  /// The programs that together hold all rules; nearly always one.
  let programs: [SharedProgram]
  /// The numbers of each program's first rule and first clause.
  let ruleStarts: [Int]
  let clauseStarts: [Int]
  var excludedPages: [ExcludedPage] { settings.excludedPages }
  /// The pages that are excluded by default; nil if the rule set does not exclude them.
  let defaultPages: DefaultPages?
  /// This is true if the index finds some rules by values of properties.
  let usesValues: Bool
  /// This is true if the end of a path can show that no rule is about the element.
  let usesPrefilter: Bool
  /// This is true if some rule tests a text that the dictionary supplies for events with only an event ID.
  let usesKnownTexts: Bool
  /// The tests on texts around an event's element that the dictionary may be able to answer; usually none.
  let placesWithin: [PlaceWithin]
  /// This is true if some rule adds properties to events.
  package let givesProperties: Bool

  /// The rules from which each program was compiled; nil for programs that were not compiled by an update.
  let sources: [[SelectionRule]?]
  /// The numbers of rules that updates have removed or replaced.
  let removed: Set<Int>
  /// The matchers by style, if rules are in several; nil if not.
  let styles: StyleMatchers?
  /// The new places of lost elements; nil without approximate decisions. Updating the matcher discards it.
  public internal(set) var toleranceTable: ToleranceTable?

  /// Compiles a rule set.
  ///
  /// - Complexity: O(size of the rules), plus a sort of keys.
  public init(_ ruleSet: RuleSet, dictionary: ElementDictionary = ElementDictionary()) {
    self.init(ruleSet, dictionary: dictionary, limits: IndexLimits())
  }

  package init(_ ruleSet: RuleSet, dictionary: ElementDictionary, limits: IndexLimits) {
    guard ruleSet.otherStyles.isEmpty else {
      self.init(styles: ruleSet, dictionary: dictionary, limits: limits)
      return
    }
    var properties = PropertyNumbers()
    self.init(ruleSet, dictionary: dictionary, limits: limits, &properties)
  }

  /// Compiles a rule set in one style, and adds the properties that it needs to others.
  init(
    _ ruleSet: RuleSet, dictionary: ElementDictionary, limits: IndexLimits, _ properties: inout PropertyNumbers
  ) {
    let settings = MatcherSettings(ruleSet)
    let fields = FieldTable(settings, &properties)
    var compiler = RuleCompiler(
      hierarchy: settings.hierarchy(dictionary), vocabulary: settings.vocabulary(dictionary), dictionary: dictionary,
      fields: settings.fields, properties: properties, elementProperties: Set(fields.elementProperties), limits: limits)
    let program = SharedProgram(compiler.compile(ruleSet.rules))
    properties = compiler.properties
    self.init(
      settings, dictionary, properties, fields, compiler.vocabulary, [program], sources: [nil], removed: [])
  }

  init(
    _ settings: MatcherSettings, _ dictionary: ElementDictionary, _ properties: PropertyNumbers, _ fields: FieldTable,
    _ vocabulary: ClassVocabulary, _ programs: [SharedProgram], sources: [[SelectionRule]?], removed: Set<Int>,
    projection known: EventProjection? = nil, defaultPages knownPages: DefaultPages? = nil, styles: StyleMatchers? = nil
  ) {
    self.styles = styles
    self.settings = settings
    self.properties = properties
    self.fields = fields
    if let known, known.count == properties.references.count {
      projection = known
    } else {
      projection = EventProjection(
        properties.references, keyPlaces: fields.elementProperties, keyFallbacks: fields.fallbacks)
    }
    self.dictionary = dictionary
    self.vocabulary = vocabulary
    hierarchy = settings.hierarchy(dictionary)
    defaultPages = settings.excludesDefaultPages ? knownPages ?? DefaultPages(hierarchy) : nil
    self.programs = programs
    self.sources = sources
    self.removed = removed
    usesValues = programs.contains { !$0.program.pointee.index.values.isEmpty }
    usesPrefilter =
      settings.style == .hubbleData && settings.excludedPages.isEmpty
      && programs.allSatisfy {
        !$0.program.pointee.index.features.eventIDs && !$0.program.pointee.index.paths.prefilter.passesAll
      }
    placesWithin =
      dictionary.screenTexts.isEmpty ? [] : PlaceWithin.all(properties.references, programs, settings.style)
    let known = dictionary.texts.isEmpty ? [] : fields.numbersByEventID(settings.style.eventShape)
    givesProperties = programs.contains { !$0.program.pointee.rules.properties.isEmpty }
    usesKnownTexts =
      !known.isEmpty
      && programs.contains { shared in
        shared.program.pointee.tests.hasTest(of: known)
          || shared.program.pointee.rules.properties.values.contains { list in
            list.contains { $0.references.contains { properties.find($0).map { known.contains($0) } ?? false } }
          }
      }
    var ruleStarts = [0]
    var clauseStarts = [0]
    for program in programs {
      ruleStarts.append(ruleStarts[ruleStarts.count - 1] + program.program.pointee.rules.records.count)
      clauseStarts.append(clauseStarts[clauseStarts.count - 1] + program.program.pointee.clauses.records.count)
    }
    self.ruleStarts = ruleStarts
    self.clauseStarts = clauseStarts
  }

  /// The number of rules in force.
  public var ruleCount: Int { styles?.ruleCount ?? ruleStarts[programs.count] - removed.count }

  /// Rules have numbers below this one. If rules are in several styles, one rule may have several numbers.
  package var ruleNumberLimit: Int { ruleStarts[programs.count] }

  /// Returns the id of a rule.
  public func ruleID(_ number: Int) -> UTF8String {
    UTF8String(String(decoding: idBytes(ofRule: number), as: UTF8.self))
  }

  /// Returns whether a rule excludes the events that it matches.
  public func isExclude(_ number: Int) -> Bool {
    let (program, rule) = place(ofRule: number)
    return program.pointee.rules.records[rule].isExclude
  }

  /// The memory of the compiled rules, in bytes, without the texts that messages need and without the dictionary.
  public var memoryInBytes: Int { programs.reduce(0) { $0 + $1.program.pointee.byteCount } }

  /// Returns the program that a rule belongs to, and its number there.
  @inline(__always) func place(ofRule number: Int) -> (program: UnsafePointer<RuleProgram>, rule: Int) {
    precondition(number >= 0 && number < ruleNumberLimit, "no rule of this matcher has that number")
    var i = programs.count - 1
    while ruleStarts[i] > number { i -= 1 }
    return (programs[i].program, number - ruleStarts[i])
  }

  /// Decides events, in their order.
  ///
  /// - Complexity: As for ``Decider/decide(_:)-(AnalyticsEvent)``, and once O(rules).
  public func decide(_ events: some Sequence<AnalyticsEvent>) -> [Decision] {
    var decider = Decider(self)
    return events.map { decider.decide($0) }
  }
}

extension [SelectionRule] {
  /// Sorts the rules by the bytes of their ids.
  mutating func sortByID() { sort { $0.id < $1.id } }
}
