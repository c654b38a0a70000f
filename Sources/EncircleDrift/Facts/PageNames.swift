import EncircleText
import EncircleTree

/// The texts, labels and identifiers of the elements of a web page.
///
/// In a web page, texts are nodes between the elements, and attributes have the names of the DOM, which are never well-known names.
package struct PageNames: Sendable {
  /// The names of an element.
  package enum Kind: String, CaseIterable, Sendable {
    /// The text of the element without the elements inside it, else the value of an `input`, else the placeholder.
    case text
    case label, identifier
  }

  private let tree: ViewTree
  // The text in each element, without the elements inside it; empty for typed text.
  private var texts: [String] = []
  private var typed: [Bool] = []
  private let valueName, placeholderName: AttributeName?
  private let labels, identifiers: [AttributeName]

  /// - Returns: Nil if the tree is not that of a web page.
  /// - Complexity: O(elements + bytes of the texts).
  package init?(_ tree: ViewTree) {
    guard let page = tree.web else { return nil }
    self.tree = tree
    valueName = tree.webAttributeName("value")
    placeholderName = tree.webAttributeName("placeholder")
    labels = ["aria-label", "alt", "title"].compactMap { tree.webAttributeName($0) }
    identifiers = ["id", "data-testid", "name"].compactMap { tree.webAttributeName($0) }
    typed = Self.typedElements(of: tree)
    var bytes = [[UInt8]](repeating: [], count: tree.count)
    for text in page.texts where !typed[text.parent.index] && !tree.isCode(text.parent) {
      tree.strings.withBytes(of: text.text) { bytes[text.parent.index] += $0 }
    }
    texts = bytes.map { bytes in
      String(decoding: Array(bytes.split { isWhiteSpace($0) || $0 == 0x0C }.joined(separator: [0x20])), as: UTF8.self)
    }
  }

  /// Returns for each element whether people type in it.
  private static func typedElements(of tree: ViewTree) -> [Bool] {
    let editable = tree.webAttributeName("contenteditable")
    var result: [Bool] = []
    result.reserveCapacity(tree.count)
    for element in tree.elements {
      let own = editable.flatMap { tree.value($0, of: element) }.map { !$0.hasSameBytes(as: "false") }
      let isInside = tree.parent(of: element).map { result[$0.index] } ?? false
      result.append(tree.isTag(element, "textarea") || own ?? isInside)
    }
    return result
  }

  /// Returns whether people type in an element.
  func isTyped(_ element: ElementID) -> Bool { typed[element.index] }

  /// Returns a name of an element; nil if it has none.
  package func value(_ kind: Kind, of element: ElementID) -> String? {
    switch kind {
    case .text:
      if !texts[element.index].isEmpty { return texts[element.index] }
      // Readers keep no value that somebody may have typed.
      let shown = tree.isTag(element, "input") ? [valueName, placeholderName] : [placeholderName]
      return first(shown.compactMap { $0 }, of: element)
    case .label: return first(labels, of: element)
    case .identifier: return first(identifiers, of: element)
    }
  }

  private func first(_ names: [AttributeName], of element: ElementID) -> String? {
    names.lazy.compactMap { tree.value($0, of: element) }.first { !$0.isEmpty }
  }
}

extension ViewTree {
  fileprivate func isTag(_ element: ElementID, _ tag: StaticString) -> Bool {
    strings.withBytes(of: classID(of: element)) { sameBytes($0, tag) }
  }

  /// Returns whether the text in an element is not for people.
  fileprivate func isCode(_ element: ElementID) -> Bool { isTag(element, "script") || isTag(element, "style") }
}
