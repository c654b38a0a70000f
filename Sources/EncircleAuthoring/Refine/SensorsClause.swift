import EncircleIdentity
import EncircleRules
import EncircleText
import EncircleTree

/// An element of a running app, described by the texts that its Sensors SDK sends. A clause of this kind selects the same events
/// in a rule set of any style, and a configuration of the SDK can express it.
///
/// It is for elements of web pages, whose paths differ from paths of views, and for captures of running apps if the rule set has
/// another style than the app.
struct SensorsClause: Sendable {
  private let path: String
  /// The place in the innermost list.
  let position: String?
  /// The class of the page's controller; the beginning of the address of a web page.
  let page: String?
  let content: String?
  private let isWeb: Bool
  private let selector: ElementSelector

  /// - Returns: Nil where the style of the rule set has selectors for the element.
  init?(of element: ElementID, in screen: IdentifiedTree, _ settings: SelectionSettings) {
    if let web = screen.webElement(element) {
      isWeb = true
      path = web.path
      position = web.position
      content = web.content
      page = web.url.map { url in String(url.prefix { $0 != "?" && $0 != "#" }) }
      selector = ElementSelector(
        isAnchored: false, steps: [.component(.name(UTF8String(web.tag ?? screen.className(of: element))), nil)])
      return
    }
    guard screen.sdkStyle != nil, !settings.style.isSensors else { return nil }
    let chains = PathChains(of: screen)
    let chain = chains.chain(to: element)
    let style = PathStyleName.sensors
    guard let written = style.style.path(of: chain)?.written,
      let components = SelectorSkeleton.path(of: element, in: screen, chains, ClassHierarchy(of: screen), style)
    else { return nil }
    isWeb = false
    path = written
    position = style.style.position(in: chain)
    page = screen.page(of: element, in: style)
    content = ElementContents(of: screen, in: style).content(of: element)
    selector = SelectorSkeleton(nil, path: components).selector([])
  }

  /// Returns a clause that tests the path and, as requested, the page, the row and the text.
  func clause(page asksPage: Bool, row: Bool, text: Bool) -> ElementClause {
    let style = PathStyleName.sensors
    var clause = ElementClause(style: style, fields: EventFields(style: style))
    if isWeb { clause.event = PathStyleName.webTapName }
    if asksPage, let page {
      if isWeb { clause.add(property: "$url", begins: page) } else { clause.page = page }
    }
    clause.add(property: "$element_path", equals: path)
    if row, let position { clause.add(property: "$element_position", equals: position) }
    if text, let content { clause.add(property: "$element_content", equals: content) }
    return clause
  }

  /// Returns the clause as a suggestion.
  func suggestion(for element: ElementID, in screen: IdentifiedTree) -> SuggestedClause {
    let clause = clause(page: true, row: false, text: false)
    let elements = OwnTap.Source(screen, SelectionSettings(style: .sensors).ruleSet).selected(by: clause.rule)
    var suggestion = Suggestion(
      selector: selector, page: page, needsPage: page != nil, evidence: [],
      uniqueness: elements.count <= 1 ? .element : .kind(count: elements.count), elements: elements,
      stability: SelectorStability(of: selector, hierarchy: ClassHierarchy(of: screen)))
    suggestion.namesPlace = false
    return SuggestedClause(suggestion, clause)
  }
}
