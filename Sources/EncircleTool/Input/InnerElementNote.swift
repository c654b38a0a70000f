import EncircleAuthoring
import EncircleIdentity
import EncircleText
import EncircleTree

/// Prints a note to standard error if the element that a query names is inside the element that SDKs track.
func noteInnerElement(of element: ElementID, _ query: ElementQuery, in screen: IdentifiedTree, _ capture: String) {
  guard let inner = query.innerElement(of: element, in: screen) else { return }
  func name(_ element: ElementID) -> String {
    "element \(element) (\(VisibleText.escaping(screen.className(of: element))))"
  }
  printError("\(capture): note: \(name(inner)) is inside \(name(element)), which is what SDKs track")
}
