import EncircleIdentity
import EncircleRules
import EncircleText
import EncircleTree

/// Suggests rules by a text around an element, such as the button in the cell with the text 桃.
///
/// Captures decide such a rule: the page and the row of an event are looked up in them. So if lists change, the rule is no
/// better than one that names the row. It never comes first if the place alone is enough.
final class WithinSuggester: Sendable {
  private let screen: IdentifiedTree
  private let settings: RuleSet
  private let taps: OwnTap.Source
  private let hierarchy: LazyValue<ClassHierarchy>
  private let known = LazyValue<ElementDictionary>()
  private let contents = LazyValue<ElementContents>()

  // The nearest elements around the element, and the texts in each, that are tried.
  private static let maximumContainers = 3
  private static let maximumTexts = 4

  /// Prepares a capture.
  ///
  /// - Parameter hierarchy: The classes of the capture.
  init(
    _ screen: IdentifiedTree, _ settings: RuleSet, _ taps: OwnTap.Source, _ hierarchy: LazyValue<ClassHierarchy>
  ) {
    self.screen = screen
    self.settings = settings
    self.taps = taps
    self.hierarchy = hierarchy
  }

  /// Returns a suggestion that selects an element alone by a text around it; nil if no such text is steady, if none is needed,
  /// or if captures could not decide it.
  ///
  /// - Parameter suggestions: Other suggestions for the element, the best first.
  /// - Complexity: O(elements × depth) for the first element, then O(elements of the page) for each text that is tried.
  func suggestion(for element: ElementID, after suggestions: [Suggestion]) -> Suggestion? {
    // If the best suggestion tests values of the event, no text around the element is needed.
    guard let best = suggestions.first, best.evidence.isEmpty, best.namesPlace,
      let page = screen.page(of: element, in: settings.style)
    else { return nil }
    let dictionary = known.get(knowledge)
    guard let path = path(of: element, dictionary) else { return nil }
    let hierarchy = hierarchy.get { ClassHierarchy(of: screen, in: settings.style) }
    let tap = taps.tap(on: element, knowing: dictionary)
    for container in Self.containers(in: path, hierarchy) {
      guard let base = base(suggestions, container, hierarchy) else { continue }
      let kind = taps.selected(by: taps.rule(base, for: element), dictionary)
      guard kind.count > 1 else { continue }
      let name = ElementSelector(isAnchored: false, steps: [.component(.name(container), nil)]).description
      let texts = dictionary.texts(within: UTF8String(name), around: path, page: UTF8String(page), settings.style) ?? []
      for text in steady(texts, around: element) {
        var suggestion = base
        suggestion.page = best.page
        suggestion.evidence = [.within(UTF8String(name), says: text)]
        let rule = taps.rule(suggestion, for: element)
        guard tap.isSelected(by: rule), taps.selected(by: rule, dictionary, among: kind) == [element] else { continue }
        suggestion.uniqueness = .element
        suggestion.elements = [element]
        suggestion.stability.add(.textAround)
        return suggestion
      }
    }
    return nil
  }

  /// Returns a dictionary that knows the texts of the screen.
  private func knowledge() -> ElementDictionary {
    var dictionary = ElementDictionary(style: settings.style, knowsScreens: true)
    dictionary.insert(screen)
    return dictionary
  }

  /// Returns the path of an element as captures know it.
  private func path(of element: ElementID, _ dictionary: ElementDictionary) -> ElementPath? {
    settings.style == .hubbleData ? screen.path(of: element) : dictionary[screen.eventID(of: element)]?.path
  }

  /// Returns the classes of surrounding elements that a person would name: cells, and views of the app. Each element is the
  /// innermost of its class; the innermost comes first.
  private static func containers(in path: ElementPath, _ hierarchy: ClassHierarchy) -> [UTF8String] {
    var seen: Set<UTF8String> = []
    var result: [UTF8String] = []
    for component in path.components.dropLast().reversed() where result.count < maximumContainers {
      let name = UTF8String(component.className)
      guard seen.insert(name).inserted else { continue }
      let isCell =
        switch component.locator {
        case .row, .item: true;
        default: false
        }
      if isCell || ClassOrigin(of: name, in: hierarchy) == .app { result.append(name) }
    }
    return result
  }

  /// Returns the suggestion that a text around the element is to narrow: that for any row or, outside of lists, the best one without
  /// the index of the container.
  private func base(_ suggestions: [Suggestion], _ container: UTF8String, _ hierarchy: ClassHierarchy) -> Suggestion? {
    if let kind = suggestions.first(where: { if case .kind = $0.uniqueness { true } else { false } }) { return kind }
    guard var result = suggestions.first else { return nil }
    let step = result.selector.steps.lastIndex { step in
      if case .component(.name(container), .index?) = step { true } else { false }
    }
    guard let step, step < result.selector.steps.count - 1 else { return nil }
    result.selector.steps[step] = .component(.name(container), nil)
    result.stability = SelectorStability(of: result.selector, hierarchy: hierarchy)
    return result
  }

  /// Returns the steady and distinctive texts around an element, without its own text and the joined texts of a whole cell.
  private func steady(_ texts: [String], around element: ElementID) -> [UTF8String] {
    let own = contents.get({ ElementContents(of: screen) }).content(of: element).map { UTF8String($0) }
    let all = Set(texts.map { UTF8String($0) })
    func isJoined(_ text: UTF8String) -> Bool {
      let parts = text.text.utf8.split(separator: UInt8(ascii: "-"))
      return parts.count > 1 && parts.contains { all.contains(UTF8String(String(decoding: $0, as: UTF8.self))) }
    }
    var result: [UTF8String] = []
    for text in texts.map({ UTF8String($0) }) where result.count < Self.maximumTexts {
      if text != own, Suggester.isSteady(text.text), !isJoined(text), !result.contains(text) { result.append(text) }
    }
    return result
  }
}
