import EncircleEvents
import EncircleIdentity
import EncircleRules
import EncircleSDK
import EncircleText

/// The destination of events from SDKs: the store of a service, or the log of a collector.
///
/// Both read, check and decide events with ``decide(_:receivedAt:project:)``.
protocol CollectedEvents: Sendable {
  /// The maximum number of events in a request.
  var eventsPerRequest: Int { get }

  /// The properties that are removed before events are kept.
  var redacted: [PropertyReference] { get }

  /// Returns the rule sets that decide the events of a project, nil for `default`. This is called once per request, so one
  /// request is never decided by two versions.
  func rules(of project: String?) throws -> [ActiveRules]

  /// Returns an observer that records the counts for plans; nil if nothing is counted.
  func planObserver(for rules: [ActiveRules]) -> PlanObserver?

  /// Stores decided events, and returns when they are durable.
  func store(_ decided: DecidedBatch) async throws -> CollectOutcome
}

/// The decided events of a request.
struct DecidedBatch: Sendable {
  let batch: CollectReader.Batch<EventRow>
  /// The time of arrival, in milliseconds since 1970.
  let receivedAt: Int64
  /// The rules that decided, with their versions: `default@3,shop@12`.
  let rulesVersion: String

  /// The rejects that are kept, and one more that states the number of the others.
  var rejectRows: [RejectRow] {
    var rows = batch.rejects.map(row(of:))
    if batch.rejected > rows.count {
      rows.append(
        RejectRow(
          received: receivedAt, line: rows.last?.line ?? 1, code: "more-rejects",
          reason: "\(batch.rejected - rows.count) further ones of this request were not kept", text: []))
    }
    return rows
  }

  func row(of reject: CollectedReject) -> RejectRow {
    RejectRow(received: receivedAt, line: reject.line, code: reject.code, reason: reject.reason, text: reject.text)
  }
}

/// The numbers of stored, repeated and rejected events of a request.
struct CollectOutcome: Sendable {
  var received = 0
  var stored = 0
  var repeated = 0
  var rejected = 0
  var rejects: [CollectedReject] = []

  /// Creates the outcome before the events are stored.
  init(_ decided: DecidedBatch) {
    received = decided.batch.events.count + decided.batch.rejected
    rejected = decided.batch.rejected
    rejects = decided.batch.rejects
  }
}

extension CollectedEvents {
  func planObserver(for rules: [ActiveRules]) -> PlanObserver? { nil }

  /// Checks and decides the events of a request.
  ///
  /// - Parameters:
  ///   - contents: The content of the body.
  ///   - receivedAt: The time of arrival, in milliseconds since 1970.
  ///   - project: The project to which the events were sent; nil for `default`. If a rule set has this name, only that one
  ///     decides them.
  /// - Throws: ``CollectError`` if there are too many events.
  func decide(_ contents: CollectContents, receivedAt: Int64, project: String? = nil) throws -> DecidedBatch {
    let rules = try rules(of: project)
    var plan = plan(rules, sdk: contents.sdk)
    plan.maximumEvents = eventsPerRequest
    // The key may be a token, and tokens are stored only as hashes, so events are stored without it.
    plan.redacted += contents.keyPlaces.compactMap { PropertyReference(parsing: $0) }
    let observer = planObserver(for: rules)
    let batch = rules.withWorkers { workers in
      CollectReader(plan).read(
        contents.json, receivedAt: receivedAt, requestSentAt: contents.sentAt, now: receivedAt
      ) {
        EventRow($0, $1, $2, by: workers, observer, receivedAt: receivedAt, project: project)
      }
    }
    if batch.hasTooMany { throw CollectError.tooMany(limit: eventsPerRequest) }
    return DecidedBatch(batch: batch, receivedAt: receivedAt, rulesVersion: rules.versionText)
  }

  /// Returns the plan for reading arriving events, with the settings in force. Fields are read where their SDK writes them,
  /// otherwise where rules look for them, and last where the empty rules of a set without a publication would.
  func plan(_ rules: [ActiveRules], sdk: CollectProtocol = .sensors) -> CollectPlan {
    let rules = rules.filter { $0.version > 0 } + rules.filter { $0.version == 0 }
    let fields = sdk.styles.map { EventFields(style: $0) } + (rules.isEmpty ? [EventFields()] : rules.flatMap(\.fields))
    return CollectPlan(
      sdk: sdk, places: Self.places(fields), timePlaces: fields.places(of: .time), redacted: redacted,
      tapShape: fields.lazy.map(\.style.eventShape).first { !$0.namesTaps })
  }

  /// Returns the places of the fields for any of the rule sets, in their order.
  private static func places(_ fields: [EventFields]) -> [CollectPlan.Field: [PropertyReference]] {
    [
      .event: fields.places(of: .event), .page: fields.places(of: .page), .distinctID: fields.places(of: .distinctID),
      .appVersion: fields.places(of: .appVersion),
    ]
  }
}

extension [ActiveRules] {
  /// The names with their versions: `default@3,shop@12`.
  var versionText: String { map { "\($0.name)@\($0.version)" }.joined(separator: ",") }

  /// Returns the rule sets that decide the events of a project: the one with its name, if there is one, otherwise all.
  func of(project: String?) -> [ActiveRules] {
    guard let project, project != EventLibrary.ruleSet else { return self }
    let own = filter { $0.name.hasSameBytes(as: project) }
    return own.isEmpty ? self : own
  }
}

extension EventRow {
  /// Decides an event with all rule sets, while it is parsed.
  ///
  /// - Parameters:
  ///   - observer: Records the counts for plans; nil if nothing is counted.
  ///   - receivedAt: The time of arrival, in milliseconds since 1970.
  ///   - project: The project to which the event was sent; nil for `default`.
  init(
    _ event: CollectedEvent, _ text: UnsafeBufferPointer<UInt8>, _ tape: JSONTape, by workers: [ActiveRules.Worker],
    _ observer: PlanObserver?, receivedAt: Int64, project: String? = nil
  ) {
    func field(_ field: CollectPlan.Field) -> String? { event.fields[field.rawValue] }
    let decisions = workers.map { $0.decider.decide(tape, of: text) }
    let decision = Decision(joining: decisions)
    self.init(
      received: receivedAt, time: event.time, key: event.key.map { ($0.time, $0.hash) }, event: field(.event),
      page: field(.page).map(Self.page(ofEvent:)), distinctID: field(.distinctID), appVersion: field(.appVersion),
      element: decision.eventID?.bytes,
      project: project, decision: StoredDecision(decision), json: event.kept)
    properties = Self.text(
      event.redactedJSON.map { Self.properties(of: decisions, keptAs: $0, workers) } ?? decision.properties)
    observer?.observe(&self, decision, isRedacted: event.redactedJSON != nil, tape, text)
  }

  /// Returns a page as captures and rules name it: of a web page its path without escapes, any other page as it is.
  static func page(ofEvent text: String) -> String {
    if text.utf8.first == UInt8(ascii: "/") { return WebAddress.decoded(text) }
    let isURL = text.beginsWithBytes(of: "https://") || text.beginsWithBytes(of: "http://")
    return isURL ? WebAddress(text).path : text
  }

  /// Returns the properties that rules give a decided event, without redacted ones.
  private static func properties(
    of decisions: [Decision], keptAs json: [UInt8], _ workers: [ActiveRules.Worker]
  ) -> [RulePropertyValues] {
    guard decisions.contains(where: { !$0.properties.isEmpty }) else { return [] }
    var tape = JSONTape()
    return json.withUnsafeBufferPointer { text in
      guard (try? tape.parse(text)) != nil else { return [] }
      return zip(workers, decisions).flatMap { $0.decider.properties(of: $1, keptAs: tape, text) }
        .sorted { $0.rule < $1.rule }
    }
  }

  private static func text(_ properties: [RulePropertyValues]) -> String? {
    guard !properties.isEmpty else { return nil }
    var json = JSONBuilder()
    json.value(properties)
    return String(decoding: json.bytes, as: UTF8.self)
  }
}
