import EncircleText

/// Decides which gestures are clicks, and on which views.
enum SensorsGestures {
  private static let recognizers: Set<UTF8String> = [
    "UITapGestureRecognizer", "UILongPressGestureRecognizer", "_UIContextMenuSelectionGestureRecognizer",
  ]

  /// The views with options, and the classes of their options.
  private static let options: [UTF8String: UTF8String] = [
    "_UIAlertControllerView": "_UIAlertControllerCollectionViewCell",
    "_UIAlertControllerInterfaceActionGroupView": "_UIInterfaceActionCustomViewRepresentationView",
    "UIInterfaceActionGroupView": "_UIContextMenuActionView",
    "_UIContextMenuActionsListView": "_UIContextMenuActionsListCell",
  ]

  /// Returns whether a recognizer of exactly this class can cause a click.
  static func isTracked(recognizer: String) -> Bool { recognizers.contains(UTF8String(recognizer)) }

  /// Returns the reason why a gesture on a view is not a click; nil if it may be one.
  static func ignoredReason(_ index: Int, _ gesture: GestureSignal, _ world: SessionWorld) -> (
    rule: String, reason: String
  )? {
    let list = SensorsClassList.gestureViews
    let name = UTF8String(world.views[index].className)
    if list.names.contains(name) || world.isView(index, kindOfAny: list.kinds) {
      return ("click.gesture-list", "The view is in the SDK's list of those without clicks by gestures.")
    }
    let answered = gesture.actions.filter(\.isAnswered)
    if answered.isEmpty { return ("click.valid-target", "No target answers to its action.") }
    if isOwnAlert(index, world) { return ("click.sdk-alert", "The alert is the SDK's own.") }
    var systemAction: String?
    if name == "UITableViewCellContentView" {
      systemAction = "_longPressGestureRecognized:"
    } else if options[name] == nil, let superview = world.views[index].superview,
      world.views[index].controller == nil, world.isView(superview, kindOf: "UICollectionViewCell")
    {
      systemAction = "_handleMenuGesture:"
    }
    if let systemAction, answered.allSatisfy({ sameText($0.name, systemAction) }) {
      return ("click.cell-action", "The action is the system's own for cells.")
    }
    return nil
  }

  /// Returns whether a view is in an alert of the SDK itself, which shows the system's alert inside its own controller.
  private static func isOwnAlert(_ index: Int, _ world: SessionWorld) -> Bool {
    let alerts: [UTF8String] = ["_UIAlertControllerView", "_UIAlertControllerInterfaceActionGroupView"]
    guard alerts.contains(UTF8String(world.views[index].className)),
      let controller = world.nextController(ofView: index),
      world.isController(controller, kindOf: "UIAlertController"), let parent = world.controllers[controller]?.parent
    else { return false }
    return world.isController(parent, kindOf: "SAAlertController")
  }

  /// Returns the class of the options of a view; nil if it has none.
  static func optionClass(of index: Int, _ world: SessionWorld) -> UTF8String? {
    options[UTF8String(world.views[index].className)]
  }

  /// Returns the view that a gesture clicks: the recognizer's view, or in an alert or a menu the option under the touch.
  static func trackedView(_ index: Int, _ gesture: GestureSignal, _ world: SessionWorld) -> Int? {
    guard let option = optionClass(of: index, world) else { return index }
    func isOption(_ view: Int) -> Bool { UTF8String(world.views[view].className) == option }
    return world.descendants(of: index, stops: isOption).first { view in
      isOption(view) && contains(gesture.point, view, in: index, world)
    }
  }

  /// Returns whether a point of a view is inside one of its descendants.
  static func contains(
    _ point: (x: Double, y: Double), _ view: Int, in ancestor: Int, _ world: SessionWorld
  ) -> Bool {
    let frame = world.views[view].frame
    var (x, y) = (frame.x, frame.y)
    var current = world.views[view].superview
    while let next = current, next != ancestor {
      x += world.views[next].frame.x
      y += world.views[next].frame.y
      current = world.views[next].superview
    }
    return point.x >= x && point.x < x + frame.width && point.y >= y && point.y < y + frame.height
  }
}
