import EncircleText
import EncircleTree

/// The types of events, as HubbleData names them.
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
  /// A tap on any other element with a recognizer for it.
  case gestureTap = "gestureTapEvent"
  /// A long press on any other element with a recognizer for it.
  case gestureLongPress = "gestureLongPressEvent"
  /// A tap on an action of an alert or action sheet.
  case alert = "alertEvent"
  /// An event of any other control.
  case control = "controlEvent"
}

extension IdentifiedTree {
  /// Returns the type of event by which a use of the element is tracked, or nil if it is not worth tracking.
  public func trackingType(of element: ElementID) -> TrackingType? {
    let kinds = kinds(of: element)
    let places = structure.places[element.index]
    if places.contains(.searchBar), !kinds.isDisjoint(with: [.searchBar, .textField]) { return .searchBar }
    if !kinds.isDisjoint(with: [.textField, .textView, .secureField]) { return nil }
    if kinds.contains(.alertAction) { return .alert }
    if structure.alerts[element.index] >= 0 {
      // The private views inside an alert only contain its actions.
      return kinds.contains(.control) || handles("tap", .clickable, element) ? .alert : nil
    }
    if kinds.contains(.switchControl) { return .switchControl }
    if kinds.contains(.button) { return .button }
    if kinds.contains(.control) { return .control }
    switch HubbleDataLocators.cellKind(of: element, tree, structure) {
    case .table: return .tableViewSelect
    case .collection: return .collectionViewSelect
    case nil: break
    }
    if handles("tap", .clickable, element) { return .gestureTap }
    if handles("longPress", .longClickable, element) { return .gestureLongPress }
    return nil
  }

  /// Returns whether an element has a recognizer for a gesture or, on Android, the attribute that says the same.
  private func handles(_ gesture: StaticString, _ android: AttributeName, _ element: ElementID) -> Bool {
    if let gestures = tree.valueID(.gestures, of: element) {
      return tree.strings.withBytes(of: gestures) { list in
        list.split(whereSeparator: isWhiteSpace).contains { sameBytes(UnsafeBufferPointer(rebasing: $0), gesture) }
      }
    }
    return tree.format == .uiautomator && tree.isTrue(android, of: element)
  }
}
