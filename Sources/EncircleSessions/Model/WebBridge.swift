import EncircleEvents
import EncircleText
import Foundation

/// The requests by which web pages send events to an SDK, and the user agent by which they detect it.
enum WebBridge {
  private static let eventRequest = "sensorsanalytics://trackEvent"
  private static let idRequest = "sensorsanalytics://getAppInfo"
  private static let mark = "sa-sdk-ios"

  /// Returns whether a page asks for the app's IDs, which takes precedence over everything else in the request.
  static func asksForIDs(_ url: String) -> Bool { url.utf8.contains(idRequest.utf8) }

  /// The kinds of requests.
  enum Request {
    /// Not for the SDK.
    case other
    /// For the SDK, but without an event.
    case empty
    case event(EventObject)
  }

  /// Returns the kind of a page's request.
  ///
  /// - Throws: An error for objects with more than `members` members.
  static func request(_ url: String, members: Int) throws(SessionModelError) -> Request {
    guard url.utf8.contains(eventRequest.utf8) else { return .other }
    guard let message = message(inQueryOf: url) else { return .empty }
    for object in [message] + message.members.compactMap({ Self.object($0.value) })
    where object.members.count > members {
      throw SessionModelError("more than \(members) members in one object")
    }
    return .event(message)
  }

  private static func object(_ value: EventValue) -> EventObject? {
    if case .object(let object) = value { return object }
    return nil
  }

  /// Returns the object in the last parameter named `event`.
  private static func message(inQueryOf url: String) -> EventObject? {
    let query = url.utf8.prefix { $0 != UInt8(ascii: "#") }.drop { $0 != UInt8(ascii: "?") }.dropFirst()
    let values = query.split(separator: UInt8(ascii: "&")).compactMap { item -> Substring? in
      let parts = item.split(separator: UInt8(ascii: "="), omittingEmptySubsequences: false)
      return parts.count > 1 && parts[0].elementsEqual("event".utf8) ? parts.last.map { Substring($0) } : nil
    }
    guard let text = values.last.flatMap({ String($0).removingPercentEncoding }),
      case .object(let object)? = try? EventValue(json: text.utf8)
    else { return nil }
    return object
  }

  /// Returns the user agent with the SDK's mark appended after a space, unless it already has the mark.
  static func markedUserAgent(_ text: String) -> String {
    text.utf8.contains(mark.utf8) ? text : "\(text) /\(mark)"
  }

  /// Writes the marked user agent as a note.
  static func note(userAgent text: String, _ output: inout ReplayOutput) {
    output.append(.note("user agent: \(markedUserAgent(text))"))
    output.explain("web.agent", "The SDK's mark is appended once, and nothing is replaced.")
  }

  /// Returns the event of a request; nil, with a reason in the output, if it has none.
  static func event(
    in url: String, members: Int, _ output: inout ReplayOutput
  ) throws(SessionModelError) -> EventObject? {
    switch try request(url, members: members) {
    case .event(let message): return message
    case .empty:
      output.explain("web.query", "The request has no event that is an object in JSON; it is taken nevertheless.")
    case .other: output.explain("web.request", "The request is none of the SDK's: it passes.")
    }
    return nil
  }
}
