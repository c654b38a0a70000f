import EncircleText

/// Finds the options of alerts, whose recognizer is on a view around all options.
enum TouchedOption {
  /// The views around the options, and the classes of the options in them.
  private static let options: [UTF8String: UTF8String] = [
    "_UIAlertControllerView": "_UIAlertControllerActionView",
    "_UIAlertControllerInterfaceActionGroupView": "_UIInterfaceActionCustomViewRepresentationView",
  ]

  /// Returns the view that a gesture is on: the recognizer's view, or in an alert the option at the gesture's point; nil if
  /// there is no option.
  static func view(
    of carrier: Int, _ gesture: GestureSignal, _ world: inout SessionWorld
  ) throws(SessionModelError) -> Int? {
    guard let option = options[UTF8String(world.views[carrier].className)] else { return carrier }
    let views = world.views
    func isOption(_ view: Int) -> Bool { UTF8String(views[view].className) == option }
    let known = world.descendants(of: carrier, stops: isOption).first { view in
      isOption(view) && SensorsGestures.contains(gesture.point, view, in: carrier, world)
    }
    if let known { return known }
    // If no signal describes the option, it is looked for in the capture.
    guard let element = world.views[carrier].element?.descendant(ofClass: option, at: gesture.point) else { return nil }
    return try world.define(ViewSignal(id: element.id, superview: gesture.view.id, element: element))
  }
}
