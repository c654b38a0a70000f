import EncircleEvents
import EncircleText
import GRDB

/// A question about events over time.
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

    /// The hour since 1970, in UTC, in which the bucket with an hour begins: midnight, or midnight of a Monday.
    func start(of hour: Int64) -> Int64 {
      // 1970 began with a Thursday, three days after a Monday.
      let shift: Int64 = self == .week ? 72 : 0
      return (hour + shift).flooredQuotient(by: hours) * hours - shift
    }
  }

  /// Where an event has a value.
  enum Place: Sendable {
    /// What is stored beside the event's JSON.
    enum Column: String, CaseIterable, Sendable {
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
  struct Condition: Sendable {
    var place: Place
    /// Empty for events without a value there.
    var value: UTF8String
    var isNegated: Bool
  }

  var subjects: [SeriesSubject]
  var interval: Interval
  /// The hour since 1970 in which the first bucket begins.
  var start: Int64
  var buckets: Int
  /// Whether as many buckets before the first are counted, too.
  var comparesBefore = false
  /// What each subject is broken down by.
  var breakdown: Place?
  var conditions: [Condition] = []
  /// Further conditions; its times do not count.
  var filter = EventFilter()

  /// The hours that are looked at.
  var hours: Range<Int64> {
    let length = Int64(buckets) * interval.hours
    return start - (comparesBefore ? length : 0)..<start + length
  }

  /// How many buckets are looked at, those before the first included.
  var allBuckets: Int { comparesBefore ? 2 * buckets : buckets }

  /// Whether counters that are kept when events are stored can answer it.
  var isOfCounters: Bool {
    breakdown == nil && conditions.isEmpty && filter.page == nil && filter.distinctID == nil && filter.isSelected == nil
      && filter.project == nil && subjects.allSatisfy(\.hasCounters)
  }
}

/// Events and people over time.
struct SeriesNumbers: Sendable, Equatable {
  /// By bucket.
  var events: [Int]
  var people: [Int]
  /// Somebody in several buckets counts once.
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
    /// The position of its subject among those of the question.
    var subject: Int
    /// The value by which it is broken down, empty for events without one; nil for the others together, and without a breakdown.
    var value: String?
    /// Whether it has the events of all values that have no row.
    var isRest = false
    var numbers: SeriesNumbers
    /// Those of the period before, if they are asked for.
    var before: SeriesNumbers?
  }

  /// By subject, those with the most events first, the rest last.
  var rows: [Row] = []
  /// Whether they were counted when events were stored; then also events that have been deleted since.
  var isFromCounters = false
  /// Whether all events were looked at, rather than as many of the newest as fit.
  var isComplete = true
  /// Whether no number of people is an estimate.
  var peopleAreExact = true
}
