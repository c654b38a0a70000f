import EncircleText
import EncircleTree

/// The types of events that report the use of elements.
///
/// HubbleData has names for buttons, switches, search bars, table rows and taps. The others are Encircle's, and more specific than the
/// SDKs' types.
public enum TrackingType: String, CaseIterable, Sendable {
  /// A tap on a button.
  case button = "buttonEvent"
  /// A change of a switch.
  case switchControl = "switchEvent"
  /// A use of a search bar.
  case searchBar = "searchBarEvent"
  /// The selection of a table row.
  case tableViewSelect = "tableViewSelectEvent"
  /// The selection of a collection item; Encircle's own.
  case collectionViewSelect = "collectionViewSelectEvent"
  /// A tap on any other element with a recognizer for it.
  case gestureTap = "gestureTapEvent"
  /// A long press on any other element with a recognizer for it; Encircle's own.
  case gestureLongPress = "gestureLongPressEvent"
  /// A tap on an action of an alert or action sheet; Encircle's own.
  case alert = "alertEvent"
  /// An event of any other control; Encircle's own.
  case control = "controlEvent"

  /// The type that HubbleData's SDK sends, according to docs/articles.md. The SDK sees actions of alerts through a tap
  /// recognizer, and has one type for taps and long presses.
  public var sent: TrackingType {
    switch self {
    case .alert, .gestureLongPress: .gestureTap
    default: self
    }
  }
}

extension IdentifiedTree {
  /// Returns the type of event that reports a use of the element, or nil if the element is not worth tracking.
  ///
  /// Only the elements that SDKs name have a type: the control and nothing inside it, the field of a search bar, the cell, or the view
  /// with a recognizer. In an alert it is the view that represents the action; up to iOS 9 it is the view with the action's title,
  /// and in the `sensors` styles the cell around that view.
  ///
  /// If a capture was recorded from a running app, its SDK has stated for each element whether a tap on it makes an event
  /// (`enableAppClick`), and that takes precedence.
  ///
  /// PostHog and GrowingIO follow other rules, which use the actions and states in the capture. PostHog also tracks fields for typing,
  /// but no cells.
  ///
  /// - Parameter style: The style of the SDK.
  public func trackingType(of element: ElementID, in style: PathStyleName = .hubbleData) -> TrackingType? {
    switch style {
    case .sensorsWeb, .postHogWeb: return web?.trackingType(of: element, in: style)
    case .postHog: return postHogTrackingType(of: element)
    case .growingIO: return growingIOTrackingType(of: element)
    case .sensorsAndroid, .growingIOAndroid: if let android { return android.trackingType(of: element, in: style) }
    default: break
    }
    guard let isTappable = isTappable(element) else { return ruleType(of: element, in: style) }
    return isTappable ? ruleType(of: element, in: style) ?? .gestureTap : nil
  }

  /// Returns the type that follows from the element's class, gestures and place.
  private func ruleType(of element: ElementID, in style: PathStyleName) -> TrackingType? {
    let kinds = kinds(of: element)
    let places = structure.places[element.index]
    if places.contains(.insideBarButton) { return nil }
    if places.contains(.searchBar), kinds.contains(.textField) { return .searchBar }
    if !kinds.isDisjoint(with: [.searchBar, .textField, .textView, .secureField]) { return nil }
    if kinds.contains(.recognizerCarrier) { return nil }
    if kinds.contains(.alertRepresentation) { return .alert }
    if kinds.contains(.alertCell) { return style.isSensors ? .alert : nil }
    if kinds.contains(.alertAction) {
      let isInside = places.contains(.alertRepresentation) || (style.isSensors && places.contains(.alertCell))
      return isInside ? nil : .alert
    }
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
    if kinds.contains(.menuAction), !places.contains(.insideCollectionCell) { return .gestureTap }
    if handles("tap", .clickable, element) { return .gestureTap }
    if handles("longPress", .longClickable, element) { return .gestureLongPress }
    return nil
  }

  /// Returns the nearest tracked element from an element upwards, such as the button around a label; nil if there is none.
  ///
  /// - Complexity: O(depth).
  public func trackedElement(around element: ElementID, in style: PathStyleName = .hubbleData) -> ElementID? {
    tree.inclusiveAncestors(of: element).first { trackingType(of: $0, in: style) != nil }
  }

  /// Returns whether an element has a recognizer for a gesture or, on Android, the equivalent attribute.
  private func handles(_ gesture: StaticString, _ android: AttributeName, _ element: ElementID) -> Bool {
    if tree.valueID(.gestures, of: element) != nil { return handles(gesture, element) }
    return tree.isAndroid && tree.isTrue(android, of: element)
  }
}
