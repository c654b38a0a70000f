import EncircleEvents
import EncircleText
import Foundation

/// Durations as sa-sdk-ios computes them: as 32-bit floating-point numbers, written with three decimals.
enum SensorsDuration {
  /// The duration from which on the SDK sends 0.
  static let limitSeconds = 86_400.0
  static let limitMilliseconds: Float = 86_400_000

  /// Returns a duration in seconds as the SDK sends it.
  static func value(_ seconds: Double) -> EventValue {
    let rounded = Float(String(format: "%.3f", seconds)) ?? 0
    // The number in an event is rounded to three decimals again.
    let digits = (Double(rounded) * 1000).rounded() / 1000
    return .number(DecimalNumber(digits == 0 ? 0 : digits) ?? 0)
  }

  /// Returns the seconds between two uptimes in milliseconds; 0 for 24 hours and more, and if `start` is not set.
  static func seconds(from start: UInt64, to end: UInt64) -> Float {
    if start == 0 { return 0 }
    let milliseconds = Float(end &- start)
    guard milliseconds > 0, milliseconds < limitMilliseconds else { return 0 }
    return Float(Double(milliseconds) / 1000)
  }

  /// Returns an uptime in seconds as whole milliseconds.
  static func milliseconds(_ uptime: Double) -> UInt64 { UInt64(max(0, min(uptime * 1000, 1e15))) }
}
