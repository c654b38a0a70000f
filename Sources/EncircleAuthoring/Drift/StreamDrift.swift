import EncircleEvents
import EncircleIdentity
import EncircleRules
import EncircleText

/// Finds the rules that a release has broken from events alone: how many users each rule selects in each version of the app, and
/// which new elements look like the elements of a rule that fell to zero.
///
/// ```swift
/// var drift = StreamDrift(matcher)
/// while let record = try reader.next() { if case .event = record { drift.add(eventOf: reader) } }
/// for change in drift.finish().changes where change.isZero { print(change.rule, change.successors) }
/// ```
public struct StreamDrift: ~Copyable {
  /// Bounds the memory that a stream takes. Events of versions beyond them count in ``Report/unknown``, users and elements beyond
  /// them in ``Report/beyondLimits``.
  public struct Limits: Sendable {
    /// The versions of the app.
    public var versions = 200
    /// The pairs of a rule and one of its users, in all versions.
    public var users = 4_000_000
    /// The distinct elements in events.
    public var elements = 200_000
    /// The successors that are reported of a rule, the most likely ones.
    public var successors = 3

    public init() {}
  }

  /// The number of users in question, of all users of a version.
  public struct Share: Hashable, Sendable {
    public let users: Int
    public let of: Int

    public var value: Double { of == 0 ? 0 : Double(users) / Double(of) }
  }

  /// The events and the share of users that a rule selects in a version.
  public struct Rate: Hashable, Sendable {
    public let version: String
    public let events: Int
    public let share: Share
  }

  /// An element that occurs in the events of a version, but not in the events of the version before.
  public struct Successor: Hashable, Sendable {
    public let path: String?
    /// GrowingIO's list of indexes, or the selector of a web page in Sensors' events; they distinguish elements with the same path.
    public let pathIndexes: String?
    public let eventID: EventID?
    public let page: String?
    public let content: String?
    public let share: Share
    /// The features that it shares with the elements that the rule selected: `page`, `text`, `type`, `position`, `share of users`.
    public let evidence: [String]
    /// The estimated probability, from 0 to 1, that it is the successor rather than another candidate or none.
    public let confidence: Double
    /// The element as events describe it, and the most similar element that the rule selected before.
    let element: Element
    let of: Element
  }

  /// A rule whose share of users differs between a version and the one before by more than chance explains.
  public struct Change: Sendable {
    public let rule: UTF8String
    public let before: Rate
    public let now: Rate
    /// The probability of such a difference by chance, by Fisher's exact test, times the number of tests (Bonferroni), at most 1.
    public let probability: Double
    /// The likeliest first; only for a rule that fell to zero.
    public let successors: [Successor]

    /// Whether the rule selects nothing in the version.
    public var isZero: Bool { now.events == 0 }
  }

  /// The result.
  public struct Report: Sendable {
    /// For each rule with events, in the order of their ids, its rates by version, the oldest first.
    public internal(set) var rates: [(rule: UTF8String, rates: [Rate])] = []
    /// The rules that fell to zero first, then by probability.
    public internal(set) var changes: [Change] = []
    /// The number of events without a valid version, or with a version beyond the limits.
    public internal(set) var unknown = 0
    /// The number of events with a user or an element beyond the limits.
    public internal(set) var beyondLimits = 0
  }

  /// A difference is reported if its probability by chance is lower than this.
  public static let significance = 0.01

  /// A group of users of a version: all users, the users of a rule or the users of an element.
  private enum Group: Hashable {
    case all(version: Int)
    case rule(Int, version: Int)
    case element(Int, version: Int)
  }

  private struct UserKey: Hashable {
    let group: Int
    let user: UInt64
  }

  /// An element as events describe it.
  struct Element: Hashable, Sendable {
    let path: UTF8String?
    let eventID: EventID?
    let page: UTF8String?
    let content: UTF8String?
    let type: UTF8String?
    let position: UTF8String?
    var pathIndexes: UTF8String?
    /// The ``Decider/styleNumber`` of the events.
    var style: Int?
  }

  /// The parts of an event that identify an element: its path and event ID.
  private struct Place: Hashable {
    let path: UTF8String?
    let pathIndexes: UTF8String?
    let eventID: EventID?

    init(_ element: Element) { (path, pathIndexes, eventID) = (element.path, element.pathIndexes, element.eventID) }
  }

  private var decider: Decider
  private let limits: Limits
  private var versions: [UTF8String: Int] = [:]
  private var versionNames: [(text: UTF8String, number: VersionNumber)] = []
  private var rules: [UTF8String: Int] = [:]
  private var ruleNames: [UTF8String] = []
  private var events: [Group: Int] = [:]
  private var groups: [Group: Int] = [:]
  private var groupCounts: [Int] = []
  private var users: Set<UserKey> = []
  private var elements: [Element: Int] = [:]
  private var elementList: [Element] = []
  private var elementsOfRule: [Group: Set<Int>] = [:]
  private var report = Report()
  private var people = PersonHashes()

  /// Creates a comparison of the versions of an app.
  ///
  /// - Complexity: O(rules).
  public init(_ matcher: Matcher, limits: Limits = Limits()) {
    decider = Decider(matcher)
    self.limits = limits
  }

  /// The projection of the matcher, which makes a reader fastest.
  public var projection: EventProjection { decider.matcher.projection }

  /// Adds the event that a reader has returned last.
  ///
  /// - Precondition: The reader has returned an event last, not a rejection or nil.
  public mutating func add(eventOf reader: borrowing EventReader) {
    guard let event = reader.withEvent({ try? AnalyticsEvent(json: Array($0)) }) else { return }
    let decision = decider.decide(eventOf: reader)
    add(event, decision)
  }

  mutating func add(_ event: AnalyticsEvent) { add(event, decider.decide(event)) }

  private mutating func add(_ event: AnalyticsEvent, _ decision: Decision) {
    let fields = decider.fieldPlaces
    func text(_ field: EventFields.Field) -> UTF8String? {
      guard case .string(let text)? = event.value(of: field, fields), text.utf8.count <= Self.longestText else {
        return nil
      }
      return UTF8String(text)
    }
    guard let name = text(.appVersion), let version = number(of: name) else {
      report.unknown += 1
      return
    }
    let user = people.number(of: event.value(of: .distinctID, fields))
    count(user, in: .all(version: version))
    let element = element(
      Element(
        path: text(.path), eventID: decision.eventID, page: text(.page), content: text(.content), type: text(.type),
        position: text(.position), pathIndexes: text(.pathIndexes), style: decider.styleNumber))
    if let element { count(user, in: .element(element, version: version)) }
    for id in decision.rules {
      let rule = rules[id] ?? ruleNames.count
      if rule == ruleNames.count {
        rules[id] = rule
        ruleNames.append(id)
      }
      let group = Group.rule(rule, version: version)
      events[group, default: 0] += 1
      count(user, in: group)
      if let element { elementsOfRule[group, default: []].insert(element) }
    }
  }

  private static let longestText = 4_096

  private mutating func number(of version: UTF8String) -> Int? {
    if let known = versions[version] { return known }
    guard versionNames.count < limits.versions, let number = VersionNumber(parsing: Array(version.text.utf8)) else {
      return nil
    }
    versions[version] = versionNames.count
    versionNames.append((version, number))
    return versionNames.count - 1
  }

  private mutating func count(_ user: UInt64, in group: Group) {
    let number = groups[group] ?? groupCounts.count
    if number == groupCounts.count {
      groups[group] = number
      groupCounts.append(0)
    }
    let entry = UserKey(group: number, user: user)
    guard !users.contains(entry) else { return }
    guard users.count < limits.users else {
      report.beyondLimits += 1
      return
    }
    users.insert(entry)
    groupCounts[number] += 1
  }

  private mutating func element(_ element: Element) -> Int? {
    guard element.path != nil || element.eventID != nil else { return nil }
    if let known = elements[element] { return known }
    guard elementList.count < limits.elements else {
      report.beyondLimits += 1
      return nil
    }
    elements[element] = elementList.count
    elementList.append(element)
    return elementList.count - 1
  }

  // MARK: - Result

  /// Returns the result.
  ///
  /// - Complexity: O(rules × versions × √users + versions × elements), and for each rule that fell to zero O(elements of its pages).
  public func finish() -> Report {
    var result = report
    let order = versionNames.indices.sorted { a, b in
      let (x, y) = (versionNames[a], versionNames[b])
      return x.number != y.number ? x.number < y.number : x.text < y.text
    }
    let sorted = ruleNames.indices.sorted { ruleNames[$0] < ruleNames[$1] }
    let tests = max(1, sorted.count * max(0, order.count - 1))
    var appeared: [Int: [UTF8String?: [Int]]] = [:]
    for rule in sorted {
      let rates = order.map { rate(rule, $0) }
      result.rates.append((ruleNames[rule], rates))
      for place in order.indices.dropFirst() {
        let (before, now) = (rates[place - 1], rates[place])
        let chance = FisherTest.probability(
          first: (before.share.users, before.share.of), second: (now.share.users, now.share.of))
        let probability = min(1, chance * Double(tests))
        guard probability < Self.significance else { continue }
        var successors: [Successor] = []
        if now.events == 0 {
          let new = appeared[place] ?? elementsByPage(newIn: order[place], since: order[place - 1])
          appeared[place] = new
          successors = self.successors(of: rule, order[place - 1], order[place], new)
        }
        result.changes.append(
          Change(rule: ruleNames[rule], before: before, now: now, probability: probability, successors: successors))
      }
    }
    result.changes.sort { a, b in
      if a.isZero != b.isZero { return a.isZero }
      return a.probability != b.probability ? a.probability < b.probability : a.rule < b.rule
    }
    return result
  }

  private func share(_ group: Group, _ version: Int) -> Share {
    func count(_ group: Group) -> Int { groups[group].map { groupCounts[$0] } ?? 0 }
    let all = count(.all(version: version))
    return Share(users: min(count(group), all), of: all)
  }

  private func rate(_ rule: Int, _ version: Int) -> Rate {
    let group = Group.rule(rule, version: version)
    return Rate(
      version: versionNames[version].text.text, events: events[group] ?? 0, share: share(group, version))
  }

  /// The elements of a version that the version before did not have, as numbers, by their pages.
  private func elementsByPage(newIn new: Int, since old: Int) -> [UTF8String?: [Int]] {
    // An element whose text has changed is not new.
    let known = Set(
      elementList.indices.filter { groups[.element($0, version: old)] != nil }.map { Place(elementList[$0]) })
    let numbers = elementList.indices.filter {
      groups[.element($0, version: new)] != nil && !known.contains(Place(elementList[$0]))
    }
    return Dictionary(grouping: numbers) { elementList[$0].page }
  }

  /// The new elements of a version that have something in common with the elements of a rule, the likeliest first.
  private func successors(of rule: Int, _ old: Int, _ new: Int, _ appeared: [UTF8String?: [Int]]) -> [Successor] {
    let lost = (elementsOfRule[.rule(rule, version: old)] ?? []).sorted().map { elementList[$0] }
    guard !lost.isEmpty else { return [] }
    let rate = share(.rule(rule, version: old), old).value
    let nearest = NearestElements(lost)
    var found: [(weight: Int, number: Int, share: Share, evidence: [Evidence], of: Element)] = []
    for number in Set(lost.map(\.page)).flatMap({ appeared[$0] ?? [] }).sorted() {
      guard let (of, same) = nearest.nearest(to: elementList[number]) else { continue }
      let share = share(.element(number, version: new), new)
      var evidence = same
      // Without text, a button that as many people use is likely the one.
      if share.value > rate / 2, share.value < rate * 2 { evidence.append(.share) }
      let weight = evidence.reduce(0) { $0 + $1.weight }
      if weight >= 3 { found.append((weight, number, share, evidence, of)) }
    }
    let odds = found.map { $0.evidence.reduce(Evidence.priorOdds) { $0 * $1.odds } }
    let total = 1 + odds.reduce(0, +)
    return zip(found, odds).sorted { a, b in
      if a.0.weight != b.0.weight { return a.0.weight > b.0.weight }
      let distances = [a, b].map { abs($0.0.share.value - rate) }
      return distances[0] != distances[1] ? distances[0] < distances[1] : a.0.number < b.0.number
    }.prefix(limits.successors).map { found, odds in
      let element = elementList[found.number]
      return Successor(
        path: element.path?.text, pathIndexes: element.pathIndexes?.text, eventID: element.eventID,
        page: element.page?.text,
        content: element.content?.text, share: found.share,
        evidence: (element.page == nil ? [] : ["page"]) + found.evidence.map(\.rawValue), confidence: odds / total,
        element: element, of: found.of)
    }
  }

  /// The features that an element of a new version may share with a lost element of a rule.
  enum Evidence: String {
    case text, type, position
    case share = "share of users"

    /// The weight by which successors are ordered.
    var weight: Int {
      switch self {
      case .text: 4
      case .type, .position: 1
      case .share: 2
      }
    }

    /// The factor for the odds that the element is the successor.
    var odds: Double {
      switch self {
      case .text: 8
      case .type, .position: 1.5
      case .share: 3
      }
    }

    /// The odds of an element that has appeared on the page, before anything else is known of it.
    static let priorOdds = 0.25
  }
}
