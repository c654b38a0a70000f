import EncircleEvents
import EncircleIdentity
import EncircleText

// Clicks on controls and by taps, and the attributes of views in events.
extension LedeModel {
  mutating func click(_ control: Int, _ tap: TapSignal, _ output: inout ReplayOutput) {
    trackClick(control, "click.control", "The application sends an action of a control.", &output)
  }

  mutating func click(_ view: Int?, on carrier: Int, _ gesture: GestureSignal, _ output: inout ReplayOutput) {
    if !isRecognizer(gesture, kindOf: "UITapGestureRecognizer") {
      output.explain("click.recognizer", "The recognizer is not of a tap.")
    } else if gesture.state != .ended {
      output.explain("click.state", "The tap is not recognized.")
    } else if let view {
      trackClick(
        view, "click.gesture", "A tap sends an action, or the handler of an alert's option is called.", &output)
    } else {
      output.explain("click.option", "No option is under the touch.")
    }
  }

  mutating func click(_ selection: CellSelection, _ output: inout ReplayOutput) {
    // For a cell outside the screen, only its place and the page of its list are known.
    var info = selection.cell.map { viewInfo($0) } ?? EventObject()
    info.add(selection.indexPath)
    trackClick(
      selection.cell ?? selection.list, info, "click.cell", "The list's delegate is notified of a selection.", &output)
  }

  // MARK: - Other events

  mutating func observe(_ action: SignalAction, _ view: Int, _ output: inout ReplayOutput) {
    switch action {
    case .scrollEnd:
      trackOther(.scrollEnd, view, EventObject(), "scroll.end", "The scroll view's delegate is notified.", &output)
    case .webView(let signal):
      var extra = EventObject()
      if let url = signal.url { extra.add("url", .string(url)) }
      if let error = signal.error { extra.add("error", .string(error)) }
      let name: EventName =
        switch signal.step {
        case .start: .webViewStart
        case .finish: .webViewFinish
        case .fail: .webViewFail
        }
      trackOther(name, view, extra, "web.load", "The web view's delegate is notified.", &output)
    case .setJSResponder:
      trackClick(view, "click.react-native", "React Native has made the view its responder.", &output)
    case .alertButton(let signal):
      var info = viewInfo(view)
      if let title = signal.title { info.set("title", .string(title)) }
      info.set("buttonIndex", .number(DecimalNumber(signal.button)))
      trackClick(
        view, info, "click.alert-delegate", "The alert's delegate is notified of the tapped button.", &output)
    default: output.explainUndescribed("view", "event of this kind")
    }
  }

  private mutating func trackOther(
    _ name: EventName, _ view: Int, _ extra: EventObject, _ rule: String, _ reason: String,
    _ output: inout ReplayOutput
  ) {
    var info = viewInfo(view)
    info.merge(extra)
    track(
      name.rawValue, page: app.world.shownPage(ofView: view, in: .lede), view: info, of: view, rule, reason, &output)
  }

  mutating func goBack(from controller: Int, button: Int?, title: String?, _ output: inout ReplayOutput) {
    guard app.configuration.automaticEvents.contains(.click) else {
      output.explain("click.off", "Clicks are switched off.", event: EventName.click.rawValue)
      return
    }
    // The SDK sees the navigation bar. The button is known only if the session has it.
    var info = button.map { viewInfo($0) } ?? ["viewClass": "UINavigationBar"]
    if let title { info.set("title", .string(title)) }
    track(
      EventName.click.rawValue, page: app.world.shownPage(controller), view: info, of: button, "click.back",
      "The navigation bar asks whether it should go back.", &output)
  }

  private mutating func trackClick(_ view: Int, _ rule: String, _ reason: String, _ output: inout ReplayOutput) {
    trackClick(view, viewInfo(view), rule, reason, &output)
  }

  private mutating func trackClick(
    _ view: Int, _ info: EventObject, _ rule: String, _ reason: String, _ output: inout ReplayOutput
  ) {
    guard app.configuration.automaticEvents.contains(.click) else {
      output.explain("click.off", "Clicks are switched off.", event: EventName.click.rawValue)
      return
    }
    track(
      EventName.click.rawValue, page: app.world.shownPage(ofView: view, in: .lede), view: info, of: view, rule, reason,
      &output)
  }

  /// Returns the attributes that describe a view.
  func viewInfo(_ index: Int) -> EventObject {
    let view = app.world.views[index]
    var info: EventObject = ["viewClass": .string(view.className)]
    let identity = ViewIdentity(of: index, app.world)
    let path = identity?.ledePath
    if let path { info.add("viewPath", .string(path.written)) }
    let frame = app.world.frame(ofView: index)
    let numbers = [frame.x, frame.y, frame.width, frame.height]
    info.add("frame", .list(numbers.map { .number(DecimalNumber($0) ?? 0) }))
    if let title = ShownText.text(of: index, app.world) { info.add("title", .string(title)) }
    if let digest = path?.digest { info.add("viewId", .string(Hexadecimal.text(digest))) }
    if let texts = identity?.alertTexts {
      if let title = texts.title { info.add("alertTitle", .string(title)) }
      if let message = texts.message { info.add("alertMessage", .string(message)) }
    }
    return info
  }
}
