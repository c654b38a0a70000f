import EncircleEvents
import EncircleIdentity
import EncircleText
import EncircleTree

/// The view controllers, views and classes of an app's process, as the signals describe them.
struct SessionWorld {
  /// A view controller.
  struct Controller {
    var className: String
    var title: String?
    /// The number of the parent.
    var parent: Int?
    /// The numbers of the children, in the order in which they were added.
    var children: [Int] = []
    /// The number of the child that is shown, if a signal names it.
    var top: Int?
    var url: String?
    var isIgnored = false
    var properties: EventObject?
    /// The number of the page that a navigation controller showed last.
    var previousPage: Int?
    /// This is true if the app has released the page, while something else still holds it.
    var isReleased = false
    /// This is true if `viewWillAppear:` was called, and neither `viewDidAppear:` nor `viewDidDisappear:` since.
    var isAppearing = false
  }

  /// A view.
  struct View {
    var className: String
    /// The number of the controller that owns the view.
    var controller: Int?
    /// The index of the superview.
    var superview: Int?
    var subviews: [Int] = []
    var attributes = EventObject()
    var frame = SessionFrame()
    var elementID: String?
    var isIgnored = false
    var comesAfterAction = false
    var isTracking = false
    /// The uptime of the last click that was tracked.
    var lastClick = 0.0
    /// The element of a capture that shows the view.
    var element: CapturedElement?
    /// This is true if the session itself states the content of the view, which then replaces the capture's.
    var isDescribed = false

    var isHidden: Bool { attributes.flag("hidden") ?? element?.isHidden ?? false }
  }

  // Attributes that are not part of a view's content.
  private static let notContents: Set<UTF8String> = ["hidden", "indexPath"]

  private let limits: SessionLimits
  private let style: PathStyleName?
  private(set) var classes = ClassHierarchy.builtIn
  private var ownClasses = 0
  private var controllerNumbers: [UTF8String: Int] = [:]
  private(set) var controllers: [Int: Controller] = [:]
  private var controllersSoFar = 0
  private var viewIndexes: [UTF8String: Int] = [:]
  private(set) var views: [View] = []
  // The views of React Native, by their React tags.
  private var reactViews: [Int: Int] = [:]
  /// The number of the controller that the window shows.
  private(set) var rootController: Int?
  private var isRootChosen = false

  /// - Parameter style: The style of the SDK's paths, which captures must support; nil if the SDK has no paths.
  init(limits: SessionLimits, style: PathStyleName? = nil) {
    self.limits = limits
    self.style = style
  }

  // MARK: - Classes

  /// Returns whether a class is `base` or a subclass of it.
  func isClass(_ name: String, kindOf base: String) -> Bool { classes.isClass(name, kindOf: base) }

  /// Records the superclass of a class: `base` if given, else the known superclass, else `defaultBase`.
  private mutating func declare(_ name: String, base: String?, defaultBase: String) throws(SessionModelError) {
    if let base {
      if !classes.contains(base) { try addClass(base, defaultBase) }
      if sameText(classes.superclasses(of: name).first, base) || sameText(name, base) { return }
      try addClass(name, base)
    } else if !classes.contains(name) {
      try addClass(name, defaultBase)
    }
  }

  /// Records the class of a captured element with its superclasses.
  private mutating func declare(_ element: CapturedElement, defaultBase: String) throws(SessionModelError) {
    var base = defaultBase
    for name in element.superclasses.reversed() + [element.className] {
      if !classes.contains(name) { try addClass(name, base) }
      base = name
    }
  }

  private mutating func addClass(_ name: String, _ base: String) throws(SessionModelError) {
    ownClasses += 1
    if ownClasses > limits.classes { throw SessionModelError("more than \(limits.classes) classes") }
    guard classes.add(name, superclass: base) else {
      throw SessionModelError("the class '\(VisibleText.shortened(name))' cannot have this superclass")
    }
  }

  // MARK: - Controllers

  /// Returns the number of a controller; nil if no controller has this name.
  func number(ofController id: String) -> Int? { controllerNumbers[UTF8String(id)] }

  /// Returns whether a controller's class is `base` or a subclass of it.
  func isController(_ number: Int, kindOf base: String) -> Bool {
    controllers[number].map { classes.isClass($0.className, kindOf: base) } ?? false
  }

  /// Returns whether a controller's class is one of `bases` or a subclass of one.
  func isController(_ number: Int, kindOfAny bases: [String]) -> Bool {
    bases.contains { isController(number, kindOf: $0) }
  }

  /// Updates a controller, or creates it if no controller has this name.
  mutating func define(_ signal: ControllerSignal) throws(SessionModelError) -> Int {
    let number = try number(ofDefined: signal.id, signal.className, signal.base)
    if let title = signal.title { controllers[number]?.title = title }
    if let url = signal.url { controllers[number]?.url = url }
    if let isIgnored = signal.isIgnored { controllers[number]?.isIgnored = isIgnored }
    if let properties = signal.properties { controllers[number]?.properties = properties }
    if let parent = signal.parent { try setParent(of: number, to: parent) }
    if signal.isTop == true {
      if let parent = controllers[number]?.parent {
        controllers[parent]?.top = number
      } else {
        rootController = number
        isRootChosen = true
      }
    }
    return number
  }

  private mutating func number(
    ofDefined id: String, _ className: String?, _ base: String?
  ) throws(SessionModelError) -> Int {
    if let number = controllerNumbers[UTF8String(id)] {
      if let className {
        try declare(className, base: base, defaultBase: "UIViewController")
        controllers[number]?.className = className
      }
      return number
    }
    if controllers.count >= limits.controllers {
      throw SessionModelError("more than \(limits.controllers) view controllers at a time")
    }
    let name = className ?? id
    try declare(name, base: base, defaultBase: "UIViewController")
    let number = controllersSoFar
    controllersSoFar += 1
    controllers[number] = Controller(className: name)
    controllerNumbers[UTF8String(id)] = number
    if rootController == nil, !classes.isClass(name, kindOf: "UIAlertController") { rootController = number }
    return number
  }

  private mutating func setParent(of number: Int, to id: String) throws(SessionModelError) {
    let parent = try self.number(ofDefined: id, nil, nil)
    if controllers[number]?.parent == parent { return }
    var ancestor: Int? = parent
    var steps = 0
    while let current = ancestor {
      steps += 1
      if current == number { throw SessionModelError("a view controller cannot be inside itself") }
      if steps > limits.nesting {
        throw SessionModelError("view controllers are nested deeper than \(limits.nesting) levels")
      }
      ancestor = controllers[current]?.parent
    }
    removeFromParent(number)
    controllers[number]?.parent = parent
    controllers[parent]?.children.append(number)
    // The window never shows a child.
    if rootController == number, !isRootChosen {
      rootController = parent
    }
  }

  private mutating func removeFromParent(_ number: Int) {
    guard let parent = controllers[number]?.parent else { return }
    controllers[parent]?.children.removeAll { $0 == number }
    if controllers[parent]?.top == number { controllers[parent]?.top = nil }
    controllers[number]?.parent = nil
  }

  /// Records that the app releases a controller. The controller stays while `isHeld`.
  mutating func release(_ id: String, isHeld: Bool) {
    guard let number = controllerNumbers.removeValue(forKey: UTF8String(id)) else { return }
    if isHeld { controllers[number]?.isReleased = true } else { forget(number) }
  }

  /// Removes a controller that nothing holds.
  mutating func forget(_ number: Int) {
    removeFromParent(number)
    for child in controllers[number]?.children ?? [] { controllers[child]?.parent = nil }
    controllers[number] = nil
    if rootController == number {
      rootController = nil
      isRootChosen = false
    }
  }

  mutating func setAppearing(_ number: Int, to isAppearing: Bool) { controllers[number]?.isAppearing = isAppearing }

  mutating func setPreviousPage(of number: Int, to page: Int?) { controllers[number]?.previousPage = page }

  /// Returns the controller that a navigation or tab bar controller shows.
  func topController(of number: Int) -> Int? {
    guard let controller = controllers[number] else { return nil }
    if let top = controller.top { return top }
    return isController(number, kindOf: "UINavigationController") ? controller.children.last : controller.children.first
  }

  // MARK: - Views

  /// Returns the index of a view; nil if no view has this name.
  func index(ofView id: String) -> Int? { viewIndexes[UTF8String(id)] }

  /// Returns the index of the view with a React tag; nil if no view has it.
  func index(ofReactTag tag: Int) -> Int? { reactViews[tag] }

  /// Returns whether a view's class is `base` or a subclass of it.
  func isView(_ index: Int, kindOf base: String) -> Bool { classes.isClass(views[index].className, kindOf: base) }

  /// Returns whether a view's class is one of `bases` or a subclass of one.
  func isView(_ index: Int, kindOfAny bases: [String]) -> Bool { bases.contains { isView(index, kindOf: $0) } }

  /// Updates a view, or creates it if no view has this name.
  ///
  /// - Parameter defaultBase: The superclass of an unknown class.
  mutating func define(_ signal: ViewSignal, defaultBase: String = "UIView") throws(SessionModelError) -> Int {
    if let element = signal.element { try check(element) }
    let index: Int
    if let known = viewIndexes[UTF8String(signal.id)] {
      index = known
      if let element = signal.element, signal.className == nil {
        try declare(element, defaultBase: defaultBase)
        views[index].className = element.className
      } else if let className = signal.className {
        try declare(className, base: signal.base, defaultBase: defaultBase)
        views[index].className = className
      }
    } else {
      if views.count >= limits.views { throw SessionModelError("more than \(limits.views) views in one process") }
      let className = signal.className ?? signal.element?.className ?? defaultBase
      if let element = signal.element, signal.className == nil {
        try declare(element, defaultBase: defaultBase)
      } else {
        try declare(className, base: signal.base, defaultBase: defaultBase)
      }
      index = views.count
      views.append(View(className: className))
      viewIndexes[UTF8String(signal.id)] = index
    }
    if let id = signal.controller {
      views[index].controller = try number(ofDefined: id, nil, nil)
    }
    if let id = signal.superview { try setSuperview(of: index, to: id) }
    if let element = signal.element { views[index].element = element }
    if let attributes = signal.attributes {
      views[index].attributes.merge(attributes)
      if attributes.members.contains(where: { !Self.notContents.contains(UTF8String($0.name)) }) {
        views[index].isDescribed = true
      }
    }
    if views[index].attributes.members.count > limits.members {
      throw SessionModelError("more than \(limits.members) attributes of a view")
    }
    if let frame = signal.frame { views[index].frame = frame }
    if let elementID = signal.elementID { views[index].elementID = elementID }
    if let isIgnored = signal.isIgnored { views[index].isIgnored = isIgnored }
    if let comesAfterAction = signal.comesAfterAction { views[index].comesAfterAction = comesAfterAction }
    if let isTracking = signal.isTracking { views[index].isTracking = isTracking }
    if let tag = signal.reactTag { reactViews[tag] = index }
    return index
  }

  private func check(_ element: CapturedElement) throws(SessionModelError) {
    guard let style, let refusal = style.refusal(of: element.capture.screen) else { return }
    throw SessionModelError("\(element.capture.name): \(refusal)")
  }

  private mutating func setSuperview(of index: Int, to id: String) throws(SessionModelError) {
    guard let superview = viewIndexes[UTF8String(id)] else {
      throw SessionModelError("there is no view '\(VisibleText.shortened(id))'")
    }
    if views[index].superview == superview { return }
    var ancestor: Int? = superview
    var steps = 0
    while let current = ancestor {
      steps += 1
      if current == index { throw SessionModelError("a view cannot be inside itself") }
      if steps > limits.nesting { throw SessionModelError("views are nested deeper than \(limits.nesting) levels") }
      ancestor = views[current].superview
    }
    if let old = views[index].superview { views[old].subviews.removeAll { $0 == index } }
    views[index].superview = superview
    views[superview].subviews.append(index)
  }

  mutating func setLastClick(of index: Int, to uptime: Double) { views[index].lastClick = uptime }

  /// Returns the next controller in the responder chain of a view: the controller of the nearest view that has one.
  func nextController(ofView index: Int) -> Int? {
    var view: Int? = index
    while let current = view {
      if let number = views[current].controller, controllers[number] != nil { return number }
      view = views[current].superview
    }
    return nil
  }

  /// Returns the descendants of a view in pre-order, without the descendants of views for which `stops` returns true.
  func descendants(of index: Int, stops: (Int) -> Bool = { _ in false }) -> [Int] {
    var result: [Int] = []
    var open = Array(views[index].subviews.reversed())
    while let next = open.popLast() {
      result.append(next)
      if !stops(next) { open += views[next].subviews.reversed() }
    }
    return result
  }
}
