/// A control's action.
public struct TapSignal: Sendable {
  /// The kinds of events that accompany an action.
  public enum EventKind: String, CaseIterable, Sendable {
    case touches, none, motion
  }
  /// The phases of a touch.
  public enum Phase: String, CaseIterable, Sendable {
    case began, moved, stationary, ended, cancelled
  }

  /// The control.
  public var view: ViewSignal
  public var phase = Phase.ended
  public var event = EventKind.touches
  /// The number of target-actions.
  public var targets = 1
  /// The class of the target.
  public var targetClass: String?
  /// The class of the sender, if it is not the control.
  public var senderClass: String?
  /// The effects of the action.
  public var effects: [SignalAction] = []
}

/// The action of a gesture recognizer.
public struct GestureSignal: Sendable {
  /// The states of a recognizer.
  public enum State: String, CaseIterable, Sendable {
    case possible, began, changed, ended, cancelled, failed
  }

  /// An action of the recognizer.
  public struct Action: Sendable {
    /// The selector.
    public var name: String
    /// This is true if the target implements the method.
    public var isAnswered: Bool
  }

  /// The view of the recognizer.
  public var view: ViewSignal
  /// The class of the recognizer.
  public var recognizer: String
  /// The superclass of that class.
  public var recognizerBase: String?
  public var state: State
  /// The place of the touch in the view.
  public var point = (x: 0.0, y: 0.0)
  public var actions: [Action]
  /// The effects of the actions.
  public var effects: [SignalAction] = []
}

/// The selection of a cell, as the list reports it to its delegate.
public struct SelectSignal: Sendable {
  /// The session's name of the list; nil if the capture has it.
  public var view: String?
  /// The section and row of the cell; nil if the capture has them.
  public var indexPath: (section: Int, row: Int)?
  /// The cell in a capture.
  public var element: CapturedElement?
}

/// A change of React Native's responder to `view`, else to the view with the tag.
public struct ResponderSignal: Sendable {
  public var view: ViewSignal?
  public var reactTag: Int?
}

/// A tap on a button of a `UIAlertView` or a `UIActionSheet`, as its delegate receives it.
public struct AlertButtonSignal: Sendable {
  /// The alert.
  public var view: ViewSignal
  /// The number of the button.
  public var button: Int
  /// The title of the button.
  public var title: String?
}

/// A tap on the system's back button.
public struct BackSignal: Sendable {
  /// The session's name of the view controller that is left.
  public var controller: String
  /// The button; nil if the session does not have it.
  public var view: ViewSignal?
  /// The title of the button.
  public var title: String?
}
