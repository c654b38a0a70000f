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
    /// Whether the request has more events than the plan allows. Reading ends at the limit.
    public var hasTooMany = false

    fileprivate var count: Int { events.count + rejected }
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
    // Arrays are cut leniently; a reader of documents would give up an array at its first error.
    let (start, line) = json.withUnsafeBufferPointer { readArrays($0, receivedAt, now, into: &batch) }
    var reader = EventReader(bytes: start == 0 ? json : Array(json[start...]), lengthLimit: plan.lengthLimit)
    // Bytes in memory cannot fail to be read: compressed ones, which could, have been decompressed before.
    while !batch.hasTooMany, let record = try? reader.next() {
      guard hasRoom(&batch) else { break }
      switch record {
      case .event(let found):
        reader.withParsedEvent { add($0, $1, line: line + found, receivedAt, now, to: &batch) }
      case .rejection(let rejection):
        let place = SourceLocation(line: line + rejection.location.line, column: rejection.location.column)
        add(
          rejection.reason, at: place, line: line + rejection.line, text: rejection.bytes, to: &batch)
      }
    }
    return batch
  }

  /// Reads the arrays that a text begins with.
  ///
  /// - Returns: Where the rest of the text begins, and the number of lines before it.
  private func readArrays(
    _ text: UnsafeBufferPointer<UInt8>, _ receivedAt: Int64?, _ now: Int64, into batch: inout Batch
  ) -> (start: Int, line: Int) {
    var place = TextPlace(text)
    var tape = JSONTape()
    let mark: [UInt8] = [0xEF, 0xBB, 0xBF]
    var start = JSONTape.skipWhiteSpace(text, from: text.starts(with: mark) ? mark.count : 0)
    guard start < text.count, text[start] == UInt8(ascii: "[") else { return (0, 0) }
    while start < text.count, text[start] == UInt8(ascii: "["), !batch.hasTooMany {
      var elements = ArrayElements(text, from: start)
      while let range = elements.next() {
        guard hasRoom(&batch) else { break }
        let line = place.location(of: range.lowerBound).line
        let element = UnsafeBufferPointer(rebasing: text[range])
        guard element.count <= plan.lengthLimit else {
          add(
            .tooLong(limit: plan.lengthLimit), at: place.location(of: range.lowerBound), line: line,
            text: Array(element.prefix(EventReader.keptBytes)), to: &batch)
          continue
        }
        do throws(JSONError) {
          try tape.parse(element)
          guard tape[0].kind == .object else { throw JSONError(.notAnObject, at: 0) }
          add(element, tape, line: line, receivedAt, now, to: &batch)
        } catch {
          let bad = text[elements.recovered(range)]
          add(
            .json(error.kind), at: place.location(of: min(range.lowerBound + error.offset, bad.endIndex)), line: line,
            text: Array(bad), to: &batch)
        }
      }
      start = JSONTape.skipWhiteSpace(text, from: elements.position)
    }
    return (start, place.location(of: start).line - 1)
  }

  /// Returns whether one more event may come.
  private func hasRoom(_ batch: inout Batch) -> Bool {
    if batch.count >= plan.mostEvents { batch.hasTooMany = true }
    return !batch.hasTooMany
  }

  private func add(
    _ text: UnsafeBufferPointer<UInt8>, _ tape: JSONTape, line: Int, _ receivedAt: Int64?, _ now: Int64,
    to batch: inout Batch
  ) {
    do {
      batch.events.append(try event(text, tape, receivedAt, now))
    } catch let problem as EventProblem {
      add(CollectedReject(line: line, code: problem.code, reason: problem.reason, text: kept(text)), to: &batch)
    } catch {
      add(CollectedReject(line: line, code: "bad-json", reason: "\(error)", text: []), to: &batch)
    }
  }

  private func add(
    _ reason: Rejection.Reason, at place: SourceLocation, line: Int, text: [UInt8], to batch: inout Batch
  ) {
    add(
      CollectedReject(
        line: line, code: "bad-json", reason: reason.message + " (line \(place.line), column \(place.column))",
        text: redaction.isEmpty ? text : []), to: &batch)
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
