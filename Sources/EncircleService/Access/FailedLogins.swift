import Synchronization

/// Counts failed logins by address, so that tokens cannot be guessed.
final class FailedLogins: Sendable {
  private struct Window {
    var start: ContinuousClock.Instant
    var failures = 0
  }

  private static let maximumFailures = 10
  private static let length = Duration.seconds(60)
  /// The number of failed addresses above which all counts are discarded, so that memory stays bounded.
  private static let maximumAddresses = 10_000
  private let windows = Mutex<[String: Window]>([:])

  /// Counts a failed login.
  ///
  /// - Throws: ``ServiceError`` with 429 if the address has failed too often within a minute.
  func count(_ address: String) throws {
    let now = ContinuousClock.now
    let wait = windows.withLock { windows -> Duration? in
      if windows.count >= Self.maximumAddresses, windows[address] == nil { windows.removeAll() }
      guard let window = windows[address], now - window.start < Self.length else {
        windows[address] = Window(start: now, failures: 1)
        return nil
      }
      guard window.failures >= Self.maximumFailures else {
        windows[address]?.failures += 1
        return nil
      }
      return Self.length - (now - window.start)
    }
    guard let wait else { return }
    throw ServiceError(
      .tooManyAttempts(retryAfter: Int(wait.components.seconds) + 1), code: "too-many-logins",
      message: "Too many logins have failed: wait a minute.")
  }
}
