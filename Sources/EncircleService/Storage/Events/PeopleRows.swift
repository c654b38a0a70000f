import Foundation
import GRDB

/// Adds people and counts to the rows of a table of counters.
struct PeopleRows {
  private let known: RowReader
  private var write: RowStatement

  /// - Parameters:
  ///   - key: The columns of the table's key.
  ///   - counters: The table's columns of numbers; the last column is `people`.
  init(_ database: Database, table: String, key: [String], counters: [String] = []) throws {
    let condition = key.map { "\($0) = ?" }.joined(separator: " AND ")
    known = try RowReader(
      database, "SELECT people FROM \(table) WHERE \(condition)", StatementArguments(key.map { _ in 0 }))
    let columns = key + counters + ["people"]
    let sums = counters.map { "\($0) = \($0) + excluded.\($0), " }.joined()
    write = try RowStatement(
      database,
      """
      INSERT INTO \(table) (\(columns.joined(separator: ", "))) VALUES (\(columns.map { _ in "?" }.joined(separator: ", ")))
      ON CONFLICT DO UPDATE SET \(sums)people = excluded.people
      """)
  }

  /// Adds hashes of people, and a number for each counter, to the row with a key.
  mutating func add(_ people: Set<UInt64>, _ counts: [Int64] = [], to key: [DatabaseValue]) throws {
    try known.restart(StatementArguments(key))
    var sketch = PeopleSketch(exactTo: PeopleSketch.maximumStored)
    var isChanged = true
    if try known.next(),
      let stored = PeopleSketch(UnsafeRawBufferPointer(known.bytes(0)), exactTo: PeopleSketch.maximumStored)
    {
      (sketch, isChanged) = (stored, false)
    }
    known.end()
    for person in people where sketch.insert(person) { isChanged = true }
    guard isChanged || !counts.isEmpty else { return }
    for value in key { write.bind(value) }
    for count in counts { write.bind(count) }
    write.bind(sketch.bytes)
    try write.run()
  }
}

extension RowStatement {
  fileprivate mutating func bind(_ value: DatabaseValue) {
    switch value.storage {
    case .int64(let number): bind(number)
    case .string(let text): bind(text)
    case .blob(let data): bind([UInt8](data))
    case .double, .null: bind(nil as Int64?)
    }
  }
}
