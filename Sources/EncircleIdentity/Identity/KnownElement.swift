import EncircleTree

/// What a dictionary knows of an element.
public struct KnownElement: Sendable {
  /// The event ID.
  public var eventID: EventID
  /// The identity string.
  public var identity: String
  /// The element and what it lies in, the window first, from which every style's path can be written.
  public var chain: [PathNode]
  /// Class of the nearest view controller.
  public var controller: String?
  /// Class of the view controller of the page.
  public var page: String?
  /// What a tap is tracked as.
  public var type: TrackingType?
  /// The text, as it was first seen.
  public var content: String?
  /// The place in the superview.
  public var frame: Frame?
  /// The captures in which it was seen, in the order in which they were indexed.
  public var captures: [String] = []
  /// The app versions in which it was seen, each once, by version.
  public var appVersions: [String] = []
  /// The styles that can serve the captures in which it was seen.
  public var styles: [PathStyleName] = []
  /// The largest number of elements of one capture that shared the event ID; 1 if it was always alone.
  public var sharing = 1

  /// The path in the `hubbledata` style.
  public var path: ElementPath {
    ElementPath(chain.map { PathComponent($0.className, $0.locator) })
  }

  /// The path in a style; nil if the style cannot serve the captures or has no path for the element.
  public func path(in style: PathStyleName) -> StyledPath? {
    styles.contains(style) ? style.style.path(of: chain) : nil
  }

  /// What is known of an element of a screen.
  public init(
    _ element: ElementID, of screen: IdentifiedTree, chain: [PathNode], contents: ElementContents, capture: String
  ) {
    eventID = screen.eventID(of: element)
    identity = screen.identity(of: element)
    self.chain = chain
    controller = screen.controller(of: element)
    page = screen.page(of: element)
    type = screen.trackingType(of: element)
    content = contents.content(of: element)
    frame = screen.tree.frame(of: element)
    captures = [capture]
    appVersions = screen.tree.header.appVersion.map { [$0] } ?? []
    styles = PathStyleName.allCases.filter { $0.style.lack(of: screen) == nil }
  }

  /// What is known of an element from elsewhere.
  package init(eventID: EventID, identity: String, chain: [PathNode]) {
    self.eventID = eventID
    self.identity = identity
    self.chain = chain
  }
}
