import EncircleText
import EncircleTree

/// The contents of elements as Sensors Analytics for Android sends them.
///
/// The content of a group is its description, or else the contents of its visible leaves, joined by `-`. Text that somebody typed
/// is never part of a content.
///
/// Source: sa-sdk-android 6.8.5, SAViewUtils.java.
struct SensorsAndroidContents: Sendable {
  private let android: AndroidScreen
  // The leaves that have a content, and the elements whose subtrees contribute nothing, in pre-order. `next` is the index of the
  // first entry after the element's subtree.
  private var parts: [(element: ElementID, text: String?, next: Int)] = []
  /// The elements whose content is one letter or digit, as on a key of a keypad.
  private(set) var keys: Set<ElementID> = []

  /// The greatest length of a content, in UTF-16 units; the SDK cuts a longer one off there and adds a `$`.
  static let maximumLength = 8191

  /// - Complexity: O(elements).
  init(_ android: AndroidScreen) {
    self.android = android
    let tree = android.tree
    for element in tree.elements {
      if tree.isHidden(element) {
        parts.append((element, nil, 0))
      }
      if !android.kinds(of: element).contains(.viewGroup), !isIgnored(element), let text = ownContent(of: element) {
        parts.append((element, text, 0))
      }
    }
    for i in parts.indices.reversed() {
      var next = i + 1
      if parts[i].text == nil {
        let end = tree.subtreeEnd(of: parts[i].element)
        while next < parts.count, parts[next].element < end { next = parts[next].next }
      }
      if next < parts.count, parts[next].text == nil { next = parts[next].next }
      parts[i].next = next
    }
    for element in tree.elements {
      guard let content = content(of: element), content.utf8.count == 1, let byte = content.utf8.first else { continue }
      if isLetter(byte) || isDigit(byte) { keys.insert(element) }
    }
  }

  /// Returns the content of an element; nil if it has none, or may be private.
  func content(of element: ElementID) -> String? {
    guard !android.holdsTypedText(element) else { return nil }
    let kinds = android.kinds(of: element)
    if kinds.contains(.spinner) { return joined(element) ?? label(element) }
    if kinds.contains(.tab) {
      if let custom = customView(of: element) { return joined(custom) ?? label(element) }
      return text(.title, element) ?? label(element)
    }
    if kinds.contains(.bottomNavigationItem) { return text(.title, element) ?? label(element) }
    if kinds.contains(.navigationView) { return isOnScreen(element) ? "Open" : "Close" }
    guard kinds.contains(.viewGroup) else { return ownContent(of: element) }
    return label(element) ?? joined(element)
  }

  /// Returns the joined contents of a group, or the content of a leaf; nil if there is none.
  ///
  /// - Complexity: O(length + log elements).
  func joined(_ element: ElementID) -> String? {
    guard !android.holdsTypedText(element) else { return nil }
    guard android.kinds(of: element).contains(.viewGroup) else { return ownContent(of: element) }
    let end = android.tree.subtreeEnd(of: element)
    var i = parts.partitioningIndex { $0.element > element }
    if i < parts.count, parts[i].text == nil { i = parts[i].next }
    var result = ""
    var length = 0
    while i < parts.count, parts[i].element < end, length <= Self.maximumLength {
      if let text = parts[i].text {
        if !result.isEmpty { result += "-" }
        result += text
        length += text.utf16.count + 1
      }
      i = parts[i].next
    }
    return result.isEmpty ? nil : Self.cut(result)
  }

  private static func cut(_ text: String) -> String {
    text.utf16.count > maximumLength ? text.beginning(utf16Units: maximumLength) + "$" : text
  }

  /// Returns the view that the developer put into a tab.
  func customView(of tab: ElementID) -> ElementID? {
    guard let name = android.attributes.tabCustomView else { return nil }
    let tree = android.tree
    if tree.isTrue(name, of: tab) { return tree.firstChild(of: tab) }
    return (tab.index + 1..<tree.subtreeEnd(of: tab).index).lazy.map { ElementID($0) }
      .first { tree.isTrue(name, of: $0) }
  }

  func isIgnored(_ element: ElementID) -> Bool { android.isTrue(android.attributes.sensorsIgnored, element) }

  // MARK: - Leaves

  private func text(_ name: AttributeName?, _ element: ElementID) -> String? {
    android.value(name, element).flatMap { $0.isEmpty ? nil : $0 }
  }

  private func label(_ element: ElementID) -> String? { text(.label, element) }

  private func ownContent(of element: ElementID) -> String? {
    let kinds = android.kinds(of: element)
    guard !kinds.contains(.editText), !android.holdsTypedText(element) else { return nil }
    var content: String?
    if !kinds.isDisjoint(with: [.toggleButton, .platformSwitch, .switchCompat]), !kinds.contains(.checkBox),
      !kinds.contains(.radioButton)
    {
      let isOn = android.tree.isTrue(.on, of: element)
      content = text(isOn ? android.attributes.textOn : android.attributes.textOff, element)
    } else if kinds.contains(.textView) {
      content = text(.text, element)
    } else if kinds.contains(.ratingBar) {
      content = JavaNumber.float(android.value(.value, element))
    } else if kinds.contains(.seekBar) {
      content = JavaNumber.int(android.value(.value, element))
    }
    if content == nil, kinds.contains(.textView) { content = text(.placeholder, element) }
    return content ?? label(element)
  }

  // MARK: - Visibility

  /// Returns whether any part of an element is on the screen, according to the frames.
  private func isOnScreen(_ element: ElementID) -> Bool {
    let tree = android.tree
    guard !tree.isHidden(element), (tree.value(.alpha, of: element).flatMap { Double($0) } ?? 1) > 0 else {
      return false
    }
    guard let frame = tree.frame(of: element) else { return true }
    var (left, top, right, bottom) = (0.0, 0.0, frame.width, frame.height)
    var origin = frame
    for view in tree.ancestors(of: element) {
      left += origin.x
      right += origin.x
      top += origin.y
      bottom += origin.y
      guard let bounds = tree.frame(of: view) else { break }
      (left, top, right, bottom) = (max(left, 0), max(top, 0), min(right, bounds.width), min(bottom, bounds.height))
      origin = bounds
    }
    return left < right && top < bottom
  }
}
