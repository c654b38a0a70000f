import Foundation

/// The day that a device's calendar shows.
struct DeviceDay: Hashable, Sendable {
  /// Days since 1 January 1970.
  let number: Int

  /// Returns whether a time zone of this name is known.
  static func isTimeZone(_ name: String) -> Bool { TimeZone(identifier: name) != nil }

  /// Creates the day of a time in a time zone.
  ///
  /// - Parameter time: Milliseconds since 1970.
  init(of time: Int64, in zone: TimeZone) {
    let seconds = Double(time) / 1000
    let offset = zone.secondsFromGMT(for: Date(timeIntervalSince1970: seconds))
    number = Int(((seconds + Double(offset)) / 86_400).rounded(.down))
  }
}
