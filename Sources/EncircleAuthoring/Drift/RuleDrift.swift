import EncircleDrift
import EncircleIdentity
import EncircleRules
import EncircleText
import EncircleTree

/// A rule that does not select the same elements of the new screens as of the old ones.
public struct RuleDrift: Sendable {
  /// The ways in which a rule breaks.
  public enum Kind: String, CaseIterable, Sendable {
    /// It selects nothing any more, although its elements still exist.
    case nothing
    /// It selects other elements than before.
    case another
    /// It misses some of its elements.
    case fewer
    /// It also selects elements that it did not select before.
    case more
    /// All that it selected is gone.
    case gone
  }

  /// An element of a pair of screens.
  public struct Place: Hashable, Sendable {
    /// The number of the pair.
    public let pair: Int
    public let element: ElementID
  }

  public let id: UTF8String
  public let kind: Kind
  /// The elements that it selects on the old screens.
  public let before: [Place]
  /// The elements that it selects on the new screens.
  public let now: [Place]
  /// The elements of the new screens that it should select and does not, each with the old element.
  public let missed: [(place: Place, match: ScreenMapping.Match)]
  /// The elements that it selects and should not.
  public let wrong: [Place]
  /// The selected elements that are gone.
  public let gone: [Place]

  /// The numbers of the pairs of screens where it selects something, or should.
  public var pairs: [Int] { Set((before + now + missed.map(\.place) + gone).map(\.pair)).sorted() }

  /// The numbers of the pairs of screens where it selects something else than it should, or where its elements are gone.
  public var brokenPairs: [Int] { Set((missed.map(\.place) + wrong + gone).map(\.pair)).sorted() }

  /// The lowest confidence among the matches of missed elements.
  public var confidence: Double { missed.map(\.match.confidence).min() ?? 0 }
}

/// The elements of screens that rules select.
struct RuleSelections {
  private(set) var elements: [UTF8String: [RuleDrift.Place]] = [:]

  /// Decides a tap on each element that an SDK would track.
  ///
  /// - Complexity: O(elements), as for ``Decider/decide(_:)``.
  init(of ruleSet: RuleSet, on screens: [IdentifiedTree]) {
    self.init(of: ruleSet, on: TappedScreens(screens, for: ruleSet))
  }

  /// Decides the same taps for rules like the ones that the screens were prepared for. The times of rules do not count, because
  /// taps on captured elements have none.
  ///
  /// - Complexity: O(elements), as for ``Decider/decide(_:)``.
  init(of ruleSet: RuleSet, on screens: TappedScreens) {
    var decider = Decider(Matcher(ruleSet.atAnyTime, dictionary: screens.dictionary))
    for (pair, (screen, events)) in zip(screens.identified, screens.events).enumerated() {
      guard let events else { continue }
      for element in screen.tree.elements where events.trackingType(of: element) != nil {
        let decision = decider.decide(events.event(of: element))
        for rule in decision.rules + decision.excludedBy {
          elements[rule, default: []].append(RuleDrift.Place(pair: pair, element: element))
        }
      }
    }
  }
}

/// Screens, prepared for taps on their elements; rules of the same styles, with the same fields and identities, share them.
struct TappedScreens {
  let identified: [IdentifiedTree]
  let dictionary: ElementDictionary
  /// The settings for the events of each screen, without rules.
  let settings: [SelectionSettings]
  /// The events of each screen; nil if its style cannot serve the screen.
  let events: [ElementEvents?]

  /// - Complexity: O(elements), × depth if rules use the texts of other elements.
  init(_ screens: [IdentifiedTree], for ruleSet: RuleSet) {
    identified = screens.map { IdentifiedTree($0.tree, options: ruleSet.identity) }
    var dictionary = ElementDictionary(
      style: ruleSet.style, knowsScreens: ruleSet.readsScreens, otherStyles: ruleSet.otherStyles)
    for screen in identified { dictionary.insert(screen) }
    self.dictionary = dictionary
    let withoutRules = ruleSet.withoutRules
    settings = identified.map { SelectionSettings(withoutRules.part(for: $0)) }
    events = zip(identified, settings).map { screen, settings in
      settings.style.style.unmetRequirement(for: screen) == nil
        ? ElementEvents(of: screen, style: settings.style, fields: settings.fields) : nil
    }
  }
}

extension RuleDrift {
  /// Finds the rules of a set that break between the old and the new screens, in the order of the set.
  ///
  /// - Parameters:
  ///   - screens: The pairs of screens.
  ///   - threshold: The minimum confidence with which an element counts as found again.
  /// - Complexity: O(elements + rules).
  public static func find(
    _ ruleSet: RuleSet, _ screens: [ScreenDrift], threshold: Double = DriftThreshold.usual
  ) -> [RuleDrift] {
    let before = RuleSelections(of: ruleSet, on: screens.map(\.old.screen))
    let newScreens = TappedScreens(screens.map(\.new.screen), for: ruleSet)
    let now = RuleSelections(of: ruleSet, on: newScreens)
    return ruleSet.rules.compactMap { rule in
      let drift = RuleDrift(
        rule.id, before.elements[rule.id] ?? [], now.elements[rule.id] ?? [], screens, threshold)
      guard let drift else { return nil }
      let broken = drift.brokenPairs.map { (screen: screens[$0].new.screen, settings: newScreens.settings[$0]) }
      return rule.isRetired(on: broken) || rule.isOver(on: broken.map(\.screen)) ? nil : drift
    }
  }

  /// Returns the ids of the rules that select something on some screens.
  package static func selecting(_ ruleSet: RuleSet, on screens: [IdentifiedTree]) -> Set<UTF8String> {
    Set(RuleSelections(of: ruleSet, on: screens).elements.keys)
  }

  /// Returns the same drift with `count` added to the numbers of its pairs, for a list in which other screens come first.
  package func shifted(by count: Int) -> RuleDrift { count == 0 ? self : RuleDrift(self, shiftedBy: count) }

  private init(_ drift: RuleDrift, shiftedBy count: Int) {
    func moved(_ places: [Place]) -> [Place] { places.map { Place(pair: $0.pair + count, element: $0.element) } }
    id = drift.id
    kind = drift.kind
    before = moved(drift.before)
    now = moved(drift.now)
    missed = drift.missed.map { (Place(pair: $0.place.pair + count, element: $0.place.element), $0.match) }
    wrong = moved(drift.wrong)
    gone = moved(drift.gone)
  }

  init?(
    _ id: UTF8String, _ before: [Place], _ now: [Place], _ screens: [ScreenDrift], _ threshold: Double
  ) {
    let selectedBefore = Set(before)
    let selectedNow = Set(now)
    // A rule about events without elements, or about other screens, cannot be judged.
    guard !before.isEmpty || !now.isEmpty else { return nil }
    var missed: [(place: Place, match: ScreenMapping.Match)] = []
    var gone: [Place] = []
    var expected: Set<Place> = []
    for place in before {
      guard let match = screens[place.pair].mapping.match(for: place.element, threshold: threshold) else {
        gone.append(place)
        continue
      }
      let image = Place(pair: place.pair, element: match.new)
      expected.insert(image)
      if !selectedNow.contains(image) { missed.append((image, match)) }
    }
    let kinds = Set(expected.map { RowKey($0, screens) })
    let wrong = now.filter { place in
      guard !expected.contains(place) else { return false }
      if let origin = screens[place.pair].mapping.origin(of: place.element, threshold: threshold) {
        return !selectedBefore.contains(Place(pair: place.pair, element: origin.old))
      }
      // Another row of the same list is the same element.
      return !kinds.contains(RowKey(place, screens))
    }
    self.id = id
    self.before = before
    self.now = now
    self.missed = missed
    self.wrong = wrong
    self.gone = gone
    switch (missed.isEmpty, wrong.isEmpty) {
    case (true, true):
      guard expected.isEmpty, !before.isEmpty else { return nil }
      kind = .gone
    case (false, true): kind = now.isEmpty ? .nothing : .fewer
    case (false, false): kind = .another
    case (true, false): kind = expected.isEmpty && !before.isEmpty ? .another : .more
    }
  }
}

/// The path of an element without the rows of its lists.
private struct RowKey: Hashable {
  private let pair: Int
  private let components: [PathComponent]

  init(_ place: RuleDrift.Place, _ screens: [ScreenDrift]) {
    pair = place.pair
    let screen = screens[place.pair].new.screen
    var components = screen.path(of: place.element).shape
    for (i, view) in zip(components.indices.reversed(), screen.tree.inclusiveAncestors(of: place.element))
    where Self.isIndexedRow(view, in: screen) {
      components[i].locator = .none
    }
    self.components = components
  }

  /// Returns whether a view is a row with an index like any view: in captures that lack the places of rows, and on web pages.
  private static func isIndexedRow(_ view: ElementID, in screen: IdentifiedTree) -> Bool {
    screen.unknownPlace(of: view) != nil
      || screen.tree.web != nil && PageSelectors.isRow(UTF8String(screen.className(of: view)))
  }
}
