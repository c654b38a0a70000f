import EncircleIdentity
import EncircleTree

// What a switch, a slider or a field says is what people have set it to. It changes, and names nothing.

extension ClassHierarchy {
  fileprivate static let controlsWithState = [
    "UISwitch", "UISlider", "UIStepper", "UISegmentedControl", "UIPickerView", "UIPageControl", "UIDatePicker",
    "UITextField", "UITextView",
  ]

  /// Returns whether what views of a class say is their state.
  func showsState(_ name: String) -> Bool { Self.controlsWithState.contains { isClass(name, kindOf: $0) } }
}

extension IdentifiedTree {
  /// Returns whether what an element says is its state.
  func showsState(_ element: ElementID) -> Bool {
    ClassHierarchy.controlsWithState.contains { isClass(element, kindOf: $0) }
  }
}
