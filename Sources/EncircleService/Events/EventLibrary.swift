import EncircleEvents
import EncircleRules
import EncircleSDK
import EncircleText
import Foundation

/// Checks, decides and stores the events that apps send, and passes them to live streams.
final class EventLibrary: CollectedEvents {
  /// The rule set of requests that do not name one.
  static let ruleSet = "default"

  let store: EventStore
  let matchers: RuleMatchers
  let live = LiveHub()
  private let writer: EventWriter
  private let settings: SettingsLibrary
  private let plans: PlanLibrary
  let eventsPerRequest: Int

  /// - Parameters:
  ///   - eventsPerRequest: The maximum number of events in a request.
  ///   - bytes: The maximum size of all events on disk, in bytes.
  init(
    store: Store, matchers: RuleMatchers, settings: SettingsLibrary, plans: PlanLibrary, eventsPerRequest: Int = .max,
    bytes: Int = .max
  ) throws {
    self.store = try EventStore(store) {
      let settings = settings.current
      return EventLimits(days: settings.retentionDays, rows: settings.retentionRows, bytes: bytes)
    }
    self.eventsPerRequest = eventsPerRequest
    self.matchers = matchers
    self.settings = settings
    self.plans = plans
    writer = EventWriter(self.store, now: { Self.now }, stored: { [live] in live.publish($0) })
  }

  /// The clock, in milliseconds since 1970.
  static var now: Int64 { Int64(Date().timeIntervalSince1970 * 1_000) }

  // MARK: - Collecting

  func rules(of project: String?) throws -> [ActiveRules] { try matchers.all(of: project) }

  func planObserver(for rules: [ActiveRules]) -> PlanObserver? { PlanObserver(rules, plans.watch(for: rules)) }

  var redacted: [PropertyReference] { settings.current.redact.compactMap { PropertyReference(parsing: $0) } }

  /// Stores decided events, and returns when they are on disk.
  ///
  /// - Throws: `DatabaseError`, as on a full disk, or `QueueFull`; nothing is stored then.
  func store(_ decided: DecidedBatch) async throws -> CollectOutcome {
    let rows = EventRowBatch(events: decided.batch.events, rejects: decided.rejectRows)
    let ids = rows.events.isEmpty && rows.rejects.isEmpty ? [] : try await writer.store(rows)
    var outcome = CollectOutcome(decided)
    outcome.stored = ids.count { $0 != nil }
    outcome.repeated = ids.count - outcome.stored
    return outcome
  }

  /// Starts to delete events that are too old.
  func deleteOld() { writer.deleteOld() }

  /// Waits until all accepted events are stored.
  func finish() { writer.finish() }

  // MARK: - Reading

  /// Calls `body` with the JSON of each stored event that was received in the last `days`, newest first, until it returns
  /// false.
  func forEach(days: Int, _ body: (_ id: Int64, _ json: [UInt8]) throws -> Bool) throws {
    try store.forEachRow(receivedSince: Self.now - Int64(days) * 86_400_000) { try body($0.id, $0.json) }
  }
}
