import EncircleEvents
import EncircleIdentity
import EncircleText

/// The kind of SDK that posts events: the form of its requests and events, and the answers after which it sends them again.
///
/// | SDK | request | event | repeats |
/// | --- | --- | --- | --- |
/// | Sensors | a form, with Base64 in `data` or `data_list`; JSON | `type`, `event`, `distinct_id` | `_track_id` |
/// | PostHog | JSON with `api_key` and `batch`, an array, an event; a form, with Base64 in `data` | `event`, `distinct_id` | `uuid` |
/// | GrowingIO | an array | `eventType`, `deviceId` | `eventSequenceId` |
///
/// Source: sa-sdk-ios 4.8; posthog-ios 3.69, posthog-android and posthog-js of August 2026; growingio-sdk-ios-autotracker 4.11,
/// growingio-sdk-android-autotracker 4.5, growingio-sdk-webjs-autotracker of January 2026.
public enum CollectProtocol: CaseIterable, Sendable {
  case sensors, postHog, growingIO

  /// The styles of the SDK's events, which determine the places of fields. Empty for Sensors: only the rules name its places.
  public var styles: [PathStyleName] {
    switch self {
    case .sensors: []
    case .postHog: [.postHog]
    case .growingIO: [.growingIO]
    }
  }

  /// Returns a status after which the SDK keeps the events of a failed request and sends them again. It is `status` itself if
  /// the SDK keeps its events after that.
  ///
  /// - Parameters:
  ///   - status: The status of the failure.
  ///   - userAgent: The header field `User-Agent`, in which PostHog's SDKs for apps name themselves.
  public func keepingStatus(for status: Int, userAgent: String = "") -> Int {
    switch self {
    case .sensors: SensorsAnswer.keepsEvents(status: status) ? status : 503
    // GrowingIO's SDKs keep events after everything but success. The one for Android also deletes them after 413.
    case .growingIO: (200...299).contains(status) || status == 413 ? 503 : status
    // After 413, PostHog's SDKs send fewer events per request.
    case .postHog where status == 413: status
    // PostHog's SDKs for iOS (until May 2026) and Android (until March 2026) delete events after every other status from 400 on.
    case .postHog where Self.postHogApps.contains { userAgent.beginsWithBytes(of: $0) }: 300
    case .postHog: [500, 502, 503, 504].contains(status) ? status : 503
    }
  }

  private static let postHogApps = ["posthog-ios/", "posthog-android/", "posthog-flutter/"]

  /// The member that holds the name of an event.
  var eventMember: String { self == .growingIO ? "eventType" : "event" }

  /// The member that identifies the person or device of an event.
  var personMember: String { self == .growingIO ? "deviceId" : "distinct_id" }

  /// The member whose value distinguishes an event from others of the same person, name and time.
  var numberMember: StaticString {
    switch self {
    case .sensors: "_track_id"
    case .postHog: "uuid"
    case .growingIO: "eventSequenceId"
    }
  }

  /// The member with the milliseconds between an event and its request, for events without a time.
  var offsetMember: StaticString? { self == .postHog ? "offset" : nil }
}
