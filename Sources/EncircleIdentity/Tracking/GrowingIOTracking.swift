import EncircleText
import EncircleTree

/// The elements whose use GrowingIO tracks.
///
/// Source: growingio-sdk-ios-autotracker 4.11.0, the categories `GrowingAutotracker`, and `growingNodeDonotTrack` in
/// UIView+GrowingNode.m.
extension IdentifiedTree {
  /// Returns the type of event that the SDK sends for a tap on an element; nil if it sends none.
  ///
  /// - Complexity: O(depth).
  func growingIOTrackingType(of element: ElementID) -> TrackingType? {
    guard let type = growingIOType(of: element), !isIgnoredByGrowingIO(element) else { return nil }
    return type
  }

  /// Returns whether GrowingIO reports the use of an element as a change of its value rather than as a click.
  package func changesValue(_ element: ElementID) -> Bool {
    kinds(of: element).contains(.control) && isClass(element, kindOf: "UISlider")
  }

  private func growingIOType(of element: ElementID) -> TrackingType? {
    let kinds = kinds(of: element)
    if kinds.contains(.window) { return nil }
    if isClass(element, kindOf: "UISegment") { return isOfTrackedSegmentedControl(element) ? .control : nil }
    if kinds.contains(.alertCell) { return .alert }
    if kinds.contains(.alertAction), !structure.places[element.index].contains(.alertCell) {
      // In an alert with text fields, the SDK mistakes the list of the fields for the list of options that alerts had up to iOS 9.
      return structure.alertsWithList.contains(structure.alerts[element.index]) ? nil : .alert
    }
    if let cell = HubbleDataLocators.cellKind(of: element, tree, structure) {
      guard structure.alerts[element.index] < 0, !isInPicker(element) else { return nil }
      return cell == .table ? .tableViewSelect : .collectionViewSelect
    }
    if kinds.contains(.control), sendsGrowingIOAction(element) {
      return kinds.contains(.switchControl) ? .switchControl : kinds.contains(.button) ? .button : .control
    }
    return handles("tap", element) && isSingleTap(element) ? .gestureTap : nil
  }

  private func sendsGrowingIOAction(_ control: ElementID) -> Bool {
    guard isEnabled(control), !Self.controlsWithoutTouch.contains(where: { isClass(control, kindOf: $0) }) else {
      return false
    }
    // Captures do not contain UIKit's own targets of bar items.
    return ["UITabBarButton", "_UIButtonBarButton"].contains(UTF8String(className(of: control))) || hasActions(control)
  }

  /// Controls whose actions are not taps: for a segmented control the segment counts instead, and the others send actions without
  /// a touch.
  private static let controlsWithoutTouch = ["UISegmentedControl", "UITextField", "UIDatePicker", "UIRefreshControl"]

  /// Returns whether a segment belongs to a control whose segments the SDK finds: a UISegmentedControl itself, not a subclass.
  private func isOfTrackedSegmentedControl(_ segment: ElementID) -> Bool {
    let control = tree.ancestors(of: segment).first { isClass($0, kindOf: "UISegmentedControl") }
    return control.map { UTF8String(className(of: $0)) == "UISegmentedControl" && isEnabled($0) } ?? false
  }

  private func isInPicker(_ element: ElementID) -> Bool {
    tree.ancestors(of: element).contains { isClass($0, kindOf: "UIPickerView") }
  }

  private func isSingleTap(_ element: ElementID) -> Bool {
    guard let name = structure.stateNames.tapCount, let count = tree.value(name, of: element) else { return true }
    return count == "1"
  }

  /// Returns whether the element is hidden itself, or the developer has asked for it to be ignored.
  private func isIgnoredByGrowingIO(_ element: ElementID) -> Bool {
    if tree.isTrue(.hidden, of: element)
      || tree.value(.alpha, of: element).flatMap(Double.init).map({ $0 < 0.001 }) ?? false
    {
      return true
    }
    if isClass(element, kindOf: "TUICandidateCell") { return true }
    guard let name = structure.stateNames.ignorePolicy else { return false }
    // 1 is the view, 2 its contents, 3 both.
    if ["1", "3"].contains(tree.value(name, of: element)) { return true }
    return tree.ancestors(of: element).contains { ["2", "3"].contains(tree.value(name, of: $0)) }
  }
}
