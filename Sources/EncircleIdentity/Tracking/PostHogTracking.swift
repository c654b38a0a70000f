import EncircleText
import EncircleTree

/// The elements whose use PostHog captures.
///
/// Source: posthog-ios 3.69.3, `shouldTrack` and `ph_shouldTrack` in PostHogAutocaptureEventTracker.swift.
extension IdentifiedTree {
  /// Returns the type of event that the SDK sends for a tap on an element, or for the end of editing it; nil if it
  /// sends none.
  ///
  /// - Complexity: O(depth).
  func postHogTrackingType(of element: ElementID) -> TrackingType? {
    let kinds = kinds(of: element)
    let isInput = isClass(element, kindOf: "UITextField") || isClass(element, kindOf: "UITextView")
    let isChosen = isInput || isClass(element, kindOf: "UIPickerView")
    let isTapped =
      !isChosen && handles("tap", element)
      && !SwiftClassName.described(className(of: element)).beginsWithBytes(of: "UISwitch")
      && UTF8String(className(of: element)) != "UIPickerColumnView"
    let sendsAction = !isInput && kinds.contains(.control) && isEnabled(element) && sendsPostHogAction(element)
    guard isChosen || isTapped || sendsAction, isCapturedByPostHog(element) else { return nil }
    if isInput, structure.places[element.index].contains(.searchBar) { return .searchBar }
    if isChosen { return .control }
    guard sendsAction else { return .gestureTap }
    return kinds.contains(.switchControl) ? .switchControl : kinds.contains(.button) ? .button : .control
  }

  /// Returns whether an action is registered for the event of the control's class.
  private func sendsPostHogAction(_ control: ElementID) -> Bool {
    guard hasActions(control) else { return false }
    let changes = Self.controlsOfValues.contains { isClass(control, kindOf: $0) }
    guard let events = structure.stateNames.actionEvents.flatMap({ tree.valueID($0, of: control) }) else {
      // If the capture does not say, the control is assumed to have the event that it is usually used with.
      return changes || !Self.changesOtherwise.contains { isClass(control, kindOf: $0) }
    }
    return tree.strings.withBytes(of: events) { hasWord(changes ? "valueChanged" : "touchUpInside", in: $0) }
  }

  /// The controls that PostHog expects to send `valueChanged`. It expects all others to send `touchUpInside`.
  private static let controlsOfValues = [
    "UISwitch", "UISlider", "UIStepper", "UISegmentedControl", "UIPageControl", "UIDatePicker",
  ]
  /// The controls that send `valueChanged` although PostHog expects `touchUpInside`.
  private static let changesOtherwise = ["UIRefreshControl", "UIColorWell"]

  /// Returns whether the SDK captures events of an element at all: the element and everything around it must be visible, accept
  /// touches and not be marked.
  private func isCapturedByPostHog(_ element: ElementID) -> Bool {
    var current: ElementID? = element
    while let view = current {
      if tree.isTrue(.hidden, of: view) || !takesTouches(view) || isMarkedNoCapture(view) { return false }
      if isSensitive(view) { return false }
      guard let parent = tree.parent(of: view) else {
        return !["UIRemoteKeyboardWindow", "UITextEffectsWindow"].contains(
          UTF8String(PostHogStyle.typeName(className(of: view))))
      }
      current = parent
    }
    return true
  }

  /// Returns whether a view takes touches. Labels and image views do so only where the app has switched it on.
  private func takesTouches(_ view: ElementID) -> Bool {
    if let name = structure.stateNames.userInteractionEnabled, tree.valueID(name, of: view) != nil {
      return tree.isTrue(name, of: view)
    }
    return !isClass(view, kindOf: "UILabel") && !isClass(view, kindOf: "UIImageView")
  }

  private func isMarkedNoCapture(_ view: ElementID) -> Bool {
    [AttributeName.identifier, .label].contains { name in
      guard let id = tree.valueID(name, of: view) else { return false }
      return tree.strings.withBytes(of: id) { text in
        let mark = "ph-no-capture".utf8
        guard text.count >= mark.count else { return false }
        return (0...text.count - mark.count).contains { start in
          zip(text[start...], mark).allSatisfy { $0 == $1 || ($0 | 0x20) == $1 && ($0 & 0x5F) >= 0x41 }
        }
      }
    }
  }

  private func isSensitive(_ view: ElementID) -> Bool {
    guard !kinds(of: view).isDisjoint(with: [.textField, .textView]) else { return false }
    if tree.isSecure(view) { return true }
    guard let name = structure.stateNames.textContentType, let type = tree.value(name, of: view) else { return false }
    return Self.sensitiveTypes.contains(UTF8String(type))
  }

  /// The values of UIKit's constants for contents of text fields that the SDK takes for sensitive.
  ///
  /// Source: posthog-ios 3.69.3, UITextInputTraits+Util.swift.
  private static let sensitiveTypes: Set<UTF8String> = [
    "new-password", "one-time-code", "cc-number", "tel", "email", "password", "username", "url", "name", "nickname",
    "additional-name", "family-name", "honorific-suffix", "honorific-prefix", "organization", "location",
    "street-address", "address-line1", "address-line2", "address-level2", "address-level1", "address-level1+2",
    "postal-code",
  ]
}

extension IdentifiedTree {
  /// Returns whether an element has a recognizer for a gesture.
  func handles(_ gesture: StaticString, _ element: ElementID) -> Bool {
    guard let gestures = tree.valueID(.gestures, of: element) else { return false }
    return tree.strings.withBytes(of: gestures) { hasWord(gesture, in: $0) }
  }

  /// Returns whether a control has actions. Only view-tree XML lists them; in other captures with UIKit's classes, a
  /// control that touches reach is assumed to have one.
  func hasActions(_ control: ElementID) -> Bool {
    guard let actions = tree.valueID(.actions, of: control) else {
      return tree.format != .viewTree && tree.format.hasUIKitClasses
        && !structure.places[control.index].contains(.insideBarButton)
    }
    return tree.strings.withBytes(of: actions) { $0.contains { !isWhiteSpace($0) } }
  }

  /// Returns whether a control is enabled, which is assumed unless the capture says otherwise.
  func isEnabled(_ control: ElementID) -> Bool {
    tree.valueID(.enabled, of: control) == nil || tree.isTrue(.enabled, of: control)
  }

  func hasWord(_ word: StaticString, in list: UnsafeBufferPointer<UInt8>) -> Bool {
    list.split(whereSeparator: isWhiteSpace).contains { sameBytes(UnsafeBufferPointer(rebasing: $0), word) }
  }
}
