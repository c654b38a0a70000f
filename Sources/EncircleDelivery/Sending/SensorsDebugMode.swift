import EncircleText
import Foundation

/// The debug modes of sa-sdk-ios 4.8: each event is a request of its own, and every answer deletes it.
public enum SensorsDebugMode: Hashable, Sendable {
  /// The receiver checks events and stores nothing: requests say `Dry-Run: true`.
  case checksOnly
  /// The receiver checks events and stores them.
  case checksAndStores

  /// Returns where events go in both modes: the last component of the receiver's path is replaced by `debug`.
  public static func url(for receiver: URL) -> URL {
    guard var parts = URLComponents(url: receiver, resolvingAgainstBaseURL: true) else { return receiver }
    let folder = parts.percentEncodedPath.splitBytes(at: "/").dropLast().map(String.init)
    parts.percentEncodedPath = (folder + ["debug"]).map { "/\($0)" }.joined()
    return parts.url ?? receiver
  }
}

extension DeliveryPolicy {
  /// What sa-sdk-ios 4.8 does in a debug mode; its events go to ``SensorsDebugMode/url(for:)``.
  public static func sensors(debug mode: SensorsDebugMode) -> DeliveryPolicy {
    var policy = DeliveryPolicy.sensors
    policy.flushAbove = 0
    policy.eventsPerRequest = 1
    policy.format.isDryRun = mode == .checksOnly
    policy.answers = .sensorsDebug
    return policy
  }
}
