import EncircleEvents
import EncircleRules
import EncircleSDK
import EncircleText
import Foundation

/// The events of the last days: what apps send is checked, decided, stored and shown to who watches.
final class EventLibrary: Sendable {
  /// What became of the events of a request.
  struct Outcome: Sendable {
    var received = 0
    var stored = 0
    var repeated = 0
    var rejected = 0
    var rejects: [CollectedReject] = []
  }

  /// The rule set that is meant where a request names none.
  static let ruleSet = "default"

  let store: EventStore
  let matchers: RuleMatchers
  let live = LiveHub()
  private let writer: EventWriter
  private let settings: SettingsLibrary
  private let eventsPerRequest: Int

  /// - Parameters:
  ///   - eventsPerRequest: The most events of a request.
  ///   - bytes: The most bytes that events may take on disk.
  init(
    store: Store, matchers: RuleMatchers, settings: SettingsLibrary, eventsPerRequest: Int = .max, bytes: Int = .max
  ) throws {
    self.store = try EventStore(store) {
      let settings = settings.current
      return EventLimits(days: settings.retentionDays, rows: settings.retentionRows, bytes: bytes)
    }
    self.eventsPerRequest = eventsPerRequest
    self.matchers = matchers
    self.settings = settings
    writer = EventWriter(self.store, now: { Self.now }, stored: { [live] in live.publish($0) })
  }

  /// The clock, in milliseconds since 1970.
  static var now: Int64 { Int64(Date().timeIntervalSince1970 * 1_000) }

  // MARK: - Collecting

  /// Checks and decides the events of a request.
  ///
  /// - Parameters:
  ///   - json: An object, an array, or lines.
  ///   - receivedAt: When it arrived, in milliseconds since 1970.
  /// - Throws: ``CollectError`` when there are too many, or what the decision throws.
  func decide(_ json: [UInt8], receivedAt: Int64) throws -> (batch: CollectReader.Batch, rows: EventRowBatch) {
    let rules = try matchers.all()
    var plan = plan(rules)
    plan.mostEvents = eventsPerRequest
    let batch = CollectReader(plan).read(json, receivedAt: receivedAt)
    if batch.hasTooMany { throw CollectError.tooMany(limit: eventsPerRequest) }
    let rows = try batch.events.map { try row(of: $0, rules, receivedAt: receivedAt) }
    var rejects = batch.rejects.map {
      RejectRow(received: receivedAt, line: $0.line, code: $0.code, reason: $0.reason, text: $0.text)
    }
    if batch.rejected > rejects.count {
      rejects.append(
        RejectRow(
          received: receivedAt, line: rejects.last?.line ?? 1, code: "more-rejects",
          reason: "\(batch.rejected - rejects.count) further ones of this request were not kept", text: []))
    }
    return (batch, EventRowBatch(events: rows, rejects: rejects))
  }

  /// Stores what has been decided; it is on disk when this returns.
  ///
  /// - Throws: `DatabaseError`, as on a full disk, or `EventWriter.Full`; nothing has been stored then.
  func store(_ batch: CollectReader.Batch, _ rows: EventRowBatch) async throws -> Outcome {
    let ids = rows.events.isEmpty && rows.rejects.isEmpty ? [] : try await writer.store(rows)
    let stored = ids.count { $0 != nil }
    return Outcome(
      received: batch.events.count + batch.rejected, stored: stored, repeated: ids.count - stored,
      rejected: batch.rejected, rejects: batch.rejects)
  }

  /// Begins to delete what is too old.
  func deleteOld() { writer.deleteOld() }

  /// Waits until what has been taken is stored.
  func finish() { writer.finish() }

  /// What is done with events that arrive, by the settings in force.
  func plan(_ rules: [ActiveRules]) -> CollectPlan {
    let fields = rules.isEmpty ? [EventFields()] : rules.map(\.ruleSet.fields)
    return CollectPlan(
      places: Self.places(fields), redacted: settings.current.redact.compactMap { PropertyReference(parsing: $0) },
      tapShape: fields.lazy.map(\.style.eventShape).first { !$0.namesTaps })
  }

  /// Decides an event, by all rule sets: it is selected if one of them selects it.
  func row(of event: CollectedEvent, _ rules: [ActiveRules], receivedAt: Int64) throws -> EventRow {
    let decision = try Decision(
      joining: rules.map { rules in try rules.withWorker { try $0.decider.decide(json: event.json) } })
    func field(_ field: CollectPlan.Field) -> String? { event.fields[field.rawValue] }
    var element: [UInt8]?
    if let id = decision.eventID {
      var bytes: [UInt8] = []
      id.appendBytes(to: &bytes)
      element = bytes
    }
    return EventRow(
      received: receivedAt, time: event.time, key: event.key.map { ($0.time, $0.hash) }, event: field(.event),
      page: field(.page), distinctID: field(.distinctID), appVersion: field(.appVersion), element: element,
      verdict: Verdict(decision), json: event.kept)
  }

  /// Where events of any of the rule sets have their fields; those of the first rule set come first.
  private static func places(_ fields: [EventFields]) -> [CollectPlan.Field: [PropertyReference]] {
    func places(_ field: EventFields.Field) -> [PropertyReference] {
      var seen: Set<PropertyReference> = []
      return fields.flatMap { $0.places(of: field) }
        .filter { seen.insert($0).inserted }
    }
    return [
      .event: places(.event), .page: places(.page), .distinctID: places(.distinctID), .appVersion: places(.appVersion),
    ]
  }

  // MARK: - Reading

  /// Gives the JSON of each stored event that was received in the last `days`, newest first, to `body` until that
  /// returns false.
  func forEach(days: Int, _ body: (_ id: Int64, _ json: [UInt8]) throws -> Bool) throws {
    try store.forEach(receivedSince: Self.now - Int64(days) * 86_400_000) { try body($0, $1) }
  }
}

extension Decision {
  /// What several rule sets say together.
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
  }
}
