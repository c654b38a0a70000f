import EncircleEvents
import EncircleText

/// Durations as docs/articles.md describes them: by uptime, in seconds with three decimals.
enum ArticleDuration {
  private static let limit = 86_400.0

  /// Returns a duration as the SDK sends it; 0 for 24 hours and more, and for negative durations.
  static func value(_ seconds: Double) -> EventValue {
    let rounded = (seconds * 1000).rounded() / 1000
    guard rounded > 0, rounded < limit else { return 0 }
    return .number(DecimalNumber(rounded) ?? 0)
  }
}
