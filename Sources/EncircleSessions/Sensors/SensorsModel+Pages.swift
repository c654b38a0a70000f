import EncircleEvents
import EncircleText

// Page views and page leaves.
extension SensorsModel {
  // Controllers inside these containers are separate pages.
  private static let containers = [
    "UITabBarController", "UINavigationController", "UIPageViewController", "UISplitViewController",
  ]

  mutating func performPage(_ action: SignalAction, _ output: inout ReplayOutput) throws(SessionModelError) {
    switch action {
    case .define(let signal):
      _ = try process.world.define(signal)
      output.explain("page.known", "A view controller is known.")
    case .willAppear(let signal):
      _ = try process.world.define(signal)
      output.explain("page.will", "A page that is about to appear is recorded when it has appeared.")
    case .appear(let signal):
      let number = try process.world.define(signal)
      try appear(number, callsSuper: signal.callsSuper, &output)
    case .disappear(let signal): try disappear(signal, &output)
    case .release(let id): release(id, &output)
    case .trackScreen(let signal, let properties):
      trackScreen(try process.world.define(signal), properties, &output)
    case .trackScreenURL(let url, let properties):
      guard process.isAvailable else {
        explainUnavailable(event: "$AppViewScreen", &output)
        return
      }
      let all = process.referrers.enter(url: url.map { .string($0) }, properties)
      track(
        SensorsDraft(.track, named: "$AppViewScreen", all), "page.code", "The app's code tracks a page by its URL.",
        &output)
    default: break
    }
  }

  // MARK: - Appearing

  private mutating func appear(
    _ number: Int, callsSuper: Bool, _ output: inout ReplayOutput
  ) throws(SessionModelError) {
    guard process.isInitialized else {
      explainUnavailable(event: "$AppViewScreen", &output)
      return
    }
    guard callsSuper else {
      output.explain(
        "page.super", "viewDidAppear: does not call the superclass's method, which the SDK has replaced.",
        event: "$AppViewScreen")
      return
    }
    if configuration.tracksPageLeave { enterPage(number) }
    if process.world.isController(number, kindOf: "UINavigationController") {
      process.world.setPreviousPage(of: number, to: nil)
    }
    let navigation = navigationParent(of: number)
    if let navigation, process.world.controllers[navigation]?.previousPage == number {
      output.explain(
        "page.same", "The navigation controller showed the same page before, as after a swipe that was cancelled.",
        event: "$AppViewScreen")
      return
    }
    if configuration.tracksChildScreens || isOwnPage(number) {
      try viewScreen(number, &output)
    } else {
      output.explain("page.child", "The page is inside another page.", event: "$AppViewScreen")
    }
    if let navigation { process.world.setPreviousPage(of: navigation, to: number) }
  }

  /// Returns the parent of a controller if it is a navigation controller.
  private func navigationParent(of number: Int) -> Int? {
    guard let parent = process.world.controllers[number]?.parent,
      process.world.isController(parent, kindOf: "UINavigationController")
    else { return nil }
    return parent
  }

  /// Returns whether a controller has no parent, or a parent whose children are pages.
  private func isOwnPage(_ number: Int) -> Bool {
    guard let parent = process.world.controllers[number]?.parent else { return true }
    return process.world.isController(parent, kindOfAny: Self.containers)
  }

  private mutating func viewScreen(_ number: Int, _ output: inout ReplayOutput) throws(SessionModelError) {
    if let (rule, reason) = noPageReason(number) {
      output.explain(rule, reason, event: "$AppViewScreen")
      return
    }
    if process.isPassive {
      if process.heldPages.count >= limits.controllers {
        throw SessionModelError("more than \(limits.controllers) pages before the app comes to the front")
      }
      process.heldPages.append(number)
      output.explain("page.passive", "The page is held until the app comes to the front.", event: "$AppViewScreen")
      return
    }
    track(page: number, "page.appear", "The page appears.", &output)
  }

  /// Returns the reason why a controller is not a page; nil if it is one.
  private func noPageReason(_ number: Int) -> (rule: String, reason: String)? {
    guard configuration.automaticEvents.contains(.screen) else { return ("page.off", "Page views are switched off.") }
    guard let controller = process.world.controllers[number] else { return ("page.gone", "The page is gone.") }
    if configuration.ignoredControllers.contains(where: { sameText($0, controller.className) }) {
      return ("page.ignored", "The app ignores exactly this class.")
    }
    if isListed(number, in: .pages) { return ("page.list", "The class is in the SDK's list of pages to ignore.") }
    if controller.isIgnored { return ("page.protocol", "The controller says that it is not a page.") }
    return nil
  }

  /// Returns whether a controller is in one of the SDK's lists.
  func isListed(_ number: Int, in list: SensorsClassList) -> Bool {
    guard let controller = process.world.controllers[number] else { return false }
    return list.names.contains(.init(controller.className)) || process.world.isController(number, kindOfAny: list.kinds)
  }

  private mutating func track(
    page number: Int, _ rule: String, _ reason: String, _ output: inout ReplayOutput
  ) {
    let properties = pageView(number, EventObject())
    trackAutomatic("$AppViewScreen", properties, rule, reason, &output)
  }

  /// Returns the properties of a page view, which becomes the referrer of the next one.
  private mutating func pageView(_ number: Int, _ extra: EventObject) -> EventObject {
    var properties = screenProperties(number)
    properties.merge(extra)
    return process.referrers.enter(url: .string(url(of: number)), properties)
  }

  /// Returns the properties of a screen: its name and title, and the properties that the controller adds or replaces.
  func screenProperties(_ number: Int) -> EventObject {
    guard let controller = process.world.controllers[number] else { return EventObject() }
    var properties: EventObject = ["$screen_name": .string(controller.className)]
    if let title = controller.title, !title.utf8.isEmpty { properties.add("$title", .string(title)) }
    if let own = controller.properties { properties.merge(own) }
    return properties
  }

  private func url(of number: Int) -> String {
    guard let controller = process.world.controllers[number] else { return "" }
    return controller.url ?? controller.className
  }

  /// Tracks the pages that appeared while the app ran in the background only.
  mutating func trackHeldPages(_ output: inout ReplayOutput) {
    guard configuration.automaticEvents.contains(.screen) else { return }
    let pages = process.heldPages
    process.heldPages = []
    for number in pages {
      if noPageReason(number) == nil {
        track(page: number, "page.held", "The page appeared before the app came to the front.", &output)
      }
    }
    for number in pages where process.world.controllers[number]?.isReleased == true {
      _ = process.leaves.leave(number)
      process.world.forget(number)
    }
  }

  private mutating func trackScreen(_ number: Int, _ extra: EventObject, _ output: inout ReplayOutput) {
    guard process.isAvailable else {
      explainUnavailable(event: "$AppViewScreen", &output)
      return
    }
    if isListed(number, in: .pages) {
      output.explain("page.list", "The class is in the SDK's list of pages to ignore.", event: "$AppViewScreen")
      return
    }
    let properties = pageView(number, extra)
    track(
      SensorsDraft(.track, named: "$AppViewScreen", properties), "page.code", "The app's code tracks the page.", &output
    )
  }

  // MARK: - Leaving

  private mutating func enterPage(_ number: Int) {
    guard canLeave(number) else { return }
    process.leaves.enter(number, at: time, url: url(of: number), screenProperties(number))
  }

  /// Returns whether leaving a page can be an event.
  private func canLeave(_ number: Int) -> Bool {
    guard let controller = process.world.controllers[number], !isListed(number, in: .pages) else { return false }
    if configuration.ignoredLeaves.contains(where: { sameText($0, controller.className) }) { return false }
    return configuration.tracksChildPageLeave || isOwnPage(number)
  }

  private mutating func disappear(
    _ signal: ControllerSignal, _ output: inout ReplayOutput
  ) throws(SessionModelError) {
    let known = process.world.number(ofController: signal.id)
    if known != nil { _ = try process.world.define(signal) }
    guard configuration.tracksPageLeave, process.isInitialized else {
      output.explain("leave.off", "Leaving pages is not tracked.", event: "$AppPageLeave")
      return
    }
    guard signal.callsSuper else {
      output.explain(
        "leave.super", "viewDidDisappear: does not call the superclass's method, which the SDK has replaced.",
        event: "$AppPageLeave")
      return
    }
    guard let number = known, canLeave(number), let page = process.leaves.leave(number) else {
      output.explain("leave.unknown", "The page is not one that was entered.", event: "$AppPageLeave")
      return
    }
    if process.lifecycle == .end || process.lifecycle == .startPassively {
      output.explain("leave.background", "The app is in the background; the page is forgotten.", event: "$AppPageLeave")
      return
    }
    track(leave: number, page, "leave.disappear", "The page disappears.", &output)
  }

  private mutating func track(
    leave number: Int, _ page: SensorsPageLeaves.Page, _ rule: String, _ reason: String, _ output: inout ReplayOutput
  ) {
    var properties = screenProperties(number)
    if properties["$url"] == nil { properties.add("$url", .string(url(of: number))) }
    properties.set("event_duration", SensorsPageLeaves.duration(from: page.begin, to: time))
    if let referrer = page.referrer { properties.set("$referrer", referrer) }
    track(SensorsDraft(.track, named: "$AppPageLeave", properties), rule, reason, &output)
  }

  /// Tracks that all open pages are left, but keeps them open.
  mutating func trackLeaves(_ rule: String, _ reason: String, _ output: inout ReplayOutput) {
    for (number, page) in process.leaves.inOrder { track(leave: number, page, rule, reason, &output) }
  }

  /// Adjusts open pages before the state of the state machine changes.
  mutating func leavePages(for new: SensorsProcess.Lifecycle, _ output: inout ReplayOutput) {
    if new == .start {
      process.leaves.restart(at: time)
    } else if new == .end {
      trackLeaves("leave.background", "The app goes to the background with the page.", &output)
    }
  }

  private mutating func release(_ id: String, _ output: inout ReplayOutput) {
    output.explain("leave.released", "A page that is released without disappearing is not left.")
    guard let number = process.world.number(ofController: id) else { return }
    let isHeld = process.heldPages.contains(number)
    if !isHeld { _ = process.leaves.leave(number) }
    process.world.release(id, isHeld: isHeld)
  }
}
