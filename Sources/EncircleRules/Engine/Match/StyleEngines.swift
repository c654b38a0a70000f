import EncircleEvents

/// Does the work of a ``Decider`` for rules in several styles: each event goes to the matcher of its style.
struct StyleEngines: ~Copyable {
  private let events: EventStyles
  private let engines: UnsafeMutablePointer<EventMatcher>
  private let count: Int
  private let ruleStarts: [Int]
  /// The matcher that the last event went to.
  private(set) var current: UnsafeMutablePointer<EventMatcher>
  // The rules that match the last event, by their numbers in the whole matcher.
  private var matched = GrowingBuffer<UInt32>()

  init(_ styles: StyleMatchers, cacheLimit: Int) {
    events = styles.events
    count = styles.parts.count
    ruleStarts = styles.ruleStarts
    engines = .allocate(capacity: count)
    for (i, part) in styles.parts.enumerated() {
      (engines + i).initialize(to: EventMatcher(part, cacheLimit: cacheLimit / count))
    }
    current = engines
  }

  deinit { engines.deinitialize(count: count).deallocate() }

  /// Finds the rules that match an event, and returns whether it is selected.
  mutating func match(_ event: UnsafePointer<ProjectedEvent>) -> Bool {
    match(event, style: events.number(of: event.pointee))
  }

  /// Finds the rules that match an event of the style with that number, and returns whether it is selected.
  mutating func match(_ event: UnsafePointer<ProjectedEvent>, style number: Int) -> Bool {
    current = engines + number
    let isSelected = current.pointee.match(event)
    matched.removeAll()
    let rules = current.pointee.matchedRules
    for i in 0..<rules.count { matched.append(rules[i] + UInt32(ruleStarts[number])) }
    return isSelected
  }

  /// The numbers of the rules that match the last event, in ascending order; valid until the next event.
  var matchedRules: UnsafeBufferPointer<UInt32> { matched.all }

  /// The number of the last event's style, or the count of the styles if the event is in none of them.
  var number: Int { current - engines }

  /// Returns the sum of a number over all matchers.
  func sum(_ number: (borrowing EventMatcher) -> Int) -> Int { (0..<count).reduce(0) { $0 + number(engines[$1]) } }
}
