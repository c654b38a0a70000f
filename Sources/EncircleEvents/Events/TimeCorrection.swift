import EncircleText

/// Corrects the times of events whose device has a wrong clock, at the receiver.
///
/// A device adds to each event the times when it happened (`time`) and was sent (`_flush_time`), both by its own clock. The
/// receiver knows when the event arrived. If sending and arrival are far apart, the device's clock is wrong by that
/// difference, and so is the event's time.
///
/// ```swift
/// let correction = TimeCorrection()
/// var event = try AnalyticsEvent(json: body)
/// correction.correct(&event, receivedAt: now)
/// ```
/// An event at 14:00 that was sent at 15:00 and arrives at 16:00 happened at 15:00. This assumes that the clock was not changed
/// between the event and its sending. If somebody sets a wrong clock right in between, the time of sending is right and the event
/// keeps its wrong time; if somebody sets a right clock wrong in between, right times are changed to wrong ones. The events that
/// arrive do not show which of these happened.
public struct TimeCorrection: Hashable, Sendable {
  /// The largest difference that is taken for the time of the transport, in milliseconds.
  public let threshold: Int64
  /// The member with the number of milliseconds by which an event was corrected. An event that has it is never corrected again.
  public static let mark = "_time_correction"

  /// Creates a correction of differences of more than `threshold` milliseconds.
  public init(threshold: Int64 = 30_000) { self.threshold = max(0, threshold) }

  /// Returns by how much times have to be changed, in milliseconds; 0 if sending and arrival are close enough.
  public func offset(sentAt: Int64, receivedAt: Int64) -> Int64 {
    let (difference, overflow) = receivedAt.subtractingReportingOverflow(sentAt)
    if overflow { return 0 }
    return difference.magnitude > threshold.magnitude ? difference : 0
  }

  /// Returns the time of an event, corrected if it has to be; all in milliseconds since 1970.
  public func corrected(_ time: Int64, sentAt: Int64, receivedAt: Int64) -> Int64 {
    let (result, overflow) = time.addingReportingOverflow(offset(sentAt: sentAt, receivedAt: receivedAt))
    return overflow ? time : result
  }

  /// Corrects the time of an event, and notes the difference in the member ``mark``. A corrected time is a number of milliseconds
  /// since 1970, in whatever form the device wrote it.
  ///
  /// An event stays as it is if it has been corrected before, if its clock is right, if it has no time, or if the time of sending is
  /// unknown.
  ///
  /// - Parameters:
  ///   - receivedAt: When the event arrived, in milliseconds since 1970.
  ///   - requestSentAt: The time of sending according to the request, such as its header field `Date`; for events without
  ///     `_flush_time`.
  ///   - timeMember: The name of the member with the time.
  /// - Returns: The change in milliseconds; 0 if there was none.
  @discardableResult
  public func correct(
    _ event: inout AnalyticsEvent, receivedAt: Int64, requestSentAt: Int64? = nil, timeMember: String = "time"
  ) -> Int64 {
    guard event.members[Self.mark] == nil,
      let time = event.members[timeMember].flatMap({ EventTime.wholeMilliseconds($0) }),
      let sentAt = Self.milliseconds(event.members["_flush_time"]) ?? requestSentAt
    else { return 0 }
    let correctedTime = corrected(time, sentAt: sentAt, receivedAt: receivedAt)
    if correctedTime == time { return 0 }
    event.members[timeMember] = .number(DecimalNumber(correctedTime))
    let offset = offset(sentAt: sentAt, receivedAt: receivedAt)
    event.members[Self.mark] = .number(DecimalNumber(offset))
    return offset
  }

  private static func milliseconds(_ value: EventValue?) -> Int64? {
    guard case .number(let number) = value else { return nil }
    return Int64(number.description)
  }
}
