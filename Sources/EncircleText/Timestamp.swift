/// Moments as people and SDKs write them.
package enum Timestamp {
  /// Returns the first and the last millisecond since 1970 that a text stands for: a date is a whole day in UTC, a time is a single
  /// moment, and a number is a count of milliseconds. Numbers with fewer than ten digits are not counts: nobody means January 1970,
  /// but rather a year, or a date as in 20260301. Nil if the text is none of these.
  ///
  /// Dates and times follow RFC 3339, but seconds, their fraction and the minutes of an offset may be omitted; a time without an
  /// offset, or with ` UTC` in its place, is in UTC.
  package static func parse(_ text: String) -> ClosedRange<Int64>? {
    var text = text
    return text.withUTF8 { bytes in
      if (10...16).contains(bytes.count), let number = number(bytes, 0..<bytes.count) { return number...number }
      return date(bytes)
    }
  }

  /// Returns the start of a date or time of ISO 8601 in milliseconds since 1970; nil if the text is neither.
  package static func moment(_ text: UnsafeBufferPointer<UInt8>) -> Int64? { date(text)?.lowerBound }

  /// Returns the day in UTC of a moment in milliseconds since 1970, as in 2026-03-01; nil outside of the years 0 to 9999.
  package static func day(_ milliseconds: Int64) -> String? {
    guard (-62_167_219_200_000...253_402_300_799_999).contains(milliseconds) else { return nil }
    // Days since March of the year -400, in years that begin in March; the division rounds down, as the sum is not negative.
    let day = (milliseconds + 62_167_219_200_000) / 86_400_000 - 60 + 146_097
    let era = day / 146_097
    let dayOfEra = day % 146_097
    let yearOfEra = (dayOfEra - dayOfEra / 1_460 + dayOfEra / 36_524 - dayOfEra / 146_096) / 365
    let dayOfYear = dayOfEra - (365 * yearOfEra + yearOfEra / 4 - yearOfEra / 100)
    let monthFromMarch = (5 * dayOfYear + 2) / 153
    let month = monthFromMarch < 10 ? monthFromMarch + 3 : monthFromMarch - 9
    let year = (era - 1) * 400 + yearOfEra + (month <= 2 ? 1 : 0)
    let dayOfMonth = dayOfYear - (153 * monthFromMarch + 2) / 5 + 1
    return "\(zeroPadded(year, to: 4))-\(zeroPadded(month, to: 2))-\(zeroPadded(dayOfMonth, to: 2))"
  }

  /// Returns the minute in UTC of a moment in milliseconds since 1970, as in 2026-03-01 08:05; nil outside of the years 0 to 9999.
  package static func minute(_ milliseconds: Int64) -> String? {
    guard let day = day(milliseconds) else { return nil }
    let minute = timeOfDay(milliseconds) / 60_000
    return "\(day) \(zeroPadded(minute / 60, to: 2)):\(zeroPadded(minute % 60, to: 2))"
  }

  /// Returns a moment in milliseconds since 1970 as a time of ISO 8601 in UTC, as in 2026-03-01T08:05:00.250Z; nil outside of the
  /// years 0 to 9999.
  package static func text(_ milliseconds: Int64) -> String? {
    guard let day = day(milliseconds) else { return nil }
    let (second, fraction) = timeOfDay(milliseconds).quotientAndRemainder(dividingBy: 1_000)
    let time = [second / 3_600, second / 60 % 60, second % 60].map { zeroPadded($0, to: 2) }.joined(separator: ":")
    return "\(day)T\(time).\(zeroPadded(fraction, to: 3))Z"
  }

  /// Returns the milliseconds since midnight in UTC, also before 1970.
  private static func timeOfDay(_ milliseconds: Int64) -> Int64 {
    (milliseconds % 86_400_000 + 86_400_000) % 86_400_000
  }

  /// Returns the decimal number in a part of a text; nil if anything else is there.
  private static func number(_ bytes: UnsafeBufferPointer<UInt8>, _ range: Range<Int>) -> Int64? {
    guard range.upperBound <= bytes.count, bytes[range].allSatisfy(isDigit) else { return nil }
    return bytes[range].reduce(0) { $0 * 10 + Int64($1 & 0x0F) }
  }

  private static func date(_ bytes: UnsafeBufferPointer<UInt8>) -> ClosedRange<Int64>? {
    func digits(_ range: Range<Int>) -> Int64? { number(bytes, range) }
    guard bytes.count >= 10, let year = digits(0..<4), let month = digits(5..<7), let day = digits(8..<10),
      bytes[4] == UInt8(ascii: "-"), bytes[7] == UInt8(ascii: "-"), (1...12).contains(month),
      day >= 1, day <= length(of: month, in: year)
    else { return nil }
    let dayStart = days(year, month, day) * 86_400_000
    if bytes.count == 10 { return dayStart...dayStart + 86_399_999 }

    guard bytes.count >= 16, [UInt8(ascii: "T"), UInt8(ascii: "t"), UInt8(ascii: " ")].contains(bytes[10]),
      let hour = digits(11..<13), let minute = digits(14..<16), bytes[13] == UInt8(ascii: ":"), hour < 24, minute < 60
    else { return nil }
    var milliseconds = (hour * 60 + minute) * 60_000
    var i = 16
    if i < bytes.count, bytes[i] == UInt8(ascii: ":") {
      guard let second = digits(17..<19), second < 60 else { return nil }
      milliseconds += second * 1000
      i = 19
      if i < bytes.count, bytes[i] == UInt8(ascii: ".") {
        let fraction = bytes[(i + 1)...].prefix(while: isDigit)
        guard !fraction.isEmpty else { return nil }
        let padded = Array(fraction.prefix(3)) + Array(repeating: 0x30, count: max(0, 3 - fraction.count))
        milliseconds += padded.reduce(0) { $0 * 10 + Int64($1 & 0x0F) }
        i = fraction.endIndex
      }
    }
    var offset: Int64 = 0
    if i < bytes.count {
      switch bytes[i] {
      case UInt8(ascii: "Z"), UInt8(ascii: "z"): i += 1
      // BigQuery exports times this way.
      case UInt8(ascii: " ") where bytes[i...].elementsEqual(" UTC".utf8): i = bytes.count
      case UInt8(ascii: "+"), UInt8(ascii: "-"):
        guard let hours = digits(i + 1..<i + 3), hours < 24 else { return nil }
        // ISO 8601 has offsets without a colon, as in +0800, and without minutes, as in +08, which databases write.
        var minutes: Int64 = 0
        var end = i + 3
        if end < bytes.count {
          let start = bytes[end] == UInt8(ascii: ":") ? end + 1 : end
          end = start + 2
          guard let number = digits(start..<end), number < 60 else { return nil }
          minutes = number
        }
        offset = (hours * 60 + minutes) * 60_000 * (bytes[i] == UInt8(ascii: "-") ? -1 : 1)
        i = end
      default: return nil
      }
    }
    guard i == bytes.count else { return nil }
    let moment = dayStart + milliseconds - offset
    return moment...moment
  }

  private static func length(of month: Int64, in year: Int64) -> Int64 {
    switch month {
    case 2: (year % 4 == 0 && year % 100 != 0) || year % 400 == 0 ? 29 : 28
    case 4, 6, 9, 11: 30
    default: 31
    }
  }

  /// Counts the days from 1970-01-01 in the Gregorian calendar, in years that begin in March, so that the leap day is last.
  static func days(_ year: Int64, _ month: Int64, _ day: Int64) -> Int64 {
    let y = month <= 2 ? year - 1 : year
    let monthFromMarch = (month + 9) % 12
    let dayOfYear = (153 * monthFromMarch + 2) / 5 + day - 1
    return y * 365 + y / 4 - y / 100 + y / 400 + dayOfYear - 719_468
  }
}
