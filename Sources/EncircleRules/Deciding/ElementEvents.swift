import EncircleEvents
import EncircleIdentity
import EncircleTree

/// Makes the events that taps on the elements of a capture would send, as far as the capture has their properties.
///
/// ```swift
/// let events = ElementEvents(of: screen, style: ruleSet.style)
/// let decision = matcher.decide(events.event(of: ElementID(17)), using: &state)
/// ```
public struct ElementEvents: Sendable {
  private let screen: IdentifiedTree
  private let style: PathStyleName
  private let fields: EventFields
  private let chains: PathChains
  private let contents: ElementContents

  /// Prepares the events of a capture.
  ///
  /// - Parameters:
  ///   - style: The style in which the events have their paths; one that does not lack anything of the capture.
  ///   - fields: The places where rules look for fields.
  /// - Complexity: O(elements).
  public init(
    of screen: IdentifiedTree, style: PathStyleName = .hubbleData, fields: EventFields = EventFields()
  ) {
    self.screen = screen
    self.style = style
    self.fields = fields
    chains = PathChains(of: screen)
    contents = ElementContents(of: screen)
  }

  /// The event of an element, with event ID, path, page, type, content, position, app, version and system.
  ///
  /// - Parameter name: The event's name.
  public func event(of element: ElementID, named name: String = "$AppClick") -> AnalyticsEvent {
    var event = AnalyticsEvent(EventObject())
    func add(_ field: EventFields.Field, _ value: String?) {
      guard let value, let place = place(of: field) else { return }
      event.set(.string(value), at: place)
    }
    add(.event, name)
    add(.eventID, screen.eventID(of: element).description)
    if let path = style.style.path(of: chains.chain(to: element)) { event.setPath(path, fields) }
    add(.page, screen.page(of: element))
    add(.type, screen.className(of: element))
    add(.content, contents.content(of: element))
    switch screen.cellLocator(of: element) {
    case .row(let section, let row): add(.position, "\(section):\(row)")
    case .item(let section, let item): add(.position, "\(section):\(item)")
    default: break
    }
    add(.app, screen.tree.header.app)
    add(.appVersion, screen.tree.header.appVersion)
    add(.os, screen.tree.header.os)
    return event
  }

  /// The place to write a field. The event ID goes to the properties, as SDKs send it, if that is one of its places.
  private func place(of field: EventFields.Field) -> PropertyReference? {
    let places = fields.places(of: field)
    guard field == .eventID else { return places.first }
    return places.first { if case .property = $0 { true } else { false } } ?? places.first
  }
}

extension AnalyticsEvent {
  /// Writes a path to the places where events of its style have it.
  package mutating func setPath(_ path: StyledPath, _ fields: EventFields) {
    func set(_ field: EventFields.Field, _ value: String) {
      if let place = fields.places(of: field).first { self.set(.string(value), at: place) }
    }
    guard path.style == .growingIO else { return set(.path, path.written) }
    set(.path, GrowingIOStyle.xpath(of: path))
    set(.pathIndexes, GrowingIOStyle.xcontent(of: path))
  }
}
