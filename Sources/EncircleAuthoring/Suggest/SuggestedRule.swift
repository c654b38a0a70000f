import EncircleEvents
import EncircleIdentity
import EncircleRuleFiles
import EncircleRules
import EncircleText
import EncircleTree

/// A rule file with one rule, made from a suggestion.
public struct SuggestedRule: Sendable {
  /// The id: the developer's own id of the element, or else the page and the class.
  public var id: String
  /// The display name: the text of the element, if it is short and not a state.
  public var name: String?
  /// The app that the rule is for; nil for any.
  public var app: String?
  /// The style of the paths that the selector matches.
  public let style: PathStyleName
  /// The tests of the rule.
  package var clause: ElementClause
  /// The properties that the rule gives events: each with its name and the element that supplies its value.
  public var properties: [(name: String, element: RelativeSelector)] = []
  /// Lines above the rule about its origin; invisible characters in them are escaped.
  public var comments: [String] = []

  /// Creates a rule from a suggestion.
  public init(
    _ suggestion: Suggestion, for element: ElementID, in screen: IdentifiedTree, style: PathStyleName = .hubbleData
  ) {
    self.style = style
    clause = ElementClause(suggestion, for: element, in: screen, style: style, fields: EventFields(style: style))
    let app = screen.tree.header.app.flatMap { $0.isEmpty ? nil : $0 }
    if style.namesBuilds {
      if let app {
        comments.append("For \(VisibleText.escaping(app)), whose builds may have ids of their own: so no `app` here.")
      }
    } else {
      self.app = app
    }
    let content = ElementContents(of: screen).content(of: element)
    name = screen.showsState(element) ? nil : Self.name(of: content)
    id = Self.uniqueID(of: element, in: screen, style)
    if style == .hubbleData, screen.isBarItemWithoutActions(element) {
      comments.append(
        "The capture has no actions of bar items, which events have: a rule with $element_actions is more certain.")
    }
  }

  /// Creates a rule for the element of an event from a suggestion or, without one, from the event ID or from name, page and
  /// ``EventSubject/namingValue``; nil if the event has none of these.
  init?(_ suggestion: Suggestion?, for subject: EventSubject) {
    style = subject.style
    clause = ElementClause(style: subject.style, fields: EventFields(style: subject.style))
    clause.event = subject.name
    clause.page = subject.page
    clause.selector = suggestion?.selector
    let own = subject.eventID.map { Suggestion.Evidence.eventID($0) } ?? subject.namingValue
    for evidence in suggestion?.evidence ?? own.map({ [$0] }) ?? [] { clause.add(evidence) }
    guard !clause.isEmpty else { return nil }
    app = subject.app
    let className = subject.path?.components.last?.className
    let isName = className.map { !ClassHierarchy.builtIn.showsState($0) } ?? true
    name = isName ? Self.name(of: subject.content) : nil
    // On Android, classes and pages have their packages, which would be most of an id.
    func withoutPackage(_ name: String) -> String {
      subject.style.isAndroid ? NameSlug.lastPart(of: name, after: ["|", "."]) : name
    }
    let page = subject.page.map { NameSlug.withoutSuffix(withoutPackage($0)) }
    let element =
      className.map { withoutPackage(DeveloperID.withoutCollapsed(UTF8String($0)).text) } ?? subject.name
    let slugs = [page, element].compactMap { $0 }.map { NameSlug.slug($0) }.filter { !$0.isEmpty }
    id = slugs.isEmpty ? "event" : slugs.joined(separator: ".")
  }

  private static let longestName = 80

  /// Returns a text that can name a rule; nil if it is empty or too long.
  static func name(of text: String?) -> String? {
    text.flatMap { (1...longestName).contains($0.utf8.count) ? $0 : nil }
  }

  // The maximum number of elements whose ids are compared.
  private static let maximumCompared = 20_000

  /// Returns an id that no other tracked element of the capture gets, except the same element in other rows. If the name is
  /// taken, the second id ends with `-2`.
  private static func uniqueID(of element: ElementID, in screen: IdentifiedTree, _ style: PathStyleName) -> String {
    let own = id(of: element, in: screen)
    let tree = screen.tree
    let ownPage = screen.page(of: element)
    let identifier = screen.developerID(of: element) == nil ? nil : tree.valueID(.identifier, of: element)
    var kinds: Set<ElementPath> = []
    var path: ElementPath?
    for other in tree.elements.prefix(min(element.index, maximumCompared)) {
      // The cheapest tests come first: few elements have the same class or the same identifier.
      guard
        identifier == nil
          ? tree.classID(of: other) == tree.classID(of: element) && sameText(screen.page(of: other), ownPage)
          : tree.valueID(.identifier, of: other) == identifier,
        screen.trackingType(of: other, in: style) != nil,
        id(of: other, in: screen).hasSameBytes(as: own)
      else { continue }
      let known = path ?? kind(of: element, in: screen)
      path = known
      let kind = kind(of: other, in: screen)
      if kind != known { kinds.insert(kind) }
    }
    return kinds.isEmpty ? own : "\(own)-\(kinds.count + 1)"
  }

  /// Returns the path of an element, which is the same for this element in other rows.
  private static func kind(of element: ElementID, in screen: IdentifiedTree) -> ElementPath {
    let path = screen.path(of: element)
    return path.withoutRows(.all) ?? path
  }

  /// Returns an id such as `cart.checkout-button` for a `CheckoutButton` on a `CartViewController`.
  private static func id(of element: ElementID, in screen: IdentifiedTree) -> String {
    if screen.tree.web != nil { return pageID(of: element, in: screen) }
    if let own = ownName(of: element, in: screen) {
      let slug = NameSlug.slug(own)
      if slug.utf8.contains(where: { $0 > 0x39 }) { return slug }
    }
    let parts = [screen.page(of: element).map(NameSlug.withoutSuffix), screen.className(of: element)]
    let slugs = parts.compactMap { $0 }.map { NameSlug.slug($0) }.filter { !$0.isEmpty }
    return slugs.isEmpty ? "element-\(element)" : slugs.joined(separator: ".")
  }

  /// Returns the name that a developer has given an element: its identifier; on Android the resource id without its package, on a web
  /// page the first attribute that people seem to have written. Nil if there is none that names it, or if people may have typed it.
  static func ownName(of element: ElementID, in screen: IdentifiedTree) -> String? {
    guard screen.tree.web == nil else {
      for name in ["id", "data-testid", "data-track", "data-action", "name"] {
        guard let value = attribute(name, of: element, in: screen), PageName(ofValue: value) == .people else {
          continue
        }
        let slug = NameSlug.slug(value.text)
        if slug.utf8.contains(where: { $0 > 0x39 }) { return value.text }
      }
      return nil
    }
    guard let id = screen.developerID(of: element) else { return nil }
    return id.utf8.split(separator: UInt8(ascii: "/")).last.map { String(decoding: $0, as: UTF8.self) } ?? id
  }

  private static func attribute(_ name: String, of element: ElementID, in screen: IdentifiedTree) -> UTF8String? {
    screen.tree.attributes(of: element).first { $0.name.hasSameBytes(as: name) }.map { UTF8String($0.value) }
  }

  /// Returns an id such as `basket-add` or `flowers.add` for an element of a web page.
  private static func pageID(of element: ElementID, in screen: IdentifiedTree) -> String {
    if let own = ownName(of: element, in: screen) { return NameSlug.slug(own) }
    let classes =
      attribute("class", of: element, in: screen)?.text.splitBytes(at: " ").map { UTF8String(String($0)) } ?? []
    let own = classes.first { PageName(ofClass: $0) == .people }?.text ?? screen.className(of: element)
    let page = screen.page(of: element, in: .sensorsWeb)?.splitBytes(at: "/").last.map(String.init)
    let slugs = [page, own].compactMap { $0 }.map { NameSlug.slug($0) }.filter { !$0.isEmpty }
    return slugs.isEmpty ? "element-\(element)" : slugs.joined(separator: ".")
  }

  // MARK: - YAML

  /// The rule file as loadable YAML, in the layout of `encircle fmt`.
  public var yaml: String {
    var file: EventObject = ["version": 1]
    if let app { file["app"] = .string(app) }
    if style != .hubbleData { file["style"] = .string(style.rawValue) }
    var rule: EventObject = ["id": .string(id)]
    if let name { rule["name"] = .string(name) }
    rule["include"] = .object(clause.object)
    if !properties.isEmpty {
      rule["properties"] = .object(
        EventObject(
          properties.map { property in
            EventObject.Member(
              name: property.name, value: .object(["element": .string(property.element.description)]))
          }))
    }
    return RuleFileText.written(file, rule, comments: comments)
  }
}

extension PathStyleName {
  /// This is true if events name the app by the ID of a build. The builds of one Android app, such as one for debugging, have
  /// different application IDs and the same classes, so a rule must not test the ID from a capture.
  var namesBuilds: Bool { self == .sensorsAndroid || self == .growingIOAndroid }
}
