import EncircleText

/// The texts of elements on captured screens, by page and path: for elements that SDKs track the content that events would have,
/// for others their own text.
package struct ScreenTexts: Sendable {
  /// An element with a text.
  package struct Entry: Sendable {
    package let path: ElementPath
    /// The text; nil if captures disagree on it.
    package fileprivate(set) var text: String?
  }

  private struct Page {
    var entries: [Entry] = []
    var numbers: [ElementPath: Int] = [:]

    mutating func insert(_ text: String, _ path: ElementPath) {
      if let number = numbers[path] {
        guard let known = entries[number].text, !known.hasSameBytes(as: text) else { return }
        entries[number].text = nil
      } else {
        numbers[path] = entries.count
        entries.append(Entry(path: path, text: text))
      }
    }
  }

  private var pages: [UTF8String: Page] = [:]

  package init() {}

  /// This is true if no element is known.
  package var isEmpty: Bool { pages.isEmpty }

  /// Adds the text of an element. If it has different texts in two captures, its text is unknown.
  ///
  /// - Complexity: O(length of the path and the text).
  package mutating func insert(_ text: String, page: String, path: ElementPath) {
    pages[UTF8String(page), default: Page()].insert(text, path)
  }

  /// The elements of a page with texts, in the order of insertion.
  package subscript(page: UTF8String) -> [Entry] { pages[page]?.entries ?? [] }

  /// Returns the element with a path on a page; nil if it has no text.
  ///
  /// - Complexity: O(length of the path).
  package func entry(page: UTF8String, path: ElementPath) -> Entry? {
    pages[page].flatMap { page in page.numbers[path].map { page.entries[$0] } }
  }
}
