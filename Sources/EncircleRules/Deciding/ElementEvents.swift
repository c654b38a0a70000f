import EncircleEvents
import EncircleIdentity
import EncircleText
import EncircleTree

/// Makes the events that SDKs send for taps on the elements of a capture, as far as the capture contains their properties.
///
/// ```swift
/// let events = ElementEvents(of: screen, style: ruleSet.style)
/// var decider = Decider(matcher)
/// let decision = decider.decide(events.event(of: ElementID(17)))
/// ```
public final class ElementEvents: Sendable {
  private let screen: IdentifiedTree
  private let style: PathStyleName
  private let fields: EventFields
  private let chains: PathChains
  private let contents: ElementContents
  // The taps that the SDK of an Android style sends; nil for other styles.
  private let taps: AndroidTaps?
  // The taps that the SDK of a web style sends; nil for other styles.
  private let webTaps: WebTaps?

  /// Prepares the events of a capture.
  ///
  /// - Parameters:
  ///   - style: The style of the events' paths. The capture must meet all of its requirements.
  ///   - fields: The places where rules look for fields.
  /// - Complexity: O(elements).
  public init(
    of screen: IdentifiedTree, style: PathStyleName = .hubbleData, fields: EventFields = EventFields()
  ) {
    self.screen = screen
    self.style = style
    self.fields = fields
    chains = PathChains(of: screen)
    contents = ElementContents(of: screen, in: style)
    taps = AndroidTaps(of: chains, style: style)
    webTaps = WebTaps(of: chains, style: style)
  }

  /// Makes the event that the SDK of the style would send for an element, as far as the capture contains the values: event ID,
  /// path, position, page and its title, type, content, the actions of a bar button, the title and message of an alert, app, version
  /// and system. Under HubbleData's names it also has `titleColor`, `imageName`, `frame`, `switchState`, `selectedIndex`, `value`,
  /// `searchText` and `screenTitle`. The style `hubbledata` adds `type` and, for a button, `title`; both of HubbleData's styles add
  /// `eventId`, and `lede` the view's id and a cell's section and row.
  ///
  /// - Parameter name: The event's name; nil for the name of a tap in the style.
  /// - Complexity: O(depth + length of the content).
  public func event(of element: ElementID, named name: String? = nil) -> AnalyticsEvent {
    if let taps { return androidEvent(of: element, taps.tap(on: element), named: name) }
    if let webTaps { return pageEvent(of: element, webTaps.tap(on: element), named: name) }
    if style.isSensors, let web = screen.webElement(element) { return webEvent(of: web, named: name) }
    return event(of: element, sentChain(to: element), named: name)
  }

  private func event(of element: ElementID, _ chain: [PathNode], named name: String?) -> AnalyticsEvent {
    var event = AnalyticsEvent(EventObject())
    add(.event, name ?? style.tapName(of: element, in: screen), to: &event)
    add(.eventID, screen.eventID(of: element).description, to: &event)
    if let path = style.style.path(of: chain) { event.setPath(path, fields) }
    add(.page, sentPage(screen.page(of: element, in: style)), to: &event)
    add(.title, screen.pageTitle(of: element, in: style), to: &event)
    add(.type, screen.elementType(of: element, in: style), to: &event)
    // PostHog's SDK for apps sends texts in the path alone.
    if style != .postHog { add(.content, contents.content(of: element), to: &event) }
    addPosition(position(of: element, chain), to: &event)
    if style.eventShape.namesActions { add(.actions, screen.sentActions(of: element)?.text, to: &event) }
    if style.eventShape.namesAlerts, let alert = screen.alertTexts(of: element) {
      add(.alertTitle, alert.title, to: &event)
      add(.alertMessage, alert.message, to: &event)
    }
    addHeader(to: &event)
    addProperties(screen.properties(of: element, in: style), to: &event)
    if style == .hubbleData {
      // HubbleData's own places for these values, for rules that test its events there.
      addProperty("type", screen.trackingType(of: element)?.sent.rawValue, to: &event)
      addProperty("title", buttonTitle(of: element), to: &event)
    }
    addOwnID(of: element, chain, to: &event)
    if style == .lede { addViewInfo(of: element, chain, to: &event) }
    return event
  }

  /// Returns the type of event that reports a use of an element; nil if the SDK sends none, as for a key of a keypad in
  /// `sensors-android`.
  ///
  /// - Complexity: O(depth + elements beside it).
  package func trackingType(of element: ElementID) -> TrackingType? {
    taps?.isTracked(element) == false ? nil : screen.trackingType(of: element, in: style)
  }

  /// Returns the same for a single element of a capture, without preparing its events where the type alone gives the answer.
  ///
  /// - Complexity: O(elements) in Android styles, else O(depth).
  package static func trackingType(
    of element: ElementID, in screen: IdentifiedTree, style: PathStyleName
  ) -> TrackingType? {
    style.isAndroid
      ? ElementEvents(of: screen, style: style).trackingType(of: element) : screen.trackingType(of: element, in: style)
  }

  /// Returns the title that HubbleData's SDK sends for a button; nil for other elements.
  private func buttonTitle(of element: ElementID) -> String? {
    screen.trackingType(of: element)?.sent == .button ? screen.buttonTitle(of: element) : nil
  }

  /// Returns the text that the event of an element has; nil if it has none.
  ///
  /// - Complexity: O(depth + length of the content).
  package func content(of element: ElementID) -> String? {
    if let taps { taps.tap(on: element).content } else { contents.content(of: element) }
  }

  /// Makes the event that an SDK for web pages sends for a tap on an element.
  private func pageEvent(of element: ElementID, _ tap: WebTap, named name: String?) -> AnalyticsEvent {
    var event = AnalyticsEvent(EventObject())
    add(.event, name ?? style.eventShape.tapName, to: &event)
    if let path = style.style.path(of: chains.chain(to: element)) { event.setPath(path, fields) }
    add(.page, screen.page(of: element, in: style), to: &event)
    let url = screen.tree.web?.url
    if style == .sensorsWeb {
      addProperty("$lib", "js", to: &event)
      addProperty("$url", url.map { WebAddress.decoded($0) }, to: &event)
      add(.title, tap.title, to: &event)
      add(.type, tap.type, to: &event)
      addProperty("$element_id", tap.id, to: &event)
      addProperty("$element_name", tap.name, to: &event)
      addProperty("$element_class_name", tap.className, to: &event)
      addProperty("$element_target_url", tap.href, to: &event)
      if let position = tap.position, let place = place(of: .position) {
        event.set(.number(DecimalNumber(position)), at: place)
      }
    } else {
      addProperty("$lib", "web", to: &event)
      addProperty("$event_type", "click", to: &event)
      addProperty("$current_url", url, to: &event)
      addProperty("$host", url.flatMap { WebAddress($0).host }, to: &event)
      for (name, value) in tap.augmentation { addProperty(name, value, to: &event) }
    }
    add(.content, tap.content, to: &event)
    return event
  }

  /// Makes the event of an element of a web page, as the page's script makes it and the app completes it.
  private func webEvent(of element: IdentifiedTree.WebElement, named name: String?) -> AnalyticsEvent {
    var event = AnalyticsEvent(EventObject())
    add(.event, name ?? PathStyleName.webTapName, to: &event)
    addProperty("$element_path", element.path, to: &event)
    addProperty("$element_selector", element.selector, to: &event)
    addProperty("$element_position", element.position, to: &event)
    addProperty("$element_content", element.content, to: &event)
    addProperty("$url", element.url, to: &event)
    addProperty("$url_path", element.url.map { WebAddress($0).path }, to: &event)
    addProperty("$title", element.title, to: &event)
    addHeader(to: &event)
    return event
  }

  /// Returns the possible events of a tap on an element: the event that ``event(of:named:)`` makes; if the capture lacks the row of
  /// a cell, also one with the cell's index; and if the style's SDK names elements only by event IDs, also the event as that SDK
  /// sends it.
  ///
  /// - Complexity: As for ``event(of:named:)``.
  package func sentEvents(of element: ElementID) -> [AnalyticsEvent] {
    let sent = sentChain(to: element)
    if taps != nil || webTaps != nil || screen.webElement(element) != nil { return [event(of: element)] }
    let known = chains.chain(to: element)
    var events = [event(of: element, sent, named: nil)]
    if known != sent { events.append(event(of: element, known, named: nil)) }
    if style == .hubbleData { events.append(hubbleDataEvent(of: element)) }
    return events
  }

  /// Makes the event of an element as HubbleData's SDK sends it: without a name and a path, but with an event ID and a type.
  private func hubbleDataEvent(of element: ElementID) -> AnalyticsEvent {
    let type = EventValue.string((screen.trackingType(of: element)?.sent ?? .gestureTap).rawValue)
    var attributes: EventObject = ["type": type]
    if let page = screen.page(of: element) {
      attributes["page"] = .string(page)
      attributes["$screenName"] = .string(page)
      attributes["$screenTitle"] = .string(screen.pageTitle(of: element) ?? "")
    }
    if let (section, row) = ownPlace(of: element) {
      attributes["section"] = .number(DecimalNumber(section))
      attributes["row"] = .number(DecimalNumber(row))
    }
    addControlState(of: element, to: &attributes)
    if let app = screen.tree.header.app { attributes["$app_id"] = .string(app) }
    return AnalyticsEvent([
      "eventId": .string(screen.eventID(of: element).description), "type": type, "attributes": .object(attributes),
    ])
  }

  /// Returns section and row of a cell. HubbleData's and Lede's SDKs send them for selected cells, not for the elements in them.
  private func ownPlace(of element: ElementID) -> (section: Int, row: Int)? {
    switch screen.locator(of: element) {
    case .row(let section, let row), .item(let section, let row): (section, row)
    default: nil
    }
  }

  /// Adds the state that HubbleData's SDK sends for a button, switch or search bar. For other controls it sends only type and page.
  private func addControlState(of element: ElementID, to attributes: inout EventObject) {
    let properties = screen.properties(of: element)
    switch screen.trackingType(of: element)?.sent {
    case .button:
      attributes["title"] = buttonTitle(of: element).map { .string($0) }
      attributes["titleColor"] = properties.titleColor.map { .string($0) }
      attributes["imageName"] = properties.imageName.map { .string($0) }
      attributes["frame"] = (properties.frame?.rectText).map { .string($0) }
    case .switchControl: attributes["switchState"] = properties.switchState.map { .bool($0) }
    case .searchBar: attributes["searchText"] = properties.searchText.map { .string($0) }
    default: break
    }
  }

  /// Makes the event that an SDK for Android sends. It has the path and position of the element that the SDK reports as used, or
  /// neither if there is no such element.
  private func androidEvent(of element: ElementID, _ tap: AndroidTap, named name: String?) -> AnalyticsEvent {
    var event = AnalyticsEvent(EventObject())
    add(.event, name ?? tap.eventName ?? style.eventShape.tapName, to: &event)
    if let named = tap.pathElement {
      let chain = chains.chain(to: named)
      if let path = style.style.path(of: chain), !path.components.isEmpty { event.setPath(path, fields) }
      let position = style.style.position(in: chain)
      if style == .growingIOAndroid, let place = place(of: .position) {
        event.set(.number(DecimalNumber(position.flatMap { Int($0) } ?? -1)), at: place)
      } else {
        add(.position, position, to: &event)
      }
      if named == element {
        addProperty("$element_selector", tap.selector.flatMap { $0.isEmpty ? nil : $0 }, to: &event)
      }
    }
    add(.page, sentPage(tap.page), to: &event)
    add(.title, tap.title, to: &event)
    add(.type, tap.elementType, to: &event)
    add(.content, tap.content, to: &event)
    addProperty("$element_id", tap.resourceID, to: &event)
    addHeader(to: &event)
    return event
  }

  /// Returns a page as events name it: GrowingIO's SDKs write a slash before it.
  private func sentPage(_ page: String?) -> String? { style.hasIndexList ? page.map { "/" + $0 } : page }

  /// Returns the nodes for the event's path. In an event, every cell has a row; for a cell without an index path in the capture, the
  /// cell's index in section 0 takes its place.
  private func sentChain(to element: ElementID) -> [PathNode] {
    var chain = chains.chain(to: element)
    for (i, view) in zip(chain.indices.reversed(), screen.tree.inclusiveAncestors(of: element)) {
      let index: Int = if case .index(let index) = screen.locator(of: view) { index } else { 0 }
      switch screen.unknownPlace(of: view) {
      case .row: chain[i].locator = .row(section: 0, row: index)
      case .item: chain[i].locator = .item(section: 0, item: index)
      default: continue
      }
      chain[i].role = .view
    }
    return chain
  }

  private func add(_ field: EventFields.Field, _ value: String?, to event: inout AnalyticsEvent) {
    guard let value, let place = place(of: field) else { return }
    event.set(.string(value), at: place)
  }

  private func addProperty(_ name: String, _ value: String?, to event: inout AnalyticsEvent) {
    if let value { event.set(.string(value), at: .property(UTF8String(name))) }
  }

  /// Adds the member that only HubbleData's events have. Rule sets in several styles use it to distinguish them from Sensors' events.
  private func addOwnID(of element: ElementID, _ chain: [PathNode], to event: inout AnalyticsEvent) {
    let id: String? =
      switch style {
      case .hubbleData: screen.eventID(of: element).description
      case .hubbleDataAndroid: style.digest(ofPathOf: chain).map { Hexadecimal.text($0) }
      default: nil
      }
    // Rules may look for another field there.
    guard let id, event.members["eventId"] == nil else { return }
    event.members["eventId"] = .string(id)
  }

  /// Adds the id of the path and the place of a cell, as Lede's SDK sends them beside the path.
  private func addViewInfo(of element: ElementID, _ chain: [PathNode], to event: inout AnalyticsEvent) {
    func add(_ pointer: String, _ value: EventValue) {
      if let place = PropertyReference(parsing: pointer) { event.set(value, at: place) }
    }
    if let id = style.digest(ofPathOf: chain) { add("/viewInfo/viewId", .string(Hexadecimal.text(id))) }
    guard let (section, row) = ownPlace(of: element) else { return }
    add("/viewInfo/section", .number(DecimalNumber(section)))
    add("/viewInfo/row", .number(DecimalNumber(row)))
  }

  /// Adds the capture's app and system. Dumps of Android screens do not name the system.
  private func addHeader(to event: inout AnalyticsEvent) {
    let header = screen.tree.header
    add(.app, header.app, to: &event)
    add(.appVersion, header.appVersion, to: &event)
    add(.os, header.os ?? (screen.tree.isAndroid ? "Android" : nil), to: &event)
  }

  private func addPosition(_ position: String?, to event: inout AnalyticsEvent) {
    guard let position, let place = place(of: .position) else { return }
    // GrowingIO's index is a number.
    let number = style == .growingIO ? Int(position).map { EventValue.number(DecimalNumber($0)) } : nil
    event.set(number ?? .string(position), at: place)
  }

  private func position(of element: ElementID, _ chain: [PathNode]) -> String? {
    if style.isSensors || style == .sensorsAndroid || style == .growingIO { return style.style.position(in: chain) }
    return switch screen.cellLocator(of: element) {
    case .row(let section, let row): "\(section):\(row)"
    case .item(let section, let item): "\(section):\(item)"
    default: nil
    }
  }

  private func addProperties(_ properties: ElementProperties, to event: inout AnalyticsEvent) {
    func add(_ name: String, _ value: EventValue?) {
      if let value { event.set(value, at: .property(UTF8String(name))) }
    }
    add("titleColor", properties.titleColor.map { .string($0) })
    add("imageName", properties.imageName.map { .string($0) })
    add("frame", (properties.frame?.rectText).map { .string($0) })
    add("switchState", properties.switchState.map { .bool($0) })
    add("selectedIndex", properties.selectedIndex.map { .number(DecimalNumber($0)) })
    add("value", properties.value.flatMap { DecimalNumber($0) }.map { .number($0) })
    add("searchText", properties.searchText.map { .string($0) })
    add("screenTitle", properties.screenTitle.map { .string($0) })
  }

  /// Returns the place to which a field is written. The event ID goes to the properties, as SDKs send it, if that is one of its
  /// places.
  private func place(of field: EventFields.Field) -> PropertyReference? {
    let places = fields.places(of: field)
    guard field == .eventID else { return places.first }
    return places.first { if case .property = $0 { true } else { false } } ?? places.first
  }
}

extension PathStyleName {
  /// The name of the event of a tap in a web page that the Sensors SDK for JavaScript tracks.
  package static let webTapName = "$WebClick"

  /// Returns the name of the event that the SDK of the style sends when somebody uses an element: the name of a tap, except for
  /// sliders in GrowingIO's styles.
  package func tapName(of element: ElementID, in screen: IdentifiedTree) -> String {
    if self == .growingIO, screen.changesValue(element) { return "VIEW_CHANGE" }
    if isSensors, screen.webElement(element) != nil { return Self.webTapName }
    return screen.eventName(of: element, in: self) ?? eventShape.tapName
  }
}

extension AnalyticsEvent {
  /// Writes a path to the places where events of its style have it.
  package mutating func setPath(_ path: StyledPath, _ fields: EventFields) {
    func set(_ field: EventFields.Field, _ value: String) {
      if let place = fields.places(of: field).first { self.set(.string(value), at: place) }
    }
    guard let lists = path.lists else {
      set(.path, path.written)
      if let selector = path.selector { set(.pathIndexes, selector) }
      if path.style == .sensorsWeb, let own = path.components.last?.attributes.web {
        // The attributes that selectors can test besides the path.
        for (name, attribute) in zip(WebProperties.names, ["class", "id", "name", "href"]) {
          guard let value = own.attributes[UTF8String(attribute)] else { continue }
          self.set(.string(value), at: .property(UTF8String(name)))
        }
      }
      return
    }
    set(.path, lists.xpath)
    set(.pathIndexes, lists.xcontent)
  }
}
