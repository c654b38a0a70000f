import EncircleAuthoring
import EncircleRuleFiles
import EncircleRules
import EncircleTestSupport
import EncircleText
import Foundation
import GRDB
import Synchronization
import Testing

@testable import EncircleService

/// The counters from which the status of planned events follows.
@Suite struct PlanCounterTests {
  private static let now: Int64 = 1_800_000_000_000

  private static func row(
    _ event: String?, emit: [String] = [], platform: String? = "ios", version: String? = "1", person: String? = "a",
    at time: Int64 = now
  ) -> EventRow {
    EventRow(
      received: now, time: time, key: nil, event: event, page: nil, distinctID: person, appVersion: version,
      element: nil, decision: StoredDecision(isSelected: true, rules: ["r"], excludedBy: [], pages: [], emit: emit),
      json: Array("{}".utf8), platform: platform)
  }

  private static func seen(_ store: Store) throws -> [String] {
    try store.events.read { database in
      try Row.fetchAll(database, sql: "SELECT * FROM plan_seen ORDER BY name, way, platform, app_version").map { row in
        "\(row["name"] as String) \(row["way"] as Int) \(row["platform"] as String)/\(row["app_version"] as String)"
          + " \(row["events"] as Int) \((row["first"] as Int64) - now)...\((row["last"] as Int64) - now)"
      }
    }
  }

  private static let rows = [
    row("pay", at: now - 5_000), row("pay"), row("pay", platform: nil), row("pay", version: "2"),
    row("$AppClick", emit: ["add", "pay"]), row("add", emit: ["add"]), row(nil, emit: ["add"]), row(""),
    row(String(repeating: "x", count: 201)), row("long", version: String(repeating: "é", count: 150)),
  ]

  @Test func `names are counted by source, and events of an earlier version without a platform`()
    throws
  {
    let directory = FileManager.default.temporaryDirectory.appendingPathComponent("encircle-\(UUID().uuidString)").path
    defer { try? FileManager.default.removeItem(atPath: directory) }
    let cut = String(decoding: Array(String(repeating: "é", count: 150).utf8.prefix(200)), as: UTF8.self)
    try Self.withStore(directory) { store in
      let events = try EventStore(store) { EventLimits() }
      for part in [Self.rows.prefix(3), Self.rows.dropFirst(3)] {
        _ = try events.write([EventRowBatch(events: Array(part))])
      }
      let seen = try Self.seen(store)
      #expect(
        seen == [
          "$AppClick 2 ios/1 1 0...0", "add 1 ios/1 2 0...0", "add 3 ios/1 1 0...0", "long 2 ios/\(cut) 1 0...0",
          "pay 1 ios/1 1 0...0", "pay 2 /1 1 0...0", "pay 2 ios/1 2 -5000...0", "pay 2 ios/2 1 0...0",
        ])
      // As a version that did not count left it.
      try store.events.write { database in
        try database.execute(
          sql: """
            DROP TABLE plan_seen; DROP TABLE plan_people; DROP TABLE plan_fault;
            DELETE FROM grdb_migrations WHERE identifier = 'plan counters';
            """)
      }
    }
    try Self.withStore(directory) { store in
      let seen = try Self.seen(store)
      #expect(
        seen == [
          "$AppClick 2 /1 1 0...0", "add 1 /1 2 0...0", "add 3 /1 1 0...0", "long 2 / 1 0...0", "pay 1 /1 1 0...0",
          "pay 2 /1 3 -5000...0", "pay 2 /2 1 0...0",
        ])
    }
  }

  /// The directory is free again when this returns.
  private static func withStore(_ directory: String, _ body: (Store) throws -> Void) throws {
    let store = try Store(directory: directory)
    try body(store)
    try store.close()
  }

  @Test
  func `names count by day and people, emitted names by page, including events stored by an earlier version`()
    throws
  {
    let directory = FileManager.default.temporaryDirectory.appendingPathComponent("encircle-\(UUID().uuidString)").path
    defer { try? FileManager.default.removeItem(atPath: directory) }
    let day: Int64 = 86_400_000
    var rows =
      Self.rows.dropLast(2) + [Self.row("pay", person: "b"), Self.row("pay", person: nil, at: Self.now - 5 * day)]
    for i in rows.indices where i % 2 == 0 { rows[i].page = "Home" }
    func counted(_ store: Store) throws -> [String] {
      try store.events.read { database in
        let names = try Row.fetchAll(database, sql: "SELECT * FROM plan_day ORDER BY day, name, way").map { row in
          let sketch = try #require((row["people"] as Data).withUnsafeBytes { PeopleSketch($0) })
          return "\((row["day"] as Int64) - Self.now / day) \(row["name"] as String) \(row["way"] as Int): "
            + "\(row["events"] as Int) \(sketch.count)"
        }
        return try names
          + Row.fetchAll(database, sql: "SELECT * FROM plan_page ORDER BY name").map {
            "\($0["page"] as String) \($0["name"] as String) \($0["events"] as Int)"
          }
      }
    }
    let expected = [
      "-5 pay 2: 1 0", "0 $AppClick 2: 1 1", "0 add 1: 2 1", "0 add 3: 1 1", "0 pay 1: 1 1", "0 pay 2: 5 2",
      "Home add 2", "Home pay 1",
    ]
    try Self.withStore(directory) { store in
      let events = try EventStore(store) { EventLimits(days: 90) }
      for part in [rows.prefix(3), rows.dropFirst(3)] { _ = try events.write([EventRowBatch(events: Array(part))]) }
      #expect(try counted(store) == expected)
      try store.events.write { database in
        try database.execute(
          sql: "DROP TABLE plan_day; DROP TABLE plan_page; DELETE FROM grdb_migrations WHERE identifier = 'plan days';")
      }
    }
    try Self.withStore(directory) { store in
      let counts = try counted(store)
      #expect(counts == expected)
    }
  }

  @Test func `a day with too many names makes the counts of thirty days lower bounds`() throws {
    let directory = FileManager.default.temporaryDirectory.appendingPathComponent("encircle-\(UUID().uuidString)").path
    defer { try? FileManager.default.removeItem(atPath: directory) }
    let day: Int64 = 86_400_000
    try Self.withStore(directory) { store in
      let events = try EventStore(store) { EventLimits(days: 90) }
      let most = 100
      events.cardinality.withLock { $0.rowsPerDay = most }
      func isComplete(at time: Int64) throws -> Bool {
        let plan = TrackingPlan(RuleSet(), PlanFiles())
        var counts = PlanStatusCounter(plan, RuleSet(), now: time).counts()
        try events.addPlanUses(to: &counts, recentSince: time - 30 * day) {}
        return counts.report(now: time).recentIsComplete
      }
      _ = try events.write([EventRowBatch(events: [Self.row("pay"), Self.row("pay")])])
      _ = try events.deleteSome(now: Self.now)
      #expect(try isComplete(at: Self.now))
      let names = (0...most).map { Self.row("name \($0)") }
      _ = try events.write([EventRowBatch(events: names)])
      _ = try events.deleteSome(now: Self.now)
      #expect(try !isComplete(at: Self.now))
      #expect(try isComplete(at: Self.now + 31 * day), "the day is no longer one of the thirty")
    }
  }

  @Test func `people of a version count once, in total and recently`() throws {
    let directory = FileManager.default.temporaryDirectory.appendingPathComponent("encircle-\(UUID().uuidString)").path
    defer { try? FileManager.default.removeItem(atPath: directory) }
    let store = try Store(directory: directory)
    let events = try EventStore(store) { EventLimits(days: 90) }
    let day: Int64 = 86_400_000
    for (person, days) in [("a", 50), ("b", 50), ("b", 1), ("c", 0), ("c", 0)] as [(String, Int64)] {
      _ = try events.write([EventRowBatch(events: [Self.row("pay", person: person, at: Self.now - days * day)])])
    }
    let people = try store.events.read { database in
      try Row.fetchAll(database, sql: "SELECT day, people FROM plan_people ORDER BY day").map { row in
        let sketch = try #require((row["people"] as Data).withUnsafeBytes { PeopleSketch($0) })
        return "\((row["day"] as Int64) - Self.now / day) \(sketch.count)"
      }
    }
    #expect(people == ["-50 2", "-1 1", "0 1"])
  }

  @Test
  func `users of an element are counted by day, version and decision, including those stored by an earlier version`()
    throws
  {
    let directory = FileManager.default.temporaryDirectory.appendingPathComponent("encircle-\(UUID().uuidString)").path
    defer { try? FileManager.default.removeItem(atPath: directory) }
    let day: Int64 = 86_400_000
    var rows: [EventRow] = []
    for (element, person, version, isSelected, days) in [
      (1, "a", "1", false, 0), (1, "a", "1", false, 0), (1, "b", "1", true, 0), (1, nil, "2", false, 0),
      (1, "b", "1", false, 1), (2, "a", nil, false, 40), (nil, "a", "1", false, 0),
    ] as [(UInt8?, String?, String?, Bool, Int64)] {
      var row = Self.row("$AppClick", version: version, person: person, at: Self.now - days * day)
      row.element = element.map { Array(repeating: $0, count: 32) }
      row.decision.isSelected = isSelected
      rows.append(row)
    }
    func counted(_ store: Store) throws -> [String] {
      try store.events.read { database in
        try Row.fetchAll(database, sql: "SELECT * FROM element_people ORDER BY day, element, selected, app_version").map
        { row in
          let sketch = try #require((row["people"] as Data).withUnsafeBytes { PeopleSketch($0) })
          return
            "\((row["day"] as Int64) - Self.now / day) \((row["element"] as Int64) & 0xFF) \(row["selected"] as Bool)"
            + " \(row["app_version"] as String): \(sketch.count)"
        }
      }
    }
    let expected = ["-40 2 false : 1", "-1 1 false 1: 1", "0 1 false 1: 1", "0 1 false 2: 0", "0 1 true 1: 1"]
    try Self.withStore(directory) { store in
      let events = try EventStore(store) { EventLimits(days: 90) }
      for part in [rows.prefix(2), rows.dropFirst(2)] { _ = try events.write([EventRowBatch(events: Array(part))]) }
      #expect(try counted(store) == expected)
      try store.events.write { database in
        try database.execute(
          sql: "DROP TABLE element_people; DELETE FROM grdb_migrations WHERE identifier = 'element people';")
      }
    }
    try Self.withStore(directory) { store in
      #expect(try counted(store) == expected)
      let events = try EventStore(store) { EventLimits(days: 10) }
      _ = try events.deleteSome(now: Self.now)
      #expect(try counted(store) == Array(expected.dropFirst()), "people go with the events of their days")
    }
  }
}
