import EncircleEvents
import EncircleText
import GRDB

/// Counts stored events over time, one by one.
struct SeriesScan {
  /// The maximum number of events that are counted, the newest ones. An event counts once for each of its subjects.
  static let maximumRecords = 4_000_000

  private let query: SeriesQuery
  private let rows: RowReader
  private let subjects: SubjectMatch
  private let conditions: [SeriesQuery.Condition]
  private let readsJSON: Bool
  private var tally: SeriesTally
  private var values = SeriesValues()
  /// The rules that match the events of a decision, for a breakdown by rule.
  private var rulesOfDecision: [Int64: [Int]] = [:]

  init(_ query: SeriesQuery, _ database: Database) throws {
    self.query = query
    subjects = try SubjectMatch(query.subjects, database)
    tally = SeriesTally(query)
    var sql = SeriesSQL(query)
    conditions = sql.rest
    readsJSON = query.breakdown?.isInJSON == true || conditions.contains { $0.place.isInJSON }
    rows = try RowReader(database, sql.text(readsJSON: readsJSON), sql.arguments)
    if case .rules = query.breakdown {
      let rules = try RowReader(database, "SELECT verdict, rule FROM verdict_rule ORDER BY verdict, rule")
      while try rules.next() { rulesOfDecision[rules.number(0), default: []].append(values.index(of: rules.bytes(1))) }
    }
  }

  /// Counts all events.
  ///
  /// - Complexity: O(stored events), and the bytes of their JSON if a value in it is needed.
  mutating func answer(_ check: () throws -> Void) throws -> SeriesAnswer {
    // An unfinished statement keeps the state of the file that it reads, so it is ended even if `check` throws.
    defer { rows.end() }
    let hours = query.hours
    var tape = JSONTape()
    var seen = 0
    while try rows.next() {
      if seen % 1_024 == 0 { try check() }
      seen += 1
      let bucket = Int((rows.number(0).flooredQuotient(by: 3_600_000) - hours.lowerBound) / query.interval.hours)
      let wanted = subjects.subjects(decision: rows.number(1), event: rows.bytes(2), element: rows.bytes(3))
      guard wanted != 0 else { continue }
      if readsJSON { try tape.parse(rows.bytes(6)) }
      guard conditions.allSatisfy({ passes($0, tape) }) else { continue }
      let hit = Hit(
        subjects: wanted, bucket: bucket, isCurrent: bucket >= query.allBuckets - query.buckets,
        person: tally.person(rows.bytes(4)))
      switch query.breakdown {
      case nil: add(hit, SeriesValues.other)
      case .rules:
        for value in rulesOfDecision[rows.number(1)] ?? [values.index(ofText: "")] { add(hit, value) }
      case .column: add(hit, values.index(of: rows.bytes(5)))
      case .json(let places): add(hit, value(at: places, tape))
      }
      if tally.count >= Self.maximumRecords { return tally.answer(values, isComplete: false) }
    }
    return tally.answer(values, isComplete: true)
  }

  /// An event that is counted.
  private struct Hit {
    /// The subjects as bits.
    var subjects: Int
    var bucket: Int
    /// This is true if the event is in the period rather than in the previous one.
    var isCurrent: Bool
    var person: UInt32
  }

  private mutating func add(_ hit: Hit, _ value: Int) {
    values.count(value, hit.isCurrent)
    tally.add(hit.subjects, value: value, hit.bucket, hit.person)
  }

  private mutating func value(at places: [PropertyReference], _ tape: JSONTape) -> Int {
    let text = rows.bytes(6)
    for place in places {
      if let node = tape.find(place, in: text), let index = values.index(of: tape[node], in: text) { return index }
    }
    return values.index(ofText: "")
  }

  private func passes(_ condition: SeriesQuery.Condition, _ tape: JSONTape) -> Bool {
    guard case .json(let places) = condition.place else { return true }
    let text = rows.bytes(6)
    for place in places {
      guard let node = tape.find(place, in: text), SeriesValues.hasText(tape[node]) else { continue }
      let isEqual = condition.value.withUTF8 { value in
        tape[node].kind == .string
          ? tape.string(node, in: text, equals: value) : sameBytes(text.part(tape[node].range), value)
      }
      return isEqual != condition.isNegated
    }
    return condition.value.text.isEmpty != condition.isNegated
  }
}

/// Finds the subjects to which an event belongs.
private struct SubjectMatch {
  /// The subjects with all events, as bits.
  private var everything = 0
  private var names: [(text: UTF8String, subject: Int)] = []
  private var elements: [(id: [UInt8], subject: Int)] = []
  private var ofDecision: [Int64: Int] = [:]

  init(_ subjects: [SeriesSubject], _ database: Database) throws {
    for (index, subject) in subjects.enumerated() {
      switch subject.kind {
      case .all: everything |= 1 << index
      case .event: names.append((subject.name, 1 << index))
      case .element: elements.append((subject.elementBytes, 1 << index))
      case .rule:
        let rows = try RowReader(
          database, "SELECT verdict FROM verdict_rule WHERE rule = CAST(? AS TEXT)", [subject.name.data])
        while try rows.next() { ofDecision[rows.number(0), default: 0] |= 1 << index }
      }
    }
  }

  func subjects(decision: Int64, event: UnsafeBufferPointer<UInt8>, element: UnsafeBufferPointer<UInt8>) -> Int {
    var found = everything
    if !ofDecision.isEmpty { found |= ofDecision[decision] ?? 0 }
    for (text, subject) in names where text.withUTF8({ sameBytes($0, event) }) { found |= subject }
    for (id, subject) in elements where id.withUnsafeBufferPointer({ sameBytes($0, element) }) { found |= subject }
    return found
  }
}
