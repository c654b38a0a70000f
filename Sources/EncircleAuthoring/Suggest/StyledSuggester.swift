import EncircleIdentity
import EncircleRules
import EncircleText
import EncircleTree

/// Suggests selectors for the paths in events of styles other than `hubbledata`.
///
/// It tries the ends of the element's path in that style, alone and below classes of the app, and keeps the selectors that
/// match only the element, or only the same element in several rows. Resource ids, and labels of PostHog, come first:
/// developers give them, and layouts do not change them. Texts that PostHog writes into paths are tested only if classes and
/// labels do not distinguish the element from others.
public final class StyledSuggester: Sendable {
  private let screen: IdentifiedTree
  private let style: PathStyleName
  private let hierarchy: ClassHierarchy
  // Finds the role of an element, which does not depend on the style.
  private let suggester: Suggester
  // The texts that events of the style have.
  private let contents: ElementContents
  // For each element, the forms of the components of its path; nil if the style has none.
  private let paths: [[[PathComponent]]?]
  // The same forms with the rows that events give beside their paths. Selectors are matched against these.
  private let sentPaths: [[[PathComponent]]?]
  // The forms of the paths whose events give the row of the innermost list in another value, with that row in them, by the
  // element.
  private let rowPaths: [Int: [[PathComponent]]]
  // In `hubbledata-android`, the component of each element's path that is its innermost row, by the element.
  private let indexedRows: [Int: Int]
  // The elements by the names that their last components have.
  private let byName: [UTF8String: [Int]]

  // Suggests values of events in styles of Android.
  private let values: ValueSuggester?
  // Makes selectors in CSS's words; nil in styles of apps.
  private let page: PageSuggester?

  private static let maximumLandmarks = 4
  private static let longestTail = 3

  /// Prepares a capture, which the style must be able to serve.
  ///
  /// - Complexity: O(total length of the paths).
  public init(_ screen: IdentifiedTree, style: PathStyleName) {
    self.screen = screen
    self.style = style
    let hierarchy = ClassHierarchy(of: screen, in: style)
    self.hierarchy = hierarchy
    suggester = Suggester(screen)
    contents = ElementContents(of: screen, in: style)
    let chains = PathChains(of: screen)
    values = ValueSuggester(screen, chains, style: style, hierarchy: hierarchy)
    let ownStyle = style.style
    var byName: [UTF8String: [Int]] = [:]
    var paths: [[[PathComponent]]?] = []
    var sentPaths: [[[PathComponent]]?] = []
    var rowPaths: [Int: [[PathComponent]]] = [:]
    var indexedRows: [Int: Int] = [:]
    page = style.isWeb ? PageSuggester(screen, style: style) : nil
    for element in screen.tree.elements where !style.isWeb {
      let chain = chains.chain(to: element)
      let places = UnknownPlaces(around: element, in: screen)
      func forms(_ path: StyledPath?) -> [[PathComponent]]? { path.map { places.forms(of: $0, hierarchy) } }
      let path = ownStyle.path(of: chain)
      let sent = Self.filled(path, chain, ownStyle)
      if style == .hubbleDataAndroid { indexedRows[element.index] = path?.indexedRows(hierarchy).last }
      if style != .growingIO, sent != path { rowPaths[element.index] = forms(sent) }
      // Events of GrowingIO for iOS show by a value beside the path that a component is a cell.
      paths.append(forms(style == .growingIO ? sent : path))
      sentPaths.append(
        style.isAndroid ? Self.read(path, chain, ownStyle)?.componentForms(.builtInOnAndroid) : forms(sent))
      for name in Set((paths[element.index]?.last ?? []).map { UTF8String($0.className) }) {
        byName[name, default: []].append(element.index)
      }
    }
    (self.paths, self.sentPaths) = (paths, sentPaths)
    self.rowPaths = rowPaths
    self.indexedRows = indexedRows
    self.byName = byName
  }

  /// Returns a path as it is read from an event, where a separate value has the row of the innermost list.
  private static func filled(_ path: StyledPath?, _ chain: [PathNode], _ style: any PathStyle) -> StyledPath? {
    guard var path, var position = style.position(in: chain) else { return path }
    position.withUTF8 { path.fill(position: $0) }
    return path
  }

  /// Returns a path of Android as it is read from an event, which does not mark rows.
  private static func read(_ path: StyledPath?, _ chain: [PathNode], _ style: any PathStyle) -> StyledPath? {
    guard let path, !path.components.isEmpty else { return path }
    return filled((try? style.read(path.written))?.first ?? path, chain, style)
  }

  /// Returns selectors for an element, the best first; none if the style has no path for it.
  ///
  /// - Parameters:
  ///   - limit: The maximum number of suggestions.
  ///   - prefersIDs: True if selectors with a resource id come before all others.
  /// - Complexity: O(length of the path × elements of the class).
  public func suggestions(for element: ElementID, limit: Int = 5, prefersIDs: Bool = true) -> [Suggestion] {
    if let page { return page.suggestions(for: element, limit: limit) }
    if let values, !values.hasPath(element) { return Array(values.suggestions(for: element).prefix(max(0, limit))) }
    // Up to iOS 9 only the row distinguishes the options of an alert.
    guard let path = (isOption(element) ? sentPaths : paths)[element.index], !path.isEmpty else { return [] }
    var found: [Suggestion] = []
    if style == .postHog {
      found = textSuggestions(path, element)
    } else {
      found = placeSuggestions(path, element)
    }
    let sorted = found.stablySorted {
      [
        $0.isUnique ? 0 : 1, prefersIDs && $0.selector.endsWithID ? 0 : 1, $0.stability.penalty,
        $0.selector.steps.count,
      ]
    }
    var seen: Set<ElementSelector> = []
    let ordered = Suggester.order(sorted).map { sorted[$0] }
    return Array(ordered.filter { !$0.evidence.isEmpty || seen.insert($0.selector).inserted }.prefix(max(0, limit)))
  }

  /// Returns suggestions that name the element by classes and places, and by its text if it is an item of a bar or an alert, or if
  /// nothing else distinguishes it from others.
  private func placeSuggestions(_ path: [[PathComponent]], _ element: ElementID) -> [Suggestion] {
    let exact = path.map(Self.step)
    var found: [Suggestion] = []
    // Events of other styles have no actions and no texts of alerts, but the text of the element.
    if let name = nameOfItem(element), case .component(let pattern, _) = exact[exact.count - 1] {
      let loose = exact.dropLast() + [.component(pattern, nil)]
      found += suggestions(Array(loose), [element.index], element, evidence: [name])
    }
    // The options of an alert are not rows of one kind.
    let free = isOption(element) ? nil : Self.withFreeRow(exact, indexedRow: indexedRows[element.index])
    let forms = [free, exact].compactMap { $0 }.map { steps in
      (steps: steps, kind: Set(elements(matching: steps, isAnchored: true)))
    }
    for (steps, kind) in forms { found += suggestions(steps, kind, element) }
    let isUnique = found.contains(where: \.isUnique)
    // The number beside the path may also be that of a tab or segment, which is no row.
    if let row = rowPaths[element.index]?.map(Self.step), Self.withFreeRow(row, indexedRow: nil) == exact {
      found += suggestions(row, Set(elements(matching: row, isAnchored: true)), element)
    }
    guard !isUnique, let text = sentText(of: element) else { return found }
    // Elements with the same path may still differ in other values of their events.
    for (steps, kind) in forms {
      let unique = suggestions(steps, kind, element, evidence: [text]).filter(\.isUnique)
      if let best = unique.min(by: { $0.stability.penalty < $1.stability.penalty }) { found.append(best) }
    }
    return found
  }

  /// Returns the text in an element's events, unless it is a state; nil for other elements, in styles of Android, and if only the
  /// event ID gives the text.
  private func sentText(of element: ElementID) -> Suggestion.Evidence? {
    guard values == nil, !style.eventShape.fieldsByEventID.contains(.content), !screen.showsState(element),
      let content = contents.content(of: element), !content.isEmpty
    else { return nil }
    return .content(UTF8String(content))
  }

  /// Returns the text that names an option of an alert or an item of a bar; nil for other elements.
  private func nameOfItem(_ element: ElementID) -> Suggestion.Evidence? {
    func content() -> String? { contents.content(of: element).flatMap { $0.isEmpty ? nil : $0 } }
    if let values { return values.nameOfItem(element) }
    if isOption(element) { return content().map { .content(UTF8String($0)) } }
    return switch suggester.role(of: element) {
    case .barItem:
      content().flatMap { Suggester.isSteady($0) && !screen.showsState(element) ? .content(UTF8String($0)) : nil }
    case .alertOption, .backButton, .menuRow, .repeatedSibling, .other: nil
    }
  }

  /// Returns whether an element is an option of an alert on iOS. The views that are its options differ from style to style.
  private func isOption(_ element: ElementID) -> Bool {
    values == nil
      && (screen.trackingType(of: element, in: style) == .alert || suggester.role(of: element) == .alertOption)
  }

  /// Returns whether an element is an item of a bar or menu, or an option of an alert, whose places change.
  private func isItem(_ element: ElementID) -> Bool {
    if let values { return values.nameOfItem(element) != nil }
    return isOption(element) || suggester.role(of: element) == .barItem
  }

  private func holds(_ evidence: Suggestion.Evidence, for element: ElementID) -> Bool {
    values?.holds(evidence, element) ?? evidence.holds(for: element, screen, contents)
  }

  // MARK: - Texts in paths

  /// Returns suggestions that name the element by classes, and by labels and texts only where these are not enough.
  private func textSuggestions(_ path: [[PathComponent]], _ element: ElementID) -> [Suggestion] {
    let components = path.map { $0[0] }
    let kind = Set(elements(matching: components.map { step($0, .all) }, isAnchored: true))
    let own = components.count - 1
    var found: [Suggestion] = []
    for asked in [TestedTexts.labels, .none, .labelsAndTexts, .all] {
      // The texts of surrounding elements are tested only if the element's own texts are not enough.
      for isOwnOnly in [true, false] {
        let steps = components.enumerated().map { i, component in
          step(component, i == own || !isOwnOnly ? asked : asked == .none ? .none : .labels)
        }
        found += suggestions(steps, kind, element)
        if asked == .none || !found.isEmpty && asked == .all { break }
      }
      // Labels are worth a separate suggestion even if classes are enough.
      if !found.isEmpty, asked != .labels { break }
    }
    return found
  }

  /// The texts that a step tests.
  private enum TestedTexts {
    case none
    /// The developer's labels.
    case labels
    /// Labels, and texts that are not the state of a control.
    case labelsAndTexts
    /// All texts that are not the state of a control, and the absence of a text.
    case all
  }

  private func step(_ component: PathComponent, _ asked: TestedTexts) -> ElementSelector.Step {
    let name = component.className
    let (text, id) = (UTF8String(component.texts?.text ?? ""), UTF8String(component.texts?.id ?? ""))
    var tests: [ElementSelector.TextTest] = []
    let asksText =
      switch asked {
      case .none, .labels: false
      case .labelsAndTexts: !text.text.isEmpty && !hierarchy.showsState(name)
      case .all: !hierarchy.showsState(name)
      }
    if asksText { tests.append(.init(.text, text)) }
    if asked == .all || (asked != .none && !id.text.isEmpty) { tests.append(.init(.id, id)) }
    return .component(.name(UTF8String(name)), tests.isEmpty ? nil : .texts(tests))
  }

  // MARK: - Steps

  private static func step(_ forms: [PathComponent]) -> ElementSelector.Step {
    // The first form has the resource id, which distinguishes the component from others without its index.
    let component = forms[0]
    let hasID = forms.count > 1 && !component.className.hasSameBytes(as: forms[forms.count - 1].className)
    return .component(
      .name(UTF8String(component.className)),
      hasID ? nil : ElementSelector.LocatorPattern(exactly: component.locator))
  }

  /// Returns the steps with any row in the innermost cell; nil outside of cells, and where the row is free already.
  ///
  /// - Parameter indexedRow: The step of the innermost row that is written with an index; nil if there is none.
  private static func withFreeRow(_ steps: [ElementSelector.Step], indexedRow: Int?) -> [ElementSelector.Step]? {
    for (i, step) in steps.enumerated().reversed() {
      guard case .component(let pattern, let locator) = step,
        let free = i == indexedRow ? ElementSelector.LocatorPattern.index(.any) : locator?.withFreeRow.first
      else { continue }
      guard let locator, free != locator else { return nil }
      var result = steps
      result[i] = .component(pattern, free)
      return result
    }
    return nil
  }

  // MARK: - Candidates

  private func suggestions(
    _ steps: [ElementSelector.Step], _ kind: Set<Int>, _ element: ElementID, evidence: [Suggestion.Evidence] = []
  ) -> [Suggestion] {
    var result: [Suggestion] = []
    let shortest = (1...steps.count).lazy.compactMap { [self] count in
      suggestion(Array(steps.suffix(count)), isAnchored: count == steps.count, kind, element, evidence)
    }.first
    if let shortest { result.append(shortest) }
    let landmarks = steps.indices.dropLast().reversed().filter { isOfApp(steps[$0]) }
    for landmark in landmarks.prefix(Self.maximumLandmarks) {
      let most = min(Self.longestTail, steps.count - 1 - landmark)
      let nearest = (1...most).lazy.compactMap { [self] count in
        suggestion(
          [steps[landmark], .recursiveWildcard] + steps.suffix(count), isAnchored: false, kind, element, evidence)
      }.first
      if let nearest { result.append(nearest) }
    }
    return result
  }

  private func isOfApp(_ step: ElementSelector.Step) -> Bool {
    guard case .component(.name(let name), _) = step else { return false }
    return ClassOrigin(of: name, in: hierarchy) == .app
  }

  /// Returns the suggestion of a selector if it matches only elements of the kind, at least on their page; nil otherwise.
  private func suggestion(
    _ steps: [ElementSelector.Step], isAnchored: Bool, _ kind: Set<Int>, _ element: ElementID,
    _ evidence: [Suggestion.Evidence]
  ) -> Suggestion? {
    let page = style.eventShape.namesPages ? screen.page(of: element, in: style) : nil
    func isOnPage(_ other: Int) -> Bool { style.page(screen.page(of: ElementID(other), in: style), isOn: page) }
    let matched = elements(matching: steps, isAnchored: isAnchored).filter { other in
      evidence.allSatisfy { holds($0, for: ElementID(other)) }
    }
    let needsPage = !matched.allSatisfy(kind.contains) || (page != nil && !matched.allSatisfy(isOnPage))
    let selected = needsPage && page != nil ? matched.filter(isOnPage) : matched
    guard selected.allSatisfy(kind.contains) else { return nil }
    let selector = ElementSelector(isAnchored: isAnchored, steps: steps)
    guard selector.description.utf8.count <= ElementSelector.maximumLength else { return nil }
    var stability = SelectorStability(of: selector, hierarchy: hierarchy)
    if needsPage, let page { stability.add(.page(UTF8String(page))) }
    for value in evidence { stability.add(value.reason(in: style)) }
    if !evidence.isEmpty { stability.removeBreadth() }
    if evidence.isEmpty, isItem(element) { stability.add(.barPlace) }
    // Elements with the same path are of the same kind if they are in different rows; otherwise nothing distinguishes them.
    let rows = Set(selected.map { screen.listRow(of: ElementID($0)) })
    let uniqueness: Suggestion.Uniqueness =
      selected.count == 1
      ? .element : rows.count == selected.count ? .kind(count: selected.count) : .shared(count: selected.count)
    return Suggestion(
      selector: selector, page: page, needsPage: needsPage, evidence: evidence, uniqueness: uniqueness,
      elements: selected.map { ElementID($0) }, stability: stability)
  }

  // MARK: - Matching

  private func elements(matching steps: [ElementSelector.Step], isAnchored: Bool) -> [Int] {
    guard case .component(.name(let name), _)? = steps.last else { return [] }
    return (byName[name] ?? []).filter { element in
      guard let path = sentPaths[element] else { return false }
      return Self.matches(steps, path, isAnchored: isAnchored, hierarchy)
    }
  }

  /// Returns whether steps match the end of a path. At most the second step is `**`.
  private static func matches(
    _ steps: [ElementSelector.Step], _ path: [[PathComponent]], isAnchored: Bool, _ hierarchy: ClassHierarchy
  ) -> Bool {
    func matches(_ step: ElementSelector.Step, _ forms: [PathComponent]) -> Bool {
      forms.contains { step.matches($0, hierarchy: hierarchy) }
    }
    let hasLandmark = steps.count > 2 && steps[1] == .recursiveWildcard
    let tail = hasLandmark ? steps[2...] : steps[...]
    guard path.count >= tail.count, !isAnchored || path.count == tail.count else { return false }
    guard zip(tail.reversed(), path.reversed()).allSatisfy({ matches($0, $1) }) else { return false }
    return !hasLandmark || path.dropLast(tail.count).contains { matches(steps[0], $0) }
  }
}

extension ElementSelector {
  /// This is true if the last step names a resource id or a label.
  fileprivate var endsWithID: Bool {
    switch steps.last {
    case .component(.name(let name), nil)?:
      DeveloperID.withoutCollapsed(name).text.utf8.contains(UInt8(ascii: "#"))
    case .component(_, .texts(let tests)?)?: tests.contains { $0.field == .id && !$0.text.text.isEmpty }
    default: false
    }
  }
}
