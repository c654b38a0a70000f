import EncircleIdentity
import EncircleRules
import EncircleText
import EncircleTree

/// Suggests selectors for elements of a capture in any style, but only selectors whose rules select the tap on the element.
///
/// ```swift
/// let suggester = TapSuggester(screen, RuleSet())
/// for suggestion in suggester.suggestions(for: ElementID(17)) { print(suggestion.selector) }
/// ```
public final class TapSuggester: Sendable {
  private let screen: IdentifiedTree
  private let settings: RuleSet
  private let taps: OwnTap.Source
  private let hubbleData: Suggester?
  private let styled: StyledSuggester?
  private let within: WithinSuggester
  private let hierarchy = LazyValue<ClassHierarchy>()
  private let chains = LazyValue<PathChains>()

  // More candidates than wanted are tried, to replace candidates that fail.
  private static let maximumTried = 40

  /// Prepares a capture, which the style of the rule set must be able to serve.
  ///
  /// - Parameter settings: The rule set for new rules, which has the places of fields in events.
  /// - Complexity: O(elements + total length of the paths).
  public init(_ screen: IdentifiedTree, _ settings: RuleSet) {
    self.screen = screen
    self.settings = settings
    taps = OwnTap.Source(screen, settings)
    within = WithinSuggester(screen, settings, taps, hierarchy)
    let isHubbleData = settings.style == .hubbleData
    hubbleData = isHubbleData ? Suggester(screen) : nil
    styled = isHubbleData ? nil : StyledSuggester(screen, style: settings.style)
  }

  /// Prepares a capture for rules of a style.
  public convenience init(_ screen: IdentifiedTree, style: PathStyleName = .hubbleData) {
    var settings = RuleSet()
    settings.style = style
    settings.fields = EventFields(style: style)
    self.init(screen, settings)
  }

  /// Returns selectors for an element, the best first. All of them select the tap on the element, some only in a wider form.
  ///
  /// - Parameters:
  ///   - limit: The maximum number of suggestions.
  ///   - prefersIDs: True if selectors with ids of developers come before all others, in styles whose paths carry some.
  ///   - withTexts: True if a button is also named by its text if its place is enough.
  /// - Returns: Empty if the element has no selector, because its path is too long or the style has no path for it.
  /// - Complexity: As for ``Suggester/suggestions(for:limit:withTexts:)``, and for each suggestion O(classes of the capture).
  public func suggestions(
    for element: ElementID, limit: Int = 5, prefersIDs: Bool = true, withTexts: Bool = false
  ) -> [Suggestion] {
    let candidates =
      hubbleData?.suggestions(for: element, limit: Self.maximumTried, withTexts: withTexts)
      ?? styled?.suggestions(for: element, limit: Self.maximumTried, prefersIDs: prefersIDs) ?? []
    guard !candidates.isEmpty else { return [] }
    let tap = taps.tap(on: element)
    var found: [Suggestion] = []
    for candidate in candidates where found.count < limit {
      guard var right = ([candidate] + widened(candidate, element)).first(where: { selects($0, element, tap) }) else {
        continue
      }
      // The new evidence may distinguish less.
      if right.evidence != candidate.evidence { count(&right, element) }
      found.append(right)
    }
    if found.isEmpty { return suggestions(from: tap, on: element, limit: limit) }
    if limit > 1, let around = within.suggestion(for: element, after: found) { found.append(around) }
    return Array(Suggester.order(found).prefix(limit).map { found[$0] })
  }

  /// Returns the selector of an element's whole path, with any row in the innermost list unless it is an option of an alert, so
  /// that the configuration of an SDK that compares paths can express it; nil if the style has no such selector that selects the
  /// tap on the element.
  ///
  /// - Complexity: O(elements × depth).
  package func wholePath(of element: ElementID) -> Suggestion? {
    let style = settings.style
    guard !style.isWeb else { return nil }
    let hierarchy = hierarchy.get { ClassHierarchy(of: screen, in: style) }
    let chains = chains.get { PathChains(of: screen) }
    guard let path = SelectorSkeleton.path(of: element, in: screen, chains, hierarchy, style) else { return nil }
    let skeleton = SelectorSkeleton(nil, path: path)
    let isOption = screen.trackingType(of: element, in: style) == .alert
    let selector = skeleton.selector(
      skeleton.levels.indices.map { (section: true, row: $0 > 0 || isOption) })
    guard selector.description.utf8.count <= ElementSelector.maximumLength else { return nil }
    let page = screen.page(of: element, in: style)
    var suggestion = Suggestion(
      selector: selector, page: page, needsPage: page != nil, evidence: [], uniqueness: .element, elements: [element],
      stability: SelectorStability(of: selector, hierarchy: hierarchy))
    guard selects(suggestion, element, taps.tap(on: element)) else { return nil }
    count(&suggestion, element)
    return suggestion
  }

  private func selects(_ suggestion: Suggestion, _ element: ElementID, _ tap: OwnTap) -> Bool {
    suggestion.selector.isReadAsWritten(in: settings.style) && tap.isSelected(by: taps.rule(suggestion, for: element))
  }

  /// Counts the elements whose taps a suggestion for an element selects; the element is one of them, even if it is not tracked.
  private func count(_ suggestion: inout Suggestion, _ element: ElementID) {
    let selected = taps.selected(by: taps.rule(suggestion, for: element))
    suggestion.elements = selected.contains(element) ? selected : (selected + [element]).sorted()
    let rows = Set(suggestion.elements.map { screen.listRow(of: $0) })
    let count = suggestion.elements.count
    suggestion.uniqueness = count <= 1 ? .element : rows.count == count ? .kind(count: count) : .shared(count: count)
  }

  /// Returns wider forms of a suggestion, the narrowest first.
  private func widened(_ suggestion: Suggestion, _ element: ElementID) -> [Suggestion] {
    var result: [Suggestion] = []
    if let anyPlace = suggestion.selector.withoutFreeCells, screen.isInUnknownPlace(element) {
      // The event may arrive with a row that the capture lacks, or with an index in place of the row.
      var wider = suggestion
      wider.selector = anyPlace
      result.append(wider)
    }
    if !suggestion.needsPage, suggestion.page != nil {
      var anywhere = suggestion
      anywhere.page = nil
      result.append(anywhere)
    }
    if settings.style == .hubbleData, !suggestion.evidence.isEmpty {
      // The event ID covers all parts of the identity.
      var exact = suggestion
      exact.evidence = [.eventID(screen.eventID(of: element))]
      result.append(exact)
    }
    return result
  }

  /// Returns selectors that are made of the element's own event alone.
  private func suggestions(from tap: OwnTap, on element: ElementID, limit: Int) -> [Suggestion] {
    guard let event = tap.events.first else { return [] }
    let subject = EventSubject(event, style: settings.style)
    return EventSuggester(subject).suggestions(limit: limit).compactMap { suggestion in
      guard selects(suggestion, element, tap) else { return nil }
      var suggestion = suggestion
      count(&suggestion, element)
      return suggestion
    }
  }
}

extension ElementSelector {
  /// The selector with cells of any section and row, such as `Cell(section:* row:*)`, at any place; nil if it has none.
  fileprivate var withoutFreeCells: ElementSelector? {
    var result = self
    for (i, step) in steps.enumerated() {
      guard case .component(let pattern, .fields(let tests)?) = step, tests.allSatisfy({ $0.test == .any }) else {
        continue
      }
      result.steps[i] = .component(pattern, nil)
    }
    return result == self ? nil : result
  }
}
