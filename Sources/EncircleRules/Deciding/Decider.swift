import EncircleEvents
import EncircleIdentity
import EncircleText

/// Decides events, one after the other, by the rules of its matcher. Create one for each thread or task.
///
/// It caches the results for elements, so reusing a decider is much faster than creating a new one. The cache does not affect
/// decisions.
///
/// ```swift
/// let matcher = Matcher(ruleSet)
/// var decider = Decider(matcher)
/// let decision = decider.decide(event)
/// ```
public struct Decider: ~Copyable {
  /// The limit of the cache of elements, in bytes, unless the caller sets another.
  public static let defaultCacheLimit = 32 << 20

  /// The matcher whose rules decide.
  public private(set) var matcher: Matcher
  private var engine: EventMatcher
  private let cacheLimit: Int
  // Made for the first event that no rule is about.
  private var approximate: ApproximateMatcher?
  // Made for the first selected event, where rules give properties.
  private var propertyReader: PropertyReader?
  // The version of the matcher in a live matcher; 0 for a matcher from elsewhere.
  private var version = 0

  /// Creates a decider.
  ///
  /// - Parameter cacheLimit: The maximum memory for the cache of elements, in bytes; with 0, nothing is cached.
  /// - Complexity: O(rules).
  public init(_ matcher: Matcher, cacheLimit: Int = Decider.defaultCacheLimit) {
    self.matcher = matcher
    self.cacheLimit = cacheLimit
    engine = EventMatcher(matcher, cacheLimit: cacheLimit)
  }

  /// Creates a decider that uses the current matcher.
  ///
  /// - Parameter cacheLimit: The maximum memory for the cache of elements, in bytes; with 0, nothing is cached.
  /// - Complexity: O(rules).
  public init(_ live: LiveMatcher, cacheLimit: Int = Decider.defaultCacheLimit) {
    self.init(live.current, cacheLimit: cacheLimit)
    update(from: live)
  }

  /// Switches to the current matcher, and returns whether it is a different one. If so, the cache is dropped together with the old
  /// matcher.
  ///
  /// - Complexity: O(1) if nothing has changed, because only a number is compared; else O(rules).
  @discardableResult
  public mutating func update(from live: LiveMatcher) -> Bool {
    guard let newer = live.matcher(newerThan: &version) else { return false }
    matcher = newer
    approximate = nil
    propertyReader = nil
    engine = EventMatcher(newer, cacheLimit: cacheLimit)
    return true
  }

  // MARK: - Deciding

  /// Decides an event.
  ///
  /// - Complexity: O(*c*) for an element that is cached, *c* clauses that depend on more than the element; else
  ///   O(*s* · *n*), *s* selectors that share a key with the path, *n* components.
  public mutating func decide(_ event: AnalyticsEvent) -> Decision { decide(engine.load(event)) }

  /// Decides an event that arrives as a single JSON text, as in HTTP requests and message queues.
  ///
  /// This is as fast as an event of a long stream, and allocates nothing per message.
  ///
  /// - Parameter json: One JSON object in UTF-8, optionally surrounded by white space.
  /// - Throws: A `Rejection` with the place of the problem; then there is no decision.
  /// - Complexity: As for ``decide(_:)-(AnalyticsEvent)``, and O(*n*), *n* bytes.
  public mutating func decide(json: UnsafeBufferPointer<UInt8>) throws(Rejection) -> Decision {
    decide(try engine.load(message: json))
  }

  /// Decides an event that arrives as a single JSON text, such as an array of bytes or `Data`.
  ///
  /// - Throws: A `Rejection` with the place of the problem; then there is no decision.
  /// - Complexity: As for ``decide(_:)-(AnalyticsEvent)``, and O(*n*), *n* bytes.
  public mutating func decide(json: some Sequence<UInt8>) throws(Rejection) -> Decision {
    decide(try load(json))
  }

  private mutating func load(_ json: some Sequence<UInt8>) throws(Rejection) -> UnsafePointer<ProjectedEvent> {
    let result = json.withContiguousStorageIfAvailable { bytes in
      Result { () throws(Rejection) in try engine.load(message: bytes) }
    }
    if let result { return try result.get() }
    return try load(Array(json))
  }

  /// Decides the event that a reader has returned last.
  ///
  /// Fastest with a reader that was made with the matcher's ``Matcher/projection``.
  ///
  /// - Precondition: The reader has returned an event last, not a rejection or nil.
  /// - Complexity: As for ``decide(_:)-(AnalyticsEvent)``.
  public mutating func decide(eventOf reader: borrowing EventReader) -> Decision {
    withEvent(of: reader) { decider, event in decider.decide(event) }
  }

  /// Decides an event whose values have been projected.
  ///
  /// - Precondition: They have been projected by the matcher's ``Matcher/projection``.
  /// - Complexity: As for ``decide(_:)-(AnalyticsEvent)``.
  public mutating func decide(_ event: borrowing ProjectedEvent) -> Decision {
    checkProjection(of: event)
    return withUnsafePointer(to: event) { decide($0) }
  }

  package mutating func decide(_ tape: borrowing JSONTape, of text: UnsafeBufferPointer<UInt8>) -> Decision {
    decide(engine.load(tape, text))
  }

  /// Reads the properties that rules give the event decided last.
  ///
  /// - Parameter decision: The decision on the whole event.
  /// - Complexity: O(length of the text), if the event has properties; else O(1).
  package mutating func properties(
    of decision: Decision, keptAs tape: borrowing JSONTape, _ text: UnsafeBufferPointer<UInt8>
  ) -> [RulePropertyValues] {
    decision.properties.isEmpty ? [] : givenProperties(matchesSortedByID, engine.replaceEvent(by: tape, text))
  }

  private mutating func decide(_ event: UnsafePointer<ProjectedEvent>) -> Decision {
    var decision = Decision()
    decision.isSelected = engine.match(event)
    decision.resolution = engine.resolution(of: event)
    decision.eventID = engine.eventID(of: event)
    let matches = matchesSortedByID
    for rule in matches {
      if matcher.isExclude(rule) {
        decision.excludedBy.append(matcher.ruleID(rule))
      } else {
        decision.rules.append(matcher.ruleID(rule))
      }
    }
    decision.pages = matcher.excludedPageNames(engine.matchedPages)
    if decision.isSelected { decision.emit = Set(matches.flatMap { matcher.emitNames(ofRule: $0) }).sorted() }
    if matcher.givesProperties, decision.isSelected { decision.properties = givenProperties(matches, event) }
    decision.approximate = approximation(of: event)
    return decision
  }

  /// Returns the properties that rules give the event that was matched last.
  private mutating func givenProperties(
    _ rules: [Int], _ event: UnsafePointer<ProjectedEvent>
  ) -> [RulePropertyValues] {
    // Moved out of the property while it is used, so that its cache is not copied.
    var reader = propertyReader.take() ?? PropertyReader(matcher)
    defer { propertyReader = reader }
    return reader.values(ofRules: rules, matcher, event, &engine)
  }

  /// Returns the outcome of reading each property that the rules give an event, by rule; empty for an event that is not
  /// selected.
  mutating func propertyOutcomes(
    of event: AnalyticsEvent
  ) -> [UTF8String: [(property: RuleProperty, outcome: PropertyReader.Outcome)]] {
    let loaded = engine.load(event)
    guard matcher.givesProperties, engine.match(loaded) else { return [:] }
    var reader = PropertyReader(matcher)
    var outcomes: [UTF8String: [(property: RuleProperty, outcome: PropertyReader.Outcome)]] = [:]
    for rule in matchesSortedByID {
      let list = reader.outcomes(ofRule: rule, loaded, &engine)
      if !list.isEmpty { outcomes[matcher.ruleID(rule)] = list }
    }
    return outcomes
  }

  /// Returns the rule that would probably select the event that was matched last, if no rule is about it.
  private mutating func approximation(of event: UnsafePointer<ProjectedEvent>) -> Approximation? {
    guard let table = matcher.toleranceTable, engine.matchedRules.isEmpty, engine.matchedPages.isEmpty else {
      return nil
    }
    let known = approximate ?? ApproximateMatcher(matcher, table)
    approximate = known
    return known.approximation(of: event, &engine)
  }

  /// The places of the fields that rules read in the event decided last. If the rules are in several styles, these are the places
  /// of the event's SDK.
  package var fieldPlaces: EventFields { matcher.fieldPlaces(ofStyle: styleNumber) }

  /// Returns the place of an event's element; nil if it is unknown or the event has no element.
  ///
  /// - Parameter style: The ``styleNumber`` of an event that does not show its style; otherwise nil.
  /// - Complexity: As for ``decide(_:)-(AnalyticsEvent)``, and O(length of the path).
  package mutating func place(of event: AnalyticsEvent, style: Int? = nil) -> ElementPlace? {
    let loaded = engine.load(event)
    if let style, let styles = engine.styles {
      _ = styles.pointee.match(loaded, style: style)
    } else {
      _ = engine.match(loaded)
    }
    return engine.place(of: loaded)
  }

  private var matchesSortedByID: [Int] {
    let numbers = matchedRules
    // The numbers of one program are in the order of the ids.
    if matcher.programs.count == 1 { return numbers }
    return numbers.map { (number: $0, id: matcher.ruleID($0)) }.sorted { $0.id < $1.id }.map(\.number)
  }

  // MARK: - Matching

  /// Returns whether an event whose values have been projected is selected, and sets ``matchedRules`` to the rules that match.
  /// Computes nothing else, in particular no event ID.
  ///
  /// - Precondition: They have been projected by the matcher's ``Matcher/projection``.
  /// - Complexity: As for ``decide(_:)-(AnalyticsEvent)``.
  public mutating func selects(_ event: borrowing ProjectedEvent) -> Bool {
    checkProjection(of: event)
    return withUnsafePointer(to: event) { engine.match($0) }
  }

  /// Returns whether an event is selected, and sets ``matchedRules`` to the rules that match. Computes nothing else, in particular
  /// no event ID.
  ///
  /// - Complexity: As for ``decide(_:)-(AnalyticsEvent)``.
  package mutating func selects(_ event: AnalyticsEvent) -> Bool { engine.match(engine.load(event)) }

  /// Returns whether an event that arrives as a single JSON text is selected, and sets ``matchedRules`` to the rules that match.
  /// Computes nothing else, in particular no event ID.
  ///
  /// - Throws: A `Rejection` with the place of the problem.
  /// - Complexity: As for ``decide(json:)-(Sequence<UInt8>)``.
  public mutating func selects(json: some Sequence<UInt8>) throws(Rejection) -> Bool {
    engine.match(try load(json))
  }

  /// Returns whether an event that arrives as a single JSON text is selected, as ``selects(json:)`` does.
  package mutating func selects(message: UnsafeBufferPointer<UInt8>) throws(Rejection) -> Bool {
    engine.match(try engine.load(message: message))
  }

  /// Returns whether a reader's latest event is selected, and sets ``matchedRules`` to the rules that match. Computes nothing else,
  /// in particular no event ID.
  ///
  /// - Precondition: The reader has returned an event last, not a rejection or nil.
  /// - Complexity: As for ``decide(_:)-(AnalyticsEvent)``.
  public mutating func selects(eventOf reader: borrowing EventReader) -> Bool {
    withEvent(of: reader) { decider, event in decider.engine.match(event) }
  }

  /// The numbers of the rules that match the last event, in ascending order; ``Matcher/ruleID(_:)`` gives their ids.
  public var matchedRules: [Int] { engine.matchedRules.map { Int($0) } }

  /// The number of rules that match the last event.
  public var matchCount: Int { engine.matchedRules.count }

  // MARK: - Statistics

  /// The number of events whose element was in the cache.
  public var cacheHits: Int { engine.cacheHits }
  /// This is true if an event had the path of a web page although all rules are in styles of apps, which cannot read
  /// such paths.
  package var hasMetPagePath: Bool { engine.hasMetPagePath }
  /// The number of events whose element was not in the cache, or no longer.
  public var cacheMisses: Int { engine.cacheMisses }
  /// The number of events that the prefilter rejected: the end of the path showed that no rule is about the element.
  public var prefiltered: Int { engine.prefiltered }

  // MARK: - Events

  @inline(__always)
  private mutating func withEvent<R>(
    of reader: borrowing EventReader, _ body: (inout Decider, UnsafePointer<ProjectedEvent>) -> R
  ) -> R {
    // The values of an earlier event may lie in memory that the reader has used for something else.
    precondition(reader.hasEvent, "the reader has not returned an event last")
    if reader.projection === matcher.projection {
      let events = reader.upcomingValues
      engine.prepare(events)
      return body(&self, events.baseAddress.unsafelyUnwrapped)
    }
    return reader.withParsedEvent { text, tape in body(&self, engine.load(tape, text)) }
  }

  private func checkProjection(of event: borrowing ProjectedEvent) {
    precondition(event.projection === matcher.projection, "the values were projected for another matcher")
  }
}

// MARK: - For output that makes no strings

extension Decider {
  /// The numbers of the rules that match the last event, in ascending order; valid until the next event.
  @inline(__always) package var matchedNumbers: UnsafeBufferPointer<UInt32> { engine.matchedRules }

  /// The numbers of the excluded pages that the last event is on, in the order of the rule set.
  @inline(__always) package var matchedPages: [Int] { engine.matchedPages }

  /// The index of the last event's style in ``Matcher/stylesAndFields``, or their count if the event is in none of these
  /// styles. It is nil if all rules are in one style.
  package var styleNumber: Int? { engine.styleNumber }

  /// Returns the event ID of the event that a reader returned last and that was matched last. The reader must use the matcher's
  /// projection.
  package mutating func eventID(ofEventOf reader: borrowing EventReader) -> EventID? {
    engine.eventID(of: reader.upcomingValues.baseAddress.unsafelyUnwrapped)
  }

  /// Returns the event ID of the message that has just been matched; see ``selects(message:)``.
  package mutating func eventIDOfMessage() -> EventID? { engine.eventIDOfOwnEvent() }

  /// Returns how the element of the reader's current event was found. The event must also be the one matched last, and the reader
  /// must use the matcher's projection.
  package mutating func resolution(ofEventOf reader: borrowing EventReader) -> Decision.Resolution {
    engine.resolution(of: reader.upcomingValues.baseAddress.unsafelyUnwrapped)
  }

  /// Returns the properties that rules give a reader's latest event. It must be selected and have been matched last, and the
  /// reader must use the matcher's projection.
  package mutating func properties(ofEventOf reader: borrowing EventReader) -> [RulePropertyValues] {
    givenProperties(matchesSortedByID, reader.upcomingValues.baseAddress.unsafelyUnwrapped)
  }

  /// Returns the properties that rules give the message that has just been matched and is selected; see ``selects(message:)``.
  package mutating func propertiesOfMessage() -> [RulePropertyValues] {
    givenProperties(matchesSortedByID, UnsafePointer(engine.ownEvent))
  }

  /// Returns the rule that would probably select a reader's latest event, if no rule is about it. The event must have been
  /// matched last, and the reader must use the matcher's projection.
  package mutating func approximation(ofEventOf reader: borrowing EventReader) -> Approximation? {
    matcher.toleranceTable == nil ? nil : approximation(of: reader.upcomingValues.baseAddress.unsafelyUnwrapped)
  }
}
