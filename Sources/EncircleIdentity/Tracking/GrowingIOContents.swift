import EncircleText
import EncircleTree

/// The texts that GrowingIO sends for elements, except typed text.
///
/// Source: growingio-sdk-ios-autotracker 4.11.0, `growingNodeContent` in the categories `GrowingNode`.
struct GrowingIOContents: Sendable {
  /// The greatest length of a text, in UTF-16 code units. A character that would exceed it is omitted.
  static let maximumLength = 50

  private let screen: IdentifiedTree
  private let customContent: AttributeName?
  private var rules: [ClassKey: Rule] = [:]
  private var labels: [Label] = []

  /// The rule for finding the text of an element.
  private enum Rule {
    case label
    case imageView
    case slider
    case switchControl
    case list
    case segment
    case alertOption
    case control
    case other
  }

  /// A text that counts for the elements around it.
  private struct Label {
    /// Twice the number of the label's element. For a title, it is twice the number of the last element in its owner's subtree,
    /// plus 1, so that it comes after everything in the owner. Ascending.
    let position: Int
    /// The label or, of a title, the element that has it.
    let owner: ElementID
    let text: String
  }

  // A hostile capture may have very many siblings of very many controls without subviews.
  private static let maximumSiblings = 100

  /// - Complexity: O(elements).
  init(of screen: IdentifiedTree) {
    self.screen = screen
    customContent = screen.tree.attributeName("growingViewCustomContent")
    // The titles of the elements around the current one. They come after the elements' subviews.
    var titles: [(end: ElementID, label: Label)] = []
    for element in screen.tree.elements {
      while let last = titles.last, last.end <= element {
        labels.append(last.label)
        titles.removeLast()
      }
      let rule = rule(of: element)
      guard !screen.holdsTypedText(element) else { continue }
      switch rule {
      case .label: add(screen.tree.value(.text, of: element), element)
      case .imageView: add(labelText(in: element), element)
      default: break
      }
      if let title = titleWithoutLabel(of: element) {
        let end = screen.tree.subtreeEnd(of: element)
        titles.append((end, Label(position: 2 * end.index - 1, owner: element, text: title)))
      }
    }
    while let last = titles.popLast() { labels.append(last.label) }
  }

  private mutating func add(_ text: String?, _ element: ElementID) {
    guard let text, !text.isEmpty else { return }
    labels.append(Label(position: 2 * element.index, owner: element, text: text))
  }

  // MARK: - Contents

  /// Returns `textValue` of an element; nil if it has none, or it may be private.
  ///
  /// - Complexity: O(log elements + length).
  func content(of element: ElementID) -> String? {
    // An element without a component in the path has the content of its superview.
    if GrowingIOStyle.omits(screen.className(of: element)), let parent = screen.tree.parent(of: element) {
      return content(of: parent)
    }
    guard !screen.holdsTypedText(element), let text = fullText(of: element), !text.isEmpty else { return nil }
    return isTopmost(element) ? text : Self.shortened(text)
  }

  private func fullText(of element: ElementID) -> String? {
    let tree = screen.tree
    let rule = rules[screen.classKey(of: element)] ?? .other
    switch rule {
    case .segment: return screen.titleOfSegment(element)
    case .alertOption:
      return tree.value(.title, of: element) ?? tree.value(.text, of: element) ?? textInside(element)
    default: break
    }
    if let text = customContent.flatMap({ tree.value($0, of: element) }), !text.isEmpty { return Self.shortened(text) }
    switch rule {
    case .label: return tree.value(.text, of: element)
    case .imageView: return labelText(in: element)
    case .slider:
      let value = tree.value(.value, of: element).flatMap { Float($0) } ?? 0
      return screen.knows(.value, element) ? CNumberFormat.rounded(Double(value)) : nil
    case .switchControl:
      return screen.knows(.on, element) ? (tree.isTrue(.on, of: element) ? "true" : "false") : nil
    case .list: return nil
    case .control: return hasSubviews(element) ? textInside(element) : textBeneath(element)
    case .segment, .alertOption, .other: return textInside(element)
    }
  }

  /// Returns the first text inside an element.
  private func textInside(_ element: ElementID) -> String? { text(from: 2 * element.index + 1, in: element) }

  private func text(from position: Int, in element: ElementID) -> String? {
    let i = labels.partitioningIndex { $0.position >= position }
    // A title after the element's last subview may belong to an element around it.
    guard i < labels.count, labels[i].position < 2 * screen.tree.subtreeEnd(of: element).index,
      labels[i].owner >= element
    else { return nil }
    return labels[i].text
  }

  /// Returns the text of a control without subviews: the text of an earlier view in the same superview that lies within the
  /// control's frame.
  private func textBeneath(_ control: ElementID) -> String? {
    guard let parent = screen.tree.parent(of: control), let frame = screen.tree.frame(of: control) else { return nil }
    for view in screen.tree.children(of: parent).prefix(Self.maximumSiblings) {
      guard view < control else { return nil }
      if let inner = screen.tree.frame(of: view), frame.contains(inner), let text = text(from: 2 * view.index, in: view)
      {
        return text
      }
    }
    return nil
  }

  /// Returns the first text of the labels that are subviews of an element.
  private func labelText(in element: ElementID) -> String? {
    for view in screen.tree.children(of: element) {
      if screen.isClass(view, kindOf: "UILabel"), !screen.holdsTypedText(view),
        let text = screen.tree.value(.text, of: view), !text.isEmpty
      {
        return text
      }
    }
    return nil
  }

  /// Returns the title of a button or segment whose label the capture does not have.
  private func titleWithoutLabel(of element: ElementID) -> String? {
    let isButton = screen.kinds(of: element).contains(.button)
    if !isButton { guard case .segment? = rules[screen.classKey(of: element)] else { return nil } }
    guard let title = screen.tree.value(.title, of: element), !title.isEmpty else { return nil }
    let hasLabel = screen.tree.children(of: element).contains { screen.isClass($0, kindOf: "UILabel") }
    return hasLabel ? nil : title
  }

  private func hasSubviews(_ element: ElementID) -> Bool {
    screen.tree.firstChild(of: element) != nil || titleWithoutLabel(of: element) != nil
  }

  /// Returns whether an element is the first view of its path, whose text is not shortened.
  private func isTopmost(_ element: ElementID) -> Bool {
    var current = element
    while screen.structure.controllers[current.index] != current.rawValue, let parent = screen.tree.parent(of: current)
    {
      guard GrowingIOStyle.omits(screen.className(of: parent)) else { return false }
      current = parent
    }
    return true
  }

  private static func shortened(_ text: String) -> String {
    guard text.utf16.count > maximumLength else { return text }
    var length = 0
    var end = text.startIndex
    while end < text.endIndex {
      length += text[end].utf16.count
      guard length <= maximumLength else { break }
      end = text.index(after: end)
    }
    return String(text[..<end])
  }

  // MARK: - Rules

  private mutating func rule(of element: ElementID) -> Rule {
    let key = screen.classKey(of: element)
    if let known = rules[key] { return known }
    let kinds = screen.kinds(of: element)
    let rule: Rule =
      if !kinds.isDisjoint(with: [.alertAction, .alertCell]) {
        .alertOption
      } else if screen.isClass(element, kindOf: "UISegment") {
        .segment
      } else if !kinds.isDisjoint(with: [.tableView, .collectionView]) {
        .list
      } else if kinds.contains(.switchControl) {
        .switchControl
      } else if screen.isClass(element, kindOf: "UISlider") {
        .slider
      } else if kinds.contains(.control) {
        .control
      } else if screen.isClass(element, kindOf: "UILabel") {
        .label
      } else if screen.isClass(element, kindOf: "UIImageView") {
        .imageView
      } else {
        .other
      }
    rules[key] = rule
    return rule
  }
}

extension Frame {
  fileprivate func contains(_ other: Frame) -> Bool {
    other.x >= x && other.y >= y && other.x + other.width <= x + width && other.y + other.height <= y + height
  }
}
