import EncircleText
import EncircleTree

/// The texts of a tree's elements, as SDKs send them with a tap.
///
/// Nothing that somebody typed is among them: the texts of text fields, text views, search bars and secure fields, and of
/// whatever lies inside those, are left out.
public struct ElementContents: Sendable {
  /// The longest content of a cell, in bytes; it ends at a scalar's boundary.
  public static let maximumLength = 4096

  private let screen: IdentifiedTree
  // The elements with a text of their own, in pre-order, and of each the place in this list after its subtree.
  private let texts: [(element: ElementID, text: StringID, next: Int)]

  /// Gathers the texts of a tree.
  ///
  /// - Complexity: O(elements).
  public init(of screen: IdentifiedTree) {
    self.screen = screen
    var texts: [(element: ElementID, text: StringID, next: Int)] = []
    for element in screen.tree.elements {
      if let text = Self.ownText(of: element, screen) { texts.append((element, text, 0)) }
    }
    // From the end, so that a subtree is left in jumps over those inside it, each of which is met once.
    for i in texts.indices.reversed() {
      let end = screen.tree.subtreeEnd(of: texts[i].element)
      var next = i + 1
      while next < texts.count, texts[next].element < end { next = texts[next].next }
      texts[i].next = next
    }
    self.texts = texts
  }

  /// The text of an element or, for a cell, those of its descendants in pre-order, joined by `-`; nil if there is none.
  ///
  /// - Complexity: O(length + log elements).
  public func content(of element: ElementID) -> String? {
    if let own = Self.ownText(of: element, screen) { return screen.tree.strings[own] }
    guard !screen.structure.places[element.index].contains(.typedText),
      HubbleDataLocators.cellKind(of: element, screen.tree, screen.structure) != nil
    else { return nil }
    let end = screen.tree.subtreeEnd(of: element)
    var bytes: [UInt8] = []
    var i = texts.partitioningIndex { $0.element >= element }
    while i < texts.count, texts[i].element < end, bytes.count < Self.maximumLength {
      screen.tree.strings.withBytes(of: texts[i].text) { text in
        guard !text.isEmpty else { return }
        if !bytes.isEmpty { bytes.append(UInt8(ascii: "-")) }
        bytes.append(contentsOf: text)
      }
      // What is inside a view with a text, such as a button's label, only says it again.
      i = texts[i].next
    }
    guard !bytes.isEmpty else { return nil }
    if bytes.count > Self.maximumLength {
      var length = Self.maximumLength
      while length > 0, bytes[length] & 0xC0 == 0x80 { length -= 1 }
      bytes.removeSubrange(length...)
    }
    return String(decoding: bytes, as: UTF8.self)
  }

  private static func ownText(of element: ElementID, _ screen: IdentifiedTree) -> StringID? {
    guard !screen.structure.places[element.index].contains(.typedText) else { return nil }
    let tree = screen.tree
    if let text = tree.valueID(.text, of: element) { return text }
    if let title = tree.valueID(.title, of: element), screen.structure.alerts[element.index] != element.rawValue {
      return title
    }
    // WebDriverAgent gives the text of labels and buttons as their accessibility label.
    return tree.format == .webDriverAgent ? tree.valueID(.label, of: element) : nil
  }
}
