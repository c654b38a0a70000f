import EncircleTree

/// An element with all that a dictionary stores about it.
public struct KnownElement: Sendable {
  public var eventID: EventID
  public var identity: String
  /// The element's ancestors from the window down, then the element. The paths of all styles can be made from it.
  public var chain: [PathNode]
  /// The class of the nearest view controller.
  public var controller: String?
  /// The class of the page's view controller.
  public var page: String?
  /// The type of event that reports uses of the element.
  public var type: TrackingType?
  /// The text, as the first capture with the element has it.
  public var content: String?
  /// The frame in the superview's coordinates.
  public var frame: Frame?
  /// The names of the captures that contain the element, in the order in which they were indexed.
  public var captures: [String] = []
  /// The app versions of those captures, in ascending order and each once.
  public var appVersions: [String] = []
  /// The styles that can serve at least one of those captures.
  public var styles: [PathStyleName] = []
  /// The largest number of elements with the event ID in one capture; 1 if it was always unique.
  public var sharing = 1

  /// The path in the `hubbledata` style.
  public var path: ElementPath {
    ElementPath(chain.map { PathComponent($0.className, $0.locator) })
  }

  /// Returns the path in a style, or nil if the style cannot serve the captures or has no path for the element.
  public func path(in style: PathStyleName) -> StyledPath? {
    styles.contains(style) ? style.style.path(of: chain) : nil
  }

  /// Returns the page as the SDK of a style sends it; see ``IdentifiedTree/page(of:in:)``.
  public func page(in style: PathStyleName) -> String? {
    switch style {
    case .sensors, .sensorsExact: SensorsStyle.screen(of: chain) ?? page
    case .postHog: page.map(PostHogScreens.name(ofClass:))
    case .growingIO: GrowingIOStyle.page(of: chain) ?? page
    case .sensorsAndroid: SensorsAndroidStyle.page(of: chain) ?? page
    case .growingIOAndroid: GrowingIOAndroidStyle.page(of: chain) ?? page
    case .hubbleDataAndroid: HubbleDataAndroidStyle().path(of: chain)?.page ?? page
    case .hubbleData, .lede, .sensorsWeb, .postHogWeb: page
    }
  }

  /// Creates an entry with only the most important properties.
  package init(eventID: EventID, identity: String, chain: [PathNode]) {
    self.eventID = eventID
    self.identity = identity
    self.chain = chain
  }
}
