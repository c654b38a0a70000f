import EncircleEvents
import EncircleIdentity
import Foundation
import Logging
import Synchronization
import Testing

@testable import EncircleService

/// The rules that a collector fetches from its service, and keeps on disk.
@Suite struct PolledRulesTests {
  @Test func `a version is fetched again if its elements cannot be looked up at first`() async throws {
    let service = try RunningService()
    try await service.publish("Home")
    let directory = try RunningService.newDirectory()
    defer { try? FileManager.default.removeItem(at: directory) }
    var configuration = try CollectorConfiguration(of: service, in: directory)
    let attempts = Mutex(0)
    configuration.elements = CollectorConfiguration.Elements(ofRules: { _ in
      let attempt = attempts.withLock { attempts in
        attempts += 1
        return attempts
      }
      if attempt == 1 { throw CocoaError(.fileReadUnknown) }
      return ElementDictionary()
    })
    let rules = try PolledRules(configuration, metrics: ServiceMetrics(), logger: Logger(label: "test"))
    await rules.poll()
    #expect(rules.snapshot.rules == nil)
    await rules.poll()
    #expect(rules.snapshot.rules?.map(\.version) == [1])
    // The version in force is not fetched again.
    await rules.poll()
    #expect(attempts.withLock { $0 } == 2)
  }

  @Test func `rules that could not be written to disk are written after a later poll`() async throws {
    let service = try RunningService()
    try await service.publish("Home")
    let put = try await service.put("/v1/settings", json: ["redact": ["secret"]])
    #expect(put.status == 200, "\(put.text)")
    let directory = try RunningService.newDirectory()
    defer { try? FileManager.default.removeItem(at: directory) }
    let configuration = try CollectorConfiguration(of: service, in: directory)
    func polledRules() throws -> PolledRules {
      try PolledRules(configuration, metrics: ServiceMetrics(), logger: Logger(label: "test"))
    }
    let rules = try polledRules()
    try FileManager.default.removeItem(atPath: configuration.cache)
    await rules.poll()
    #expect(rules.snapshot.rules?.map(\.version) == [1], "it is in force all the same")
    try FileManager.default.createDirectory(atPath: configuration.cache, withIntermediateDirectories: false)
    await rules.poll()
    let later = try polledRules()
    later.load()
    #expect(later.snapshot.rules?.map(\.version) == [1])
    #expect(later.snapshot.redacted == rules.snapshot.redacted)
    #expect(later.snapshot.redacted.count == 1)
  }

  @Test func `properties whose names look the same are all redacted, also by the list on disk`() async throws {
    let service = try RunningService()
    try await service.publish("Home")
    let directory = try RunningService.newDirectory()
    defer { try? FileManager.default.removeItem(at: directory) }
    let configuration = try CollectorConfiguration(of: service, in: directory)
    func polledRules() throws -> PolledRules {
      try PolledRules(configuration, metrics: ServiceMetrics(), logger: Logger(label: "test"))
    }
    let rules = try polledRules()
    for names in [["caf\u{E9}"], ["cafe\u{301}"], ["cafe\u{301}", "caf\u{E9}"]] {
      #expect(try await service.put("/v1/settings", json: ["redact": names]).status == 200)
      await rules.poll()
      let later = try polledRules()
      later.load()
      let redacted = names.compactMap { PropertyReference(parsing: $0) }
      #expect(rules.snapshot.redacted == redacted)
      #expect(later.snapshot.redacted == redacted)
    }
  }

  @Test func `nothing is decided by a list of redacted properties of which one cannot be read`() async throws {
    let service = try RunningService()
    try await service.publish("Home")
    let directory = try RunningService.newDirectory()
    defer { try? FileManager.default.removeItem(at: directory) }
    let configuration = try CollectorConfiguration(of: service, in: directory)
    func polledRules() throws -> PolledRules {
      try PolledRules(configuration, metrics: ServiceMetrics(), logger: Logger(label: "test"))
    }
    let first = try polledRules()
    await first.poll()
    for (list, isUsed) in [(#"["secret","/a~1b"]"#, true), (#"["secret","/a~2b"]"#, false)] {
      try Data(list.utf8).write(to: URL(fileURLWithPath: configuration.cache + "/redact.json"))
      let rules = try polledRules()
      rules.load()
      #expect((rules.snapshot.rules != nil) == isUsed, "\(list)")
    }
  }
}
