import EncircleText
import EncircleTree

/// The facts that the web SDKs derive from the elements of a page.
final class WebElements: Sendable {
  let screen: WebScreen
  let sensors: SensorsWebElements
  let postHog: PostHogWebElements

  init(_ screen: WebScreen) {
    self.screen = screen
    sensors = SensorsWebElements(screen)
    postHog = PostHogWebElements(screen)
  }

  /// Returns the text of an element's event: PostHog's text in PostHog's style, else Sensors'; nil if it is empty.
  func content(of element: ElementID, in style: PathStyleName) -> String? {
    let text = style == .postHogWeb ? postHog.text(of: element) : sensors.content(of: element)
    return text.isEmpty ? nil : text
  }

  /// Returns whether an element has text outside of the elements inside it.
  func hasOwnText(_ element: ElementID) -> Bool {
    if screen.isTag(element, "input") { return true }
    return screen.directTexts(of: element).contains { number in
      screen.tree.strings.withBytes(of: screen.page.texts[Int(number)].text) { !$0.allSatisfy(isWhiteSpace) }
    }
  }

  /// Returns the type of event that the SDK of a style makes of a tap on an element; nil if it makes none.
  func trackingType(of element: ElementID, in style: PathStyleName) -> TrackingType? {
    let isTracked =
      style == .sensorsWeb ? sensors.target(of: element) == element : postHog.isTracked(element)
    guard isTracked else { return nil }
    switch screen.tag(of: element) {
    case "a", "button": return .button
    case "input": return ["button", "submit", "reset", "image"].contains(screen.type(of: element)) ? .button : .control
    case "select", "textarea": return .control
    default: return .gestureTap
    }
  }
}

/// An element of a page, as the basis of its path in web styles.
struct WebNode: Hashable, Sendable {
  let element: ElementID
  let elements: WebElements

  static func == (a: WebNode, b: WebNode) -> Bool { a.element == b.element && a.elements === b.elements }

  func hash(into hasher: inout Hasher) { hasher.combine(element) }
}
