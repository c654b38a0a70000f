import EncircleEvents
import EncircleText

/// Matches one event after the other against all programs of a matcher. It does the work of a ``Decider``.
///
/// An event goes through these steps; most events are done after the first or second:
///
/// 1. The prefilter looks at the end of the path and rejects elements that no rule is about.
/// 2. The cache returns the results for the element alone: the rules that match, and the open clauses.
/// 3. For an element that is not in the cache, the index finds candidates, which are then evaluated.
/// 4. Open clauses, and clauses found by values, are evaluated on the whole event.
struct EventMatcher: ~Copyable {
  let input: UnsafeMutablePointer<MatchInput>
  // An event without values, and the place for events that no reader has projected.
  let ownEvent: UnsafeMutablePointer<ProjectedEvent>
  // Created for the first message. It is a pointer because each access to a result would otherwise copy it.
  private var messages: UnsafeMutablePointer<MessageReader>?
  // The matchers by style, if the rules are in several styles; they then do all the work.
  let styles: UnsafeMutablePointer<StyleEngines>?
  // There is one for each program, and nearly always only one program.
  private let programs: UnsafeMutablePointer<ProgramMatcher>
  private let programCount: Int

  // Parts of the matcher that every event needs.
  private let track: RuleSet.Tracking
  private let usesValues: Bool
  private let usesPrefilter: Bool
  let usesKnownTexts: Bool
  private let usesTextsWithin: Bool
  private let excludedPages: [ExcludedPage]
  // Keeps the names of the default pages.
  private let defaultPages: DefaultPages?
  private let defaultPageNames: UnsafePointer<FrozenNames>?
  private let removed: Set<Int>
  private let hasRemoved: Bool
  // False for a style whose events have an alias in place of the page.
  let namesPages: Bool
  private let ruleLimit: Int

  var cache: ElementCache
  var prefilterState = PrefilterState()
  private var prefilterRejections = 0

  // Results for the present event.
  private(set) var entry: ElementCache.Entry?
  private(set) var isPrefiltered = false
  private(set) var matched = GrowingBuffer<UInt32>()
  // This is true if the cache entry has all rules that match; then `matched` is empty.
  private(set) var matchesAreCached = false

  // Scratch.
  private var open = GrowingBuffer<ElementCache.OpenClause>()
  private var pages = GrowingBuffer<UInt32>()
  private var sorter = NumberSorter()
  // For each rule, the last round in which it matched. A round is an event, or the evaluation of an element.
  private var ruleRounds = GrowingBuffer<UInt32>()
  private var round: UInt32 = 0

  // The number of open clauses that are prefetched together.
  private static let batchSize = 16

  init(_ matcher: Matcher, cacheLimit: Int) {
    ownEvent = .allocate(capacity: 1)
    ownEvent.initialize(to: ProjectedEvent(matcher.projection))
    input = .allocate(capacity: 1)
    input.initialize(to: MatchInput(matcher, UnsafePointer(ownEvent)))
    if let parts = matcher.styles {
      let styles = UnsafeMutablePointer<StyleEngines>.allocate(capacity: 1)
      styles.initialize(to: StyleEngines(parts, cacheLimit: cacheLimit))
      self.styles = styles
    } else {
      styles = nil
    }
    programCount = matcher.programs.count
    programs = .allocate(capacity: programCount)
    for (i, program) in matcher.programs.enumerated() {
      (programs + i).initialize(
        to: ProgramMatcher(
          program, input, firstRule: matcher.ruleStarts[i], firstClause: matcher.clauseStarts[i]))
    }
    track = matcher.track
    usesValues = matcher.usesValues
    usesPrefilter = matcher.usesPrefilter
    usesKnownTexts = matcher.usesKnownTexts
    usesTextsWithin = !matcher.placesWithin.isEmpty
    excludedPages = matcher.excludedPages.map { $0.read(in: matcher.style) }
    defaultPages = matcher.defaultPages
    defaultPageNames = defaultPages?.names
    removed = matcher.removed
    hasRemoved = !removed.isEmpty
    namesPages = matcher.style.eventShape.namesPages
    ruleLimit = matcher.ruleNumberLimit
    cache = ElementCache(byteLimit: cacheLimit)
    ruleRounds.append(repeating: 0, count: ruleLimit)
  }

  deinit {
    if let messages { messages.deinitialize(count: 1).deallocate() }
    if let styles { styles.deinitialize(count: 1).deallocate() }
    programs.deinitialize(count: programCount).deallocate()
    input.deinitialize(count: 1).deallocate()
    ownEvent.deinitialize(count: 1).deallocate()
  }

  /// This is true if an event had the path of a web page although the style is for apps.
  var hasMetPagePath: Bool {
    styles?.pointee.sum { $0.hasMetPagePath ? 1 : 0 } ?? 0 > 0 || input.pointee.hasMetPagePath
  }
  /// The number of the last event's style; nil if all rules are in one style.
  var styleNumber: Int? { styles?.pointee.number }
  var cacheHits: Int { styles?.pointee.sum { $0.cacheHits } ?? cache.hits }
  var cacheMisses: Int { styles?.pointee.sum { $0.cacheMisses } ?? cache.misses }
  /// The number of events whose element the prefilter has rejected.
  var prefiltered: Int { styles?.pointee.sum { $0.prefiltered } ?? prefilterRejections }

  // MARK: - Events

  /// Projects the values of an event to a place of the matcher's own, for ``match(_:)``.
  mutating func load(_ event: AnalyticsEvent) -> UnsafePointer<ProjectedEvent> {
    ownEvent.pointee.load(event)
    return UnsafePointer(ownEvent)
  }

  /// Projects the values of a parsed event to a place of the matcher's own, for ``match(_:)``.
  mutating func load(
    _ tape: borrowing JSONTape, _ text: UnsafeBufferPointer<UInt8>
  ) -> UnsafePointer<ProjectedEvent> {
    ownEvent.pointee.load(tape, text)
    return UnsafePointer(ownEvent)
  }

  /// Replaces the event matched last with what is kept of it, to read properties from that. The matching rules stay the same.
  mutating func replaceEvent(
    by tape: borrowing JSONTape, _ text: UnsafeBufferPointer<UInt8>
  ) -> UnsafePointer<ProjectedEvent> {
    let event = load(tape, text)
    // The element must be found again, because its values refer to the text of the whole event.
    let reader = styles?.pointee.current.pointee.input ?? input
    reader.pointee.begin(event)
    return event
  }

  /// Projects the values of a message to a place of the matcher's own, for ``match(_:)``.
  mutating func load(
    message: UnsafeBufferPointer<UInt8>
  ) throws(Rejection) -> UnsafePointer<ProjectedEvent> {
    try messageReader().pointee.read(message, into: &ownEvent.pointee)
    return UnsafePointer(ownEvent)
  }

  private mutating func messageReader() -> UnsafeMutablePointer<MessageReader> {
    if let messages { return messages }
    let new = UnsafeMutablePointer<MessageReader>.allocate(capacity: 1)
    new.initialize(to: MessageReader(ownEvent.pointee.projection))
    messages = new
    return new
  }

  /// Prefetches the cache entries of events that will be matched one after the other, unless that has been done. Waiting for all of
  /// them together takes no longer than waiting for one.
  @inline(__always)
  mutating func prepare(_ events: UnsafeBufferPointer<ProjectedEvent>) {
    if styles == nil, events.count > 1, !events[0].hasKeyDigest, !usesPrefilter || prefilterState.isPaused {
      prefetch(events)
    }
  }

  private mutating func prefetch(_ events: UnsafeBufferPointer<ProjectedEvent>) {
    for i in 0..<events.count {
      if let digest = events[i].keyDigest { cache.prefetchSlot(digest) }
    }
    for i in 0..<events.count {
      if let digest = events[i].keyDigest { cache.prefetchEntry(digest) }
    }
    for i in 0..<events.count {
      guard let digest = events[i].keyDigest, let entry = cache.peek(digest) else { continue }
      let count = min(Self.batchSize, Int(entry.pointee.openCount))
      prefetchTests(ElementCache.lists(of: entry) + Int(entry.pointee.matchedCount), count: count)
      cache.prefetchEventID(entry)
    }
  }

  // MARK: - Matching

  /// Finds the rules that match an event, and returns whether it is selected.
  mutating func match(_ event: UnsafePointer<ProjectedEvent>) -> Bool {
    if let styles { return styles.pointee.match(event) }
    matched.removeAll()
    beginRound()
    input.pointee.begin(event)
    if usesKnownTexts { input.pointee.addKnownTexts() }
    if usesTextsWithin { input.pointee.addTextsWithin() }
    defer { if usesKnownTexts || usesTextsWithin { input.pointee.withdrawKnownTexts() } }
    for i in 0..<programCount { programs[i].begin() }
    let known = entryOfElement()
    entry = known
    var hasIncludes = known.pointee.hasIncludes
    var hasExcludes = known.pointee.hasExcludes
    matchesAreCached = true
    if known.pointee.openCount > 0 || usesValues {
      matchRest(known)
      for i in 0..<matched.count {
        if isExclude(matched[i]) { hasExcludes = true } else { hasIncludes = true }
      }
    }
    return (hasIncludes || track == .all) && !hasExcludes && known.pointee.pageCount == 0
  }

  /// Returns the entry of the event's element: from the prefilter, from the cache, or new.
  @inline(__always)
  private mutating func entryOfElement() -> ElementCache.Entry {
    isPrefiltered = false
    if usesPrefilter, prefilterState.isOn() {
      let page = programs[0].page
      isPrefiltered = prefilterRejects(page: page) && !isOnDefaultPage
      prefilterState.note(isRejected: isPrefiltered)
      if isPrefiltered {
        prefilterRejections &+= 1
        return cache.emptyEntry(page: page)
      }
    }
    let digest = input.pointee.values.pointee.keyDigest
    if let digest, let found = cache.lookUp(digest) { return found }
    return insertElement(digest)
  }

  /// This is true if the page is excluded by default, perhaps only for some events such as page views.
  @inline(__always) private var isOnDefaultPage: Bool {
    guard let defaultPageNames else { return false }
    let page = input.pointee.page
    return page.kind == .string && defaultPageNames.pointee.find(page.bytes) != nil
  }

  /// Returns the index, in the default list, of the excluded class nearest to the page's class; nil if no class is excluded.
  private mutating func nearestDefaultPage() -> Int? {
    let list = ExcludedPage.defaults
    var nearest: Int?
    for (i, excluded) in list.enumerated() where input.pointee.isOnPage(excluded, programs[0].classes) {
      let isNearer = nearest.map { last in
        excluded.name.withUTF8 { programs[0].classes.isClass($0, kindOf: list[last].name) }
      }
      if isNearer ?? true { nearest = i }
    }
    return nearest
  }

  private mutating func prefilterRejects(page: UInt32?) -> Bool {
    // With an event ID, the dictionary may give a different path.
    if input.pointee.hasValue(of: .eventID) { return false }
    let path = input.pointee.value(of: .path)
    guard path.kind == .string else { return false }
    return PathScanner.withLastNames(SuffixPrefilter.depth, of: path.bytes) { names in
      for i in 0..<programCount {
        if !programs[i].prefilterRejects(names, page: i == 0 ? page : programs[i].page) { return false }
      }
      return true
    } ?? false
  }

  /// Evaluates the element, and caches the result.
  private mutating func insertElement(_ digest: EventDigest?) -> ElementCache.Entry {
    input.pointee.resolve()
    let page = programs[0].page
    evaluateElement(page: page)
    var header = ElementCache.Header(
      digest: digest ?? EventDigest(), matchedCount: UInt32(matched.count), openCount: UInt32(open.count),
      pageCount: UInt32(pages.count), page: page ?? RuleProgram.none, resolution: input.pointee.resolution,
      hasIncludes: false, hasExcludes: false, isKept: digest != nil)
    for i in 0..<matched.count {
      if isExclude(matched[i]) { header.hasExcludes = true } else { header.hasIncludes = true }
    }
    defer { matched.removeAll() }
    return cache.insert(header, matched: matched.all, open: open.all, pages: pages.all)
  }

  private mutating func beginRound() {
    round &+= 1
    if round == 0 {
      for i in 0..<ruleRounds.count { ruleRounds[i] = 0 }
      round = 1
    }
  }

  /// Evaluates all clauses that the element leads to, as far as they depend on it alone. Fills `matched`, `open` and `pages`.
  ///
  /// - Parameter page: The number of the page in the first program.
  private mutating func evaluateElement(page: UInt32?) {
    open.removeAll()
    pages.removeAll()
    for i in 0..<programCount {
      let program = programs + i
      program.pointee.collectCandidates(page: i == 0 ? page : program.pointee.page)
      for j in 0..<program.pointee.candidates.count {
        program.pointee.prefetchCandidates(from: j)
        let (entry, clause) = program.pointee.entry(program.pointee.candidates[j])
        let rule = clause.rule + program.pointee.firstRule
        if ruleRounds[Int(rule)] == round || isRemoved(rule) { continue }
        switch program.pointee.evaluateElement(entry, clause) {
        case .fails: break
        case .holds:
          ruleRounds[Int(rule)] = round
          matched.append(rule)
        case .dependsOnEvent:
          open.append(
            ElementCache.OpenClause(
              clause: entry.clause + program.pointee.firstClause, test: program.pointee.lastOpenTest(of: clause)))
        }
      }
    }
    sorter.sort(&matched, below: ruleLimit)
    removeNeedlessOpenClauses()
    for (i, excluded) in excludedPages.enumerated() {
      if input.pointee.isOnPage(excluded, programs[0].classes) { pages.append(UInt32(i)) }
    }
    if isOnDefaultPage, let number = nearestDefaultPage() { pages.append(UInt32(excludedPages.count + number)) }
    // That round belonged to the element; the event needs another one.
    beginRound()
  }

  /// Removes open clauses that occur twice, or whose rules match anyway.
  private mutating func removeNeedlessOpenClauses() {
    guard open.count > 0 else { return }
    open.sort { $0.clause < $1.clause }
    var kept = 0
    for i in 0..<open.count {
      let clause = open[i].clause
      if kept > 0, open[kept - 1].clause == clause { continue }
      let (program, number) = place(ofClause: clause)
      let rule = program.pointee.program.pointee.clauses.records[number].rule + program.pointee.firstRule
      if ruleRounds[Int(rule)] == round { continue }
      open[kept] = open[i]
      kept += 1
    }
    open.removeLast(open.count - kept)
  }

  /// Adds the rules that match by the whole event to those that the entry has.
  private mutating func matchRest(_ known: ElementCache.Entry) {
    let lists = ElementCache.lists(of: known)
    let matchedCount = Int(known.pointee.matchedCount)
    matchOpenClauses(lists + matchedCount, count: Int(known.pointee.openCount))
    if usesValues {
      for i in 0..<matchedCount { ruleRounds[Int(lists[i])] = round }
      matchByValues(page: known.pointee.page == RuleProgram.none ? nil : known.pointee.page)
    }
    guard matched.count > 0 else { return }
    matched.append(contentsOf: UnsafeBufferPointer(start: lists, count: matchedCount))
    sorter.sort(&matched, below: ruleLimit)
    matchesAreCached = false
  }

  /// - Parameter clauses: Pairs of a clause number and a test number.
  private mutating func matchOpenClauses(_ clauses: UnsafeMutablePointer<UInt32>, count: Int) {
    for i in 0..<count {
      if i % Self.batchSize == 0 { prefetchTests(clauses + 2 * i, count: min(Self.batchSize, count - i)) }
      let (program, number) = place(ofClause: clauses[2 * i])
      let test = clauses[2 * i + 1]
      if test != RuleProgram.none, !program.pointee.holds(test: test) { continue }
      let clause = program.pointee.program.pointee.clauses.records[number]
      let rule = clause.rule + program.pointee.firstRule
      if ruleRounds[Int(rule)] == round { continue }
      if program.pointee.restHolds(clause) {
        ruleRounds[Int(rule)] = round
        matched.append(rule)
      }
    }
  }

  /// Evaluates the clauses that values of properties lead to.
  ///
  /// - Parameter page: The number of the page in the first program.
  private mutating func matchByValues(page: UInt32?) {
    for i in 0..<programCount {
      let program = programs + i
      if i > 0 { input.pointee.resolve() }
      program.pointee.collectCandidatesByValues(page: i == 0 ? page : program.pointee.page)
      // An event that names no page may get the page of its element.
      if program.pointee.candidates.count > 0, input.pointee.value(of: .page).kind == .missing {
        input.pointee.resolve()
      }
      for j in 0..<program.pointee.candidates.count {
        program.pointee.prefetchCandidates(from: j)
        let (entry, clause) = program.pointee.entry(program.pointee.candidates[j])
        let rule = clause.rule + program.pointee.firstRule
        if ruleRounds[Int(rule)] == round || isRemoved(rule) { continue }
        if program.pointee.clauseHolds(entry, clause) {
          ruleRounds[Int(rule)] = round
          matched.append(rule)
        }
      }
    }
  }

  @inline(__always)
  private func prefetchTests(_ clauses: UnsafeMutablePointer<UInt32>, count: Int) {
    for i in 0..<count {
      let (program, number) = place(ofClause: clauses[2 * i])
      program.pointee.prefetch(clause: number, test: clauses[2 * i + 1])
    }
  }

  // MARK: - Numbers of rules and clauses

  /// Returns the program that a clause belongs to, and its number there.
  @inline(__always)
  private func place(ofClause number: UInt32) -> (program: UnsafeMutablePointer<ProgramMatcher>, clause: Int) {
    var i = programCount - 1
    while programs[i].firstClause > number { i -= 1 }
    return (programs + i, Int(number - programs[i].firstClause))
  }

  @inline(__always) private func isExclude(_ rule: UInt32) -> Bool {
    var i = programCount - 1
    while programs[i].firstRule > rule { i -= 1 }
    return programs[i].program.pointee.rules.records[Int(rule - programs[i].firstRule)].isExclude
  }

  @inline(__always) private func isRemoved(_ rule: UInt32) -> Bool { hasRemoved && removed.contains(Int(rule)) }
}
