import EncircleEvents
import EncircleRules
import EncircleSDK
import EncircleText
import Foundation

/// Checks, decides and stores the events that apps send, and passes them to live streams.
final class EventLibrary: Sendable {
  /// The numbers of stored, repeated and rejected events of a request.
  struct Outcome: Sendable {
    var received = 0
    var stored = 0
    var repeated = 0
    var rejected = 0
    var rejects: [CollectedReject] = []

    /// The outcome before the events are stored.
    init(_ decided: DecidedBatch) {
      received = decided.batch.events.count + decided.batch.rejected
      rejected = decided.batch.rejected
      rejects = decided.batch.rejects
    }
  }

  /// The events of a request, decided.
  struct DecidedBatch: Sendable {
    let batch: CollectReader.Batch<EventRow>
    /// When it arrived, in milliseconds since 1970.
    let receivedAt: Int64
  }

  /// The rule set of requests that name none.
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
  ///   - requestSentAt: When it was sent by its own account.
  ///   - project: The project to which they were sent; nil for `default`. Where a rule set has its name, that one decides them.
  /// - Throws: ``CollectError`` when there are too many.
  func decide(
    _ json: [UInt8], receivedAt: Int64, requestSentAt: Int64? = nil, project: String? = nil
  ) throws -> DecidedBatch {
    let rules = try matchers.all(of: project)
    var plan = plan(rules)
    plan.mostEvents = eventsPerRequest
    let batch = rules.withWorkers { workers in
      CollectReader(plan).read(json, receivedAt: receivedAt, requestSentAt: requestSentAt, now: receivedAt) {
        event, text, tape in
        EventRow(event, Decision(tape, of: text, by: workers), receivedAt: receivedAt, project: project)
      }
    }
    if batch.hasTooMany { throw CollectError.tooMany(limit: eventsPerRequest) }
    return DecidedBatch(batch: batch, receivedAt: receivedAt)
  }

  /// Stores what has been decided; it is on disk when this returns.
  ///
  /// - Throws: `DatabaseError`, as on a full disk, or `EventWriter.Full`; nothing has been stored then.
  func store(_ decided: DecidedBatch) async throws -> Outcome {
    let rows = EventRowBatch(events: decided.batch.events, rejects: Self.rejectRows(of: decided))
    let ids = rows.events.isEmpty && rows.rejects.isEmpty ? [] : try await writer.store(rows)
    var outcome = Outcome(decided)
    outcome.stored = ids.count { $0 != nil }
    outcome.repeated = ids.count - outcome.stored
    return outcome
  }

  private static func rejectRows(of decided: DecidedBatch) -> [RejectRow] {
    let batch = decided.batch
    var rows = batch.rejects.map {
      RejectRow(received: decided.receivedAt, line: $0.line, code: $0.code, reason: $0.reason, text: $0.text)
    }
    if batch.rejected > rows.count {
      rows.append(
        RejectRow(
          received: decided.receivedAt, line: rows.last?.line ?? 1, code: "more-rejects",
          reason: "\(batch.rejected - rows.count) further ones of this request were not kept", text: []))
    }
    return rows
  }

  /// Begins to delete what is too old.
  func deleteOld() { writer.deleteOld() }

  /// Waits until all accepted events are stored.
  func finish() { writer.finish() }

  /// What is done with events that arrive, by the settings in force.
  func plan(_ rules: [ActiveRules]) -> CollectPlan {
    let fields = rules.isEmpty ? [EventFields()] : rules.map(\.ruleSet.fields)
    return CollectPlan(
      places: Self.places(fields), timePlaces: Self.places(of: .time, fields),
      redacted: settings.current.redact.compactMap { PropertyReference(parsing: $0) },
      tapShape: fields.lazy.map(\.style.eventShape).first { !$0.namesTaps })
  }

  /// Where events of any of the rule sets have their fields; those of the first rule set come first.
  private static func places(_ fields: [EventFields]) -> [CollectPlan.Field: [PropertyReference]] {
    func places(_ field: EventFields.Field) -> [PropertyReference] { Self.places(of: field, fields) }
    return [
      .event: places(.event), .page: places(.page), .distinctID: places(.distinctID), .appVersion: places(.appVersion),
    ]
  }

  private static func places(of field: EventFields.Field, _ fields: [EventFields]) -> [PropertyReference] {
    var seen: Set<PropertyReference> = []
    return fields.flatMap { $0.places(of: field) }.filter { seen.insert($0).inserted }
  }

  // MARK: - Reading

  /// Calls `body` with the JSON of each stored event that was received in the last `days`, newest first, until it returns
  /// false.
  func forEach(days: Int, _ body: (_ id: Int64, _ json: [UInt8]) throws -> Bool) throws {
    try store.forEach(receivedSince: Self.now - Int64(days) * 86_400_000) { try body($0, $1) }
  }
}

extension EventRow {
  /// - Parameters:
  ///   - receivedAt: When it arrived, in milliseconds since 1970.
  ///   - project: The project to which it was sent; nil for `default`.
  init(_ event: CollectedEvent, _ decision: Decision, receivedAt: Int64, project: String? = nil) {
    func field(_ field: CollectPlan.Field) -> String? { event.fields[field.rawValue] }
    var element: [UInt8]?
    if let id = decision.eventID {
      var bytes: [UInt8] = []
      id.appendBytes(to: &bytes)
      element = bytes
    }
    self.init(
      received: receivedAt, time: event.time, key: event.key.map { ($0.time, $0.hash) }, event: field(.event),
      page: field(.page), distinctID: field(.distinctID), appVersion: field(.appVersion), element: element,
      project: project, verdict: Verdict(decision), properties: Self.text(decision.properties), json: event.kept)
  }

  private static func text(_ properties: [RulePropertyValues]) -> String? {
    guard !properties.isEmpty else { return nil }
    var json = JSONBuilder()
    json.value(properties)
    return String(decoding: json.bytes, as: UTF8.self)
  }
}
