import EncircleEvents
import EncircleText

// Cells, options of alerts and back buttons, and the properties of views in captures.
extension SensorsModel {
  // MARK: - Cells

  mutating func select(_ signal: SelectSignal, _ output: inout ReplayOutput) throws(SessionModelError) {
    guard process.isInitialized else {
      explainUnavailable(event: Self.event, &output)
      return
    }
    guard let list = try process.world.list(of: signal) else {
      output.explain("click.gone", "There is no such view.", event: Self.event)
      return
    }
    if let element = signal.element, signal.indexPath == nil, !element.isSelectable {
      output.explain("click.gone", "The element is not a cell.", event: Self.event)
      return
    }
    if list < process.earlierViews {
      output.explain(
        "click.delegate", "The list had its delegate before the SDK was started, which hooks those that are set later.",
        event: Self.event)
      return
    }
    if let ignored = ignoredReason(list) {
      output.explain(ignored.rule, ignored.reason, event: Self.event)
      return
    }
    guard let cell = try cell(of: signal, list) else {
      output.explain("click.off-screen", "No cell is at the index path.", event: Self.event)
      return
    }
    if let ignored = ignoredReason(cell) {
      output.explain(ignored.rule, ignored.reason, event: Self.event)
      return
    }
    var properties = clickScreen(ofView: list).map { self.properties(of: $0) } ?? EventObject()
    addElement(cell, of: list, to: &properties)
    trackAutomatic(Self.event, properties, "click.cell", "A cell is selected.", &output)
  }

  /// Returns the cell of a selection: the captured cell that it names, a view in the list, or a cell in the list's capture.
  private mutating func cell(of signal: SelectSignal, _ list: Int) throws(SessionModelError) -> Int? {
    var element = signal.element
    if element == nil, let (section, row) = signal.indexPath {
      if let cell = SensorsElements.cell(section, row, of: list, process.world) { return cell }
      element = process.world.views[list].element?.cell(section: section, row: row)
    }
    guard let element else { return nil }
    var attributes: EventObject?
    if let (section, row) = signal.indexPath { attributes = ["indexPath": .string("\(section) \(row)")] }
    let list = signal.view ?? element.list?.id
    return try process.world.define(
      ViewSignal(id: element.id, superview: list, attributes: attributes, element: element))
  }

  // MARK: - Options and back buttons

  /// Returns the view that a gesture clicks. An option that no signal describes is looked for in the capture.
  mutating func trackedView(_ index: Int, _ gesture: GestureSignal) throws(SessionModelError) -> Int? {
    if let cell = alertCell(around: index) {
      return try process.world.define(ViewSignal(id: cell.id, element: cell))
    }
    if let view = SensorsGestures.trackedView(index, gesture, process.world) { return view }
    guard let option = SensorsGestures.optionClass(of: index, process.world),
      let element = process.world.views[index].element?.descendant(ofClass: option, at: gesture.point)
    else { return nil }
    return try process.world.define(ViewSignal(id: element.id, superview: gesture.view.id, element: element))
  }

  /// Returns the cell around the title of an alert's option up to iOS 9, which the SDK treats as the option; nil for other views.
  private func alertCell(around index: Int) -> CapturedElement? {
    guard let option = process.world.views[index].element,
      option.capture.screen.kinds(of: option.element).contains(.alertAction),
      let cell = option.capture.screen.trackedElement(around: option.element, in: .sensors), cell != option.element
    else { return nil }
    return CapturedElement(capture: option.capture, element: cell)
  }

  /// Performs a tap on the system's back button, which is an ordinary control.
  mutating func goBack(_ signal: BackSignal, _ output: inout ReplayOutput) throws(SessionModelError) {
    let button = ViewSignal(
      id: "back(\(signal.controller))", className: "_UIButtonBarButton", base: "UIControl",
      controller: signal.controller)
    let index = try process.world.define(button)
    if let title = signal.title {
      _ = try process.world.define(
        ViewSignal(
          id: "title(\(button.id))", className: "UILabel", superview: button.id,
          attributes: ["text": .string(title)]))
    }
    click(index, TapSignal(view: button), &output)
  }

  // MARK: - Captures

  /// Returns the properties of a view in its capture, as the SDK sends them; empty for a view without a capture.
  func capturedProperties(_ index: Int) -> EventObject {
    process.world.views[index].element?.properties(in: .sensors) ?? EventObject()
  }

  /// Returns whether only the capture has the content of a view.
  func hasCapturedContent(_ index: Int) -> Bool {
    let view = process.world.views[index]
    return view.element != nil && !view.isDescribed && view.subviews.isEmpty
  }

  /// Returns whether the position of a view is its place among siblings that only the capture knows.
  func isPlacedByCapture(_ index: Int) -> Bool {
    let view = process.world.views[index]
    guard view.element != nil, view.superview == nil else { return false }
    return sameText(view.className, "UITabBarButton") || sameText(view.className, "UISegment")
  }

  // MARK: - Screens

  /// The screen of a click.
  enum ClickScreen {
    case controller(Int)
    /// A controller that only the capture knows.
    case captured(name: String, title: String?)
  }

  /// Returns the screen of a view: its controller's screen, else the screen in the capture; in an alert, the window's screen.
  func clickScreen(ofView index: Int) -> ClickScreen? {
    if let screen = nextScreen(ofView: index), !process.world.isController(screen, kindOf: "UIAlertController") {
      return .controller(screen)
    }
    let current = process.world.currentScreen
    let captured = capturedProperties(index)
    guard let name = captured.text("$screen_name") else { return current.map { .controller($0) } }
    if let current, sameText(process.world.controllers[current]?.className, name) { return .controller(current) }
    return .captured(name: name, title: captured.text("$title"))
  }

  func properties(of screen: ClickScreen) -> EventObject {
    switch screen {
    case .controller(let number): return screenProperties(number)
    case .captured(let name, let title):
      var properties: EventObject = ["$screen_name": .string(name)]
      if let title, !title.utf8.isEmpty { properties.add("$title", .string(title)) }
      return properties
    }
  }

  /// Returns whether clicks on a screen are excluded.
  func isLeftOut(_ screen: ClickScreen) -> Bool {
    switch screen {
    case .controller(let number):
      let name = process.world.controllers[number]?.className
      return name.map { isIgnored(controller: $0) } ?? false || isListed(number, in: .clicks)
    case .captured(let name, _):
      let list = SensorsClassList.clicks
      return isIgnored(controller: name) || list.names.contains(UTF8String(name))
        || list.kinds.contains { process.world.isClass(name, kindOf: $0) }
    }
  }

  /// Returns whether the app ignores the controllers of exactly this class.
  func isIgnored(controller name: String) -> Bool { configuration.ignoredControllers.contains { sameText($0, name) } }

  /// Returns the class of the next controller in the responder chain of a view.
  func controllerName(ofView index: Int) -> String? {
    if let screen = nextScreen(ofView: index) { return process.world.controllers[screen]?.className }
    return capturedProperties(index).text("$screen_name")
  }

  private func nextScreen(ofView index: Int) -> Int? {
    process.world.nextController(ofView: index).flatMap { process.world.screen(ofController: $0) }
  }
}
