import EncircleEvents
import EncircleIdentity
import EncircleText

/// What changes while a matcher matches: made once for each thread, and used again for every event.
public struct MatchState: ~Copyable {
  /// How much a state remembers of elements, in bytes, unless the caller says otherwise.
  public static let defaultMemoLimit = 32 << 20

  /// The values of an event that no reader has taken out.
  let own: UnsafeMutablePointer<ProjectedEvent>
  private let element: UnsafeMutablePointer<ResolvedElement>
  // By program.
  private let trials: UnsafeMutablePointer<ProgramMatcher>
  private let trialCount: Int
  private var memo: ElementCache
  // What is known of the last event's element.
  private var entry: ElementCache.Entry?
  private var matched = GrowingBuffer<UInt32>()
  private var sorter = NumberSorter()
  private var open = GrowingBuffer<ElementCache.OpenClause>()
  private var pages = GrowingBuffer<UInt32>()
  // Whether looks at the end of a path show often enough that no rule says anything of an element.
  private var ends = PrefilterState()
  // Whether one did, of the last event.
  private var isRuledOut = false
  // Whether the matches are all those that the entry has.
  private var matchesAreRemembered = false
  // So many open clauses are fetched at once.
  private static let mostPrefetched = 16
  // By rule: the round in which it was found to match last.
  private var matchedIn = GrowingBuffer<UInt32>()
  private var round: UInt32 = 0

  /// Creates a state for a matcher.
  ///
  /// - Parameter memoLimit: How much is remembered of elements, in bytes; with 0 nothing is remembered for long.
  public init(for matcher: Matcher, memoLimit: Int = MatchState.defaultMemoLimit) {
    own = .allocate(capacity: 1)
    own.initialize(to: ProjectedEvent(matcher.projection))
    element = .allocate(capacity: 1)
    element.initialize(to: ResolvedElement())
    trialCount = matcher.programs.count
    trials = .allocate(capacity: trialCount)
    for (i, program) in matcher.programs.enumerated() { (trials + i).initialize(to: ProgramMatcher(program)) }
    memo = ElementCache(byteLimit: memoLimit)
    matchedIn.append(repeating: 0, count: matcher.ruleNumberLimit)
  }

  deinit {
    own.deinitialize(count: 1).deallocate()
    element.deinitialize(count: 1).deallocate()
    trials.deinitialize(count: trialCount).deallocate()
  }

  /// How often an event's element was known.
  public var memoHits: Int { memo.hits }
  /// How often nothing of an event's element had to be known, as the end of its path showed that no rule says anything of it.
  public private(set) var ruledOut = 0
  /// How often an event's element was not known, or no longer.
  public var memoMisses: Int { memo.misses }
  /// The memory that takes what is remembered, in bytes.
  public var memoMemoryInBytes: Int { memo.byteCount }

  // MARK: - Matching

  /// Fetches what is remembered of the elements of events that will be matched one after the other, unless that has been
  /// done: to wait for all of them together takes no longer than to wait for one.
  @inline(__always)
  mutating func prepare(_ events: UnsafeBufferPointer<ProjectedEvent>, _ matcher: borrowing Matcher) {
    if events.count > 1, !events[0].hasKeyDigest, !matcher.rulesOutByEnds || ends.isPausing { fetch(events, matcher) }
  }

  private mutating func fetch(_ events: UnsafeBufferPointer<ProjectedEvent>, _ matcher: borrowing Matcher) {
    for i in 0..<events.count {
      if let digest = events[i].keyDigest { memo.prefetchSlot(digest) }
    }
    for i in 0..<events.count {
      if let digest = events[i].keyDigest { memo.prefetchEntry(digest) }
    }
    for i in 0..<events.count {
      guard let digest = events[i].keyDigest, let entry = memo.known(digest) else { continue }
      let count = min(Self.mostPrefetched, Int(entry.pointee.openCount))
      prefetchTests(ElementCache.lists(of: entry) + Int(entry.pointee.matchedCount), count: count, matcher)
    }
  }

  /// Finds the rules that match an event; whether it is selected.
  mutating func match(_ event: borrowing ProjectedEvent, _ matcher: borrowing Matcher) -> Bool {
    matched.removeAll()
    beginRound()
    element.pointee.isResolved = false
    for i in 0..<trialCount { trials[i].beginEvent() }
    let known = know(event, matcher)
    entry = known
    var hasIncludes = known.pointee.hasIncludes
    var hasExcludes = known.pointee.hasExcludes
    matchesAreRemembered = true
    if known.pointee.openCount > 0 || matcher.usesValues {
      matchOthers(known, event, matcher)
      for i in 0..<matched.count {
        if matcher.isExclude(Int(matched[i])) { hasExcludes = true } else { hasIncludes = true }
      }
    }
    return (hasIncludes || matcher.track == .all) && !hasExcludes && known.pointee.pageCount == 0
  }

  /// What rules say of the event's element.
  @inline(__always)
  private mutating func know(_ event: borrowing ProjectedEvent, _ matcher: borrowing Matcher) -> ElementCache.Entry {
    isRuledOut = false
    if matcher.rulesOutByEnds, ends.isWorthTrying {
      let page = trials[0].program.page(event, element, matcher)
      isRuledOut = isRuledOut(event, page: page, matcher)
      ends.note(isRuledOut)
      if isRuledOut {
        ruledOut &+= 1
        return memo.nothing(page: page)
      }
    }
    let digest = event.keyDigest
    if let digest, let found = memo.find(digest) { return found }
    return learn(digest, event, matcher)
  }

  /// Whether the end of the path shows that no rule says anything of the event's element.
  ///
  /// Changes nothing: a state is copied for methods that say so and are not inlined.
  private mutating func isRuledOut(
    _ event: borrowing ProjectedEvent, page: UInt32?, _ matcher: borrowing Matcher
  ) -> Bool {
    // The dictionary may know another path by it.
    for number in matcher.fields[.eventID] where event[number].kind != .missing { return false }
    let path = matcher.fields.value(of: .path, event)
    guard path.kind == .string else { return false }
    return PathScanner.withLastNames(SuffixPrefilter.depth, of: path.bytes) { names in
      for i in 0..<trialCount {
        let page = i == 0 ? page : trials[i].program.page(event, element, matcher)
        if !trials[i].isRuledOut(event, page: page, names: names, matcher) { return false }
      }
      return true
    } ?? false
  }

  /// Finds out what is to be remembered of the event's element, and remembers it.
  private mutating func learn(
    _ digest: EventDigest?, _ event: borrowing ProjectedEvent, _ matcher: borrowing Matcher
  ) -> ElementCache.Entry {
    resolve(event, matcher)
    let page = trials[0].program.page(event, element, matcher)
    examine(event, page: page, matcher)
    var header = ElementCache.Header(
      digest: digest ?? EventDigest(), matchedCount: UInt32(matched.count), openCount: UInt32(open.count),
      pageCount: UInt32(pages.count),
      page: page ?? RuleProgram.none,
      resolution: element.pointee.resolution, hasIncludes: false, hasExcludes: false,
      isRemembered: digest != nil)
    for i in 0..<matched.count {
      if matcher.isExclude(Int(matched[i])) { header.hasExcludes = true } else { header.hasIncludes = true }
    }
    defer { matched.removeAll() }
    return memo.add(header, matched: matched.all, open: open.all, pages: pages.all)
  }

  private mutating func beginRound() {
    round &+= 1
    if round == 0 {
      for i in 0..<matchedIn.count { matchedIn[i] = 0 }
      round = 1
    }
  }

  /// Finds out what is to be remembered of the event's element, which has been resolved.
  ///
  /// - Parameter page: The number that the page has in the first program.
  private mutating func examine(_ event: borrowing ProjectedEvent, page: UInt32?, _ matcher: borrowing Matcher) {
    open.removeAll()
    pages.removeAll()
    for i in 0..<trialCount {
      let ruleStart = UInt32(truncatingIfNeeded: matcher.ruleStarts[i])
      let clauseStart = UInt32(truncatingIfNeeded: matcher.clauseStarts[i])
      let trial = trials + i
      let program = trial.pointee.program
      let page = i == 0 ? page : program.page(event, element, matcher)
      trial.pointee.collectCandidates(event, page: page, element, matcher)
      for j in 0..<trial.pointee.candidates.count {
        trial.pointee.prefetchCandidates(from: j)
        let leaf = program.pointee.leafRecords[Int(trial.pointee.candidates[j])]
        let clause = program.pointee.clauses[Int(leaf.clause)]
        let rule = Int(clause.rule + ruleStart)
        if matchedIn[rule] == round || matcher.isRemoved(rule) { continue }
        switch trial.pointee.examine(leaf, clause, event, element, matcher) {
        case .fails: break
        case .holds:
          matchedIn[rule] = round
          matched.append(clause.rule + ruleStart)
        case .dependsOnEvent:
          let test = trial.pointee.lastTest(of: clause)
          open.append(ElementCache.OpenClause(clause: leaf.clause + clauseStart, test: test))
        }
      }
    }
    sorter.sort(&matched, below: matcher.ruleNumberLimit)
    keepUndecided(matcher)
    for (i, excluded) in matcher.excludedPages.enumerated() {
      if element.pointee.isPage(kindOf: excluded, event, matcher, &trials[0].classes) { pages.append(UInt32(i)) }
    }
    // The rounds were of this element, not of the event.
    beginRound()
  }

  /// Removes clauses that occur twice, or whose rules match anyway.
  private mutating func keepUndecided(_ matcher: borrowing Matcher) {
    guard open.count > 0 else { return }
    open.sort { $0.clause < $1.clause }
    var kept = 0
    for i in 0..<open.count {
      let clause = open[i].clause
      if kept > 0, open[kept - 1].clause == clause { continue }
      let (program, local) = matcher.place(ofClause: Int(clause))
      let rule = Int(trials[program].program.pointee.clauses[local].rule)
      if matchedIn[rule + matcher.ruleStarts[program]] == round { continue }
      open[kept] = open[i]
      kept += 1
    }
    open.removeLast(open.count - kept)
  }

  /// Says that open clauses will be tried soon.
  @inline(__always)
  private func prefetchTests(
    _ clauses: UnsafeMutablePointer<UInt32>, count: Int, _ matcher: borrowing Matcher
  ) {
    for i in 0..<count {
      let (program, clause) = matcher.place(ofClause: Int(clauses[2 * i]))
      trials[program].prefetch(clause: clause, test: clauses[2 * i + 1])
    }
  }

  /// Adds to the remembered rules those that match by what else the event has.
  private mutating func matchOthers(
    _ known: ElementCache.Entry, _ event: borrowing ProjectedEvent, _ matcher: borrowing Matcher
  ) {
    let lists = ElementCache.lists(of: known)
    let openStart = Int(known.pointee.matchedCount)
    let openCount = Int(known.pointee.openCount)
    for i in 0..<openCount {
      if i % Self.mostPrefetched == 0 {
        prefetchTests(lists + openStart + 2 * i, count: min(Self.mostPrefetched, openCount - i), matcher)
      }
      let (program, clause) = matcher.place(ofClause: Int(lists[openStart + 2 * i]))
      let trial = trials + program
      let test = lists[openStart + 2 * i + 1]
      if test != RuleProgram.none, !trial.pointee.holds(test: test, event, element, matcher) { continue }
      let record = trial.pointee.program.pointee.clauses[clause]
      let rule = Int(record.rule) + matcher.ruleStarts[program]
      if matchedIn[rule] == round { continue }
      if trial.pointee.holdsOtherwise(record, event, element, matcher) {
        matchedIn[rule] = round
        matched.append(UInt32(truncatingIfNeeded: rule))
      }
    }
    if matcher.usesValues {
      for i in 0..<openStart { matchedIn[Int(lists[i])] = round }
      for i in 0..<trialCount {
        let trial = trials + i
        let program = trial.pointee.program
        var page: UInt32? = known.pointee.page == RuleProgram.none ? nil : known.pointee.page
        if i > 0 {
          resolve(event, matcher)
          page = program.page(event, element, matcher)
        }
        trial.pointee.collectByValues(event, page: page)
        // An event without page may have that of its element.
        if trial.pointee.candidates.count > 0, matcher.fields.value(of: .page, event).kind == .missing {
          resolve(event, matcher)
        }
        for j in 0..<trial.pointee.candidates.count {
          trial.pointee.prefetchCandidates(from: j)
          let leaf = program.pointee.leafRecords[Int(trial.pointee.candidates[j])]
          let clause = program.pointee.clauses[Int(leaf.clause)]
          let rule = Int(clause.rule) + matcher.ruleStarts[i]
          if matchedIn[rule] == round || matcher.isRemoved(rule) { continue }
          if trial.pointee.holds(leaf, clause, event, element, matcher) {
            matchedIn[rule] = round
            matched.append(UInt32(truncatingIfNeeded: rule))
          }
        }
      }
    }
    guard matched.count > 0 else { return }
    matched.append(contentsOf: UnsafeBufferPointer(start: lists, count: openStart))
    sorter.sort(&matched, below: matcher.ruleNumberLimit)
    matchesAreRemembered = false
  }

  /// Reads the element of the event, unless that has been done.
  private mutating func resolve(_ event: borrowing ProjectedEvent, _ matcher: borrowing Matcher) {
    element.pointee.resolve(event, matcher)
  }

  // MARK: - What was found

  /// The numbers of the rules that match the last event, in their order, each once; valid until the next event.
  package var matchedNumbers: UnsafeBufferPointer<UInt32> {
    guard matchesAreRemembered, let entry else { return matched.all }
    return UnsafeBufferPointer(start: ElementCache.lists(of: entry), count: Int(entry.pointee.matchedCount))
  }

  /// The number of rules that match the last event.
  public var matchCount: Int { matchedNumbers.count }

  /// The numbers of the rules that match the last event, in byte order of the ids for a matcher that was compiled at once;
  /// ``Matcher/ruleID(_:)`` tells the ids.
  public var matchedRules: [Int] { matchedNumbers.map { Int($0) } }

  func sortedByID(_ matcher: borrowing Matcher) -> [Int] {
    var numbers = matchedNumbers.map { Int($0) }
    if matcher.programs.count > 1 {
      let ids = Dictionary(uniqueKeysWithValues: numbers.map { ($0, matcher.ruleID($0)) })
      numbers.sort { (ids[$0] ?? "") < (ids[$1] ?? "") }
    }
    return numbers
  }

  /// The numbers of the excluded pages that the last event is on, in the order of the rule set.
  package var matchedPages: [Int] {
    guard let entry else { return [] }
    let start = ElementCache.lists(of: entry) + Int(entry.pointee.matchedCount + 2 * entry.pointee.openCount)
    return (0..<Int(entry.pointee.pageCount)).map { Int(start[$0]) }
  }

  /// How the element of the last event was found.
  mutating func resolution(
    _ event: borrowing ProjectedEvent, _ matcher: borrowing Matcher
  ) -> Decision.Resolution {
    guard let entry else { return .none }
    if !isRuledOut { return entry.pointee.resolution }
    resolve(event, matcher)
    return element.pointee.resolution
  }

  /// The event ID of the last event, and how its element was found.
  mutating func element(
    _ event: borrowing ProjectedEvent, _ matcher: borrowing Matcher
  ) -> (eventID: EventID?, resolution: Decision.Resolution) {
    guard let entry else { return (nil, .none) }
    let resolution = resolution(event, matcher)
    let known = entry.pointee.eventID
    if known == ElementCache.Header.noEventID { return (nil, resolution) }
    if known > 0 { return (memo.eventIDs[Int(known) - 1], resolution) }
    resolve(event, matcher)
    let id = element.pointee.eventID(event, matcher)
    memo.setEventID(entry, id)
    return (id, resolution)
  }
}

extension Matcher {
  @inline(__always) func isRemoved(_ rule: Int) -> Bool { !removed.isEmpty && removed.contains(rule) }

  @inline(__always)
  func place(ofClause number: Int) -> (program: Int, clause: Int) {
    if programs.count == 1 { return (0, number) }
    var i = programs.count - 1
    while clauseStarts[i] > number { i -= 1 }
    return (i, number - clauseStarts[i])
  }
}
