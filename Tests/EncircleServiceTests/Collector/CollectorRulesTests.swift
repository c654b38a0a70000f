import EncircleTestSupport
import Foundation
import Testing

/// The rules by which `encircle collect` decides, and where it keeps them.
@Suite struct CollectorRulesTests {
  @Test func `without its control plane a collector runs on, and restarts with its last rules`() async throws {
    let directory = try RunningService.newDirectory()
    defer { try? FileManager.default.removeItem(at: directory) }
    let service = try RunningService()
    try await service.publish("Home")
    try await service.publish("Home")
    let port = service.port
    var collector = try await RunningService.readyCollector(of: port, in: directory)
    service.crash()
    #expect(try await collector.post("/v1/collect", json: [CollectTests.event(1)]).status == 200)
    collector.crash()
    collector = try RunningService.collector(of: port, in: directory)
    #expect(try await collector.get("/readyz").text == "ready default@2\n")
    #expect(try await collector.post("/v1/collect", json: [CollectTests.event(2)]).status == 200)
    collector.stop()
    let decided = try collectedLines("decided", in: directory)
    #expect(decided.map { decision($0)["rules_version"] as? String } == ["default@2", "default@2"])
    #expect(decided.allSatisfy { decision($0)["selected"] as? Bool == true })

    // Another service has other rules under the same number.
    let other = try RunningService()
    try await other.publish("Other")
    try await other.publish("Other")
    collector = try RunningService.collector(of: other.port, in: directory)
    let isReplaced = try await waits {
      #expect(try await collector.post("/v1/collect", json: [CollectTests.event(3)]).status == 200)
      // Sorted by event, because files of one second are in the order of process IDs, which begin anew.
      return try collectedLines("decided", in: directory).contains {
        $0["_track_id"] as? Int == 3 && decision($0)["selected"] as? Bool == false
      }
    }
    let log = try collector.log().joined(separator: "\n")
    #expect(isReplaced, "\(log)")
    other.crash()
    collector.stop()

    // Nothing is decided without the list of what is removed, nor by kept rules that are half a file.
    let folder = directory.appendingPathComponent("rules")
    let names = try FileManager.default.contentsOfDirectory(atPath: folder.path).sorted()
    #expect(names.count == 2 && names[0].hasPrefix("default@2-") && names[1] == "redact.json")
    let list = try Data(contentsOf: folder.appendingPathComponent("redact.json"))
    let kept = folder.appendingPathComponent(names[0])
    for damage in [
      { try FileManager.default.removeItem(at: folder.appendingPathComponent("redact.json")) },
      {
        try list.write(to: folder.appendingPathComponent("redact.json"))
        try Data(try Data(contentsOf: kept).dropLast(100)).write(to: kept)
      },
    ] as [() throws -> Void] {
      try damage()
      collector = try RunningService.collector(of: port, in: directory)
      let refused = try await collector.post("/v1/collect", json: [CollectTests.event(4)])
      #expect(refused.status == 503)
      #expect(refused.errorCode == "no-rules")
      #expect(try await collector.get("/readyz").status == 503)
      #expect(try await collector.get("/healthz").status == 200)
      collector.stop()
    }
  }

  @Test func `a collector that lacks a token for its service says which one it needs`() async throws {
    let service = try RunningService()
    _ = try await service.token("lin", "publish", as: nil)
    let collector = try RunningService.collector(of: service.port)
    #expect(try await collector.get("/readyz").status == 503)
    func saysSo() throws -> Bool {
      try collector.log().contains { $0.contains("answers 401") && $0.contains("--control-token names a file") }
    }
    // On a busy machine, the first poll may take longer than a collector waits for it.
    for _ in 0..<600 {
      if try saysSo() { break }
      try await Task.sleep(for: .milliseconds(50))
    }
    #expect(try saysSo())
  }

  @Test func `published rules come into force, and no request is decided by two versions`() async throws {
    let service = try RunningService()
    try await service.publish("Home")
    let collector = try await RunningService.readyCollector(of: service.port)
    // On a busy machine, the next version may be there before the tasks have sent anything.
    let first = try await collector.post("/v1/collect", json: [CollectTests.event(0, ["request": "first"])])
    #expect(first.status == 200)
    try await withThrowingTaskGroup(of: Void.self) { group in
      for sender in 0..<3 {
        group.addTask {
          for request in 0..<1_000_000 {
            let events = (0..<200).map { CollectTests.event($0, ["request": "\(sender)-\(request)"]) }
            let answer = try await collector.post("/v1/collect", json: events)
            #expect(answer.status == 200)
            if Task.isCancelled { return }
          }
        }
      }
      for version in 2...3 {
        try await service.publish(version == 2 ? "Other" : "Home")
        let isInForce = try await waits { try await collector.get("/readyz").text == "ready default@\(version)\n" }
        #expect(isInForce)
      }
      // Broken rules do not reach collectors: the service refuses them.
      let broken = try await service.send(
        "PUT", "/v1/rulesets/default?reason=test", headers: ["If-Match": "*"], body: Data("rules: [".utf8))
      #expect(broken.status == 422)
      group.cancelAll()
      try await group.waitForAll()
    }
    collector.stop()
    var versions: [String: Set<String>] = [:]
    for line in try collectedLines("decided", in: collector.directory) {
      let request = try #require(line["request"] as? String)
      let version = try #require(decision(line)["rules_version"] as? String)
      versions[request, default: []].insert(version)
      #expect(decision(line)["selected"] as? Bool == (version != "default@2"))
    }
    #expect(versions.values.allSatisfy { $0.count == 1 })
    #expect(versions.values.contains(["default@1"]))
  }

  @Test func `a cache that is a file is an error in one sentence`() throws {
    let directory = try RunningService.newDirectory()
    defer { try? FileManager.default.removeItem(at: directory) }
    let file = directory.appendingPathComponent("rules").path
    try Data().write(to: URL(fileURLWithPath: file))
    let run = try Tool.run([
      "collect", "--control", "http://127.0.0.1:9", "--port", "0", "--files", directory.path + "/events",
      "--rules-cache", file,
    ])
    #expect(run.status == 74 && run.errors.hasPrefix("error: \(file): cannot be used: "), "\(run.errors)")
    #expect(!run.errors.contains("UserInfo"), "\(run.errors)")
  }

  @Test func `a collector without names of rule sets warns of those by which only the service decides`() async throws {
    let service = try RunningService()
    try await service.publish("Home")
    try await service.publish("Home", "shop")
    func isWarned(_ collector: RunningService) throws -> Bool {
      try collector.log().contains { $0.contains("--ruleset names them") && $0.hasSuffix("rules=shop") }
    }
    let unnamed = try await RunningService.readyCollector(of: service.port)
    #expect(try await waits { try isWarned(unnamed) })
    let named = try await RunningService.readyCollector(of: service.port, ["--ruleset", "default"])
    // The second poll begins after the first has ended.
    try await service.publish("Other")
    #expect(try await waits { try await named.get("/readyz").text == "ready default@2\n" })
    #expect(try !isWarned(named))
  }

  @Test func `a rule set that is named twice decides once`() async throws {
    let service = try RunningService()
    try await service.publish("Home")
    let twice = ["--ruleset", "default", "--ruleset", "default"]
    let collector = try await RunningService.readyCollector(of: service.port, twice)
    #expect(try await collector.get("/readyz").text == "ready default@1\n")
  }
}
