import EncircleEvents
import EncircleIdentity
import EncircleTree

/// The events that taps on the elements of a capture send, as far as the capture tells.
///
/// ```swift
/// let events = ElementEvents(of: screen, style: ruleSet.style)
/// let decision = matcher.decide(events.event(of: ElementID(17)), using: &state)
/// ```
public struct ElementEvents: Sendable {
  private let screen: IdentifiedTree
  private let style: PathStyleName
  private let chains: PathChains
  private let contents: ElementContents

  /// Prepares the events of a capture.
  ///
  /// - Parameter style: The style in which the events have their paths; one that does not lack anything of the capture.
  /// - Complexity: O(elements).
  public init(of screen: IdentifiedTree, style: PathStyleName = .hubbleData) {
    self.screen = screen
    self.style = style
    chains = PathChains(of: screen)
    contents = ElementContents(of: screen)
  }

  /// The event of an element, with event ID, path, page, type, content, position, app, version and system.
  ///
  /// - Parameter name: The event's name.
  public func event(of element: ElementID, named name: String = "$AppClick") -> Event {
    var properties: EventObject = ["$element_id": .string(screen.eventID(of: element).description)]
    let path = style.style.path(of: chains.chain(to: element))
    func add(_ key: String, _ value: String?) { if let value { properties[key] = .string(value) } }
    if let path, style == .growingIO {
      add("$element_path", GrowingIOStyle.xpath(of: path))
      add("xcontent", GrowingIOStyle.xcontent(of: path))
    } else {
      add("$element_path", path?.written)
    }
    add("$screen_name", screen.page(of: element))
    add("$element_type", screen.className(of: element))
    add("$element_content", contents.content(of: element))
    switch screen.cellLocator(of: element) {
    case .row(let section, let row): add("$element_position", "\(section):\(row)")
    case .item(let section, let item): add("$element_position", "\(section):\(item)")
    default: break
    }
    add("$app_id", screen.tree.header.app)
    add("$app_version", screen.tree.header.appVersion)
    add("$os", screen.tree.header.os)
    return Event(name: name, properties: properties)
  }
}
