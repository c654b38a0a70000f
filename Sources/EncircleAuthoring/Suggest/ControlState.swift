import EncircleIdentity
import EncircleTree

// The text of a switch, a slider or a field is its state. It changes, so it cannot name an element.

extension ClassHierarchy {
  fileprivate static let controlsWithState = [
    "UISwitch", "UISlider", "UIStepper", "UISegmentedControl", "UIPickerView", "UIPageControl", "UIDatePicker",
    "UITextField", "UITextView",
  ]

  /// Returns whether the text of views of a class is their state.
  func showsState(_ name: String) -> Bool { Self.controlsWithState.contains { isClass(name, kindOf: $0) } }
}

extension IdentifiedTree {
  /// Returns whether the text of an element is its state.
  func showsState(_ element: ElementID) -> Bool {
    ClassHierarchy.controlsWithState.contains { isClass(element, kindOf: $0) }
  }
}
