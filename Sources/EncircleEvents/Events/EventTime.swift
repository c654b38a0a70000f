import EncircleText

/// The time of an event, which SDKs state in three ways: in milliseconds since 1970, in seconds since 1970 with a fraction, or as
/// a date and time of ISO 8601.
package enum EventTime {
  // Numbers in this range are seconds. As seconds, they stand for the years 1973 to 5138; as milliseconds, they would all be in the
  // years 1970 to 1973, and no events are that old. A fraction is not required, because most languages write whole seconds without one.
  private static let seconds = DecimalNumber(100_000_000)..<DecimalNumber(100_000_000_000)

  /// Returns the milliseconds since 1970 that a number stands for; nil if the text is not a number of JSON.
  ///
  /// A number of milliseconds stays exact; one of seconds is exact to a microsecond.
  package static func milliseconds(number text: UnsafeBufferPointer<UInt8>) -> DecimalNumber? {
    DecimalNumber(text).map(milliseconds)
  }

  private static func milliseconds(_ number: DecimalNumber) -> DecimalNumber {
    guard seconds.contains(number), let value = Double(number.description) else { return number }
    return DecimalNumber((value * 1_000_000).rounded() / 1_000) ?? number
  }

  /// Returns the milliseconds since 1970 that a value stands for; nil if it is not a time.
  package static func milliseconds(_ value: ProjectedValue) -> DecimalNumber? {
    switch value.kind {
    case .number: milliseconds(number: value.bytes)
    case .string: Timestamp.moment(value.bytes).map { DecimalNumber($0) }
    case .missing, .null, .true, .false, .composite: nil
    }
  }

  /// Returns the milliseconds since 1970 that a value stands for; nil if it is not a time.
  package static func milliseconds(_ value: EventValue) -> DecimalNumber? {
    switch value {
    case .number(let number): return milliseconds(number)
    case .string(var text): return text.withUTF8 { Timestamp.moment($0) }.map { DecimalNumber($0) }
    case .null, .bool, .list, .object: return nil
    }
  }

  /// Returns the whole milliseconds since 1970 of a value, rounded down; nil if it is not a time, or out of the range of dates.
  package static func wholeMilliseconds(_ value: EventValue) -> Int64? { milliseconds(value).flatMap(whole) }

  /// Returns the whole milliseconds since 1970 of a value, rounded down; nil if it is not a time, or out of the range of dates.
  package static func wholeMilliseconds(_ value: ProjectedValue) -> Int64? { milliseconds(value).flatMap(whole) }

  private static func whole(_ number: DecimalNumber) -> Int64? {
    if let whole = Int64(number.description) { return whole }
    // A Double is exact to a millisecond for all dates.
    guard let time = Double(number.description)?.rounded(.down), abs(time) < 0x1p53 else { return nil }
    return Int64(time)
  }
}
