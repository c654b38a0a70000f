import EncircleEvents
import EncircleText
import GRDB

/// A question about events over time.
public struct SeriesQuery: Sendable {
  /// The length of a bucket.
  public enum Interval: String, CaseIterable, Sendable {
    case hour, day, week

    var hours: Int64 {
      switch self {
      case .hour: 1
      case .day: 24
      case .week: 168
      }
    }

    /// The hour since 1970, in UTC, in which the bucket with an hour begins: midnight, or midnight of a Monday.
    func start(of hour: Int64) -> Int64 {
      // 1970 began with a Thursday, three days after a Monday.
      let shift: Int64 = self == .week ? 72 : 0
      return (hour + shift).flooredQuotient(by: hours) * hours - shift
    }
  }

  /// Where an event has a value.
  public enum Place: Sendable {
    /// What is stored beside the event's JSON.
    public enum Column: String, CaseIterable, Sendable {
      case event, page, project
      case distinctID = "distinct_id"
      case appVersion = "app_version"
    }

    case column(Column)
    /// The rules that match the event, so that it counts for each of them.
    case rules
    /// Of several places the first that the event has counts.
    case json([PropertyReference])

    var isInJSON: Bool {
      if case .json = self { true } else { false }
    }
  }

  /// A value that events must have in a place, or must not have.
  public struct Condition: Sendable {
    public var place: Place
    /// Empty for events without a value there.
    public var value: UTF8String
    public var isNegated: Bool
  }

  public var subjects: [SeriesSubject]
  public var interval: Interval
  /// The hour since 1970 in which the first bucket begins.
  public var start: Int64
  public var buckets: Int
  /// Whether as many buckets before the first are counted, too.
  public var comparesBefore = false
  /// What each subject is broken down by.
  public var breakdown: Place?
  public var conditions: [Condition] = []
  /// Further conditions; its times do not count.
  public var filter = EventFilter()

  /// The hours that are looked at.
  var hours: Range<Int64> {
    let length = Int64(buckets) * interval.hours
    return start - (comparesBefore ? length : 0)..<start + length
  }

  /// How many buckets are looked at, those before the first included.
  var allBuckets: Int { comparesBefore ? 2 * buckets : buckets }

  /// Whether it asks for what is counted when events are stored.
  var isOfCounters: Bool {
    breakdown == nil && conditions.isEmpty && filter.page == nil && filter.distinctID == nil && filter.isSelected == nil
      && filter.project == nil && subjects.allSatisfy(\.hasCounters)
  }
}

/// Events and people over time.
public struct SeriesNumbers: Sendable, Equatable {
  /// By bucket.
  public var events: [Int]
  public var people: [Int]
  /// Somebody in several buckets counts once.
  public var allPeople = 0

  public var allEvents: Int { events.reduce(0, +) }

  init(buckets count: Int) {
    events = Array(repeating: 0, count: count)
    people = Array(repeating: 0, count: count)
  }
}

/// The answer to a ``SeriesQuery``.
public struct SeriesAnswer: Sendable {
  public struct Row: Sendable {
    /// The position of its subject among those of the question.
    public var subject: Int
    /// The value by which it is broken down, empty for events without one; nil for the others together, and without a breakdown.
    public var value: String?
    /// Whether it has the events of all values that have no row.
    public var isRest = false
    public var numbers: SeriesNumbers
    /// Those of the period before, if they are asked for.
    public var before: SeriesNumbers?
  }

  /// By subject, those with the most events first, the rest last.
  public var rows: [Row] = []
  /// Whether they were counted when events were stored; then also events that have been deleted since.
  public var isFromCounters = false
  /// Whether all events were looked at, rather than as many of the newest as fit.
  public var isComplete = true
  /// Whether no number of people is an estimate.
  public var peopleAreExact = true
}
