import EncircleEvents
import EncircleText

/// A model of HubbleData's SDK as docs/articles.md describes it: page views, clicks with their event IDs, and events of code.
///
/// Nothing is published about starts, ends, logins and crashes, so the model omits them.
public struct HubbleDataModel: SDKModel, ArticleModel {
  /// The event ID of all page views.
  static let pageEvent = "da_screen"

  var app: ReplayedApp
  private var keychainID: String?

  public init(configuration: SessionConfiguration, limits: SessionLimits) throws(SessionModelError) {
    app = ReplayedApp(configuration, limits)
  }

  public var life: Int { app.life }

  public mutating func perform(_ signal: Signal, into output: inout ReplayOutput) throws(SessionModelError) {
    try replay(signal, &output)
  }

  // MARK: - Processes

  mutating func beginProcess() {}

  mutating func passTime(_ output: inout ReplayOutput) {}

  mutating func turnMainQueue(_ output: inout ReplayOutput) {}

  mutating func kill(_ output: inout ReplayOutput) {
    output.explain("process.kill", "The process ends without notice to the SDK.")
  }

  mutating func reinstall(_ output: inout ReplayOutput) { output.explain("process.reinstall", "All files are gone.") }

  mutating func initialize(isOnMainThread: Bool, _ output: inout ReplayOutput) {
    app.isInitialized = true
    if keychainID == nil { keychainID = app.device.id([.idfv, .uuid]) }
    output.explain("init", "The SDK is started; it tracks pages and clicks.")
  }

  mutating func receive(_ name: NotificationSignal.Name, _ output: inout ReplayOutput) {
    output.explainUndescribed("lifecycle", "events of starts and ends")
  }

  mutating func performCrash(_ action: SignalAction, _ output: inout ReplayOutput) {
    output.explainUndescribed("crash", "events of crashes")
  }

  mutating func performCall(_ action: SignalAction, _ output: inout ReplayOutput) throws(SessionModelError) {
    guard case .track(let name, let properties) = action else {
      explainUndescribedCall(&output)
      return
    }
    guard let name else {
      output.explain("code.name", "An event needs a name.")
      return
    }
    track(name, type: nil, properties, "code.track", "The app's code tracks it.", &output)
  }

  // MARK: - Pages

  mutating func willAppear(_ controller: Int, _ signal: ControllerSignal, _ output: inout ReplayOutput) {
    if signal.callsSuper {
      trackPage(controller, &output)
    } else {
      output.explain("page.super", "viewWillAppear: does not call super, whose implementation the SDK has replaced.")
    }
  }

  mutating func appear(_ controller: Int, _ signal: ControllerSignal, _ output: inout ReplayOutput) {
    // In a session without `willAppear` for the page, its appearing counts as both.
    if app.world.controllers[controller]?.isAppearing == true {
      output.explain("page.will", "The SDK does not watch that a page has appeared, only that it is about to.")
    } else {
      trackPage(controller, &output)
    }
  }

  private mutating func trackPage(_ controller: Int, _ output: inout ReplayOutput) {
    guard app.configuration.automaticEvents.contains(.screen) else {
      output.explain("page.off", "Page views are switched off.", event: Self.pageEvent)
      return
    }
    if isListed(controller, isByKind: false) {
      output.explain("page.list", "The class is in the list of classes that are not pages.", event: Self.pageEvent)
      return
    }
    var attributes = screenAttributes(app.world.shownPage(controller))
    if let page = app.world.controllers[controller] {
      if let url = page.url { attributes.add("$screenUrl", .string(url)) }
      if let own = page.properties { attributes.merge(own) }
    }
    track(
      Self.pageEvent, type: nil, attributes, "page.appear",
      "The page is about to appear, whatever its own methods call.",
      &output)
  }

  mutating func disappear(_ controller: Int, _ output: inout ReplayOutput) {
    output.explainUndescribed("leave", "events of leaving a page")
  }

  /// Returns the attributes that describe a page; the title may be empty.
  private func screenAttributes(_ page: ShownPage?) -> EventObject {
    guard let page else { return EventObject() }
    return ["$screenName": .string(page.name), "$screenTitle": .string(page.title ?? "")]
  }

  // MARK: - Clicks

  mutating func click(_ control: Int, _ tap: TapSignal, _ output: inout ReplayOutput) {
    if app.world.isView(control, kindOf: "UITextField") {
      output.explain("click.text-field", "A text field is never tracked; a search bar's is, when editing ends.")
      return
    }
    let (type, attributes) = HubbleDataControls.attributes(of: control, app.world)
    trackClick(control, type, attributes, "click.control", "The control sends an action itself.", &output)
  }

  mutating func click(_ view: Int?, on carrier: Int, _ gesture: GestureSignal, _ output: inout ReplayOutput) {
    guard
      let state = Self.trackedState(
        isTap: isRecognizer(gesture, kindOf: "UITapGestureRecognizer"),
        isLongPress: isRecognizer(gesture, kindOf: "UILongPressGestureRecognizer"))
    else {
      output.explain("click.recognizer", "The recognizer is neither of a tap nor of a long press.")
      return
    }
    if app.world.isView(carrier, kindOf: "UITextField") {
      output.explain("click.text-field", "A text field is never tracked.")
    } else if gesture.state != state {
      output.explain("click.state", "A tap counts when it is recognized, a long press when it begins.")
    } else if let view {
      trackClick(view, "gestureTapEvent", EventObject(), "click.gesture", "A recognizer sends an action.", &output)
    } else {
      output.explain("click.option", "No option is under the touch.")
    }
  }

  /// Returns the recognizer's state that counts as a click. A long press calls its action twice.
  private static func trackedState(isTap: Bool, isLongPress: Bool) -> GestureSignal.State? {
    isTap ? .ended : isLongPress ? .began : nil
  }

  mutating func click(_ selection: CellSelection, _ output: inout ReplayOutput) {
    let isTable = app.world.isView(selection.list, kindOf: "UITableView")
    var attributes = EventObject()
    attributes.add(selection.indexPath)
    trackClick(
      selection.cell ?? selection.list, hasIdentity: selection.cell != nil,
      isTable ? "tableViewSelectEvent" : "collectionViewSelectEvent", attributes, "click.cell", "A cell is selected.",
      &output)
  }

  mutating func observe(_ action: SignalAction, _ view: Int, _ output: inout ReplayOutput) {
    guard case .editingEnd = action else {
      output.explainUndescribed("view", "event of this kind")
      return
    }
    guard let field = HubbleDataControls.searchField(view, app.world) else {
      output.explain("click.text-field", "A text field is never tracked, except the field of a search bar.")
      return
    }
    guard let text = app.world.views[view].attributes.text("text"), !text.utf8.isEmpty else {
      output.explain("click.search-empty", "Nothing was typed into the search bar.")
      return
    }
    trackClick(
      field, "searchBarEvent", ["searchText": .string(text)], "click.search", "Editing of a search bar has ended.",
      &output)
  }

  private mutating func trackClick(
    _ view: Int, hasIdentity: Bool = true, _ type: String, _ own: EventObject, _ rule: String, _ reason: String,
    _ output: inout ReplayOutput
  ) {
    guard app.configuration.automaticEvents.contains(.click) else {
      output.explain("click.off", "Clicks are switched off.", event: type)
      return
    }
    let page = app.world.shownPage(ofView: view, in: .hubbleData)
    var attributes: EventObject = ["type": .string(type)]
    if let page { attributes.add("page", .string(page.name)) }
    attributes.merge(screenAttributes(page))
    attributes.merge(own)
    track(hasIdentity ? eventID(of: view) : nil, type: type, attributes, rule, reason, &output)
  }

  /// Returns the event ID of a view; nil if its path is not known up to the window.
  private func eventID(of view: Int) -> String? {
    guard let identity = ViewIdentity(of: view, app.world), identity.isWhole else { return nil }
    return identity.eventID
  }

  // MARK: - Events

  private func track(
    _ eventID: String?, type: String?, _ attributes: EventObject, _ rule: String, _ reason: @autoclosure () -> String,
    _ output: inout ReplayOutput
  ) {
    var record: EventObject = ["time": .number(DecimalNumber(app.time))]
    if let eventID { record.add("eventId", .string(eventID)) }
    if let type { record.add("type", .string(type)) }
    record.add("deviceUdid", .string(keychainID ?? ""))
    record.add("attributes", .object(attributes))
    output.explain(rule, reason(), event: type ?? eventID, isSent: true)
    output.append(.record(record))
  }
}
