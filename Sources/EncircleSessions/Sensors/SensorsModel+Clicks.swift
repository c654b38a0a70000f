import EncircleEvents
import EncircleText

// Clicks on controls, by gestures, on cells and by code.
extension SensorsModel {
  static let event = "$AppClick"
  // Clicks on these controls are tracked at every action, whatever the phase of the touch.
  private static let valueControls = ["UISwitch", "UIStepper", "UISegmentedControl", "UIPageControl"]
  private static let shortestInterval = 0.1

  mutating func performClick(_ action: SignalAction, _ output: inout ReplayOutput) throws(SessionModelError) {
    switch action {
    case .view(let signal):
      _ = try process.world.define(signal)
      output.explain("view.known", "A view is known.")
    case .tap(let tap): try perform(tap, &output)
    case .gesture(let gesture): try perform(gesture, &output)
    case .select(let signal): try select(signal, &output)
    case .back(let signal): try goBack(signal, &output)
    case .trackClick(let signal, let properties): try trackClick(signal, properties, &output)
    default: break
    }
  }

  // MARK: - Controls

  private mutating func perform(_ tap: TapSignal, _ output: inout ReplayOutput) throws(SessionModelError) {
    let index = try process.world.define(tap.view, defaultBase: "UIControl")
    let isTabBar =
      tap.targetClass.map { target in
        ["UITabBar", "UITabBarController"].contains { process.world.isClass(target, kindOf: $0) }
      } ?? false
    if tap.targets == 0 { output.explain("click.targets", "The control has no target.", event: Self.event) }
    for _ in 0..<tap.targets {
      let isAfter = isTabBar || process.world.views[index].comesAfterAction
      if isAfter { try perform(tap.effects, &output) }
      click(index, tap, &output)
      if !isAfter { try perform(tap.effects, &output) }
    }
  }

  private mutating func perform(
    _ effects: [SignalAction], _ output: inout ReplayOutput
  ) throws(SessionModelError) {
    for effect in effects { try perform(effect, &output) }
  }

  mutating func click(_ index: Int, _ tap: TapSignal, _ output: inout ReplayOutput) {
    guard process.isInitialized else {
      explainUnavailable(event: Self.event, &output)
      return
    }
    if let sender = tap.senderClass, !isView(sender) {
      output.explain(
        "click.sender", "The sender is not a view; for an item, its button is recorded instead.", event: Self.event)
      return
    }
    if !process.world.isView(index, kindOfAny: Self.valueControls), tap.event != .touches || tap.phase != .ended {
      output.explain("click.phase", "Only the end of a touch is a click on this class.", event: Self.event)
      return
    }
    let last = process.world.views[index].lastClick
    if last > 0, uptime - last < Self.shortestInterval {
      output.explain("click.interval", "Less than 0.1 s after the last click on the view.", event: Self.event)
      return
    }
    guard let properties = clickProperties(index, isCode: false, &output) else { return }
    process.world.setLastClick(of: index, to: uptime)
    trackAutomatic(Self.event, properties, "click.control", "A control sends an action.", &output)
  }

  /// Returns whether the instances of a class are views, as far as is known.
  private func isView(_ name: String) -> Bool { process.world.isClass(name, kindOf: "UIView") }

  // MARK: - Gestures

  private mutating func perform(_ gesture: GestureSignal, _ output: inout ReplayOutput) throws(SessionModelError) {
    let index = try process.world.define(gesture.view)
    if let ignored = ignoredGestureReason(index, gesture) {
      output.explain(ignored.rule, ignored.reason, event: Self.event)
    } else if let view = try trackedView(index, gesture) {
      if let properties = clickProperties(view, isCode: false, &output) {
        trackAutomatic(Self.event, properties, "click.gesture", "A recognizer sends an action.", &output)
      }
    } else {
      output.explain("click.option", "No option is under the touch.", event: Self.event)
    }
    try perform(gesture.effects, &output)
  }

  private func ignoredGestureReason(_ index: Int, _ gesture: GestureSignal) -> (rule: String, reason: String)? {
    if !process.isInitialized { return ("init.missing", "The SDK has not been started yet.") }
    if !SensorsGestures.isTracked(recognizer: gesture.recognizer) {
      return ("click.recognizer", "The recognizer is neither exactly a tap, a long press nor one of a context menu.")
    }
    if gesture.state != .ended, gesture.state != .cancelled {
      return ("click.state", "The recognizer's state is neither ended nor cancelled.")
    }
    return SensorsGestures.ignoredReason(index, gesture, process.world)
  }

  // MARK: - Code

  private mutating func trackClick(
    _ signal: ViewSignal, _ extra: EventObject, _ output: inout ReplayOutput
  ) throws(SessionModelError) {
    guard process.world.index(ofView: signal.id) != nil || signal.className != nil || signal.element != nil else {
      output.explain("click.gone", "There is no such view.", event: Self.event)
      return
    }
    let index = try process.world.define(signal)
    guard var properties = clickProperties(index, isCode: true, &output) else { return }
    properties.merge(extra)
    track(SensorsDraft(.track, named: Self.event, properties), "click.code", "The app's code tracks a click.", &output)
  }

  // MARK: - Properties

  /// Returns the properties of a click on a view; nil, with a reason, if it is not a click. Clicks that code tracks always count.
  private func clickProperties(_ index: Int, isCode: Bool, _ output: inout ReplayOutput) -> EventObject? {
    if !isCode, let ignored = ignoredReason(index) {
      output.explain(ignored.rule, ignored.reason, event: Self.event)
      return nil
    }
    let screen = clickScreen(ofView: index)
    if !isCode, let screen, isLeftOut(screen) {
      output.explain(
        "click.controller", "The app ignores the controller, or it is in the SDK's list.", event: Self.event)
      return nil
    }
    var properties = screen.map { self.properties(of: $0) } ?? EventObject()
    addElement(index, of: index, to: &properties)
    return properties
  }

  /// Adds the properties of an element to an event.
  ///
  /// - Parameters:
  ///   - view: The view that is clicked.
  ///   - list: The view that provides the event's type and ID; for a cell, its list.
  func addElement(_ view: Int, of list: Int, to properties: inout EventObject) {
    let captured = capturedProperties(view)
    let isOwnContent = !hasCapturedContent(view)
    properties.set("$element_id", process.world.views[list].elementID.map { .string($0) })
    let type: EventValue? = view == list ? captured["$element_type"] : nil
    properties.set("$element_type", type ?? .string(SensorsElements.type(of: list, process.world)))
    let content = isOwnContent ? SensorsElements.content(of: view, process.world) : captured.text("$element_content")
    properties.set("$element_content", content.map { .string($0) })
    let position = isPlacedByCapture(view) ? nil : SensorsElements.position(of: view, process.world)
    properties.set("$element_position", (position ?? captured.text("$element_position")).map { .string($0) })
    properties.set("$element_path", captured["$element_path"])
  }

  /// Returns the reason why clicks on a view are excluded; nil if they are not.
  func ignoredReason(_ index: Int) -> (rule: String, reason: String)? {
    let view = process.world.views[index]
    if view.isHidden || view.isIgnored { return ("click.ignored-view", "The view is hidden, or the app ignores it.") }
    guard configuration.automaticEvents.contains(.click) else { return ("click.off", "Clicks are switched off.") }
    if process.world.isView(index, kindOfAny: configuration.ignoredViewTypes) || isButtonOfIgnoredItem(index) {
      return ("click.ignored-type", "The app ignores the class, or a superclass of it.")
    }
    if let name = controllerName(ofView: index), isIgnored(controller: name) {
      return ("click.ignored-controller", "The app ignores exactly the class of the controller.")
    }
    if process.world.isView(index, kindOf: "UISegmentedControl"), !hasCapturedContent(index),
      SensorsElements.selectedIndex(view) == nil
    {
      return ("click.segment-none", "No segment is selected.")
    }
    if process.world.isView(index, kindOf: "UISlider"), view.isTracking {
      return ("click.slider-tracking", "The slider is being dragged.")
    }
    return nil
  }

  /// Returns whether a view is the button of an item whose class the app ignores.
  private func isButtonOfIgnoredItem(_ index: Int) -> Bool {
    guard process.world.isView(index, kindOf: "UIControl") else { return false }
    let item: String
    switch UTF8String(process.world.views[index].className) {
    case "UITabBarButton": item = "UITabBarItem"
    case "UINavigationButton", "_UIButtonBarButton": item = "UIBarButtonItem"
    default: return false
    }
    return configuration.ignoredViewTypes.contains { type in
      [item, "UIBarItem", "NSObject"].contains { sameText($0, type) }
    }
  }
}
