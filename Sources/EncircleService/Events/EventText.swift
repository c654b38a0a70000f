import EncircleText

/// The times of events in answers.
enum EventText {
  /// The times that can be written: the years 1 to 9999.
  static let times: ClosedRange<Int64> = -62_135_596_800_000...253_402_300_799_999

  /// Returns a time in ISO 8601 with milliseconds, in UTC. A time before the year 1 or after 9999 becomes the nearest one in
  /// between.
  static func time(_ milliseconds: Int64) -> String {
    let clamped = min(max(milliseconds, times.lowerBound), times.upperBound)
    // Foundation uses the Julian calendar for dates before 1582, but ISO 8601 does not.
    return Timestamp.text(clamped) ?? ""
  }
}
