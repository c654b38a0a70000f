import EncircleEvents
import EncircleText
import Foundation
import GRDB

extension EventStore {
  /// The maximum number of values that are counted separately; further values are counted together.
  static let maximumValues = 10_000
  /// The length in bytes above which values are also counted together.
  static let longestValue = 1_024
  /// The key of the values that are counted together.
  static let otherValues = "(other)"
  private static let maximumPeople = 2_000_000

  /// Returns the events and the people who caused them, by the value of a place, most events first. The key of events
  /// without a suitable value is empty.
  ///
  /// - Parameter check: Called every few events; an error that it throws ends the counting.
  /// - Complexity: O(bytes of the matching events).
  func counts(
    by place: PropertyReference, _ filter: EventFilter, most count: Int, _ check: () throws -> Void
  ) throws -> [KeyCount] {
    var events: [UTF8String: Int] = [:]
    var people: [UTF8String: Set<Int>] = [:]
    var (peopleCount, seen) = (0, 0)
    var tape = JSONTape()
    let condition = filter.condition()
    try pool.read { database in
      let rows = try Row.fetchCursor(
        database,
        sql: """
          SELECT distinct_id, json FROM (SELECT * FROM event WHERE \(condition.sql)) AS event
          JOIN event_json ON event_json.id = event.id
          """, arguments: condition.arguments)
      while let row = try rows.next() {
        if seen % 256 == 0 { try check() }
        seen += 1
        var key = try row.withUnsafeData(atIndex: 1) { data in
          try (data ?? Data()).withUnsafeBytes { try Self.value(at: place, in: $0.bindMemory(to: UInt8.self), &tape) }
        }
        if events[key] == nil, events.count >= Self.maximumValues { key = UTF8String(Self.otherValues) }
        events[key, default: 0] += 1
        if let person: String = row[0], peopleCount < Self.maximumPeople,
          people[key, default: []].insert(person.hashValue).inserted
        {
          peopleCount += 1
        }
      }
    }
    let counts = events.map { key, number in
      KeyCount(
        key: key.text, events: number, people: peopleCount < Self.maximumPeople ? people[key]?.count ?? 0 : nil)
    }
    return Array(counts.sorted { ($1.events, $0.key) < ($0.events, $1.key) }.prefix(count))
  }

  /// Returns the value in a place of an event: a text unchanged, any other value as JSON; empty if the value is missing, a list
  /// or an object.
  private static func value(
    at place: PropertyReference, in text: UnsafeBufferPointer<UInt8>, _ tape: inout JSONTape
  ) throws -> UTF8String {
    try tape.parse(text)
    guard let node = tape.find(place, in: text) else { return UTF8String("") }
    let value: String
    switch tape[node].kind {
    case .string: value = tape.string(node, in: text)
    case .number, .true, .false: value = String(decoding: text.part(tape[node].range), as: UTF8.self)
    default: return UTF8String("")
    }
    return UTF8String(value.utf8.count > longestValue ? otherValues : value)
  }
}
