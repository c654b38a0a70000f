/// The state of an app as `UIApplication` reports it.
public enum ApplicationState: String, CaseIterable, Sendable {
  case active, inactive, background
}

/// A notification of an app's life cycle, posted by the application, or by other code under its name.
public struct NotificationSignal: Sendable {
  /// The notifications of an app's life cycle.
  public enum Name: String, CaseIterable, Sendable {
    case didFinishLaunching, willEnterForeground, didBecomeActive, willResignActive, didEnterBackground, willTerminate

    /// The state that the application has while the notification is posted; nil if the state does not change.
    var state: ApplicationState? {
      switch self {
      case .didBecomeActive, .willResignActive: .active
      case .willEnterForeground: .inactive
      case .didEnterBackground: .background
      case .didFinishLaunching, .willTerminate: nil
      }
    }
  }

  /// The name of the notification.
  public var name: Name
  /// The state of the app while the notification is posted; nil for the state that iOS sets.
  public var state: ApplicationState?
  /// This is true if code other than the application posts it.
  public var isForeign = false
}
