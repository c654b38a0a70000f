import EncircleEvents
import EncircleInput
import EncircleText

/// Reads the events of a request: checks each, corrects its time, and removes what is redacted.
///
/// One bad event costs no other one: it becomes a reject with its reason.
///
///     var reader = CollectReader(plan)
///     let batch = reader.read(json, receivedAt: now)
public struct CollectReader {
  /// What a request holds.
  public struct Batch: Sendable {
    public var events: [CollectedEvent] = []
    /// The first rejects, as many as the plan keeps.
    public var rejects: [CollectedReject] = []
    /// All rejects.
    public var rejected = 0
  }

  private let plan: CollectPlan
  private let redaction: Redaction

  public init(_ plan: CollectPlan) {
    self.plan = plan
    redaction = Redaction(plan.redacted)
  }

  /// Reads an object, an array, or lines.
  ///
  /// - Parameter receivedAt: When the request arrived, in milliseconds since 1970.
  /// - Complexity: O(bytes).
  public func read(_ json: [UInt8], receivedAt: Int64) -> Batch { read(json, receivedAt: receivedAt, now: receivedAt) }

  /// Reads events that did not arrive by themselves, if `receivedAt` is nil: their times are not corrected.
  ///
  /// - Parameter now: The time of events that have none, in milliseconds since 1970.
  public func read(_ json: [UInt8], receivedAt: Int64?, now: Int64) -> Batch {
    var batch = Batch()
    var reader = EventReader(bytes: json, lengthLimit: plan.lengthLimit)
    // Bytes in memory cannot fail to be read: compressed ones, which could, have been decompressed before.
    while let record = try? reader.next() {
      switch record {
      case .event(let line):
        reader.withParsedEvent { text, tape in
          do {
            batch.events.append(try event(text, tape, receivedAt, now))
          } catch let problem as EventProblem {
            add(CollectedReject(line: line, code: problem.code, reason: problem.reason, text: kept(text)), to: &batch)
          } catch {
            add(CollectedReject(line: line, code: "bad-json", reason: "\(error)", text: []), to: &batch)
          }
        }
      case .rejection(let rejection):
        add(
          CollectedReject(
            line: rejection.line, code: "bad-json",
            reason: rejection.reason.message
              + " (line \(rejection.location.line), column \(rejection.location.column))",
            text: redaction.isEmpty ? rejection.bytes : []), to: &batch)
      }
    }
    return batch
  }

  private func add(_ reject: CollectedReject, to batch: inout Batch) {
    batch.rejected += 1
    if batch.rejects.count < plan.mostRejects { batch.rejects.append(reject) }
  }

  /// What is kept of an object that is rejected.
  private func kept(_ text: UnsafeBufferPointer<UInt8>) -> [UInt8] {
    if redaction.isEmpty { return Array(text) }
    return (try? AnalyticsEvent(json: text)).map { redaction.applied(to: $0).json } ?? []
  }

  private func event(
    _ text: UnsafeBufferPointer<UInt8>, _ tape: JSONTape, _ receivedAt: Int64?, _ now: Int64
  ) throws -> CollectedEvent {
    let facts = try EventFacts(text, tape, plan)
    var time = facts.time ?? now
    var json: [UInt8]
    if let receivedAt, let sentAt = facts.flushTime, let said = facts.time, !facts.isCorrected,
      case let corrected = plan.correction.corrected(said, sentAt: sentAt, receivedAt: receivedAt), corrected != said,
      EventFacts.dates.contains(corrected)
    {
      var event = try AnalyticsEvent(json: text)
      plan.correction.correct(&event, receivedAt: receivedAt)
      time = corrected
      json = event.json
    } else {
      json = Array(text)
      // A line break between members would make two lines of it where it is written as one.
      for i in json.indices where json[i] == 0x0A || json[i] == 0x0D { json[i] = 0x20 }
    }
    guard !redaction.isEmpty else {
      return CollectedEvent(json: json, time: time, key: facts.key, fields: facts.fields)
    }
    let redacted = redaction.applied(to: try AnalyticsEvent(json: json)).json
    var parsed = JSONTape()
    let fields = try redacted.withUnsafeBufferPointer { text in
      try parsed.parse(text)
      return EventFacts.fields(text, parsed, plan)
    }
    return CollectedEvent(json: json, redactedJSON: redacted, time: time, key: facts.key, fields: fields)
  }
}
