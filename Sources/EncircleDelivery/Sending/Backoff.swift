/// Pauses after failures. They grow, and are random so that senders do not all try again at the same time.
public struct Backoff: Hashable, Sendable {
  /// The longest pause after the first failure, in seconds.
  public var first: Double
  /// The factor by which the pause grows with each further failure.
  public var factor: Double
  /// The longest of all pauses, in seconds.
  public var longest: Double
  /// The longest pause that a receiver can request (`Retry-After`), in seconds.
  public var longestAsked: Double

  /// Creates pauses: by default up to 1 s, 2 s, 4 s, …, 5 min.
  public init(first: Double = 1, factor: Double = 2, longest: Double = 300, longestAsked: Double = 3600) {
    self.first = max(0, first)
    self.factor = max(1, factor)
    self.longest = max(0, longest)
    self.longestAsked = max(0, longestAsked)
  }

  /// Returns a pause in seconds. It is between a half and the whole of the longest pause after this number of failures, but no
  /// shorter than the receiver requested, up to ``longestAsked``.
  ///
  /// - Parameters:
  ///   - failures: The number of failures in a row, from 1.
  ///   - random: A number from 0 up to 1.
  public func pause(after failures: Int, asked: Double?, random: Double) -> Double {
    var pause = min(first, longest)
    var left = failures - 1
    while left > 0, pause < longest, factor > 1 {
      pause = min(pause * factor, longest)
      left -= 1
      if pause == 0 { break }
    }
    return max(pause * (0.5 + min(max(random, 0), 1) / 2), min(asked ?? 0, longestAsked))
  }
}
