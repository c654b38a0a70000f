import EncircleText
import EncircleTree

/// The kind of event that a tap on an element is, as HubbleData names it.
public enum TrackingType: String, CaseIterable, Sendable {
  /// A tap on a button.
  case button = "buttonEvent"
  /// A change of a switch.
  case switchControl = "switchEvent"
  /// A use of a search bar.
  case searchBar = "searchBarEvent"
  /// The selection of a table row.
  case tableViewSelect = "tableViewSelectEvent"
  /// The selection of a collection item.
  case collectionViewSelect = "collectionViewSelectEvent"
  /// A tap that a gesture recognizer takes.
  case gestureTap = "gestureTapEvent"
  /// A long press that a gesture recognizer takes.
  case gestureLongPress = "gestureLongPressEvent"
  /// A tap on an action of an alert or action sheet.
  case alert = "alertEvent"
  /// An event of any other control.
  case control = "controlEvent"
}

extension IdentifiedTree {
  /// What a tap on the element is tracked as; nil if it is not worth tracking.
  public func trackingType(of element: ElementID) -> TrackingType? {
    let kinds = kinds(of: element)
    let places = structure.places[element.index]
    if places.contains(.searchBar), !kinds.isDisjoint(with: [.searchBar, .textField]) { return .searchBar }
    if !kinds.isDisjoint(with: [.textField, .textView, .secureField]) { return nil }
    if kinds.contains(.alertAction) { return .alert }
    if structure.alerts[element.index] >= 0 {
      // What an alert's private views hold together is of no interest beside its actions.
      return kinds.contains(.control) || takes("tap", .clickable, element) ? .alert : nil
    }
    if kinds.contains(.switchControl) { return .switchControl }
    if kinds.contains(.button) { return .button }
    if kinds.contains(.control) { return .control }
    switch HubbleDataLocators.cellKind(of: element, tree, structure) {
    case .table: return .tableViewSelect
    case .collection: return .collectionViewSelect
    case nil: break
    }
    if takes("tap", .clickable, element) { return .gestureTap }
    if takes("longPress", .longClickable, element) { return .gestureLongPress }
    return nil
  }

  private func takes(_ gesture: StaticString, _ android: AttributeName, _ element: ElementID) -> Bool {
    if let gestures = tree.valueID(.gestures, of: element) {
      return tree.strings.withBytes(of: gestures) { list in
        list.split(whereSeparator: isWhiteSpace).contains { sameBytes(UnsafeBufferPointer(rebasing: $0), gesture) }
      }
    }
    return tree.format == .uiautomator && tree.isTrue(android, of: element)
  }
}
