import EncircleEvents
import EncircleIdentity
import EncircleRules
import EncircleText
import Synchronization

/// A published rule set, compiled with the known elements.
final class ActiveRules: Sendable {
  /// A decider for one thread, with its cache of elements.
  final class Worker: @unchecked Sendable {
    // The class is unchecked because it is mutable: only one thread at a time uses it.
    var decider: Decider
    var blocks: EventReader
    var record: DecisionRecord

    fileprivate init(_ matcher: Matcher) {
      record = DecisionRecord(for: matcher)
      decider = Decider(matcher, cacheLimit: Worker.cacheLimit)
      blocks = EventReader(blocksFor: matcher.projection)
    }

    /// The limit of the cache in bytes.
    private static let cacheLimit = 16 << 20
  }

  let name: String
  let version: Int
  let matcher: Matcher
  private let spare = Mutex<[Worker]>([])
  /// The maximum number of idle workers that are kept: as many as run at a time on most machines. Further ones are released after use.
  private static let maximumSpare = 8

  /// - Parameter matcher: A matcher of rules, or of compiled rules.
  init(name: String, version: Int, matcher: Matcher) {
    self.name = name
    self.version = version
    self.matcher = matcher
  }

  /// The places of the fields that these rules read, by the style of the event.
  var fields: [EventFields] { matcher.stylesAndFields.map { $0.1 } }

  /// Lends a worker.
  func withWorker<Result>(_ body: (Worker) throws -> Result) rethrows -> Result {
    let worker = takeWorker()
    defer { giveBack(worker) }
    return try body(worker)
  }

  fileprivate func takeWorker() -> Worker { spare.withLock { $0.popLast() } ?? Worker(matcher) }

  fileprivate func giveBack(_ worker: Worker) {
    spare.withLock { if $0.count < Self.maximumSpare { $0.append(worker) } }
  }
}

extension [EventFields] {
  /// Returns the places of a field in events of any of these rule sets, each once and in their order.
  func places(of field: EventFields.Field) -> [PropertyReference] {
    var seen: Set<PropertyReference> = []
    return flatMap { $0.places(of: field) }.filter { seen.insert($0).inserted }
  }
}

extension [ActiveRules] {
  /// Lends a worker of each rule set, in order.
  func withWorkers<Result>(_ body: ([ActiveRules.Worker]) throws -> Result) rethrows -> Result {
    let workers = map { $0.takeWorker() }
    defer { for (rules, worker) in zip(self, workers) { rules.giveBack(worker) } }
    return try body(workers)
  }
}

extension Decision {
  /// Joins the decisions of several rule sets: an event is selected if one of them selects it.
  init(joining decisions: [Decision]) {
    if decisions.count == 1 {
      self = decisions[0]
      return
    }
    func joined(_ lists: KeyPath<Decision, [UTF8String]>) -> [UTF8String] {
      Set(decisions.flatMap { $0[keyPath: lists] }).sorted()
    }
    self.init()
    eventID = decisions.lazy.compactMap(\.eventID).first
    isSelected = decisions.contains(where: \.isSelected)
    rules = joined(\.rules)
    excludedBy = joined(\.excludedBy)
    pages = joined(\.pages)
    emit = joined(\.emit)
    properties = decisions.flatMap(\.properties).sorted { $0.rule < $1.rule }
  }
}

extension StoredDecision {
  init(_ decision: Decision) {
    self.init(
      isSelected: decision.isSelected, rules: decision.rules.map(\.text), excludedBy: decision.excludedBy.map(\.text),
      pages: decision.pages.map(\.text), emit: decision.emit.map(\.text))
  }
}
