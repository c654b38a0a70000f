import EncircleEvents
import EncircleIdentity
import EncircleRules
import EncircleText

/// The rules of a rule set that the configuration of the Sensors SDK, its `iOS.conf`, can express.
///
/// The SDK knows an element by `$element_path` and page, which must be equal, and by position or content where they are
/// limited; an element of a web page by path and address. A rule that says more, or less, is left out; ``others`` says why.
public struct SDKConfiguration: Sendable {
  /// A rule that the configuration cannot express.
  public struct Inexpressible: Error, Hashable, Sendable {
    public let id: String
    /// Why, in a sentence.
    public let reason: String
    /// Why, by a stable name.
    package let code: String
  }

  /// A property of a rule in the configuration that the SDK is not told to read.
  public struct UntoldProperty: Hashable, Sendable {
    /// The id of the rule.
    public let rule: String
    /// The name of the property.
    public let name: String
    /// Why, in a sentence.
    public let reason: String
    /// Why, by a stable name.
    package let code: String
  }

  /// The stable names of reasons, by which a client says them in another language.
  package enum ReasonCode: String, CaseIterable, Sendable {
    case disabled
    case exclude
    case unless
    case sameKind = "same-kind"
    case timeLimits = "time-limits"
    case tooManyElements = "too-many-elements"
    case otherEvents = "other-events"
    case eventIds = "event-ids"
    case otherProperty = "other-property"
    case noPage = "no-page"
    case excludedPage = "excluded-page"
    case contradiction
    case webElements = "web-elements"
    case webAddress = "web-address"
    case noElement = "no-element"
    case notEqual = "not-equal"
    case selectorAndPath = "selector-and-path"
    case otherStyle = "other-style"
    case floating
    case wildcard
    case openIndex = "open-index"
    case several, texts
    // Of properties.
    case propertySource = "property-source"
    case propertyName = "property-name"
    case propertyPlace = "property-place"
    case propertyExpression = "property-expression"
    case propertyOfWebElement = "property-of-web-element"
  }

  /// The ids of the rules in the configuration, in the order of the rule set.
  public private(set) var expressible: [String] = []
  /// The other rules.
  public private(set) var others: [Inexpressible] = []
  /// The properties of rules in the configuration that the SDK does not read itself. Decisions have them all the same.
  public private(set) var untoldProperties: [UntoldProperty] = []
  private var events: [Event] = []

  /// The configuration for one element.
  private struct Event {
    var name: String
    var app: UTF8String?
    var path: String
    /// Nil for an element of a web page.
    var screen: String?
    var position: String?
    var content: String?
    /// The page of a web element, where the rule says one.
    var address: WebAddress?
    /// What the SDK is to read off the screen.
    var properties: [SDKProperty] = []
  }

  private struct WebAddress {
    var host: String
    var path: String
  }

  /// Why the configuration cannot express a clause.
  private struct Reason: Error {
    let code: ReasonCode
    let text: String
    init(_ code: ReasonCode, _ text: String) { (self.code, self.text) = (code, text) }
  }

  /// The most elements that one rule may stand for.
  private static let elementLimit = 1_000

  /// - Complexity: O(length of the rules).
  public init(_ ruleSet: RuleSet) {
    for rule in ruleSet.rules {
      do throws(Reason) {
        var own = try Self.events(of: rule, in: ruleSet)
        addProperties(of: rule, in: ruleSet.style, to: &own)
        events += own
        expressible.append(rule.id.text)
      } catch {
        others.append(Inexpressible(id: rule.id.text, reason: error.text, code: error.code.rawValue))
      }
    }
  }

  /// Whether the configuration has nothing for an app.
  public func isEmpty(for appID: String) -> Bool { !events.contains { Self.isFor($0, appID) } }

  /// The configuration as the SDK reads it, with a version that begins with a name and is otherwise a digest of all the rest: an
  /// app that has a configuration of this version has this configuration.
  public func told(name: String, project: String, appID: String) -> (version: String, value: EventValue) {
    let content = value(version: "", project: project, appID: appID)
    let version = "\(name)-\(content.json.withUnsafeBytes { EventID(identity: $0) }.description.prefix(20))"
    return (version, value(version: version, project: project, appID: appID))
  }

  func value(version: String, project: String, appID: String) -> EventValue {
    let list = events.filter { Self.isFor($0, appID) }.map { event -> EventValue in
      var element: EventObject = [
        "element_path": .string(event.path), "limit_element_position": .bool(event.position != nil),
        "limit_element_content": .bool(event.content != nil), "h5": .bool(event.screen == nil),
      ]
      if let screen = event.screen { element["screen_name"] = .string(screen) }
      // The app passes these on to the script of the page.
      if let address = event.address {
        element["url_host"] = .string(address.host)
        element["url_path"] = .string(address.path)
      }
      if let position = event.position { element["element_position"] = .string(position) }
      if let content = event.content { element["element_content"] = .string(content) }
      var told: EventObject = [
        "event_name": .string(event.name), "event_type": "appclick", "event": .object(element),
      ]
      if let screen = event.screen, !event.properties.isEmpty {
        told["properties"] = .list(event.properties.map { $0.value(screen: screen) })
      }
      return .object(told)
    }
    return [
      "version": .string(version), "project": .string(project), "app_id": .string(appID), "os": "iOS",
      "events": .list(list),
    ]
  }

  private static func isFor(_ event: Event, _ appID: String) -> Bool {
    event.app.map { $0 == UTF8String(appID) } ?? true
  }

  // MARK: - Properties

  /// Adds the properties of a rule that the SDK can read, to each of its elements; notes the others.
  private mutating func addProperties(of rule: SelectionRule, in style: PathStyleName, to events: inout [Event]) {
    for property in rule.properties {
      var told: [SDKProperty] = []
      do throws(Reason) {
        for event in events {
          guard event.screen != nil else {
            throw Reason(.propertyOfWebElement, "The SDK is told of properties of the app's own elements only.")
          }
          told.append(try Self.property(property, of: event, in: style))
        }
        for (i, property) in told.enumerated() { events[i].properties.append(property) }
      } catch {
        untoldProperties.append(
          UntoldProperty(
            rule: rule.id.text, name: property.name.text, reason: error.text, code: error.code.rawValue))
      }
    }
  }

  private static func property(
    _ property: RuleProperty, of event: Event, in style: PathStyleName
  ) throws(Reason) -> SDKProperty {
    guard case .element(let selector) = property.source else {
      throw Reason(.propertySource, "The SDK reads properties off other elements only; decisions have this one.")
    }
    guard SDKProperty.isName(property.name) else {
      throw Reason(.propertyName, "The SDK wants a name of at most 100 Latin letters, digits, _ and $.")
    }
    guard let expression = SDKProperty.expression(property.expression) else {
      throw Reason(.propertyExpression, "The expression means something else in the SDK, or is not valid there.")
    }
    let isNumber = property.type == .number
    var told: SDKProperty?
    // A cell may be read as a row or as an item; the SDK writes both alike.
    for reading in selector.readings {
      let place: Place
      switch selector.base {
      case .page: place = try Self.place(of: reading)
      case .ancestor(let levels):
        guard style.isSensors else {
          throw Reason(.otherStyle, "Its selector is about paths of the style \(style.rawValue), not of sensors.")
        }
        let components = event.path.splitBytes(at: "/", omittingEmptySubsequences: false)
        let inner = try Self.place(of: reading, isInner: true)
        guard levels < components.count else {
          throw Reason(.propertyPlace, "The element has fewer views around it than the selector goes up.")
        }
        let kept = components.dropLast(levels)
        guard inner.position == nil || !kept.contains(where: { $0.endsWithBytes(of: "[-]") }) else {
          throw Reason(.several, "Its selector means another row than that of the element.")
        }
        place = (kept.joined(separator: "/") + "/" + inner.path, inner.position)
      }
      let next = SDKProperty(
        name: property.name.text, isNumber: isNumber, expression: expression, path: place.path, position: place.position
      )
      if let told, told != next { throw Reason(.propertyPlace, "Its selector may mean several elements.") }
      told = next
    }
    guard let told else { throw Reason(.propertyPlace, "Its selector names no element.") }
    return told
  }

  // MARK: - Rules

  private static func events(of rule: SelectionRule, in ruleSet: RuleSet) throws(Reason) -> [Event] {
    guard rule.isEnabled else { throw Reason(.disabled, "It is not enabled.") }
    guard rule.effect == .include else { throw Reason(.exclude, "The SDK cannot be told to leave events out.") }
    guard rule.unless.isEmpty else { throw Reason(.unless, "The SDK knows no exceptions (unless).") }
    guard !rule.sameKind else { throw Reason(.sameKind, "The SDK knows no elements of the same kind.") }
    guard rule.from == nil, rule.to == nil, rule.windows.isEmpty else {
      throw Reason(.timeLimits, "The SDK knows no time limits (from, to).")
    }
    var events: [Event] = []
    for clause in rule.clauses {
      for var event in try Self.events(of: clause, in: ruleSet) {
        for name in rule.names {
          event.name = name
          for app in rule.apps.isEmpty ? [nil] : rule.apps.map({ Optional($0) }) {
            event.app = app
            events.append(event)
          }
        }
      }
      guard events.count <= elementLimit else {
        throw Reason(.tooManyElements, "It names more than \(elementLimit) elements.")
      }
    }
    return events
  }

  private static func events(of clause: RuleClause, in ruleSet: RuleSet) throws(Reason) -> [Event] {
    if let event = clause.event {
      let names = texts(event)
      if names == [UTF8String(PathStyleName.webTapName)] { return try webEvents(of: clause) }
      guard names == ["$AppClick"] else {
        throw Reason(.otherEvents, "The SDK can be told about $AppClick and $WebClick only.")
      }
    }
    guard clause.eventIDs.isEmpty else { throw Reason(.eventIds, "The SDK does not know event IDs and identities.") }
    var screens = try clause.page.map { page throws(Reason) in try self.texts(page, of: "the page") }
    var element = ComparedElement()
    for test in clause.properties {
      guard case .property(let name) = test.property else {
        throw Reason(.otherProperty, "The SDK cannot be told about \(test.property).")
      }
      switch name {
      case "$screen_name": screens = try both(screens, texts(test.condition, of: "the page"))
      default: try element.add(name, test.condition)
      }
    }
    guard let screens else { throw Reason(.noPage, "It says no page, and the SDK needs one.") }
    if let excluded = screens.first(where: { screen in
      ruleSet.excludedPages.contains { $0.name == screen && $0.occasion == .all }
    }) {
      throw Reason(.excludedPage, "Events on the page \(excluded) are excluded.")
    }
    let places = try places(element.paths, of: clause, in: ruleSet)
    guard screens.count * places.count * element.variants <= elementLimit else {
      throw Reason(.tooManyElements, "It names more than \(elementLimit) elements.")
    }
    var events: [Event] = []
    for screen in screens {
      for place in places {
        for position in element.positions?.map({ Optional($0.text) }) ?? [nil] {
          if let position, let own = place.position, position != own { continue }
          for content in element.contents?.map({ Optional($0.text) }) ?? [nil] {
            events.append(
              Event(
                name: "", app: nil, path: place.path, screen: screen.text, position: position ?? place.position,
                content: content))
          }
        }
      }
    }
    guard !events.isEmpty else { throw Reason(.contradiction, "It contradicts itself.") }
    return events
  }

  /// An element of a web page: the app gives it to the page's script, which compares path, position, content and address.
  private static func webEvents(of clause: RuleClause) throws(Reason) -> [Event] {
    guard clause.eventIDs.isEmpty, clause.selectors.isEmpty, clause.page == nil else {
      throw Reason(.webElements, "The SDK knows elements of web pages by $element_path and $url only.")
    }
    var element = ComparedElement()
    var address: WebAddress?
    for test in clause.properties {
      guard case .property(let name) = test.property else {
        throw Reason(.otherProperty, "The SDK cannot be told about \(test.property).")
      }
      switch name {
      case "$url":
        guard address == nil, case .text(.prefix, let text, fold: false) = test.condition,
          let page = webAddress(text.text)
        else {
          throw Reason(.webAddress, "The SDK can be told of one address, up to its query: $url with the test prefix.")
        }
        address = page
      default: try element.add(name, test.condition)
      }
    }
    guard let paths = element.paths else { throw Reason(.noElement, "It names no element.") }
    guard paths.count * element.variants <= elementLimit else {
      throw Reason(.tooManyElements, "It names more than \(elementLimit) elements.")
    }
    var events: [Event] = []
    for path in paths {
      for position in element.positions?.map({ Optional($0.text) }) ?? [nil] {
        for content in element.contents?.map({ Optional($0.text) }) ?? [nil] {
          events.append(
            Event(name: "", app: nil, path: path.text, position: position, content: content, address: address))
        }
      }
    }
    guard !events.isEmpty else { throw Reason(.contradiction, "It contradicts itself.") }
    return events
  }

  /// Host and path of an address without a query.
  private static func webAddress(_ text: String) -> WebAddress? {
    guard let colon = text.indexOfByte(":"), text[colon...].beginsWithBytes(of: "://"), !text.containsBytes(of: "?")
    else { return nil }
    let rest = Substring(text[colon...].utf8.dropFirst("://".utf8.count))
    let slash = rest.indexOfByte("/") ?? rest.endIndex
    guard slash > rest.startIndex else { return nil }
    return WebAddress(host: String(rest[..<slash]), path: slash == rest.endIndex ? "/" : String(rest[slash...]))
  }

  /// The texts with which a clause compares what the SDK says of an element; nil for what it leaves open.
  private struct ComparedElement {
    var paths: [UTF8String]?
    var positions: [UTF8String]?
    var contents: [UTF8String]?

    /// The elements that the SDK must be told of for each path.
    var variants: Int { (positions?.count ?? 1) * (contents?.count ?? 1) }

    /// Adds the test of a property.
    mutating func add(_ name: UTF8String, _ condition: Condition) throws(Reason) {
      switch name {
      case "$element_path": paths = try SDKConfiguration.both(paths, SDKConfiguration.texts(condition, of: "the path"))
      case "$element_position":
        positions = try SDKConfiguration.both(positions, SDKConfiguration.texts(condition, of: "the position"))
      case "$element_content":
        contents = try SDKConfiguration.both(contents, SDKConfiguration.texts(condition, of: "the content"))
      default: throw Reason(.otherProperty, "The SDK cannot be told about \(name).")
      }
    }
  }

  private static func both(_ a: [UTF8String]?, _ b: [UTF8String]) -> [UTF8String] {
    a.map { $0.filter(b.contains) } ?? b
  }

  /// The texts that a condition compares with; nil if it tests anything else.
  private static func texts(_ condition: Condition) -> [UTF8String]? {
    switch condition {
    case .isOneOf(let values, fold: false):
      var texts: [UTF8String] = []
      for case .string(let text) in values { texts.append(text) }
      return texts.count == values.count && !texts.isEmpty ? texts : nil
    case .all(let conditions), .any(let conditions): return conditions.count == 1 ? texts(conditions[0]) : nil
    default: return nil
    }
  }

  private static func texts(_ condition: Condition, of what: String) throws(Reason) -> [UTF8String] {
    guard let texts = texts(condition) else {
      throw Reason(.notEqual, "The SDK compares \(what) with equal texts only.")
    }
    return texts
  }

  // MARK: - Paths

  private typealias Place = (path: String, position: String?)

  private static func places(
    _ paths: [UTF8String]?, of clause: RuleClause, in ruleSet: RuleSet
  ) throws(Reason) -> [Place] {
    if clause.selectors.isEmpty {
      guard let paths else { throw Reason(.noElement, "It names no element.") }
      return paths.map { ($0.text, nil) }
    }
    guard paths == nil else { throw Reason(.selectorAndPath, "It has a selector and a path.") }
    guard ruleSet.style.isSensors else {
      throw Reason(.otherStyle, "Its selector is about paths of the style \(ruleSet.style.rawValue), not of sensors.")
    }
    var places: [Place] = []
    for selector in clause.selectors {
      for read in selector.read(in: ruleSet.style) {
        let place = try place(of: read)
        if !places.contains(where: { $0.path == place.path && $0.position == place.position }) { places.append(place) }
      }
    }
    return places
  }

  /// The one path that a selector matches, with a position where it asks for one row.
  ///
  /// - Parameter isInner: Whether the selector begins at an element within the page instead of at its root.
  private static func place(of selector: ElementSelector, isInner: Bool = false) throws(Reason) -> Place {
    guard selector.isAnchored else {
      throw Reason(.floating, "Its selector may begin anywhere; one that begins with / may be told.")
    }
    var components: [String] = []
    var position: String?
    // Of nested lists the SDK leaves the row of the innermost open.
    var isInList = false
    for (i, step) in selector.steps.enumerated().reversed() {
      guard case .component(.name(let name), let locator) = step else {
        throw Reason(.wildcard, "Its selector has a wildcard: \(step).")
      }
      let isRoot = i == 0 && !isInner
      switch locator {
      case .some(.none): components.append(name.text)
      case nil:
        guard isRoot || name.text.beginsWithBytes(of: "[Section") else {
          throw Reason(.openIndex, "Its selector does not say which \(name) it means.")
        }
        components.append(name.text)
      case .index(let test):
        let isOpen = !isInList && ["UITabBarButton", "UISegment"].contains(name.text)
        if isOpen {
          components.append("\(name)[-]")
          isInList = true
          if let number = exact(test) {
            position = String(number)
          } else if test != .any {
            throw Reason(.several, "Its selector means several of \(name).")
          }
        } else {
          guard let number = exact(test) else { throw Reason(.several, "Its selector means several of \(name).") }
          components.append("\(name)[\(number)]")
        }
      case .conditions: throw Reason(.texts, "Its selector is one of a web page, which this SDK does not have.")
      case .texts: throw Reason(.texts, "Its selector asks for texts, which paths of this SDK do not have.")
      case .fields(let tests):
        let section = tests.first { $0.field == .section }.flatMap { exact($0.test) }
        guard let section, tests.allSatisfy({ [.section, .row, .item].contains($0.field) }) else {
          throw Reason(.openIndex, "Its selector does not say which section of \(name) it means.")
        }
        let row = tests.first { $0.field == .row || $0.field == .item }?.test ?? .any
        if let number = exact(row) {
          if isInList { components.append("\(name)[\(section)][\(number)]") } else { position = "\(section):\(number)" }
        } else if isInList || row != .any {
          throw Reason(.several, "Its selector means several rows of \(name).")
        }
        if !isInList { components.append("\(name)[\(section)][-]") }
        isInList = true
      }
    }
    return (components.reversed().joined(separator: "/"), position)
  }

  private static func exact(_ test: ElementSelector.NumberTest) -> Int? {
    if case .range(let lower?, let upper?) = test, lower == upper { return lower }
    return nil
  }
}
