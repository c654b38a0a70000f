import EncircleText
import EncircleTree

extension ScreenStructure {
  /// Returns whether an element is the root view of an activity. If neither the capture nor the table of classes knows the
  /// controller's kind, its name and place decide: the root of a window is an activity unless the name ends in `Fragment`;
  /// elsewhere the name must end in `Activity`.
  func isActivity(_ element: ElementID, of tree: ViewTree) -> Bool {
    guard let name = writtenControllers[element.rawValue] else { return false }
    let kinds = controllerKinds[element.rawValue] ?? []
    if kinds.contains(.fragment) { return false }
    if kinds.contains(.activity) { return true }
    return names.withBytes(of: name) { bytes in
      func ends(_ suffix: StaticString) -> Bool {
        let length = suffix.utf8CodeUnitCount
        return bytes.count >= length && sameBytes(bytes.part(bytes.count - length..<bytes.count), suffix)
      }
      return tree.parent(of: element) == nil ? !ends("Fragment") : ends("Activity")
    }
  }

  /// Returns, for each element, the root view of its window's activity; -1 if there is none. A window without an activity, such as a
  /// dialog, belongs to the activity of the window beneath it.
  ///
  /// - Complexity: O(elements).
  func androidActivities(of tree: ViewTree) -> [Int32] {
    var activities = Array(repeating: Int32(-1), count: tree.count)
    // For each window, its root and the activity.
    var windows: [(root: ElementID, activity: ElementID?)] = []
    for element in tree.elements {
      if tree.parent(of: element) == nil { windows.append((element, nil)) }
      if windows[windows.count - 1].activity == nil, isActivity(element, of: tree) {
        windows[windows.count - 1].activity = element
      }
    }
    var beneath = windows.lazy.compactMap(\.activity).first
    for window in windows {
      beneath = window.activity ?? beneath
      guard let beneath else { break }
      for e in window.root.index..<tree.subtreeEnd(of: window.root).index { activities[e] = beneath.rawValue }
    }
    return activities
  }
}

extension ScreenStructure {
  /// Returns whether an element is the root view of a fragment that is not shown, or lies in one.
  func isHiddenFragment(_ element: ElementID, of tree: ViewTree) -> Bool {
    let hidden = tree.attributeName("controllerHidden")
    let resumed = tree.attributeName("controllerResumed")
    guard hidden != nil || resumed != nil else { return false }
    var root = element
    while true {
      if let hidden, tree.isTrue(hidden, of: root) { return true }
      if let resumed, tree.valueID(resumed, of: root) != nil, !tree.isTrue(resumed, of: root) { return true }
      let above = tree.parent(of: root).map { controllers[$0.index] } ?? -1
      guard above >= 0, !isActivity(ElementID(rawValue: above), of: tree) else { return false }
      root = ElementID(rawValue: above)
    }
  }
}

extension IdentifiedTree {
  /// Returns the names that paths in the different styles use for the class of an element.
  package func writtenNames(of element: ElementID) -> [String] {
    let name = className(of: element)
    guard isAndroid else { return [name] }
    let names = AndroidName(name)
    return [name, names.canonical, names.simple]
  }

  /// Returns the page as the SDK of a style for Android sends it: in `sensors-android` the activity, or `Activity|Fragment` in a
  /// fragment; in `growingio-android` the simple name of the innermost fragment that is shown, or else of the activity; in
  /// `hubbledata-android` the activity.
  ///
  /// - Complexity: O(depth of the controllers).
  func androidPage(of element: ElementID, in style: PathStyleName) -> String? {
    let activity = structure.activities.isEmpty ? -1 : structure.activities[element.index]
    func name(_ root: Int32) -> String? { structure.writtenControllers[root].map { structure.names[$0] } }
    func fragment(where isWanted: (ElementID) -> Bool) -> Int32 {
      var root = structure.controllers[element.index]
      while root >= 0 {
        let view = ElementID(rawValue: root)
        if !structure.isActivity(view, of: tree), isWanted(view) { return root }
        root = tree.parent(of: view).map { structure.controllers[$0.index] } ?? -1
      }
      return -1
    }
    switch style {
    case .sensorsAndroid:
      return SensorsAndroidStyle.page(activity: name(activity), fragment: name(fragment { _ in true }))
    case .growingIOAndroid:
      let shown = fragment { !structure.isHiddenFragment($0, of: tree) }
      return name(shown >= 0 ? shown : activity).map { AndroidName($0).simple }
    default: return name(activity)
    }
  }
}
