import EncircleText
import Foundation

/// The debug modes of sa-sdk-ios 4.8: each event is sent in a separate request, and every answer deletes it.
public enum SensorsDebugMode: Hashable, Sendable {
  /// The receiver checks events and stores nothing: requests say `Dry-Run: true`.
  case checksOnly
  /// The receiver checks events and stores them.
  case checksAndStores

  /// Returns the URL for events in both modes: `debug` replaces the last component of the receiver's path.
  public static func url(for receiver: URL) -> URL {
    guard var parts = URLComponents(url: receiver, resolvingAgainstBaseURL: true) else { return receiver }
    let folder = parts.percentEncodedPath.splitBytes(at: "/").dropLast().map(String.init)
    parts.percentEncodedPath = (folder + ["debug"]).map { "/\($0)" }.joined()
    return parts.url ?? receiver
  }
}

extension DeliveryPolicy {
  /// Returns the policy of sa-sdk-ios 4.8 in a debug mode; its events go to ``SensorsDebugMode/url(for:)``.
  public static func sensors(debug mode: SensorsDebugMode) -> DeliveryPolicy {
    var policy = DeliveryPolicy.sensors
    policy.flushAbove = 0
    policy.eventsPerRequest = 1
    policy.format.isDryRun = mode == .checksOnly
    policy.answers = .sensorsDebug
    return policy
  }
}
