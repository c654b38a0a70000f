import Foundation

/// The clocks and the timer of a sender.
public protocol DeliveryClock: Sendable {
  /// The device's time of day, in milliseconds since 1970.
  var now: Int64 { get }
  /// Seconds since some moment. It never goes back, even if the time of day does.
  var uptime: Double { get }
  /// Waits for a number of seconds, or until the task is cancelled.
  func sleep(_ seconds: Double) async
}

/// The clocks of the system.
public struct SystemDeliveryClock: DeliveryClock {
  private let start = ContinuousClock.now

  /// Creates the clocks.
  public init() {}

  /// The time of day, in milliseconds since 1970.
  public var now: Int64 { Int64((Date().timeIntervalSince1970 * 1000).rounded(.down)) }

  /// Seconds since these clocks were created.
  public var uptime: Double { (ContinuousClock.now - start) / .seconds(1) }

  /// Waits for a number of seconds, or until the task is cancelled.
  public func sleep(_ seconds: Double) async {
    // It sleeps for at most a day: callers sleep again if they wake too early.
    try? await Task.sleep(for: .seconds(min(max(seconds, 0), 86400)))
  }
}
