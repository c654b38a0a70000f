import EncircleText
import EncircleTree

/// The texts of a tree's elements, as SDKs send them with a tap.
///
/// They do not include anything that somebody typed: text fields, text views, search bars and secure fields, and all
/// elements inside them, have no text here.
public struct ElementContents: Sendable {
  /// The greatest length of a cell's content, in bytes. A longer one is cut off after a whole Unicode scalar.
  public static let maximumLength = 4096

  private let screen: IdentifiedTree
  // The elements that have a text of their own, in pre-order. `next` is the index, in this array, of the first one
  // after the element's subtree.
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
    // Going backwards, the elements inside a subtree are skipped by their own `next`, so this is linear.
    for i in texts.indices.reversed() {
      let end = screen.tree.subtreeEnd(of: texts[i].element)
      var next = i + 1
      while next < texts.count, texts[next].element < end { next = texts[next].next }
      texts[i].next = next
    }
    self.texts = texts
  }

  /// Returns the text of an element. For a cell without one, it is the texts of its descendants in pre-order, joined by
  /// `-`.
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
      // A view inside one with a text, such as a button's label, has the same text again.
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
