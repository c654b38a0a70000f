import EncircleText
import Testing

/// Moments and days.
@Suite struct TimestampTests {
  @Test(
    "a moment is on a day in UTC",
    arguments: [
      (0, "1970-01-01"), (1_772_323_200_000, "2026-03-01"), (1_772_323_199_999, "2026-02-28"),
      (951_782_400_000, "2000-02-29"),
      (-1, "1969-12-31"), (-62_167_219_200_000, "0000-01-01"), (-62_167_219_200_001, nil),
      (253_402_300_799_999, "9999-12-31"), (253_402_300_800_000, nil), (.min, nil), (.max, nil),
    ] as [(Int64, String?)])
  func day(milliseconds: Int64, day: String?) {
    #expect(Timestamp.day(milliseconds) == day)
  }

  @Test("the day of a moment begins where parsing it says")
  func roundTrip() throws {
    for day in stride(from: Int64(-719_000), to: 2_900_000, by: 997) {
      let text = try #require(Timestamp.day(day * 86_400_000 + 12_345))
      #expect(Timestamp.parse(text)?.lowerBound == day * 86_400_000, "\(text)")
    }
  }

  @Test(
    "a number is milliseconds since 1970 unless it is as long as a year or a date",
    arguments: [
      ("1772323200000", 1_772_323_200_000), ("1000000000", 1_000_000_000),
      ("20260301", nil), ("999999999", nil), ("2000", nil), ("9999", nil), ("0", nil), ("", nil),
      ("-1000000000", nil), ("12345678901234567", nil),
    ] as [(String, Int64?)])
  func number(text: String, moment: Int64?) { #expect(Timestamp.parse(text) == moment.map { $0...$0 }) }

  @Test(
    "an offset has minutes behind a colon, minutes alone, or none",
    arguments: [
      ("2026-03-01T08:00:00+08:00", 1_772_323_200_000), ("2026-03-01T08:00:00+0800", 1_772_323_200_000),
      ("2026-03-01 08:00:00+08", 1_772_323_200_000), ("2026-02-28 14:30:00.5-09:30", 1_772_323_200_500),
      ("2026-03-01 00:00+00", 1_772_323_200_000),
      ("2026-03-01T08:00:00+8", nil), ("2026-03-01T08:00:00+08:", nil), ("2026-03-01T08:00:00+080", nil),
      ("2026-03-01T08:00:00+08:0", nil), ("2026-03-01T08:00:00+08:60", nil), ("2026-03-01T08:00:00+24", nil),
      ("2026-03-01T08:00:00+", nil), ("2026-03-01T08:00:00+08:00Z", nil),
    ] as [(String, Int64?)])
  func offset(text: String, moment: Int64?) { #expect(Timestamp.parse(text) == moment.map { $0...$0 }) }

  @Test(
    "UTC may stand behind a time, as in exports of BigQuery",
    arguments: [
      ("2026-03-01 00:00:00 UTC", 1_772_323_200_000), ("2026-03-01 00:00:00.500999 UTC", 1_772_323_200_500),
      ("2026-03-01 00:00 UTC", 1_772_323_200_000), ("2026-03-01 00:00:00 CET", nil), ("2026-03-01 00:00:00  UTC", nil),
      ("2026-03-01 00:00:00 UTC ", nil), ("2026-03-01 00:00:00 ", nil), ("2026-03-01 UTC", nil),
      ("2026-03-01 00:00:00+00 UTC", nil),
    ] as [(String, Int64?)])
  func utc(text: String, moment: Int64?) { #expect(Timestamp.parse(text) == moment.map { $0...$0 }) }

  @Test(
    "minutes agree with the clock, also before 1970",
    arguments: [
      (0, "1970-01-01 00:00"), (1_772_323_259_999, "2026-03-01 00:00"), (-1, "1969-12-31 23:59"),
      (86_399_999, "1970-01-01 23:59"), (253_402_300_800_000, nil),
    ] as [(Int64, String?)])
  func minute(milliseconds: Int64, expected: String?) { #expect(Timestamp.minute(milliseconds) == expected) }

  @Test(
    "times are written in the Gregorian calendar, also from before it was introduced",
    arguments: [
      (0, "1970-01-01T00:00:00.000Z"), (1_772_323_259_999, "2026-03-01T00:00:59.999Z"),
      (-1, "1969-12-31T23:59:59.999Z"), (-14_831_769_600_000, "1500-01-01T00:00:00.000Z"),
      (-62_135_596_800_000, "0001-01-01T00:00:00.000Z"), (253_402_300_799_999, "9999-12-31T23:59:59.999Z"),
      (253_402_300_800_000, nil),
    ] as [(Int64, String?)])
  func text(milliseconds: Int64, expected: String?) {
    #expect(Timestamp.text(milliseconds) == expected)
    if let expected { #expect(Timestamp.parse(expected) == milliseconds...milliseconds) }
  }
}
