import EncircleText
import EncircleTree

/// The values that the SDK of an Android style sends for an element besides its path.
public struct AndroidTap: Sendable {
  /// This is true if the SDK sends an event when the element is used and its text stays what it is in the capture.
  public var isTracked = false
  /// The event's name if it differs from the name of a tap, such as `VIEW_CHANGE`.
  public var eventName: String?
  public var page: String?
  public var title: String?
  /// `$element_type`; nil in style `growingio-android`.
  public var elementType: String?
  /// The text; nil if the element has none, or if somebody typed it.
  public var content: String?
  /// `$element_id`: the name of a resource id, of the element or of the list around it; nil in style `growingio-android`.
  public var resourceID: String?
  /// `$element_selector`; nil in style `growingio-android`.
  public var selector: String?
  /// The element whose path and position the event has; nil if the event has neither. In some cases the SDK reports another element
  /// than the one that was used.
  public var pathElement: ElementID?
}

/// The callbacks that SDKs for Android observe to notice the use of an element.
enum AndroidCallback: Sendable {
  case click, itemClick, groupClick, childClick, itemSelected, tab, radioGroup, checkedChange, rating, seek
  case slider, focusChange, alertButton, alertRow, menuItem

  /// This is true if GrowingIO's SDK calls the event a change.
  var changesValue: Bool {
    switch self {
    case .slider, .seek, .rating, .focusChange: true
    default: false
    }
  }

  /// This is true if Sensors' SDK first checks for a key of a keypad.
  var mayBeKey: Bool {
    switch self {
    case .click, .itemClick, .itemSelected, .checkedChange, .rating, .seek: true
    default: false
    }
  }
}

extension AndroidScreen {
  /// Returns the callback that notifies an SDK of the use of an element; nil if there is none.
  func callback(of element: ElementID) -> AndroidCallback? {
    if let item = value(attributes.menuItem, element), !item.isEmpty { return .menuItem }
    if isAlertButton(element) { return .alertButton }
    let kinds = kinds(of: element)
    if let parent = tree.parent(of: element) {
      let around = self.kinds(of: parent)
      if around.contains(.expandableList) {
        switch place(of: element) {
        case .group: return .groupClick
        case .child: return .childClick
        // Neither the list nor the view itself reports taps on a header or footer.
        case .header, .footer: return nil
        default: break
        }
      } else if around.contains(.adapterView) {
        if isAlertList(parent) { return .alertRow }
        return around.contains(.spinner) ? .itemSelected : .itemClick
      }
      if kinds.contains(.radioButton), around.contains(.radioGroup) { return .radioGroup }
    }
    if kinds.contains(.tab) { return .tab }
    if kinds.contains(.compoundButton) { return .checkedChange }
    if kinds.contains(.ratingBar) { return .rating }
    if kinds.contains(.seekBar) { return .seek }
    if kinds.contains(.slider) { return .slider }
    if kinds.contains(.editText) { return .focusChange }
    return tree.isTrue(.clickable, of: element) ? .click : nil
  }

  /// Returns the type of event that the SDK of a style sends for the use of an element; nil if it sends none.
  func trackingType(of element: ElementID, in style: PathStyleName) -> TrackingType? {
    guard let callback = callback(of: element) else { return nil }
    if style == .sensorsAndroid {
      if isTrue(attributes.sensorsIgnored, element), callback != .groupClick, callback != .menuItem { return nil }
    } else if attributes.growingIgnore != nil, node(of: element).isIgnored {
      return nil
    }
    switch callback {
    case .itemClick, .groupClick, .childClick, .itemSelected: return .tableViewSelect
    case .checkedChange, .radioGroup: return .switchControl
    case .tab, .menuItem: return .button
    case .alertButton, .alertRow: return .alert
    case .rating, .seek: return .control
    // Sensors' SDK does not listen to these.
    case .slider, .focusChange: return style == .sensorsAndroid ? nil : .control
    case .click:
      if structure.kinds[element.index].contains(.button) { return .button }
      let isRow = tree.parent(of: element).map { kinds(of: $0).contains(.recyclerView) } ?? false
      return isRow ? .collectionViewSelect : .gestureTap
    }
  }

  /// Returns the title of the page, from the action bar or else from the activity.
  func title(of element: ElementID) -> String? {
    guard let activity = activity(of: element) else { return nil }
    let titles = [value(attributes.actionBarTitle, activity), tree.value(.controllerTitle, of: activity)]
    return titles.compactMap { $0 }.first { !$0.isEmpty }
  }
}

/// The events that an SDK for Android sends for the elements of a screen.
public struct AndroidTaps: Sendable {
  private indirect enum SDK: Sendable {
    case sensors(SensorsAndroidTaps)
    case growingIO(GrowingIOAndroidTaps)
  }

  private let sdk: SDK

  /// Prepares a screen; nil if the taps of the style's SDK are not modelled, or if the screen is not an Android screen.
  ///
  /// - Complexity: O(elements).
  public init?(of chains: PathChains, style: PathStyleName) {
    guard let android = chains.screen.android else { return nil }
    switch style {
    case .sensorsAndroid: sdk = .sensors(SensorsAndroidTaps(android))
    case .growingIOAndroid: sdk = .growingIO(GrowingIOAndroidTaps(android))
    case .hubbleData, .hubbleDataAndroid, .lede, .sensors, .sensorsExact, .growingIO, .postHog, .sensorsWeb,
      .postHogWeb:
      return nil
    }
  }

  /// Returns the values sent for an element, as if a callback listened to it.
  ///
  /// - Complexity: O(depth + length of the content), except for contents in style `growingio-android`, which require a search of the
  ///   subtree.
  public func tap(on element: ElementID) -> AndroidTap {
    switch sdk {
    case .sensors(let taps): taps.tap(on: element)
    case .growingIO(let taps): taps.tap(on: element)
    }
  }

  /// Returns whether the SDK sends an event for some use of an element. That is ``AndroidTap/isTracked``, except for a field that is
  /// empty in the capture: the SDK sends an event when somebody has typed into it.
  ///
  /// - Complexity: O(depth + elements beside it).
  package func isTracked(_ element: ElementID) -> Bool {
    switch sdk {
    case .sensors(let taps): taps.isTracked(element)
    case .growingIO(let taps): taps.isTracked(element)
    }
  }
}

extension IdentifiedTree {
  /// Returns the name of an element's event in a style if it differs from the name of a tap: `growingio-android` calls changes of
  /// values `VIEW_CHANGE`.
  package func eventName(of element: ElementID, in style: PathStyleName) -> String? {
    guard style == .growingIOAndroid, let callback = android?.callback(of: element) else { return nil }
    return callback.changesValue ? "VIEW_CHANGE" : nil
  }

  /// Returns whether an element of an Android screen is an item of a menu.
  package func isMenuItem(_ element: ElementID) -> Bool { android?.callback(of: element) == .menuItem }

  /// Returns whether paths in a style differ from the paths of events, because the capture has the class names that accessibility
  /// reports, and lacks some views.
  package func hasInexactPaths(in style: PathStyleName) -> Bool {
    (style == .sensorsAndroid || style == .growingIOAndroid) && !tree.format.hasUIKitClasses
  }
}
