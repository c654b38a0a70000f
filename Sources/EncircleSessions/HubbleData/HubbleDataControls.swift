import EncircleEvents
import EncircleIdentity
import EncircleTree

/// The types and attributes of controls in HubbleData's events, without the attributes of the page.
enum HubbleDataControls {
  private static let titleColor = "titleColor"
  // `UINavigationItemButtonView` is the back button up to iOS 10. Captures count it as a button, too.
  private static let buttons = ["UIButton", "UINavigationItemButtonView"]

  /// Returns the type of a control's events, and their attributes.
  static func attributes(of control: Int, _ world: SessionWorld) -> (type: String, attributes: EventObject) {
    let view = world.views[control]
    let captured = view.element.map { $0.capture.screen.properties(of: $0.element) }
    var attributes = EventObject()
    if world.isView(control, kindOf: "UISwitch") {
      attributes.add("switchState", .bool(view.attributes.flag("on") ?? captured?.switchState ?? false))
      return ("switchEvent", attributes)
    }
    guard world.isView(control, kindOfAny: buttons) else { return ("controlEvent", attributes) }
    let color = view.attributes.text(titleColor).map { ColorText.rgba($0) ?? $0 }
    let texts: [(String, String?)] = [
      (
        "title", view.attributes.text("title") ?? view.element.flatMap { $0.capture.screen.buttonTitle(of: $0.element) }
      ),
      (titleColor, color ?? captured?.titleColor),
      ("imageName", view.attributes.text("imageName") ?? captured?.imageName),
    ]
    for (name, text) in texts {
      if let text { attributes.add(name, .string(text)) }
    }
    attributes.add("frame", .string(world.frame(ofView: control).rectText))
    return ("buttonEvent", attributes)
  }

  /// Returns the field of a search bar in which editing ends: the view or the field inside it; nil outside of search bars.
  static func searchField(_ view: Int, _ world: SessionWorld) -> Int? {
    if world.isView(view, kindOf: "UISearchBarTextField") { return view }
    if world.isView(view, kindOf: "UISearchBar") {
      return world.descendants(of: view).first { world.isView($0, kindOf: "UITextField") } ?? view
    }
    var current = world.views[view].superview
    while let next = current {
      if world.isView(next, kindOf: "UISearchBar") { return view }
      current = world.views[next].superview
    }
    return nil
  }
}

extension SessionWorld {
  /// Returns the frame of a view, if the capture states it.
  func frame(ofView index: Int) -> Frame {
    let frame = views[index].frame
    let isUnknown = frame.x == 0 && frame.y == 0 && frame.width == 0 && frame.height == 0
    if isUnknown, let element = views[index].element,
      let captured = element.capture.screen.tree.frame(of: element.element)
    {
      return captured
    }
    return Frame(x: frame.x, y: frame.y, width: frame.width, height: frame.height)
  }
}
