#if canImport(UIKit)
  import UIKit

  /// Finds the actions and gestures that a touch of a view can trigger.
  @MainActor enum Handlers {
    /// Returns the names of a control's action selectors in the order in which UIKit keeps them, which is the order of
    /// registration. Handlers that are closures have no names.
    static func actions(of control: UIControl) -> [String] {
      guard #available(iOS 14, *) else { return actionsByEvent(of: control) }
      var names: [String] = []
      control.enumerateEventHandlers { _, targetAction, _, _ in
        if let (_, action) = targetAction { names.append(NSStringFromSelector(action)) }
      }
      return names
    }

    /// Returns the names of a control's action selectors before iOS 14, when UIKit only reports the order of one target's actions
    /// for one event. Events are in the order of their numbers; the order of targets is undefined.
    static func actionsByEvent(of control: UIControl) -> [String] {
      var names: [String] = []
      for target in control.allTargets {
        // UIKit uses NSNull for actions that go up the responder chain.
        let receiver: Any? = target.base is NSNull ? nil : target.base
        var ofTarget: [String] = []
        for bit in 0..<UInt(32) {
          let event = UIControl.Event(rawValue: 1 << bit)
          guard !control.allControlEvents.isDisjoint(with: event) else { continue }
          for name in control.actions(forTarget: receiver, forControlEvent: event) ?? [] where !ofTarget.contains(name)
          {
            ofTarget.append(name)
          }
        }
        names += ofTarget
      }
      return names
    }

    /// Returns the events for which a control has action selectors; closures do not count.
    static func events(of control: UIControl) -> UIControl.Event {
      var events: UIControl.Event = []
      guard #available(iOS 14, *) else {
        for target in control.allTargets {
          let receiver: Any? = target.base is NSNull ? nil : target.base
          for bit in 0..<UInt(32) {
            let event = UIControl.Event(rawValue: 1 << bit)
            guard !control.allControlEvents.isDisjoint(with: event) else { continue }
            if control.actions(forTarget: receiver, forControlEvent: event)?.isEmpty == false {
              events.formUnion(event)
            }
          }
        }
        return events
      }
      control.enumerateEventHandlers { _, targetAction, event, _ in
        if targetAction != nil { events.formUnion(event) }
      }
      return events
    }

    /// Returns the distinct kinds of a view's gesture recognizers, in the order in which they were added. Kinds that the app
    /// defines are omitted.
    static func gestures(of view: UIView) -> [String] {
      var kinds: [String] = []
      for recognizer in view.gestureRecognizers ?? [] {
        guard let kind = kind(of: recognizer), !kinds.contains(kind) else { continue }
        kinds.append(kind)
      }
      return kinds
    }

    private static func kind(of recognizer: UIGestureRecognizer) -> String? {
      switch recognizer {
      case is UITapGestureRecognizer: return "tap"
      case is UILongPressGestureRecognizer: return "longPress"
      case is UIPinchGestureRecognizer: return "pinch"
      case is UIRotationGestureRecognizer: return "rotation"
      case is UISwipeGestureRecognizer: return "swipe"
      // A kind of pan.
      case is UIScreenEdgePanGestureRecognizer: return "screenEdgePan"
      case is UIPanGestureRecognizer: return "pan"
      default: return nil
      }
    }
  }
#endif
