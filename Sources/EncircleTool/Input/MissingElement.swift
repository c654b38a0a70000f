import EncircleAuthoring
import EncircleIdentity
import EncircleTree

/// What commands say of an element that a capture does not have.
enum MissingElement {
  /// Returns why a query finds no element, as it was written in `text`.
  static func message(_ query: ElementQuery, _ text: String, in screen: IdentifiedTree) -> String {
    switch query {
    case .number(let number): message(number, count: screen.tree.count)
    case .eventID(let prefix): "no element has event ID \(prefix)"
    case .point: "no trackable element is at \(text)"
    case .text: "no element says '\(text)'"
    }
  }

  /// Returns that there is no element with a number.
  static func message(_ number: Int, count: Int) -> String {
    count == 0
      ? "there is no element \(number): the capture has none"
      : "there is no element \(number): the capture has 0 to \(count - 1)"
  }
}
