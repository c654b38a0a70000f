import Encircle
import Foundation
import Synchronization
import Testing

@Suite("Rule files are reloaded when they change")
struct RuleFileReloaderTests {
  /// A directory with one rule file, which is removed at the end.
  private final class Folder: Sendable {
    let path = NSTemporaryDirectory() + "encircle-\(UUID().uuidString)"

    init(_ rules: String) throws {
      try FileManager.default.createDirectory(atPath: path, withIntermediateDirectories: true)
      try write(rules)
    }

    deinit { try? FileManager.default.removeItem(atPath: path) }

    func write(_ rules: String, to name: String = "rules.yaml") throws {
      try Data("version: 1\n\(rules)".utf8).write(to: URL(fileURLWithPath: path + "/" + name), options: .atomic)
    }
  }

  private static let all = "rules: [{ id: all, include: { event: tap } }]"
  private static let none = "rules: [{ id: all, include: { event: other } }]"

  private func selects(_ live: LiveMatcher) throws -> Bool {
    var decider = Decider(live)
    return try decider.decide(json: #"{"event":"tap"}"#.utf8).isSelected
  }

  @Test("a set with a problem keeps the old one, and all its problems are reported")
  func broken() throws {
    let folder = try Folder(Self.all)
    let reloader = RuleFileReloader([folder.path])
    let live = LiveMatcher(try reloader.load())
    #expect(try selects(live))
    try folder.write("rules: [{ id: a, includ: { event: tap } }, { id: a }]")
    guard case .rejected(let errors) = reloader.reload(into: live) else {
      Issue.record("broken rules were taken")
      return
    }
    #expect(errors.diagnostics.count > 1)
    #expect(try selects(live))
    try folder.write(Self.none)
    guard case .reloaded(let count, _) = reloader.reload(into: live) else {
      Issue.record("good rules were not taken")
      return
    }
    #expect(count == 1)
    #expect(try !selects(live))
  }

  @Test("compiled rules are reloaded, and damaged ones are not")
  func compiled() throws {
    let folder = try Folder(Self.all)
    let path = folder.path + "/rules.compiled"
    let bytes = try Matcher(try RuleFiles([folder.path]).ruleSet()).compiled()
    try Data(bytes).write(to: URL(fileURLWithPath: path))
    let reloader = RuleFileReloader([path])
    let live = LiveMatcher(try reloader.load())
    #expect(try selects(live))
    try Data(bytes.dropLast()).write(to: URL(fileURLWithPath: path))
    guard case .rejected = reloader.reload(into: live) else {
      Issue.record("damaged rules were taken")
      return
    }
    #expect(try selects(live))
  }

  @Test("a file behind a link is found to have changed, as in a ConfigMap of Kubernetes")
  func links() async throws {
    let folder = try Folder(Self.all)
    let other = try Folder(Self.none)
    let rules = try Folder("rules: []")
    let (data, link) = (rules.path + "/..data", rules.path + "/rules.yaml")
    try FileManager.default.createSymbolicLink(atPath: data, withDestinationPath: folder.path)
    try FileManager.default.removeItem(atPath: link)
    try FileManager.default.createSymbolicLink(atPath: link, withDestinationPath: "..data/rules.yaml")
    let reloader = RuleFileReloader([rules.path])
    let live = LiveMatcher(try reloader.load())
    #expect(try selects(live))
    try FileManager.default.createSymbolicLink(atPath: data + "_new", withDestinationPath: other.path)
    #expect(rename(data + "_new", data) == 0)
    let loop = ReloadingLoop(reloader, live)
    guard case .reloaded(1, _)? = await loop.next() else {
      Issue.record("the change was not found")
      return
    }
    #expect(try !selects(live))
    await loop.cancel()
  }

  @Test("a change since the reloader was made, and a new file, are found by the loop, which ends when it is cancelled")
  func loop() async throws {
    let folder = try Folder(Self.all)
    let reloader = RuleFileReloader([folder.path])
    let live = LiveMatcher(try reloader.load())
    try folder.write(Self.none)
    let loop = ReloadingLoop(reloader, live)
    guard case .reloaded(1, _)? = await loop.next() else {
      Issue.record("the change was not found")
      return
    }
    #expect(try !selects(live))
    try folder.write("rules: [{ id: more, include: { event: tap } }]", to: "more.yaml")
    guard case .reloaded(2, _)? = await loop.next() else {
      Issue.record("the new file was not found")
      return
    }
    #expect(try selects(live))
    await loop.cancel()
  }

  @Test("rules whose dictionary cannot be read are loaded again until it can")
  func missingDictionary() async throws {
    let folder = try Folder(Self.all)
    let dictionary = folder.path + "/elements.dict"
    let reloader = RuleFileReloader([folder.path + "/rules.yaml"]) { style in
      if !FileManager.default.fileExists(atPath: dictionary) { throw DictionaryError.noSuchFile }
      return ElementDictionary(style: style)
    }
    let live = LiveMatcher(try RuleFileReloader([folder.path]).load())
    try folder.write(Self.none)
    let loop = ReloadingLoop(reloader, live)
    guard case .rejected? = await loop.next() else {
      Issue.record("rules without their dictionary were taken")
      return
    }
    #expect(try selects(live))
    try Data().write(to: URL(fileURLWithPath: dictionary))
    while case .rejected? = await loop.next() {}
    #expect(try !selects(live))
    await loop.cancel()
  }
}

/// A reloader that looks for changes every few milliseconds. After minutes it has no further outcomes.
private final class ReloadingLoop {
  private let task: Task<Void, Never>
  private let limit: Task<Void, any Error>
  private let outcomes: AsyncStream<RuleFileReloader.Outcome>

  init(_ reloader: RuleFileReloader, _ live: LiveMatcher) {
    let (outcomes, continuation) = AsyncStream<RuleFileReloader.Outcome>.makeStream()
    self.outcomes = outcomes
    task = Task { await reloader.run(updating: live, every: .milliseconds(5)) { continuation.yield($0) } }
    limit = Task {
      // Each pause gives the reloader a turn, however busy the machine is.
      for _ in 0..<60_000 { try await Task.sleep(for: .milliseconds(10)) }
      continuation.finish()
    }
  }

  deinit {
    task.cancel()
    limit.cancel()
  }

  /// Returns the outcome of the next changes.
  func next() async -> RuleFileReloader.Outcome? { await outcomes.first { _ in true } }

  /// Ends the loop, and returns when it has ended.
  func cancel() async {
    task.cancel()
    await task.value
  }
}
