import EncircleEvents
import EncircleIdentity
import EncircleText

/// The kind of SDK that posts events: how it writes requests and events, and after which answers it sends them again.
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

  /// The styles of the SDK's events, which say where these have their fields; none for Sensors, where the rules alone say so.
  public var styles: [PathStyleName] {
    switch self {
    case .sensors: []
    case .postHog: [.postHog]
    case .growingIO: [.growingIO]
    }
  }

  /// Returns the status with which to answer a request that has failed, so that the SDK keeps its events and sends them again:
  /// `status` itself, if the SDK does so after that.
  ///
  /// - Parameters:
  ///   - status: That of the failure.
  ///   - userAgent: The header field `User-Agent`, in which PostHog's SDKs for apps name themselves.
  public func keepingStatus(for status: Int, userAgent: String = "") -> Int {
    switch self {
    case .sensors: SensorsAnswer.keepsEvents(status: status) ? status : 503
    // GrowingIO's SDKs keep events after everything but success, except that the one for Android deletes them after 413.
    case .growingIO: (200...299).contains(status) || status == 413 ? 503 : status
    // After 413, PostHog's SDKs send fewer events at a time.
    case .postHog where status == 413: status
    // PostHog's SDKs for iOS (until May 2026) and Android (until March 2026) delete events after every other status from 400 on.
    case .postHog where Self.postHogApps.contains { userAgent.beginsWithBytes(of: $0) }: 300
    case .postHog: [500, 502, 503, 504].contains(status) ? status : 503
    }
  }

  private static let postHogApps = ["posthog-ios/", "posthog-android/", "posthog-flutter/"]

  /// The member of an event in which its name is.
  var eventMember: String { self == .growingIO ? "eventType" : "event" }

  /// The member of an event that says whose it is.
  var personMember: String { self == .growingIO ? "deviceId" : "distinct_id" }

  /// The member of an event whose value tells it from others of the same person, name and time.
  var numberMember: StaticString {
    switch self {
    case .sensors: "_track_id"
    case .postHog: "uuid"
    case .growingIO: "eventSequenceId"
    }
  }

  /// The member that says how many milliseconds before its request an event happened, where it has no time itself.
  var offsetMember: StaticString? { self == .postHog ? "offset" : nil }
}
