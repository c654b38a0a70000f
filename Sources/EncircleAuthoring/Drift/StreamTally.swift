import EncircleEvents
import EncircleIdentity
import EncircleRuleFiles
import EncircleRules
import EncircleText

/// The users of each rule and element in each version of an app, and the comparison of the versions: the counts behind a
/// ``StreamDrift``.
struct StreamTally {
  private typealias Element = StreamDrift.Element
  private typealias Evidence = StreamDrift.Evidence
  private typealias Rate = StreamDrift.Rate
  private typealias Share = StreamDrift.Share
  private typealias Successor = StreamDrift.Successor

  /// A group of users of a version: all users, the users of a rule or the users of an element.
  private enum Group: Hashable {
    case all(version: Int)
    case rule(Int, version: Int)
    case element(Int, version: Int)
  }

  /// A version of the app on a platform, because platforms number their versions each in its own way.
  private struct Release: Hashable {
    let platform: PlannedEvent.Platform?
    let version: UTF8String
  }

  private struct UserKey: Hashable {
    let group: Int
    let user: UInt64
  }

  /// The parts of an event that identify an element: its path and event ID.
  private struct Place: Hashable {
    let path: UTF8String?
    let pathIndexes: UTF8String?
    let eventID: EventID?

    init(_ element: Element) { (path, pathIndexes, eventID) = (element.path, element.pathIndexes, element.eventID) }
  }

  private let limits: StreamDrift.Limits
  private var versions: [Release: Int] = [:]
  private var releases: [(release: Release, number: VersionNumber)] = []
  private var rules: [UTF8String: Int] = [:]
  private var ruleNames: [UTF8String] = []
  private var events: [Group: Int] = [:]
  private var groups: [Group: Int] = [:]
  private var groupCounts: [Int] = []
  private var users: Set<UserKey> = []
  private var elements: [Element: Int] = [:]
  private var elementList: [Element] = []
  private var elementsOfRule: [Group: Set<Int>] = [:]
  private var people = PersonHashes()
  private var unknown = 0
  private var beyondLimits = 0

  init(_ limits: StreamDrift.Limits) { self.limits = limits }

  /// Counts an event of a style, whose fields have these places.
  mutating func add(_ decided: DecidedEvent, _ fields: EventFields, style: Int?) {
    let (event, decision) = (decided.event, decided.decision)
    func text(_ field: EventFields.Field) -> UTF8String? {
      guard let text = event.text(field, fields), text.utf8.count <= Self.longestText else { return nil }
      return UTF8String(text)
    }
    guard let name = text(.appVersion) else {
      unknown += 1
      return
    }
    let release = Release(platform: PlannedEvent.Platform(of: event, fields), version: name)
    guard let version = number(of: release) else { return }
    let user = people.number(of: event.value(of: .distinctID, fields))
    count(user, in: .all(version: version))
    let element = element(
      Element(
        path: text(.path), eventID: decision.eventID, page: text(.page), content: text(.content), type: text(.type),
        position: text(.position), pathIndexes: text(.pathIndexes), style: style))
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

  /// Returns the number of a version. If it is not valid or beyond the limit, counts its event as such, and returns nil.
  private mutating func number(of release: Release) -> Int? {
    if let known = versions[release] { return known }
    guard let number = VersionNumber(parsing: Array(release.version.text.utf8)) else {
      unknown += 1
      return nil
    }
    guard releases.count < limits.versions else {
      beyondLimits += 1
      return nil
    }
    versions[release] = releases.count
    releases.append((release, number))
    return releases.count - 1
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
      beyondLimits += 1
      return
    }
    users.insert(entry)
    groupCounts[number] += 1
  }

  private mutating func element(_ element: Element) -> Int? {
    guard element.path != nil || element.eventID != nil else { return nil }
    if let known = elements[element] { return known }
    guard elementList.count < limits.elements else {
      beyondLimits += 1
      return nil
    }
    elements[element] = elementList.count
    elementList.append(element)
    return elementList.count - 1
  }

  // MARK: - Result

  /// Returns the result of the comparison; see ``StreamDrift/finish()``.
  func report() -> StreamDrift.Report {
    var result = StreamDrift.Report()
    result.unknown = unknown
    result.beyondLimits = beyondLimits
    let order = releases.indices.sorted { a, b in
      let (x, y) = (releases[a], releases[b])
      if x.release.platform != y.release.platform {
        guard let platform = x.release.platform else { return false }
        return y.release.platform.map { platform < $0 } ?? true
      }
      return x.number != y.number ? x.number < y.number : x.release.version < y.release.version
    }
    let sorted = ruleNames.indices.sorted { ruleNames[$0] < ruleNames[$1] }
    let compared = compared(in: order)
    let tests = max(1, sorted.count * compared.count)
    var appeared: [Int: [UTF8String?: [Int]]] = [:]
    for rule in sorted {
      let rates = order.map { rate(rule, $0) }
      result.rates.append((ruleNames[rule], rates))
      for (place, earlier) in compared {
        let (before, now) = (rates[earlier], rates[place])
        let chance = FisherTest.probability(
          first: (before.share.users, before.share.of), second: (now.share.users, now.share.of))
        let probability = min(1, chance * Double(tests))
        guard probability < StreamDrift.significance else { continue }
        var successors: [Successor] = []
        if now.events == 0 {
          let new = appeared[place] ?? elementsByPage(newIn: order[place], since: order[earlier])
          appeared[place] = new
          successors = self.successors(of: rule, order[earlier], order[place], new)
        }
        result.changes.append(
          StreamDrift.Change(
            rule: ruleNames[rule], before: before, now: now, probability: probability, successors: successors))
      }
    }
    result.changes.sort { a, b in
      if a.isZero != b.isZero { return a.isZero }
      return a.probability != b.probability ? a.probability < b.probability : a.rule < b.rule
    }
    return result
  }

  // A version with fewer users is only compared with versions of at most ten times as many. Otherwise a trial build would hide
  // what the release after it breaks.
  private static let usersOfRelease = 100

  /// Returns the places in the order of each version but the first of its platform, and of the version with which it is compared:
  /// the latest earlier one with enough users, or else the one before it.
  private func compared(in order: [Int]) -> [(place: Int, earlier: Int)] {
    let users = order.map { count(.all(version: $0)) }
    return order.indices.compactMap { place in
      let platform = releases[order[place]].release.platform
      let earlier = order.indices[..<place].filter { releases[order[$0]].release.platform == platform }
      guard let last = earlier.last else { return nil }
      let least = min(Self.usersOfRelease, (users[place] + 9) / 10)
      return (place, earlier.last { users[$0] >= least } ?? last)
    }
  }

  private func count(_ group: Group) -> Int { groups[group].map { groupCounts[$0] } ?? 0 }

  private func share(_ group: Group, _ version: Int) -> Share {
    let all = count(.all(version: version))
    return Share(users: min(count(group), all), of: all)
  }

  private func rate(_ rule: Int, _ version: Int) -> Rate {
    let group = Group.rule(rule, version: version)
    let release = releases[version].release
    return Rate(
      version: release.version.text, events: events[group] ?? 0, share: share(group, version),
      platform: release.platform)
  }

  /// Returns the numbers of the elements that a version has and the version before did not have, by their pages.
  private func elementsByPage(newIn new: Int, since old: Int) -> [UTF8String?: [Int]] {
    // An element whose text has changed is not new.
    let known = Set(
      elementList.indices.filter { groups[.element($0, version: old)] != nil }.map { Place(elementList[$0]) })
    let numbers = elementList.indices.filter {
      groups[.element($0, version: new)] != nil && !known.contains(Place(elementList[$0]))
    }
    return Dictionary(grouping: numbers) { elementList[$0].page }
  }

  /// Returns the new elements of a version that have something in common with the elements of a rule, likeliest first.
  private func successors(of rule: Int, _ old: Int, _ new: Int, _ appeared: [UTF8String?: [Int]]) -> [Successor] {
    let lost = (elementsOfRule[.rule(rule, version: old)] ?? []).sorted().map { elementList[$0] }
    guard !lost.isEmpty else { return [] }
    let rate = share(.rule(rule, version: old), old).value
    let nearest = StreamDrift.NearestElements(lost)
    var found: [(weight: Int, number: Int, share: Share, evidence: [Evidence], of: Element)] = []
    for number in Set(lost.map(\.page)).flatMap({ appeared[$0] ?? [] }).sorted() {
      guard let (of, same) = nearest.nearest(to: elementList[number]) else { continue }
      let share = share(.element(number, version: new), new)
      var evidence = same
      // A similar share of users is evidence, too: a button without a text that about as many people use is likely the
      // successor.
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
}
