import EncircleEvents
import EncircleText
import GRDB

/// A query for events over time.
struct SeriesQuery: Sendable {
  /// The length of a bucket.
  enum Interval: String, CaseIterable, Sendable {
    case hour, day, week

    var hours: Int64 {
      switch self {
      case .hour: 1
      case .day: 24
      case .week: 168
      }
    }

    /// Returns the hour since 1970, in UTC, at which the bucket of an hour begins: midnight, or midnight of a Monday.
    func start(of hour: Int64) -> Int64 {
      // 1970 began with a Thursday, three days after a Monday.
      let shift: Int64 = self == .week ? 72 : 0
      return (hour + shift).flooredQuotient(by: hours) * hours - shift
    }
  }

  /// The place of a value in an event.
  enum Place: Sendable {
    /// A value stored beside the event's JSON.
    enum Column: String, CaseIterable, Sendable {
      case event, page, project
      case distinctID = "distinct_id"
      case appVersion = "app_version"
    }

    case column(Column)
    /// The rules that match the event, which counts for each of them.
    case rules
    /// One of several places; the first that the event has counts.
    case json([PropertyReference])

    var isInJSON: Bool {
      if case .json = self { true } else { false }
    }
  }

  /// A value that events must have in a place, or must not have.
  struct Condition: Sendable {
    var place: Place
    /// The value; empty for events without one.
    var value: UTF8String
    var isNegated: Bool
  }

  var subjects: [SeriesSubject]
  var interval: Interval
  /// The hour since 1970 in which the first bucket begins.
  var start: Int64
  var buckets: Int
  /// This is true if as many buckets before the first one are counted, too.
  var comparesBefore = false
  /// The place by whose values each subject is broken down.
  var breakdown: Place?
  var conditions: [Condition] = []
  /// Further conditions; the filter's times are ignored.
  var filter = EventFilter()

  /// The hours that are examined.
  var hours: Range<Int64> {
    let length = Int64(buckets) * interval.hours
    return start - (comparesBefore ? length : 0)..<start + length
  }

  /// The number of buckets that are examined, including the ones before the first.
  var allBuckets: Int { comparesBefore ? 2 * buckets : buckets }

  /// This is true if counters that are kept when events are stored can answer the query.
  var isOfCounters: Bool {
    breakdown == nil && conditions.isEmpty && filter.page == nil && filter.distinctID == nil && filter.isSelected == nil
      && filter.project == nil && subjects.allSatisfy(\.hasCounters)
  }
}

/// Events and people over time.
struct SeriesNumbers: Sendable, Equatable {
  /// The number of events in each bucket.
  var events: [Int]
  var people: [Int]
  /// The number of people in all buckets; a person in several buckets counts once.
  var allPeople = 0

  var allEvents: Int { events.reduce(0, +) }

  init(buckets count: Int) {
    events = Array(repeating: 0, count: count)
    people = Array(repeating: 0, count: count)
  }
}

/// The answer to a ``SeriesQuery``.
struct SeriesAnswer: Sendable {
  struct Row: Sendable {
    /// The index of the subject in the query.
    var subject: Int
    /// The value of the breakdown, empty for events without one; nil for all other values together, and without a breakdown.
    var value: String?
    /// This is true if the row has the events of all values without their own row.
    var isRest = false
    var numbers: SeriesNumbers
    /// The numbers of the previous period, if requested.
    var before: SeriesNumbers?
  }

  /// The rows by subject, most events first, with the rest last.
  var rows: [Row] = []
  /// This is true if the events were counted when they were stored; the numbers then include events that have since been
  /// deleted.
  var isFromCounters = false
  /// This is true if all events were examined, rather than only the newest ones up to the limit.
  var isComplete = true
  /// This is true if all numbers of people are exact.
  var peopleAreExact = true
}
