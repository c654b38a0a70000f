import Synchronization

/// Counts failed logins by address, so that nobody tries tokens for long.
final class FailedLogins: Sendable {
  private struct Window {
    var start: ContinuousClock.Instant
    var failures = 0
  }

  private static let most = 10
  private static let length = Duration.seconds(60)
  /// Addresses are forgotten together when there are more.
  private static let mostAddresses = 10_000
  private let windows = Mutex<[String: Window]>([:])

  /// - Throws: ``ServiceError`` with 429 where an address has failed too often within a minute.
  func check(_ address: String) throws {
    let wait = windows.withLock { windows -> Duration? in
      guard let window = windows[address], window.failures >= Self.most else { return nil }
      let left = Self.length - (ContinuousClock.now - window.start)
      return left > .zero ? left : nil
    }
    guard let wait else { return }
    throw ServiceError(
      status: .tooManyRequests, code: "too-many-logins", message: "Too many logins have failed: wait a minute.",
      headers: [.retryAfter: String(wait.components.seconds + 1)])
  }

  func count(_ address: String) {
    let now = ContinuousClock.now
    windows.withLock { windows in
      if windows.count >= Self.mostAddresses { windows.removeAll() }
      if let window = windows[address], now - window.start < Self.length {
        windows[address]?.failures += 1
      } else {
        windows[address] = Window(start: now, failures: 1)
      }
    }
  }
}
