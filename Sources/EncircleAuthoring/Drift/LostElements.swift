import EncircleDrift
import EncircleEvents
import EncircleIdentity
import EncircleRules
import EncircleText
import EncircleTree

/// Finds where the elements are that rules have lost from one version of the app to the next, for a ``ToleranceTable``.
///
/// ```swift
/// var lost = LostElements(matcher, tolerance: 0.8)
/// lost.find(on: captures, anchors: anchors)
/// let tolerant = matcher.tolerating(ToleranceTable(lost.successors))
/// ```
public struct LostElements: ~Copyable {
  /// The elements that succeed lost ones.
  public private(set) var successors: [SuccessorElement] = []

  private let matcher: Matcher
  private var decider: Decider
  // Maps the number of each tolerant rule to the least confidence that it accepts.
  private let tolerances: [Int: Double]

  /// Screens beyond this number are not compared.
  public static let maximumScreens = 2_000

  /// - Parameter tolerance: The minimum confidence for rules that do not set a tolerance; nil if such rules tolerate nothing.
  /// - Complexity: O(rules).
  public init(_ matcher: Matcher, tolerance: Double?) {
    self.matcher = matcher
    decider = Decider(matcher)
    var tolerances: [Int: Double] = [:]
    // Most rule sets have no tolerances; then there is no need to go through their rules.
    for rule in tolerance != nil || matcher.hasTolerances ? matcher.rulesWithElements : [] {
      if let least = matcher.tolerance(ofRule: rule) ?? tolerance { tolerances[rule] = least }
    }
    self.tolerances = tolerances
  }

  /// This is true if the rule set has a tolerant rule, so that there is something to find.
  public var isNeeded: Bool { !tolerances.isEmpty }

  // MARK: - Of screens

  /// An element whose taps are tracked.
  private struct Element {
    let event: AnalyticsEvent
    let place: ElementPlace
    /// The numbers of the rules that select it.
    let rules: Set<Int>
  }

  /// An element as events of one style denote it. A screen has it once for each style of the rules that its captures can serve.
  private struct Key: Hashable {
    /// The index in the matcher's styles.
    let style: Int
    let element: ElementID
  }

  /// The element that a rule selected originally, and the confidence that it is the present one.
  private struct Claim {
    let original: Element
    let confidence: Double
    /// The numbers of the successors that it has been in its present place; none for the original element.
    var successors: [Int] = []
  }

  /// A screen, from the latest version so far that has it.
  private struct Known {
    let screen: NamedScreen
    let version: VersionNumber?
    let elements: [Key: Element]
    /// Maps each element, and each rule about it, to the element that the rule selected originally.
    var claims: [Key: [Int: Claim]]
  }

  /// Compares the screens of each version with the latest earlier ones of their page.
  ///
  /// Captures without a version of the app are newer than all others, anchors without one older.
  ///
  /// - Complexity: As for ``ScreenMapping``, once for each capture.
  public mutating func find(on captures: [NamedScreen], anchors: [NamedScreen] = []) {
    guard isNeeded else { return }
    var latest = LatestScreens<Known>()
    for (version, screens) in Self.steps(captures, anchors) {
      // The known places are needed only for captures that replace others.
      let before = latest.values
      lazy var known = Set(before.flatMap { $0.elements.values.map { PlaceKey($0.place) } })
      latest.add(screens) { number, earlier in
        let elements = elements(of: screens[number])
        var new = Known(
          screen: screens[number], version: version, elements: elements, claims: Self.claims(elements, tolerances))
        if let earlier { carry(earlier, to: &new, known) }
        return new
      }
    }
    successors.sort { a, b in
      a.rule != b.rule ? a.rule < b.rule : a.confidence > b.confidence
    }
  }

  /// Returns the screens by version, oldest first.
  private static func steps(
    _ captures: [NamedScreen], _ anchors: [NamedScreen]
  ) -> [(version: VersionNumber?, screens: [NamedScreen])] {
    var versions: [VersionNumber: [NamedScreen]] = [:]
    var (first, last): ([NamedScreen], [NamedScreen]) = ([], [])
    func add(_ screens: some Sequence<NamedScreen>, _ others: inout [NamedScreen]) {
      for screen in screens {
        if let version = screen.screen.tree.header.appVersion.flatMap({ VersionNumber($0) }) {
          versions[version, default: []].append(screen)
        } else {
          others.append(screen)
        }
      }
    }
    add(anchors.prefix(maximumScreens), &first)
    add(captures.prefix(maximumScreens), &last)
    var steps: [(version: VersionNumber?, screens: [NamedScreen])] = first.isEmpty ? [] : [(nil, first)]
    for (version, screens) in versions.sorted(by: { $0.key < $1.key }) { steps.append((version, screens)) }
    return last.isEmpty ? steps : steps + [(nil, last)]
  }

  /// Returns the tracked elements of a screen, with the decisions of rules about taps on them.
  private mutating func elements(of named: NamedScreen) -> [Key: Element] {
    let screen = IdentifiedTree(named.screen.tree, options: matcher.identity)
    var result: [Key: Element] = [:]
    for (number, (style, fields)) in matcher.stylesAndFields.enumerated()
    where style.style.unmetRequirement(for: screen) == nil {
      let events = ElementEvents(of: screen, style: style, fields: fields)
      for element in screen.tree.elements where events.trackingType(of: element) != nil {
        let event = events.event(of: element)
        guard let place = decider.place(of: event) else { continue }
        _ = decider.selects(event)
        result[Key(style: number, element: element)] = Element(
          event: event, place: place, rules: Set(decider.matchedRules))
      }
    }
    return result
  }

  /// Returns, for each element, a claim of each tolerant rule that selects it.
  private static func claims(
    _ elements: [Key: Element], _ tolerances: [Int: Double]
  ) -> [Key: [Int: Claim]] {
    elements.mapValues { element in
      var claims: [Int: Claim] = [:]
      for rule in element.rules where tolerances[rule] != nil { claims[rule] = Claim(original: element, confidence: 1) }
      return claims
    }
  }

  /// Passes the claims of rules on to the elements of a newer screen, and records those elements that a rule no longer selects
  /// there.
  private mutating func carry(_ old: Known, to new: inout Known, _ known: Set<PlaceKey>) {
    let claimed = old.claims.filter { !$0.value.isEmpty }.sorted {
      ($0.key.element, $0.key.style) < ($1.key.element, $1.key.style)
    }
    guard !claimed.isEmpty else { return }
    let mapping = ScreenMapping(from: old.screen.screen.tree, to: new.screen.screen.tree)
    let places = Set(new.elements.values.map { PlaceKey($0.place) })
    for (key, claims) in claimed {
      let match = mapping.candidate(for: key.element)
      let successor = match.map { Key(style: key.style, element: $0.new) }
      let now = successor.flatMap { new.elements[$0] }
      let before = old.elements[key].map { PlaceKey($0.place) }
      let hasMoved = now.map { PlaceKey($0.place) } != before
      if hasMoved, let before, places.contains(before) {
        for number in claims.values.flatMap(\.successors) { end(number, with: new.version) }
      }
      guard let match, let successor, let now else { continue }
      for (rule, claim) in claims.sorted(by: { $0.key < $1.key }) where !now.rules.contains(rule) {
        let confidence = claim.confidence * match.confidence
        guard let least = tolerances[rule], confidence >= least else { continue }
        new.claims[successor, default: [:]][rule] = Claim(
          original: claim.original, confidence: confidence,
          successors: (hasMoved ? [] : claim.successors) + [successors.count])
        successors.append(
          SuccessorElement(
            rule: matcher.ruleID(rule), confidence: confidence, reasons: match.shownReasons.map(\.description),
            before: claim.original.place, eventBefore: claim.original.event, now: now.place, eventNow: now.event,
            lastVersion: old.version, isPlaceReused: known.contains(PlaceKey(now.place))))
      }
    }
  }

  /// Notes that another element is in the place of a successor from a version on, or since a time that is not known.
  private mutating func end(_ successor: Int, with version: VersionNumber?) {
    if let version { successors[successor].endVersion = version } else { successors[successor].isPlaceReused = true }
  }

  /// A place in any row.
  private struct PlaceKey: Hashable {
    let page: UTF8String?
    let components: [PathComponent]

    init(_ place: ElementPlace) {
      page = place.page
      components = place.path.shape
    }
  }

  // MARK: - Of events

  /// Adds the successors that events show for elements that rules lost at a release.
  ///
  /// - Parameter report: The result of ``StreamDrift`` for the same matcher.
  public mutating func add(_ report: StreamDrift.Report) {
    var numbers: [UTF8String: Int] = [:]
    for rule in tolerances.keys { numbers[matcher.ruleID(rule)] = rule }
    for change in report.changes where change.isZero {
      guard let rule = numbers[change.rule], let least = tolerances[rule] else { continue }
      for successor in change.successors where successor.confidence >= least {
        let (before, now) = (event(successor.of), event(successor.element))
        guard let placeBefore = decider.place(of: before, style: successor.of.style),
          let placeNow = decider.place(of: now, style: successor.element.style)
        else { continue }
        successors.append(
          SuccessorElement(
            rule: change.rule, confidence: successor.confidence,
            reasons: successor.evidence.map { "same \($0) in events" }, before: placeBefore, eventBefore: before,
            now: placeNow, eventNow: now, lastVersion: VersionNumber(change.before.version)))
      }
    }
  }

  /// Returns an event with the known facts about an element, at the places of the element's style. Nothing else in it shows the
  /// style.
  private func event(_ element: StreamDrift.Element) -> AnalyticsEvent {
    let fields = matcher.fieldPlaces(ofStyle: element.style)
    var event = AnalyticsEvent(EventObject())
    func add(_ field: EventFields.Field, _ text: String?) {
      if let text, let place = fields.places(of: field).first { event.set(.string(text), at: place) }
    }
    add(.path, element.path?.text)
    add(.pathIndexes, element.pathIndexes?.text)
    add(.eventID, element.eventID?.description)
    add(.page, element.page?.text)
    add(.content, element.content?.text)
    add(.type, element.type?.text)
    add(.position, element.position?.text)
    return event
  }
}

extension ScreenMapping.Match {
  /// The three strongest reasons for the match, and the strongest reason against it.
  public var shownReasons: [MatchReason] {
    let known = reasons.filter { !$0.isPrior }
    return Array(known.filter { $0.value > 0 }.prefix(3)) + known.filter { $0.value < 0 }.prefix(1)
  }
}
