import EncircleRuleFiles
import EncircleRules
import EncircleText

/// Counts events by name, platform and version of the app, and the people of each version.
struct PlanTally: Sendable {
  /// Bounds the memory that a stream takes.
  struct Limits: Sendable {
    /// Names that neither the plan nor rules have.
    var names = 10_000
    /// Versions of the app, of all platforms.
    var versions = 1_000
    /// Rows: a name on a platform in a version.
    var rows = 200_000
    /// Pairs of a version and a person.
    var people = 4_000_000
    /// The longest name or version, in bytes.
    var length = 1_000
  }

  /// The use of a version, by any events.
  struct ReleaseFacts: Sendable {
    var people: Set<UInt64> = []
    var recentPeople: Set<UInt64> = []
    /// The number of people that counters report; who they are is not known.
    var countedPeople = 0
    var countedRecentPeople = 0
    var first: Int64?
    var last: Int64?
    /// The first capture of it that shows an element of an event, by the number of the event.
    var captures: [Int: UTF8String] = [:]

    var peopleCount: Int { people.count + countedPeople }
    var recentPeopleCount: Int { recentPeople.count + countedRecentPeople }
  }

  struct RowKey: Hashable, Sendable {
    let event: Int
    let release: Int
  }

  struct Row: Sendable {
    var events = 0
    var first: Int64?
    var last: Int64?
    /// The faults of properties; a property has its number in the plan.
    var faults: [Fault: (count: Int, sample: PlanReport.Place)] = [:]

    fileprivate mutating func add(_ count: Int, _ first: Int64?, _ last: Int64?) {
      events += count
      if let first { self.first = min(self.first ?? first, first) }
      if let last { self.last = max(self.last ?? last, last) }
    }
  }

  struct Fault: Hashable, Sendable {
    let property: Int
    let violation: PlanReport.Violation
  }

  private let limits: Limits
  private let known: Int
  private let recentFrom: Int64
  private var numbers: [UTF8String: Int] = [:]
  /// The names that neither the plan nor rules have; their numbers follow the numbers of the plan's entries.
  private(set) var names: [UTF8String] = []
  private var releaseNumbers: [PlanCounts.Release: Int] = [:]
  private(set) var releases: [(release: PlanCounts.Release, facts: ReleaseFacts)] = []
  private(set) var rows: [RowKey: Row] = [:]
  /// The recent events of each name, and their people.
  private(set) var recent: [Int: (events: Int, people: Set<UInt64>)] = [:]
  private var people = 0
  private(set) var beyondLimits = 0
  var read = 0
  var others = 0

  /// - Parameters:
  ///   - known: The number of entries of the plan.
  ///   - recentFrom: Events from this time on are recent, in milliseconds since 1970.
  init(known: Int, recentFrom: Int64, limits: Limits = Limits()) {
    self.known = known
    self.recentFrom = recentFrom
    self.limits = limits
  }

  /// Returns the number of a name that neither the plan nor rules have; nil for one beyond the limits.
  mutating func number(of name: UTF8String) -> Int? {
    if let number = numbers[name] { return number }
    guard names.count < limits.names, name.text.utf8.count <= limits.length else {
      beyondLimits += 1
      return nil
    }
    numbers[name] = known + names.count
    names.append(name)
    return known + names.count - 1
  }

  /// Returns the number of a version on a platform; beyond the limits, the number of the platform without a version.
  mutating func number(of release: PlanCounts.Release) -> Int {
    if let number = releaseNumbers[release] { return number }
    if let version = release.version, releases.count >= limits.versions || version.text.utf8.count > limits.length {
      beyondLimits += 1
      return number(of: .init(platform: release.platform, version: nil))
    }
    releaseNumbers[release] = releases.count
    releases.append((release, ReleaseFacts()))
    return releases.count - 1
  }

  /// Adds an event of any name to a version.
  mutating func addUse(of release: Int, person: UInt64, time: Int64?) {
    if let time { addUse(of: release, first: time, last: time) }
    insert(person, \.people, release)
    if time.map({ $0 >= recentFrom }) ?? false { insert(person, \.recentPeople, release) }
  }

  private mutating func insert(_ person: UInt64, _ set: WritableKeyPath<ReleaseFacts, Set<UInt64>>, _ release: Int) {
    guard !releases[release].facts[keyPath: set].contains(person) else { return }
    guard people < limits.people else {
      beyondLimits += 1
      return
    }
    people += 1
    releases[release].facts[keyPath: set].insert(person)
  }

  /// Adds an event under a name, with the faults of its properties.
  mutating func add(
    _ event: Int, _ release: Int, person: UInt64, time: Int64?, _ faults: [Fault], at place: PlanReport.Place
  ) {
    guard add(event, release, events: 1, first: time, last: time) else { return }
    for fault in faults { add(event, release, fault, count: 1, at: place) }
    guard time.map({ $0 >= recentFrom }) ?? false else { return }
    recent[event, default: (0, [])].events += 1
    guard !(recent[event]?.people.contains(person) ?? false) else { return }
    guard people < limits.people else {
      beyondLimits += 1
      return
    }
    people += 1
    recent[event]?.people.insert(person)
  }

  // MARK: - Counters

  /// Adds counts of the people of a version, in all and recently.
  mutating func addUse(of release: Int, people: Int, recentPeople: Int) {
    releases[release].facts.countedPeople += people
    releases[release].facts.countedRecentPeople += recentPeople
  }

  /// Adds a counter of the events under a name; returns false if it is beyond the limits.
  @discardableResult
  mutating func add(_ event: Int, _ release: Int, events: Int, first: Int64?, last: Int64?) -> Bool {
    let key = RowKey(event: event, release: release)
    guard rows[key] != nil || rows.count < limits.rows else {
      beyondLimits += 1
      return false
    }
    rows[key, default: Row()].add(events, first, last)
    return true
  }

  /// Widens the time in which a version was used.
  mutating func addUse(of release: Int, first: Int64, last: Int64) {
    releases[release].facts.first = min(releases[release].facts.first ?? first, first)
    releases[release].facts.last = max(releases[release].facts.last ?? last, last)
  }

  /// Adds a counter of a fault. It is ignored if no event was counted for it.
  mutating func add(_ event: Int, _ release: Int, _ fault: Fault, count: Int, at place: PlanReport.Place) {
    let key = RowKey(event: event, release: release)
    guard rows[key] != nil else { return }
    rows[key]?.faults[fault, default: (0, place)].count += count
  }

  // MARK: - Captures

  /// Records that a capture of a version shows an element of an event.
  mutating func addCapture(_ event: Int, _ release: Int, _ capture: UTF8String) {
    if releases[release].facts.captures[event] == nil { releases[release].facts.captures[event] = capture }
  }
}
