import EncircleIdentity
import EncircleText
import EncircleTree

/// A capture with its file name.
public struct NamedScreen: Sendable {
  public let name: String
  public let screen: IdentifiedTree
  private let contents = LazyValue<ElementContents>()

  public init(name: String, screen: IdentifiedTree) {
    self.name = name
    self.screen = screen
  }

  /// Returns the class and the text of an element.
  ///
  /// - Complexity: O(elements) for the first element, then O(1).
  public func title(of element: ElementID) -> String {
    let name = screen.className(of: element)
    guard let content = contents.get({ ElementContents(of: screen) }).content(of: element), !content.isEmpty else {
      return name
    }
    return "\(name) \(VisibleText.shortened(content, columns: 30))"
  }
}
