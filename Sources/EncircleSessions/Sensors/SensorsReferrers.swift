import EncircleEvents

/// The previous page: the referrer of page views, and the title of the page before.
struct SensorsReferrers {
  private var currentURL: EventValue?
  private var currentTitle: EventValue?
  /// The title of the page before the current one.
  private(set) var referrerTitle: EventValue?

  /// Returns the properties of a page view with `$url` and `$referrer`, and remembers it.
  ///
  /// An app can ask to clear the referrer when it enters the background. That has no effect, because the SDK sets it here again.
  mutating func enter(url: EventValue?, _ properties: EventObject) -> EventObject {
    var result = properties
    if result["$url"] == nil, let url { result.add("$url", url) }
    if let currentURL, result["$referrer"] == nil { result.add("$referrer", currentURL) }
    currentURL = result["$url"]
    referrerTitle = currentTitle
    currentTitle = result["$title"]
    return result
  }
}
