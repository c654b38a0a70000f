import EncircleTestSupport
import EncircleEvents
import EncircleText
import Testing

@Suite("The receiver corrects times of devices with wrong clocks")
struct TimeCorrectionTests {
  private static let hour: Int64 = 3_600_000
  private static let correction = TimeCorrection()

  private static func event(_ json: String) throws -> AnalyticsEvent { try AnalyticsEvent(json: json) }

  @Test("an event at 14:00, sent at 15:00, that arrives at 16:00 happened at 15:00", .articles("W27"))
  func whitePaper() throws {
    let (t1, t2, t3) = (14 * Self.hour, 15 * Self.hour, 16 * Self.hour)
    #expect(Self.correction.corrected(t1, sentAt: t2, receivedAt: t3) == 15 * Self.hour)
    var event = try Self.event(#"{"event":"e","time":\#(t1),"_flush_time":\#(t2)}"#)
    #expect(Self.correction.correct(&event, receivedAt: t3) == Self.hour)
    #expect(event.members["time"] == .number(DecimalNumber(15 * Self.hour)))
  }

  @Test("an event is never corrected twice, also not from its own JSON", .articles("W27"))
  func once() throws {
    var event = try Self.event(#"{"time":1000,"_flush_time":2000}"#)
    #expect(Self.correction.correct(&event, receivedAt: 102_000) == 100_000)
    let once = event
    #expect(Self.correction.correct(&event, receivedAt: 102_000) == 0)
    #expect(event == once)
    var again = try AnalyticsEvent(json: once.json)
    #expect(Self.correction.correct(&again, receivedAt: 999_000, requestSentAt: 0) == 0)
    #expect(again == once)
  }

  @Test("a difference of 30 s is left, one of a millisecond more is corrected, in both directions", .articles("W27"))
  func threshold() {
    #expect(Self.correction.corrected(5, sentAt: 0, receivedAt: 30_000) == 5)
    #expect(Self.correction.corrected(5, sentAt: 0, receivedAt: 30_001) == 30_006)
    #expect(Self.correction.corrected(50_000, sentAt: 30_000, receivedAt: 0) == 50_000)
    #expect(Self.correction.corrected(50_000, sentAt: 30_001, receivedAt: 0) == 19_999)
    #expect(TimeCorrection(threshold: 0).corrected(5, sentAt: 0, receivedAt: 1) == 6)
  }

  @Test("the date of the request replaces a missing time of sending")
  func requestDate() throws {
    var event = try Self.event(#"{"time":1000}"#)
    #expect(Self.correction.correct(&event, receivedAt: 102_000) == 0)
    #expect(Self.correction.correct(&event, receivedAt: 102_000, requestSentAt: 2000) == 100_000)
    var other = try Self.event(#"{"time":1000,"_flush_time":101000}"#)
    #expect(Self.correction.correct(&other, receivedAt: 102_000, requestSentAt: 2000) == 0)
  }

  @Test(
    "times in seconds and in ISO 8601 are corrected, too, in whatever member they are",
    arguments: ["1700000000.25", "1700000000250", "1700000000250.7", #""2023-11-14T22:13:20.250Z""#])
  func otherTimes(time: String) throws {
    var event = try Self.event(#"{"eventTime":\#(time),"time":1}"#)
    let offset = Self.correction.correct(
      &event, receivedAt: 1_700_003_600_000, requestSentAt: 1_700_000_000_000, timeMember: "eventTime")
    #expect(offset == Self.hour)
    #expect(event.members["eventTime"] == .number(DecimalNumber(1_700_003_600_250)))
    #expect(event.members["time"] == 1)
  }

  @Test("a clock that was changed between event and sending cannot be corrected, as nothing shows it", .articles("W28"))
  func changedClock() {
    // Happened at 15:00, when the clock said 14:00; set right before it was sent at 16:00: the wrong time stays.
    let found = Self.correction.corrected(14 * Self.hour, sentAt: 16 * Self.hour, receivedAt: 16 * Self.hour)
    #expect(found == 14 * Self.hour)
    #expect(found != 15 * Self.hour)
    // Happened at 15:00 by a right clock; set back by an hour before it was sent: a right time is made wrong.
    let other = Self.correction.corrected(15 * Self.hour, sentAt: 15 * Self.hour, receivedAt: 16 * Self.hour)
    #expect(other == 16 * Self.hour)
  }

  @Test(
    "an event without usable times stays as it is",
    arguments: [
      #"{"_flush_time":0}"#, #"{"time":"1000","_flush_time":0}"#,
      #"{"time":1,"_flush_time":"0"}"#, #"{"time":1e400,"_flush_time":0}"#,
      #"{"time":1,"_flush_time":-9223372036854775808}"#,
      #"{"time":9223372036854775807,"_flush_time":0}"#,
    ])
  func unusable(json: String) throws {
    var event = try Self.event(json)
    let before = event
    #expect(Self.correction.correct(&event, receivedAt: 1_700_000_000_000) == 0)
    #expect(event == before)
  }
}
