import EncircleIdentity
import EncircleRules
import EncircleText
import EncircleTree

/// Suggests rules by values of events rather than by their path, for elements of Android.
///
/// Some events have no path, such as events of a toolbar's items. Dumps of uiautomator do not have the paths in events, but
/// they do have resource IDs and texts.
final class ValueSuggester: Sendable {
  private let screen: IdentifiedTree
  private let style: PathStyleName
  private let hierarchy: ClassHierarchy
  private let taps: AndroidTaps
  // This is true if the paths of the capture differ from the paths in events.
  private let isInexact: Bool
  // The elements of which the SDK sends events, with the values in them.
  private let tracked = LazyValue<[Tracked]>()

  private struct Tracked: Sendable {
    let element: ElementID
    let tap: AndroidTap
  }

  /// Prepares a capture; nil if nothing is known of the values of events in the style.
  init?(_ screen: IdentifiedTree, _ chains: PathChains, style: PathStyleName, hierarchy: ClassHierarchy) {
    guard let taps = AndroidTaps(of: chains, style: style) else { return nil }
    self.screen = screen
    self.style = style
    self.hierarchy = hierarchy
    self.taps = taps
    isInexact = screen.hasInexactPaths(in: style)
  }

  /// Returns whether the events of an element have its path in the capture.
  func hasPath(_ element: ElementID) -> Bool { !isInexact && taps.tap(on: element).pathElement == element }

  /// Returns the value that names an item of a menu or an option of an alert: its id, else its text; nil for other elements.
  func nameOfItem(_ element: ElementID) -> Suggestion.Evidence? {
    guard screen.isMenuItem(element) || screen.trackingType(of: element, in: style) == .alert else { return nil }
    let tap = taps.tap(on: element)
    if style == .sensorsAndroid, let id = Self.developerID(tap) { return id }
    return tap.content.flatMap { $0.isEmpty ? nil : .content(UTF8String($0)) }
  }

  /// Returns whether events of an element carry a value.
  func holds(_ evidence: Suggestion.Evidence, _ element: ElementID) -> Bool {
    holds(evidence, taps.tap(on: element))
  }

  /// Returns suggestions for an element, best first; empty if its events have no value that names it.
  ///
  /// - Complexity: O(elements); the first call also reads the contents of all elements.
  func suggestions(for element: ElementID) -> [Suggestion] {
    let tap = taps.tap(on: element)
    let others = tracked.get {
      screen.tree.elements.filter { screen.trackingType(of: $0, in: style) != nil }.map {
        Tracked(element: $0, tap: taps.tap(on: $0))
      }
    }
    var found: [Suggestion] = []
    for evidence in choices(element, tap) {
      let selected = others.filter { other in
        style.page(other.tap.page, isOn: tap.page) && evidence.allSatisfy { holds($0, other.tap) }
      }.map(\.element)
      found.append(suggestion(evidence, element, tap, selected))
    }
    // The suggestion that selects the fewest elements comes first. On a tie, the earlier choice comes first.
    return found.stablySorted { [$0.elements.count] }
  }

  /// Returns the tests that may name an element: by its id, by its text, or by both.
  private func choices(_ element: ElementID, _ tap: AndroidTap) -> [[Suggestion.Evidence]] {
    let id = Self.developerID(tap)
    let text = tap.content.flatMap { $0.isEmpty ? nil : Suggestion.Evidence.content(UTF8String($0)) }
    // A dump does not have all that a group's text is made of.
    let isSure = !isInexact || screen.tree.firstChild(of: element) == nil
    var choices: [[Suggestion.Evidence]] = []
    if let id { choices.append([id]) }
    if let text, isSure { choices.append(id.map { [$0, text] } ?? [text]) }
    if let text, !isSure, id == nil { choices.append([text]) }
    return choices
  }

  private static func developerID(_ tap: AndroidTap) -> Suggestion.Evidence? {
    tap.resourceID.flatMap { DeveloperID.isName($0) ? Suggestion.Evidence.developerID(UTF8String($0)) : nil }
  }

  private func holds(_ evidence: Suggestion.Evidence, _ tap: AndroidTap) -> Bool {
    switch evidence {
    case .developerID(let id): tap.resourceID.map { UTF8String($0) } == id
    case .content(let text): tap.content.map { UTF8String($0) } == text
    default: false
    }
  }

  private func suggestion(
    _ evidence: [Suggestion.Evidence], _ element: ElementID, _ tap: AndroidTap, _ selected: [ElementID]
  ) -> Suggestion {
    let anything = ElementSelector(isAnchored: false, steps: [.component(.any, nil)])
    var stability = SelectorStability(of: anything, hierarchy: hierarchy)
    stability.removeBreadth()
    if let page = tap.page { stability.add(.page(UTF8String(page))) }
    for value in evidence { stability.add(value.reason(in: style)) }
    let elements = selected.contains(element) ? selected : (selected + [element]).sorted()
    var result = Suggestion(
      selector: anything, page: tap.page, needsPage: tap.page != nil, evidence: evidence,
      uniqueness: elements.count == 1 ? .element : .shared(count: elements.count), elements: elements,
      stability: stability)
    result.namesPlace = false
    return result
  }
}

extension PathStyleName {
  /// Returns whether a rule names the page of an event: in `sensors-android` an activity is also the page of elements in its
  /// fragments.
  func page(_ page: String?, isOn named: String?) -> Bool {
    if sameText(page, named) { return true }
    guard self == .sensorsAndroid, let page, let named else { return false }
    return page.utf8.split(separator: UInt8(ascii: "|")).contains { $0.elementsEqual(named.utf8) }
  }
}
