/// The classes of web views. An SDK and a page communicate differently in each.
public enum WebViewKind: String, CaseIterable, Sendable {
  case modern = "WKWebView"
  case old = "UIWebView"
}

/// A step of loading a page in a web view.
public struct WebViewSignal: Sendable {
  /// The steps that a web view reports to its delegate.
  public enum Step: String, Sendable {
    case start, finish, fail
  }

  public var view: ViewSignal
  public var step: Step
  public var url: String?
  /// The description of the error; nil unless loading fails.
  public var error: String?
}
