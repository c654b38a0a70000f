import EncircleTree

/// The values that the SDK of a web style sends for the elements of a page.
public struct WebTaps: Sendable {
  private let elements: WebElements
  private let style: PathStyleName
  // The values of Sensors' SDK with ids switched off; nil unless other settings were requested.
  private let withoutIDs: SensorsWebElements?

  /// - Parameter withSettings: True if ``settings(of:)`` will be called.
  /// - Returns: Nil if the style is not a web style, or the screen is not a web page.
  public init?(of chains: PathChains, style: PathStyleName, withSettings: Bool = false) {
    guard style.isWeb, let elements = chains.web else { return nil }
    self.elements = elements
    self.style = style
    withoutIDs = withSettings && style == .sensorsWeb ? SensorsWebElements(elements.screen, usesIDs: false) : nil
  }

  /// Returns the values of the event for a tap on an element, and whether it is sent.
  ///
  /// - Complexity: O(depth + length of its texts).
  public func tap(on element: ElementID) -> WebTap {
    style == .sensorsWeb ? sensorsTap(on: element) : postHogTap(on: element)
  }

  private func sensorsTap(on element: ElementID) -> WebTap {
    let sensors = elements.sensors
    var tap = WebTap()
    tap.target = sensors.target(of: element)
    tap.isTracked = tap.target == element
    tap.type = elements.screen.tag(of: element)
    tap.selector = sensors.selector(of: element)
    tap.position = sensors.position(of: element)
    tap.content = sensors.content(of: element)
    tap.className = sensors.className(of: element)
    (tap.id, tap.name, tap.href) = sensors.attributes(of: element)
    tap.title = elements.screen.title
    return tap
  }

  private func postHogTap(on element: ElementID) -> WebTap {
    let postHog = elements.postHog
    var tap = WebTap()
    tap.isTracked = postHog.isTracked(element)
    tap.target = tap.isTracked ? element : nil
    tap.type = elements.screen.tag(of: element)
    let text = postHog.text(of: element)
    tap.content = text.isEmpty ? nil : text
    tap.augmentation = postHog.augmentation(of: element)
    tap.isNotCaptured = postHog.isNotCaptured(element)
    return tap
  }

  /// Returns the effects of other settings of Sensors' SDK: selector and path without ids, and for each setting the element that a
  /// click is reported for. Returns nil in other styles, and if settings were not requested.
  ///
  /// - Complexity: O(depth + elements in it).
  public func settings(of element: ElementID) -> WebSettings? {
    guard let withoutIDs else { return nil }
    let sensors = elements.sensors
    let path = withoutIDs.path(of: element)
    let collecting: [(String, SensorsWebElements.Collecting)] = [
      ("div1", .divs(levels: 1)), ("div2", .divs(levels: 2)), ("div3", .divs(levels: 3)),
      ("tags", .tags(["li", "span", "img", "label", "svg"])), ("all", .all),
    ]
    return WebSettings(
      path: path.written, selector: path.selector ?? "", position: withoutIDs.position(of: element),
      targets: collecting.map { ($0, sensors.target(of: element, collecting: $1)) })
  }

  /// Returns which events of PostHog besides clicks track an element, and whether clicks track it even without the page's styles; nil
  /// in other styles.
  public func triggers(of element: ElementID) -> (change: Bool, submit: Bool, clickWithoutStyles: Bool)? {
    guard style == .postHogWeb else { return nil }
    let postHog = elements.postHog
    return (
      postHog.isTracked(element, by: .change), postHog.isTracked(element, by: .submit),
      postHog.isTracked(element, usesStyles: false)
    )
  }
}

/// The values that a tap on an element of a web page sends.
public struct WebTap: Sendable {
  /// The element that the event is about; nil if there is no event.
  public var target: ElementID?
  /// This is true if a tap right on the element makes an event about it.
  public var isTracked = false
  /// The tag in lower case.
  public var type = ""
  /// Sensors: `$element_selector`.
  public var selector: String?
  /// Sensors: `$element_position`.
  public var position: Int?
  /// The text: `$element_content` or `$el_text`.
  public var content: String?
  /// Sensors: `$element_class_name`, `$element_id`, `$element_name`, `$element_target_url`.
  public var className: String?
  public var id: String?
  public var name: String?
  public var href: String?
  /// Sensors: `$title`.
  public var title: String?
  /// PostHog: the properties that the page adds by `data-ph-capture-attribute-…`.
  public var augmentation: [(name: String, value: String)] = []
  /// PostHog: whether the page forbids sending anything about the element.
  public var isNotCaptured = false
}

/// The effects of other settings of Sensors' SDK.
public struct WebSettings: Sendable {
  /// `$element_path` and `$element_selector` with `heatmap.element_selector: 'not_use_id'`.
  public let path: String
  public let selector: String
  /// `$element_position` with it; nil outside of rows.
  public let position: Int?
  /// For each setting, the element that a click is reported for.
  public let targets: [(setting: String, target: ElementID?)]
}
