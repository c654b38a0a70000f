import EncircleEvents
import EncircleIdentity
import EncircleLog
import EncircleRules
import EncircleSDK
import EncircleText

/// The events of SDKs that are written to a log.
struct LoggedEvents: CollectedEvents {
  let log: any EventLog
  let polled: PolledRules
  let eventsPerRequest: Int
  let logsRaw: Bool

  var redacted: [PropertyReference] { polled.snapshot.redacted }

  func rules(of project: String?) throws -> [ActiveRules] { try polled.rules(of: project) }

  /// Writes the events and rejects of a request, and returns when the log has acknowledged all of them. An event that is too
  /// long for the log becomes a reject, because sending it again could not help.
  func store(_ decided: DecidedBatch) async throws -> CollectOutcome {
    var records: [LogRecord] = []
    records.reserveCapacity(decided.batch.events.count * recordsPerEvent + decided.batch.rejects.count)
    for event in decided.batch.events {
      let key = event.keyText
      var record = LogRecord(
        .decided, json: event.decidedLine(key: key, rulesVersion: decided.rulesVersion),
        key: event.distinctID.map { Array($0.utf8) },
        eventID: event.element, eventKey: key, rulesVersion: decided.rulesVersion)
      records.append(record)
      guard logsRaw else { continue }
      record.stream = .raw
      record.json = event.json
      records.append(record)
    }
    records += decided.rejectRows.map { LogRecord($0, rulesVersion: decided.rulesVersion) }
    var outcome = CollectOutcome(decided)
    outcome.stored = decided.batch.events.count
    do throws(LogError) {
      try await log.append(records)
    } catch {
      guard case .tooLong(let places) = error else { throw error }
      let shorter = shortRejects(at: places, of: decided, &outcome)
      try await log.append(shorter.map { LogRecord($0, rulesVersion: decided.rulesVersion) })
    }
    return outcome
  }

  private var recordsPerEvent: Int { logsRaw ? 2 : 1 }

  /// Returns the replacements for records that are too long: rejects, each with the beginning of its text.
  private func shortRejects(at places: [Int], of decided: DecidedBatch, _ outcome: inout CollectOutcome) -> [RejectRow]
  {
    let batch = decided.batch
    let firstReject = batch.events.count * recordsPerEvent
    // The places may include both the decided and the raw record of an event.
    let events = Set(places.filter { $0 < firstReject }.map { $0 / recordsPerEvent }).sorted()
    let added = events.map { number in
      CollectedReject(
        line: batch.lines[number], code: "too-large", reason: "the event is too long for the log",
        text: batch.events[number].json)
    }
    outcome.stored -= added.count
    outcome.rejected += added.count
    outcome.rejects += added
    let kept = decided.rejectRows
    let rows = added.map { decided.row(of: $0) } + places.filter { $0 >= firstReject }.map { kept[$0 - firstReject] }
    return rows.map { row in
      var row = row
      row.text = Array(row.text.prefix(EventReader.keptBytes))
      return row
    }
  }
}

extension LogRecord {
  fileprivate init(_ reject: RejectRow, rulesVersion: String) {
    var json = JSONBuilder()
    json.object { json in
      json.member("received_at", reject.received)
      json.member("line", reject.line)
      json.member("code", reject.code)
      json.member("reason", reject.reason)
      json.member("text", String(decoding: reject.text, as: UTF8.self))
    }
    self.init(.rejects, json: json.bytes, rulesVersion: rulesVersion)
  }
}

extension EventRow {
  /// A key that is equal for repeats of an event: the device's time and a hash; nil if the SDK did not give the event an
  /// identifier.
  fileprivate var keyText: String? {
    key.map { key in
      "\(key.sent)-" + withUnsafeBytes(of: key.hash.bigEndian) { Hexadecimal.text($0) }
    }
  }

  /// Returns the event in one line, with its decision as the member `$encircle`, as `encircle match --output events` writes it,
  /// and with the known facts about its arrival.
  fileprivate func decidedLine(key: String?, rulesVersion: String) -> [UInt8] {
    var bytes: [UInt8] = []
    bytes.reserveCapacity(json.count + 400)
    _ = json.withUnsafeBufferPointer { DecisionText.appendOpen(Self.trimmed($0), to: &bytes) }
    var builder = JSONBuilder()
    swap(&builder.bytes, &bytes)
    if let element { builder.member("event_id", Hexadecimal.text(element)) }
    builder.member("selected", decision.isSelected)
    builder.member("rules", decision.rules)
    builder.member("excluded_by", decision.excludedBy)
    if !decision.pages.isEmpty { builder.member("pages", decision.pages) }
    builder.member("emit", decision.emit)
    if let properties { builder.member("properties", json: properties.utf8) }
    builder.member("rules_version", rulesVersion)
    builder.member("key", key)
    builder.member("project", project)
    builder.member("time", time)
    builder.member("received_at", received)
    builder.bytes.append(contentsOf: Array("}}".utf8))
    return builder.bytes
  }

  /// Returns an event without surrounding white space, so that its last byte is its brace.
  private static func trimmed(_ json: UnsafeBufferPointer<UInt8>) -> UnsafeBufferPointer<UInt8> {
    guard let first = json.firstIndex(where: { !isWhiteSpace($0) }),
      let last = json.lastIndex(where: { !isWhiteSpace($0) })
    else { return json }
    return UnsafeBufferPointer(rebasing: json[first...last])
  }
}
