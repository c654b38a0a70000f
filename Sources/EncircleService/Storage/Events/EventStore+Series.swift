import EncircleText
import GRDB

extension EventStore {
  /// Returns events and people over time.
  ///
  /// - Parameter check: Called every few rows; an error that it throws ends the counting.
  /// - Complexity: O(hours · subjects) if counters have the answer, otherwise O(stored events).
  func series(_ query: SeriesQuery, _ check: () throws -> Void) throws -> SeriesAnswer {
    try pool.read { database in
      if query.isOfCounters, try Self.hasCounters(for: query, database) {
        return try Self.countedSeries(query, database, check)
      }
      var scan = try SeriesScan(query, database)
      return try scan.answer(check)
    }
  }

  /// Returns when the oldest stored event arrived, in milliseconds since 1970; nil if no event is stored.
  func oldestArrival() throws -> Int64? {
    try pool.read { try Int64.fetchOne($0, sql: "SELECT received FROM event ORDER BY id LIMIT 1") }
  }

  /// Returns whether counters have all events of the query's hours. They have no events from before they were introduced, and
  /// not all names on crowded days.
  private static func hasCounters(for query: SeriesQuery, _ database: Database) throws -> Bool {
    let start = try Int64.fetchOne(database, sql: "SELECT hour FROM series_start") ?? .max
    guard start <= query.hours.lowerBound else { return false }
    guard query.subjects.contains(where: { $0.kind == .event }) else { return true }
    return try Int.fetchOne(
      database, sql: "SELECT 1 FROM series_gap WHERE day >= ? AND day <= ?",
      arguments: [
        query.hours.lowerBound.flooredQuotient(by: 24), (query.hours.upperBound - 1).flooredQuotient(by: 24),
      ]) == nil
  }

  private static func countedSeries(
    _ query: SeriesQuery, _ database: Database, _ check: () throws -> Void
  ) throws -> SeriesAnswer {
    var answer = SeriesAnswer(isFromCounters: true)
    // Only these hours have counters.
    let first = try Int64.fetchOne(database, sql: "SELECT min(hour) FROM series_count") ?? 0
    let last = try Int64.fetchOne(database, sql: "SELECT max(hour) FROM series_count") ?? -1
    let hours = query.hours.clamped(to: first..<max(first, last + 1))
    let reader = try RowReader(
      database, "SELECT events, people FROM series_count WHERE hour = ? AND kind = ? AND name = ?", [0, 0, ""])
    defer { reader.end() }
    for (index, subject) in query.subjects.enumerated() {
      var halves = query.comparesBefore ? [SeriesHalf(query), SeriesHalf(query)] : [SeriesHalf(query)]
      try check()
      for hour in hours {
        if hour % 64 == 0 { try check() }
        try reader.restart([hour, subject.kind.rawValue, subject.name.text])
        guard try reader.next() else { continue }
        let bucket = Int((hour - query.hours.lowerBound) / query.interval.hours)
        halves[bucket / query.buckets].add(
          bucket % query.buckets, events: Int(reader.number(0)), people: UnsafeRawBufferPointer(reader.bytes(1)))
        reader.end()
      }
      for index in halves.indices { halves[index].finish() }
      answer.peopleAreExact = answer.peopleAreExact && halves.allSatisfy(\.isExact)
      answer.rows.append(
        .init(
          subject: index, value: nil, numbers: halves[halves.count - 1].numbers,
          before: query.comparesBefore ? halves[0].numbers : nil))
    }
    return answer
  }
}

/// The counters of a subject in a period, bucket by bucket.
private struct SeriesHalf {
  private(set) var numbers: SeriesNumbers
  private(set) var isExact = true
  private var all = PeopleSketch()
  /// The people of the current bucket, unless a bucket is an hour.
  private var current = PeopleSketch()
  private var bucket = 0
  private let isHourly: Bool

  init(_ query: SeriesQuery) {
    numbers = SeriesNumbers(buckets: query.buckets)
    isHourly = query.interval == .hour
  }

  /// Adds an hour; hours must come in order.
  ///
  /// - Parameter people: A stored ``PeopleSketch``.
  mutating func add(_ index: Int, events: Int, people: UnsafeRawBufferPointer) {
    numbers.events[index] += events
    if isHourly {
      // A query covers many hours, so no set is built for an hour if its stored size is the exact number.
      let exact = PeopleSketch.exactCount(stored: people)
      isExact = isExact && exact != nil
      numbers.people[index] = exact ?? PeopleSketch(people)?.count ?? 0
      all.join(stored: people)
      return
    }
    if index != bucket {
      closeBucket()
      bucket = index
    }
    current.join(stored: people)
  }

  private mutating func closeBucket() {
    numbers.people[bucket] = current.count
    isExact = isExact && current.isExact
    all.join(current)
    current = PeopleSketch()
  }

  mutating func finish() {
    if !isHourly { closeBucket() }
    numbers.allPeople = all.count
    isExact = isExact && all.isExact
  }
}
