import EncircleTestSupport
import Foundation
import GRDB
import Synchronization
import Testing

@testable import EncircleService

/// Directories that earlier versions have made, as dumps of SQL in `Golden`: the service opens them and answers alike.
@Suite struct DirectoryUpgradeTests {
  static let golden = PackageFolder.root.appendingPathComponent("Tests/EncircleServiceTests/Golden")
  static let names: [String] = {
    let names = (try? FileManager.default.contentsOfDirectory(atPath: golden.path)) ?? []
    return names.filter { $0.hasPrefix("directory-") }.sorted()
  }()

  /// Makes the directory of a dump.
  private static func directory(_ name: String) throws -> URL {
    let directory = try RunningService.newDirectory()
    for file in Store.files {
      let dump = golden.appendingPathComponent(name).appendingPathComponent(file.dropLast("ite".count).description)
      let sql = String(decoding: try Data(contentsOf: dump), as: UTF8.self)
      let database = try DatabaseQueue(path: directory.appendingPathComponent(file).path)
      // The dump has its own transactions.
      try database.inDatabase { try $0.execute(sql: sql) }
      try database.close()
    }
    return directory
  }

  @Test("there is a directory of an earlier version") func isThere() { #expect(!Self.names.isEmpty) }

  @Test("a directory of an earlier version opens with all that it holds", arguments: names)
  func opens(name: String) async throws {
    let directory = try Self.directory(name)
    defer { try? FileManager.default.removeItem(at: directory) }
    try await Self.check(directory)
    // A second start finds nothing to do.
    try await Self.check(directory)
  }

  @Test("a service killed while upgrading a directory loses nothing", arguments: names)
  func kills(name: String) async throws {
    let directory = try Self.directory(name)
    defer { try? FileManager.default.removeItem(at: directory) }
    var random = SeededGenerator(seed: 7)
    let tool = try #require(BuiltTool.url, "the tool has not been built")
    for _ in 0..<TestSize.scaled(50) {
      let process = Process()
      process.executableURL = tool
      process.arguments = ["serve", "--data", directory.path, "--port", "0"]
      process.standardOutput = FileHandle.nullDevice
      process.standardError = FileHandle.nullDevice
      try process.run()
      try await Task.sleep(for: .milliseconds(Int.random(in: 1...120, using: &random)))
      kill(process.processIdentifier, SIGKILL)
      process.waitUntilExit()
    }
    try await Self.check(directory)
  }

  @Test("an upgrade reports its progress, between steps and within a step", arguments: names)
  func progress(name: String) throws {
    let directory = try Self.directory(name)
    defer { try? FileManager.default.removeItem(at: directory) }
    let reports = Mutex<[UpgradeProgress]>([])
    let upgrade = UpgradeReporter(interval: .zero, instructions: 10) { one in reports.withLock { $0.append(one) } }
    try Store(directory: directory.path, upgrade: upgrade).close()
    let seen = reports.withLock { $0 }
    let events = seen.filter { $0.file == "events.sqlite" }
    let steps = try #require(events.first?.steps)
    #expect(Set(events.map(\.step)) == Set(1...steps) && events.allSatisfy { $0.fileBytes > 0 })
    #expect(
      zip(events, events.dropFirst()).allSatisfy {
        ($0.step, $0.bytesRead) <= ($1.step, $1.bytesRead) || $0.step < $1.step
      })
    #expect(events.count > steps && events.contains { $0.seconds > 0 })
    #expect(try #require(seen.first).description.contains("of an earlier version: step 1 of "))
    // There is nothing to do any more, and nothing for a new directory.
    reports.withLock { $0 = [] }
    try Store(directory: directory.path, upgrade: upgrade).close()
    let new = try RunningService.newDirectory()
    defer { try? FileManager.default.removeItem(at: new) }
    try Store(directory: new.path, upgrade: upgrade).close()
    #expect(reports.withLock { $0.isEmpty })
  }

  @Test("an upgrade in parts counts the same as one statement over all events", arguments: names)
  func parts(name: String) throws {
    let directory = try Self.directory(name)
    defer { try? FileManager.default.removeItem(at: directory) }
    let database = try DatabaseQueue(path: directory.appendingPathComponent("events.sqlite").path)
    try database.write { database in
      // More than two parts, with a gap between the numbers that is longer than a part. Of each third event the name is emitted too.
      try database.execute(
        sql: """
          INSERT INTO verdict VALUES (3, 1, '[]', '[]', '[]', '["name 1","other","name 1"]');
          WITH RECURSIVE number(i) AS (SELECT 10 UNION ALL SELECT i + 1 FROM number WHERE i < 200010)
          INSERT INTO event (id, received, at, time, event, app_version, verdict)
          SELECT i + iif(i > 90000, 300000, 0), 1, i * 7919 % 100003, 1, nullif('name ' || (i % 5), 'name 4'), nullif('1.' || (i % 3), '1.2'),
            i % 4 FROM number
          """)
    }
    try Store(directory: directory.path).close()
    let rows = try database.read { database in
      let expected = try Row.fetchAll(
        database,
        sql: """
          WITH named AS (
            SELECT name, sum(way) AS way, app_version, at FROM (
              SELECT id, event AS name, 2 AS way, app_version, at FROM event
              UNION SELECT event.id, value, 1, app_version, at
              FROM event JOIN verdict ON verdict.id = event.verdict, json_each(verdict.emit))
            WHERE length(CAST(name AS BLOB)) BETWEEN 1 AND 200 GROUP BY id, name)
          SELECT name, way, '' AS platform, coalesce(app_version, '') AS app_version, count(*) AS events, min(at) AS first, max(at) AS last
          FROM named GROUP BY name, way, app_version ORDER BY name, way, app_version
          """)
      let found = try Row.fetchAll(database, sql: "SELECT * FROM plan_seen ORDER BY name, way, app_version")
      return (expected: expected, found: found)
    }
    // Way 3: the event has the name, and a rule emits it.
    #expect(rows.expected.contains { ($0["name"] as String) == "name 1" && ($0["way"] as Int) == 3 })
    #expect(rows.found == rows.expected)
  }

  @Test("counters of an earlier version are kept, without a platform", arguments: names)
  func counters(name: String) throws {
    let directory = try Self.directory(name)
    defer { try? FileManager.default.removeItem(at: directory) }
    let database = try DatabaseQueue(path: directory.appendingPathComponent("events.sqlite").path)
    let columns = "hour, rule, page, event, app_version, events, selected"
    let before = try database.read { try Row.fetchAll($0, sql: "SELECT \(columns) FROM event_count") }
    try Store(directory: directory.path).close()
    let (after, platforms) = try database.read { database in
      (
        try Row.fetchAll(database, sql: "SELECT \(columns) FROM event_count"),
        try String.fetchAll(database, sql: "SELECT DISTINCT platform FROM event_count")
      )
    }
    #expect(!before.isEmpty && after == before && platforms == [""])
  }

  @Test("tokens are listed without bringing a directory up to date, and are not changed before that", arguments: names)
  func tokens(name: String) throws {
    let directory = try Self.directory(name)
    defer { try? FileManager.default.removeItem(at: directory) }
    for isMade in [false, true] {
      let tokens = try ServiceTokens(directory: directory.path, isMade: isMade)
      #expect(try tokens.all().map(\.name) == ["Ada"])
      for change in [
        { _ = try tokens.add(name: "Lin", role: .read, days: nil, by: "test") },
        { _ = try tokens.remove("Ada", by: "test") },
      ] as [() throws -> Void] {
        #expect {
          try change()
        } throws: { error in
          "\(error)".contains("is of an earlier version of encircle: back it up, and start the service")
        }
      }
    }
    let findings = DirectoryCheck(directory: directory.path, readsAll: false).findings
    #expect(findings.count { $0.code == "version" } == Store.files.count, "both files are as they were")
    try Store(directory: directory.path).close()
    let tokens = try ServiceTokens(directory: directory.path, isMade: false)
    _ = try tokens.add(name: "Lin", role: .read, days: nil, by: "test")
    #expect(try tokens.all().map(\.name) == ["Ada", "Lin"])
  }

  @Test("the log of a service has the steps of an upgrade", arguments: names)
  func log(name: String) throws {
    let directory = try Self.directory(name)
    defer { try? FileManager.default.removeItem(at: directory) }
    let service = try RunningService(directory: directory)
    #expect(
      try service.log().contains {
        $0.contains("bringing the directory up to date: events.sqlite of an earlier version: step 1 of ")
      })
  }

  private static func check(_ directory: URL) async throws {
    let service = try RunningService(directory: directory)
    // The token that the earlier version has made.
    let headers = ["Authorization": "Bearer encircle_d3bc6dab_QA19uEdYhwuVZ0NIUH_GDGR3tRuSkFxTUaptGCTUw1o"]
    func get(_ path: String) async throws -> HTTPAnswer { try await service.get(path, headers: headers) }
    #expect(try await service.get("/v1/rulesets/default").status == 401)
    #expect(try await get("/v1/rulesets/default").text.contains("name: 加购"))
    #expect(try await get("/v1/rulesets/default").text.contains("# Kept as it is written."))
    #expect(try await get("/v1/rulesets/default/history/1").text.contains("name: 加入购物车"))
    #expect(try await get("/v1/rulesets/default/draft").text.contains("name: 草稿"))
    let events = try #require(try await get("/v1/events").object["events"] as? [[String: Any]])
    #expect(events.compactMap { ($0["event_json"] as? [String: Any])?["_track_id"] as? Int } == [9, 3, 2, 1])
    #expect(
      events.map { $0["emit"] as? [String] } == [[], ["add_to_cart"], ["add_to_cart"], ["add_to_cart"]])
    #expect(try await get("/v1/settings").object["redact"] as? [String] == ["secret"])
    let captures = try #require(try await get("/v1/captures").object["captures"] as? [[String: Any]])
    #expect(captures.compactMap { $0["name"] as? String } == ["home.xml"])
    #expect(try await get("/v1/captures/236054ed6d71fc3b/elements").status == 200)
    service.stop()
  }
}
