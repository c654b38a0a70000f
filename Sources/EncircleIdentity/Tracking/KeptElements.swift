import EncircleText
import EncircleTree

/// The statements of a running app's SDK about the app's elements, in a capture that was recorded from the app.
extension IdentifiedTree {
  /// The style in which the app sends its events, if the capture was recorded from a running app; else nil.
  package var sdkStyle: PathStyleName? { structure.stateNames.enableAppClick == nil ? nil : .sensors }

  /// An element of a web page in an app, as its `$WebClick` names it.
  package struct WebElement: Sendable {
    /// `$element_path`: `body > div#app > button`.
    package var path: String
    package var selector: String?
    /// The number in its list, from 0.
    package var position: String?
    package var tag: String?
    package var content: String?
    /// Address and title of the page.
    package var url: String?
    package var title: String?
  }

  /// Returns the statements of a web page's script about an element; nil for a view.
  package func webElement(_ element: ElementID) -> WebElement? {
    func value(_ name: AttributeName?) -> String? { name.flatMap { tree.value($0, of: element) } }
    let names = structure.stateNames
    guard let path = value(names.elementPath) else { return nil }
    return WebElement(
      path: path, selector: value(names.elementSelector), position: value(names.elementPosition),
      tag: value(names.tagName), content: tree.value(.text, of: element), url: value(names.url),
      title: value(names.webTitle))
  }

  /// Returns whether a tap on the element makes an event according to the SDK of a running app; nil if the SDK made no statement.
  func isTappable(_ element: ElementID) -> Bool? {
    guard let name = structure.stateNames.enableAppClick, tree.valueID(name, of: element) != nil else { return nil }
    return tree.isTrue(name, of: element)
  }
}
