import EncircleText
import EncircleTree

/// The events of GrowingIO 4 for Android.
///
/// Source: growingio-sdk-android-autotracker 4.5.2, ViewNodeV4Renderer.java, ViewAttributeUtil.java and ViewUtil.java.
struct GrowingIOAndroidTaps: Sendable {
  private let android: AndroidScreen
  // For each element, its own content, and whether anything in its subtree has one.
  private var own: [String?] = []
  private var hasContent: [Bool]

  /// The greatest length of a content, in UTF-16 units; the SDK cuts off the rest.
  static let maximumLength = 100

  /// - Complexity: O(elements).
  init(_ android: AndroidScreen) {
    self.android = android
    let tree = android.tree
    hasContent = Array(repeating: false, count: tree.count)
    own.reserveCapacity(tree.count)
    for element in tree.elements { own.append(ownContent(of: element).map(Self.cut)) }
    for e in (0..<tree.count).reversed() {
      if own[e] != nil { hasContent[e] = true }
      if hasContent[e], let parent = tree.parent(of: ElementID(e)) { hasContent[parent.index] = true }
    }
  }

  func tap(on element: ElementID) -> AndroidTap {
    var tap = AndroidTap()
    let callback = android.callback(of: element)
    let isMenuItem = android.value(android.attributes.menuItem, element) != nil
    tap.isTracked = isTracked(element)
    // If a field was empty and still is, leaving it sends nothing.
    if callback == .focusChange, android.value(.text, element) == "" { tap.isTracked = false }
    if callback?.changesValue ?? false { tap.eventName = "VIEW_CHANGE" }
    let root = isMenuItem ? nil : android.shownFragment(around: element)
    tap.page = android.controller(root ?? android.activity(of: element)).map { AndroidName($0).simple }
    tap.pathElement = element
    if isMenuItem {
      tap.content = android.tree.value(.title, of: element).flatMap { $0.isEmpty ? nil : Self.cut($0) }
    } else if callback == .radioGroup, android.value(android.attributes.growingContent, element) == nil {
      // The tap turns the button on.
      tap.content = Self.cut(compoundContent(of: element, isOn: true))
    } else {
      tap.content = content(of: element)
    }
    return tap
  }

  func isTracked(_ element: ElementID) -> Bool {
    android.callback(of: element) != nil && !android.node(of: element).isIgnored
  }

  // The SDK may cut between the two units of a character; half a character is not valid text, so it is left out here.
  private static func cut(_ text: String) -> String { text.beginning(utf16Units: maximumLength) }

  /// Returns the element's own content, else the first in its subtree in breadth-first order. Among siblings, views that are not
  /// gone come first, then labels, then larger views.
  private func content(of element: ElementID) -> String? {
    guard hasContent[element.index] else { return nil }
    if let own = own[element.index] { return own }
    var queue = [element]
    var head = 0
    while head < queue.count {
      let view = queue[head]
      head += 1
      for child in children(of: view) {
        if let own = own[child.index] { return own }
        if hasContent[child.index] { queue.append(child) }
      }
    }
    return nil
  }

  private func children(of element: ElementID) -> [ElementID] {
    let tree = android.tree
    var children: [(score: Int, area: Double, element: ElementID)] = []
    for view in tree.children(of: element) {
      let frame = tree.frame(of: view)
      let (width, height) = (frame?.width ?? 0, frame?.height ?? 0)
      let isGone = frame != nil && (width <= 0 || height <= 0) || isGone(view)
      let isText = android.kinds(of: view).contains(.textView)
      children.append(((isGone ? 0 : 100) + (isText ? 10 : 0), width * height, view))
    }
    return children.sorted { a, b in
      (b.score, b.area, a.element) < (a.score, a.area, b.element)
    }.map(\.element)
  }

  private func isGone(_ element: ElementID) -> Bool {
    let tree = android.tree
    return tree.isHidden(element) && tree.value(.hidden, of: element) != "invisible"
  }

  // MARK: - One element

  private func text(_ name: AttributeName?, _ element: ElementID) -> String? {
    android.value(name, element).flatMap { $0.isEmpty ? nil : $0 }
  }

  private func ownContent(of element: ElementID) -> String? {
    let kinds = android.kinds(of: element)
    if android.holdsTypedText(element) {
      // The description of a field is not typed text; the description of a view of an unknown kind might be.
      let isField = kinds.contains(.editText) && !android.tree.isSecure(element)
      return isField && android.tree.parent(of: element).map { !android.holdsTypedText($0) } ?? true
        ? text(.label, element) : nil
    }
    if let content = android.value(android.attributes.growingContent, element) {
      return content.isEmpty ? nil : content
    }
    return widgetContent(of: element, kinds) ?? text(.label, element)
  }

  private func widgetContent(of element: ElementID, _ kinds: AndroidKinds) -> String? {
    if kinds.contains(.ratingBar) { return JavaNumber.float(android.value(.value, element)) }
    if kinds.contains(.progressBar) { return JavaNumber.int(android.value(.value, element)) }
    if kinds.contains(.spinner) { return text(android.attributes.selectedItem, element) ?? spinnerText(element) }
    if kinds.contains(.radioGroup), let choice = radioChoice(element) { return choice }
    if kinds.contains(.compoundButton) {
      return compoundContent(of: element, isOn: android.tree.isTrue(.on, of: element))
    }
    if kinds.contains(.tab) { return text(.title, element) }
    if kinds.contains(.slider) { return sliderText(element) }
    return kinds.contains(.textView) ? text(.text, element) : nil
  }

  private func compoundContent(of element: ElementID, isOn: Bool) -> String {
    let title = android.holdsTypedText(element) ? nil : text(.text, element)
    return title.map { "\($0)[\(isOn)]" } ?? String(isOn)
  }

  private func spinnerText(_ spinner: ElementID) -> String? {
    guard let view = android.tree.firstChild(of: spinner), android.kinds(of: view).contains(.textView),
      !android.holdsTypedText(view)
    else { return nil }
    return text(.text, view)
  }

  private func sliderText(_ slider: ElementID) -> String {
    let values = (android.value(.value, slider) ?? "").splitBytes(at: "-", omittingEmptySubsequences: true)
    guard values.count == 2 else { return JavaNumber.float(android.value(.value, slider)) }
    return values.map { JavaNumber.float(String($0)) }.joined(separator: "-")
  }

  private func radioChoice(_ group: ElementID) -> String? {
    let tree = android.tree
    let chosen = (group.index + 1..<tree.subtreeEnd(of: group).index).lazy.map { ElementID($0) }.first {
      android.kinds(of: $0).contains(.radioButton) && tree.isTrue(.on, of: $0) && tree.value(.identifier, of: $0) != nil
    }
    return chosen.flatMap { android.holdsTypedText($0) ? nil : text(.text, $0) }
  }
}
