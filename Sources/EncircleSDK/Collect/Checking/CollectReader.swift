import EncircleEvents
import EncircleInput
import EncircleText

/// Reads the events of a request: checks each, corrects its time, and removes redacted values.
///
/// A bad event does not affect the others: it becomes a reject with the reason.
///
///     let reader = CollectReader(plan)
///     let batch = reader.read(json, receivedAt: now)
public struct CollectReader: Sendable {
  /// The events and rejects of a request.
  public struct Batch<Event> {
    public var events: [Event] = []
    /// The line of each event, from 1.
    public var lines: [Int] = []
    /// The first rejects, up to the plan's limit.
    public var rejects: [CollectedReject] = []
    /// The number of all rejects.
    public var rejected = 0
    /// This is true if the request has more events than the plan allows. Reading ends at the limit.
    public var hasTooMany = false

    fileprivate var count: Int { events.count + rejected }
  }

  /// Makes an element of the batch from an event, while the event is parsed. The text and the nodes are the ones that rules
  /// see: the time is corrected, and nothing is redacted.
  package typealias Conversion<Event> = (CollectedEvent, UnsafeBufferPointer<UInt8>, JSONTape) -> Event

  /// The times that belong to the arrival of events, in milliseconds since 1970.
  private struct Arrival {
    /// The time of arrival; nil for events that no SDK has just sent, such as events from a file. Their times are not
    /// corrected.
    var receivedAt: Int64?
    /// The time at which the request says it was sent; nil if it does not say.
    var requestSentAt: Int64?
    /// The time of events that have none.
    var now: Int64
  }

  private let plan: CollectPlan
  private let redaction: Redaction

  public init(_ plan: CollectPlan) {
    self.plan = plan
    redaction = Redaction(plan.redacted)
  }

  /// Reads an object, an array, or lines.
  ///
  /// - Parameters:
  ///   - receivedAt: The time at which the request arrived, in milliseconds since 1970.
  ///   - requestSentAt: The time at which the request says it was sent, as in its header field `Date`; it corrects the times of
  ///     events that do not say when they were sent.
  /// - Complexity: O(bytes).
  public func read(_ json: [UInt8], receivedAt: Int64, requestSentAt: Int64? = nil) -> Batch<CollectedEvent> {
    read(json, receivedAt: receivedAt, requestSentAt: requestSentAt, now: receivedAt) { event, _, _ in event }
  }

  /// Reads events. If `receivedAt` is nil, the events did not arrive in a request, and their times are not corrected.
  ///
  /// - Parameter now: The time of events that have none, in milliseconds since 1970.
  public func read(_ json: [UInt8], receivedAt: Int64?, now: Int64) -> Batch<CollectedEvent> {
    read(json, receivedAt: receivedAt, now: now) { event, _, _ in event }
  }

  /// Reads an object, an array, or lines, and converts each event while it is parsed.
  package func read<Event>(
    _ json: [UInt8], receivedAt: Int64?, requestSentAt: Int64? = nil, now: Int64, _ convert: Conversion<Event>
  ) -> Batch<Event> {
    let arrival = Arrival(receivedAt: receivedAt, requestSentAt: requestSentAt, now: now)
    var batch = Batch<Event>()
    // Arrays are cut leniently, because a reader of documents would give up an array at its first error.
    let (start, line) = json.withUnsafeBufferPointer { readArrays($0, arrival, into: &batch, convert) }
    guard start < json.count else { return batch }
    var reader = EventReader(bytes: start == 0 ? json : Array(json[start...]), lengthLimit: plan.lengthLimit)
    // Reading bytes in memory cannot fail. Decompression could, but the bytes have been decompressed before.
    while !batch.hasTooMany, let record = try? reader.next() {
      guard admitsOneMore(&batch) else { break }
      switch record {
      case .event(let found):
        reader.withParsedEvent { add($0, $1, line: line + found, arrival, to: &batch, convert) }
      case .rejection(let rejection):
        let place = SourceLocation(line: line + rejection.location.line, column: rejection.location.column)
        add(
          rejection.reason, at: place, line: line + rejection.line, text: rejection.bytes, to: &batch)
      }
    }
    return batch
  }

  /// Converts the event that a reader has just returned, without correcting its time.
  ///
  /// - Returns: Nil if the event cannot be kept.
  package func read<Event>(
    eventOf reader: borrowing EventReader, now: Int64, _ convert: Conversion<Event>
  ) -> Event? {
    reader.withParsedEvent { try? event($0, $1, Arrival(receivedAt: nil, now: now), convert) }
  }

  /// Reads the arrays at the beginning of a text.
  ///
  /// - Returns: The offset of the remaining text, and the number of lines before it.
  private func readArrays<Event>(
    _ text: UnsafeBufferPointer<UInt8>, _ arrival: Arrival, into batch: inout Batch<Event>,
    _ convert: Conversion<Event>
  ) -> (start: Int, line: Int) {
    var place = TextPlace(text)
    var tape = JSONTape()
    let mark = ByteOrderMark.utf8
    var start = JSONTape.skipWhiteSpace(text, from: text.starts(with: mark) ? mark.count : 0)
    guard start < text.count, text[start] == UInt8(ascii: "[") else { return (0, 0) }
    while start < text.count, text[start] == UInt8(ascii: "["), !batch.hasTooMany {
      var elements = ArrayElements(text, from: start)
      while let range = elements.next() {
        guard admitsOneMore(&batch) else { break }
        let line = place.location(of: range.lowerBound).line
        // The beginning of an element that is too long shows whether the element was never closed.
        let element = UnsafeBufferPointer(rebasing: text[range].prefix(plan.lengthLimit))
        do throws(JSONError) {
          try tape.parse(element)
          guard element.count == range.count else { throw JSONError(.trailingText, at: element.count) }
          guard tape[0].kind == .object else { throw JSONError(.notAnObject, at: 0) }
          add(element, tape, line: line, arrival, to: &batch, convert)
        } catch {
          let bad = text[elements.recovered(range, from: error)]
          let isTooLong = bad.count > plan.lengthLimit
          add(
            isTooLong ? .tooLong(limit: plan.lengthLimit) : .json(error.kind),
            at: place.location(of: isTooLong ? bad.startIndex : min(bad.startIndex + error.offset, bad.endIndex)),
            line: line, text: Array(isTooLong ? bad.prefix(EventReader.keptBytes) : bad), to: &batch)
        }
      }
      start = JSONTape.skipWhiteSpace(text, from: elements.position)
    }
    return (start, place.location(of: start).line - 1)
  }

  /// Returns whether the batch can take one more event.
  private func admitsOneMore<Event>(_ batch: inout Batch<Event>) -> Bool {
    if batch.count >= plan.maximumEvents { batch.hasTooMany = true }
    return !batch.hasTooMany
  }

  // MARK: - One event

  private func add<Event>(
    _ text: UnsafeBufferPointer<UInt8>, _ tape: JSONTape, line: Int, _ arrival: Arrival,
    to batch: inout Batch<Event>, _ convert: Conversion<Event>
  ) {
    do {
      batch.events.append(try event(text, tape, arrival, convert))
      batch.lines.append(line)
    } catch let problem as EventProblem {
      add(CollectedReject(line: line, code: problem.code, reason: problem.reason, text: kept(text)), to: &batch)
    } catch {
      add(CollectedReject(line: line, code: "bad-json", reason: "\(error)", text: []), to: &batch)
    }
  }

  private func event<Event>(
    _ text: UnsafeBufferPointer<UInt8>, _ tape: JSONTape, _ arrival: Arrival, _ convert: Conversion<Event>
  ) throws -> Event {
    let facts = try EventFacts(text, tape, plan)
    if let (event, time) = try timed(text, facts, arrival) {
      let json = event.json
      let collected = try collected(json, time: time, facts)
      return try Self.parsing(json) { convert(collected, $0, $1) }
    }
    var json = Array(text)
    // Events are written one per line, so a line break between members would split the event.
    for i in json.indices where json[i] == 0x0A || json[i] == 0x0D { json[i] = 0x20 }
    return convert(try collected(json, time: facts.time ?? arrival.now, facts), text, tape)
  }

  /// Returns the event with its new time; nil if its own time stays. An event with an offset gets the time of arrival minus the
  /// offset. Any other event gets its corrected time.
  private func timed(
    _ text: UnsafeBufferPointer<UInt8>, _ facts: EventFacts, _ arrival: Arrival
  ) throws -> (event: AnalyticsEvent, time: Int64)? {
    guard let receivedAt = arrival.receivedAt else { return nil }
    if let offset = facts.offset {
      // The device's clock does not matter here, because the offset is the difference of two of its times.
      var event = try AnalyticsEvent(json: text)
      event.members["timestamp"] = .number(DecimalNumber(receivedAt - offset))
      return (event, receivedAt - offset)
    }
    guard let corrected = correctedTime(facts, arrival), let member = facts.timeMember else { return nil }
    var event = try AnalyticsEvent(json: text)
    plan.correction.correct(&event, receivedAt: receivedAt, requestSentAt: arrival.requestSentAt, timeMember: member)
    return (event, corrected)
  }

  /// Returns the corrected time of an event; nil if it needs no correction.
  private func correctedTime(_ facts: EventFacts, _ arrival: Arrival) -> Int64? {
    guard let receivedAt = arrival.receivedAt, let sentAt = facts.flushTime ?? arrival.requestSentAt,
      let said = facts.time, !facts.isCorrected
    else { return nil }
    let corrected = plan.correction.corrected(said, sentAt: sentAt, receivedAt: receivedAt)
    return corrected != said && EventFacts.dates.contains(corrected) ? corrected : nil
  }

  /// Returns the event without redacted values.
  private func collected(_ json: [UInt8], time: Int64, _ facts: EventFacts) throws -> CollectedEvent {
    guard !redaction.isEmpty else {
      return CollectedEvent(json: json, time: time, key: facts.key, fields: facts.fields)
    }
    let redacted = redaction.applied(to: try AnalyticsEvent(json: json)).json
    let fields = try Self.parsing(redacted) { EventFacts.fields($0, $1, plan) }
    return CollectedEvent(json: json, redactedJSON: redacted, time: time, key: facts.key, fields: fields)
  }

  private static func parsing<Result>(
    _ json: [UInt8], _ body: (UnsafeBufferPointer<UInt8>, JSONTape) throws -> Result
  ) throws -> Result {
    var tape = JSONTape()
    return try json.withUnsafeBufferPointer { text in
      try tape.parse(text)
      return try body(text, tape)
    }
  }

  // MARK: - Rejects

  private func add<Event>(
    _ reason: Rejection.Reason, at place: SourceLocation, line: Int, text: [UInt8], to batch: inout Batch<Event>
  ) {
    add(
      CollectedReject(
        line: line, code: "bad-json", reason: reason.message + " (line \(place.line), column \(place.column))",
        text: redaction.isEmpty ? text : []), to: &batch)
  }

  private func add<Event>(_ reject: CollectedReject, to batch: inout Batch<Event>) {
    batch.rejected += 1
    if batch.rejects.count < plan.maximumRejects { batch.rejects.append(reject) }
  }

  /// Returns the bytes to keep of a rejected object.
  private func kept(_ text: UnsafeBufferPointer<UInt8>) -> [UInt8] {
    if redaction.isEmpty { return Array(text) }
    return (try? AnalyticsEvent(json: text)).map { redaction.applied(to: $0).json } ?? []
  }
}

extension CollectReader.Batch: Sendable where Event: Sendable {}
