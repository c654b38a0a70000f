import EncircleEvents
import EncircleIdentity
import EncircleRules
import Synchronization

/// A rule set in force together with the elements of the stored captures, ready to decide.
final class ActiveRules: Sendable {
  /// What one thread decides with; it remembers what it has found out about elements.
  final class Worker: @unchecked Sendable {
    // Unchecked, as it changes: in the hands of one thread at a time.
    var decider: Decider
    var blocks: EventReader
    var record = DecisionRecord()

    fileprivate init(_ matcher: Matcher) {
      decider = Decider(matcher, cacheLimit: Worker.cacheLimit)
      blocks = EventReader(blocksFor: matcher.projection)
    }

    /// The most bytes for what it remembers.
    private static let cacheLimit = 16 << 20
  }

  let name: String
  let version: Int
  let ruleSet: RuleSet
  let matcher: Matcher
  private let spare = Mutex<[Worker]>([])
  /// As many as work at a time on most machines; further ones are made and forgotten.
  private static let mostSpare = 8

  init(name: String, version: Int, ruleSet: RuleSet, matcher: Matcher) {
    self.name = name
    self.version = version
    self.ruleSet = ruleSet
    self.matcher = matcher
  }

  /// Lends a worker.
  func withWorker<Result>(_ body: (Worker) throws -> Result) rethrows -> Result {
    let worker = spare.withLock { $0.popLast() } ?? Worker(matcher)
    defer { spare.withLock { if $0.count < Self.mostSpare { $0.append(worker) } } }
    return try body(worker)
  }
}

extension Verdict {
  init(_ decision: Decision) {
    self.init(
      isSelected: decision.isSelected, rules: decision.rules.map(\.text), excludedBy: decision.excludedBy.map(\.text),
      pages: decision.pages.map(\.text), emit: decision.emit.map(\.text))
  }
}
