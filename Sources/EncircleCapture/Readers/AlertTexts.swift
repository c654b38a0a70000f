import EncircleText
import EncircleTree

/// The titles and messages of alerts in captures that have the types of XCTest: the title is the alert's label, the message
/// the second static text in it.
struct AlertTexts {
  private var openAlerts: [(element: ElementID, staticTexts: Int)] = []
  // The outermost open text field in an alert. Text in it was typed, and is not the alert's message.
  private var field: ElementID?

  /// Notes an element that has begun, and sets the texts of an alert that it is or lies in.
  ///
  /// - Parameter label: Its label or, if it has none, its name.
  mutating func begin(
    _ element: ElementID, type: UnsafeBufferPointer<UInt8>, label: UnsafeBufferPointer<UInt8>?,
    in builder: inout ViewTree.Builder
  ) {
    if sameBytes(type, "XCUIElementTypeAlert") || sameBytes(type, "XCUIElementTypeSheet")
      || sameBytes(type, "UIAAlert") || sameBytes(type, "UIAActionSheet")
    {
      openAlerts.append((element, 0))
      if let label { builder.setAlertText(title: label, of: element) }
    } else if field != nil {
      return
    } else if let alert = openAlerts.last,
      sameBytes(type, "XCUIElementTypeStaticText") || sameBytes(type, "UIAStaticText")
    {
      openAlerts[openAlerts.count - 1].staticTexts += 1
      if alert.staticTexts == 1, let label { builder.setAlertText(message: label, of: alert.element) }
    } else if !openAlerts.isEmpty, !ViewKinds(class: type).isDisjoint(with: .typedText) {
      field = element
    }
  }

  /// Notes the end of an element.
  mutating func end(_ element: ElementID?) {
    if let alert = openAlerts.last, alert.element == element { openAlerts.removeLast() }
    if let field, field == element { self.field = nil }
  }
}
