import EncircleText
import EncircleTree

/// Writes view-tree XML.
struct CaptureXML {
  private(set) var bytes: [UInt8] = []
  // The names of open elements are not kept, because all of them are `view`.
  private var isOpen = false

  mutating func begin(_ header: ViewTree.Header) {
    append("<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<viewTree version=\"1\"")
    let attributes = [
      ("app", header.app), ("appVersion", header.appVersion), ("os", header.os), ("screen", header.screen),
      ("capturedAt", header.capturedAt),
    ]
    for (name, value) in attributes { if let value { attribute(name, value) } }
    append(">\n")
  }

  mutating func beginView(class name: String) {
    closeTag()
    append("<view")
    attribute("class", name)
    isOpen = true
  }

  /// Adds an attribute to the view that was begun last.
  mutating func attribute(_ name: StaticString, _ value: String) { attribute("\(name)", value) }

  private mutating func attribute(_ name: String, _ value: String) {
    append(" \(name)=\"\(XMLText.escaped(value))\"")
  }

  mutating func endView() {
    if isOpen {
      append("/>\n")
      isOpen = false
    } else {
      append("</view>\n")
    }
  }

  mutating func end() { append("</viewTree>\n") }

  private mutating func closeTag() {
    if isOpen { append(">\n") }
    isOpen = false
  }

  private mutating func append(_ text: String) { bytes.append(contentsOf: text.utf8) }

  /// Returns a number of points, with no more digits than a screen can show.
  static func number(_ value: Double) -> String {
    let rounded = (value * 1_000).rounded() / 1_000
    return rounded == rounded.rounded() ? String(Int(rounded)) : String(rounded)
  }
}
