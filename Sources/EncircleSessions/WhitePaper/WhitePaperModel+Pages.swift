import EncircleEvents

// Page views.
extension WhitePaperModel {
  mutating func appear(_ controller: Int, _ signal: ControllerSignal, _ output: inout ReplayOutput) {
    if let (rule, reason) = noPageReason(controller, signal) {
      output.explain(rule, reason, event: "$AppViewScreen")
      return
    }
    track("$AppViewScreen", pageView(controller), "page.appear", "The page appears.", &output)
  }

  /// Returns the reason why a page's appearing is not an event; nil if it is one.
  private func noPageReason(_ controller: Int, _ signal: ControllerSignal) -> (rule: String, reason: String)? {
    guard signal.callsSuper else {
      return ("page.super", "viewDidAppear: does not call the superclass's method, which the SDK has replaced.")
    }
    guard app.configuration.automaticEvents.contains(.screen) else {
      return ("page.off", "Page views are switched off.")
    }
    if process.isPassive {
      return ("page.passive", "The app was launched in the background: nobody sees the page.")
    }
    if isListed(controller, isByKind: true) {
      return ("page.list", "The class, or a superclass of it, is in the list of pages to ignore.")
    }
    return nil
  }

  /// Returns the properties of a page view, which becomes the referrer of the next one if it has a URL.
  private mutating func pageView(_ controller: Int) -> EventObject {
    var properties = screenProperties(app.world.shownPage(controller))
    guard let url = app.world.controllers[controller]?.url else { return properties }
    properties.add("$url", .string(url))
    if let last = process.lastURL { properties.add("$referrer", .string(last)) }
    process.lastURL = url
    return properties
  }

  /// Returns the properties that describe a page.
  func screenProperties(_ page: ShownPage?) -> EventObject {
    guard let page else { return EventObject() }
    var properties: EventObject = ["$screen_name": .string(page.name)]
    if let title = page.title, !title.utf8.isEmpty { properties.add("$title", .string(title)) }
    return properties
  }

  mutating func disappear(_ controller: Int, _ output: inout ReplayOutput) {
    output.explain("leave.none", "How long a page was seen is not counted in the app.")
  }
}
