import Foundation
import GRDB

/// A part of the events of the normal lane. Instant events belong to every part.
public enum QueuePart: Hashable, Sendable {
  /// All of them.
  case all
  /// Events that were stored since the queue was opened and have never been in a batch.
  case fresh
  /// All other events: stored before the queue was opened, or in a batch that could not be delivered.
  case leftOver
}

/// The outcome of a batch after the receiver's answer.
public enum BatchOutcome: Hashable, Sendable {
  /// The receiver took the batch: its events are deleted.
  case delivered
  /// The receiver did not take the batch: its events wait to be sent again.
  case kept
  /// The receiver refused the batch for good: its events are moved to the rejected events.
  case rejected(status: Int)
  /// The receiver did not take the batch, and the policy deletes its events all the same.
  case lost(status: Int)
}

/// The state of a queue in memory, and all operations on its file.
struct QueueState {
  private var database: DatabaseQueue?
  private(set) var counts = QueueCounts()
  private(set) var freshCount = 0
  /// This is true if the file was closed because it is damaged, and a new one could not be begun yet.
  var lacksFile = false
  /// The notices to report after the queue has been unlocked.
  var notices: [DeliveryNotice] = []
  // Events of a lane with greater ids are fresh: they were stored since the opening, and no batch has taken them.
  private var lastTaken: [DeliveryLane: Int64]
  // The size of the rejected events, in bytes; nil until an event is rejected. Opening a queue therefore does not read them.
  private var rejectedBytes: Int?
  // The batches under way, and those whose outcome is not stored yet. No other batch takes events of the same lane from their
  // ranges.
  private var claims: [UInt64: Claim] = [:]

  private struct Claim {
    let lane: DeliveryLane
    let range: ClosedRange<Int64>
    let count: Int
    // The outcome, if it could not be stored, as on a full disk; nil while the batch is under way.
    var settlement: Settlement?
  }

  private struct Settlement {
    let outcome: BatchOutcome
    let events: [(id: Int64, bytes: Int)]
  }

  init(_ database: DatabaseQueue) throws(DeliveryError) {
    self.database = database
    // Rejected events that are restored get their old ids, and were in a batch before.
    let newest = "SELECT MAX(id) FROM (SELECT MAX(id) AS id FROM events UNION ALL SELECT MAX(id) FROM rejected)"
    let (counts, last) = try DeliveryError.translating {
      try database.inDatabase { db in (try QueueFile.counts(db), try Int64.fetchOne(db, sql: newest) ?? 0) }
    }
    self.counts = counts
    lastTaken = [.instant: last, .normal: last]
  }

  /// The number of events that are being sent.
  var claimedCount: Int { claims.values.reduce(0) { $0 + ($1.settlement == nil ? $1.count : 0) } }

  mutating func close() {
    try? database?.close()
    database = nil
    lacksFile = false
    claims.removeAll()
  }

  /// Runs `body` in a transaction with the totals, which it may change.
  private mutating func write<R>(_ body: (Database, inout QueueCounts) throws -> R) throws -> R {
    guard let database else { throw DeliveryError.closed }
    var changed = counts
    let result = try database.write { db in
      let result = try body(db, &changed)
      try QueueFile.check(changed)
      if changed != counts { try QueueFile.save(changed, db) }
      return result
    }
    counts = changed
    return result
  }

  // MARK: Storing

  mutating func store(_ events: [[UInt8]], _ lane: DeliveryLane, _ limits: QueueLimits) throws {
    let claims = claims.values
    let lastTaken = lastTaken
    let (dropped, droppedFresh) = try write { db, counts in
      let insertion = try db.cachedStatement(sql: "INSERT INTO events (lane, event) VALUES (?, ?)")
      for event in events {
        try insertion.execute(arguments: [lane.rawValue, Data(event)])
        counts.bytes += event.count
      }
      counts.waiting += events.count
      var dropped = 0
      var droppedFresh = 0
      while counts.waiting > limits.events || counts.bytes > limits.bytes {
        let most = max(1, min(limits.droppedAtOnce, limits.events / 10))
        let oldest = try Self.oldest(most, except: claims, db)
        if oldest.isEmpty { break }
        let deletion = try db.cachedStatement(sql: "DELETE FROM events WHERE id = ?")
        for event in oldest {
          try deletion.execute(arguments: [event.id])
          counts.bytes -= event.bytes
          if let lane = event.lane, event.id > lastTaken[lane] ?? 0 { droppedFresh += 1 }
        }
        counts.waiting -= oldest.count
        dropped += oldest.count
      }
      counts.dropped += dropped
      return (dropped, droppedFresh)
    }
    freshCount += events.count - droppedFresh
    if dropped > 0 { notices.append(.dropped(dropped)) }
  }

  private struct DroppableEvent {
    let id: Int64
    let lane: DeliveryLane?
    let bytes: Int
  }

  /// Returns the oldest events that are not in a batch.
  private static func oldest(_ limit: Int, except claims: some Collection<Claim>, _ db: Database) throws
    -> [DroppableEvent]
  {
    var events: [DroppableEvent] = []
    let cursor = try Row.fetchCursor(
      db.cachedStatement(sql: "SELECT id, lane, LENGTH(event) FROM events ORDER BY id"))
    while events.count < limit, let row = try cursor.next() {
      let id: Int64 = try row.decode(atIndex: 0)
      let lane = DeliveryLane(rawValue: try row.decode(atIndex: 1))
      if claims.contains(where: { $0.lane == lane && $0.range.contains(id) }) { continue }
      events.append(DroppableEvent(id: id, lane: lane, bytes: try row.decode(atIndex: 2)))
    }
    return events
  }

  // MARK: Batches

  mutating func claim(limit: Int, bytes: Int, part: QueuePart) throws -> EventBatch? {
    if counts.waiting == 0 { return nil }
    if let batch = try claim(.instant, behind: 0, upTo: .max, limit, bytes) { return batch }
    let last = lastTaken[.normal] ?? 0
    switch part {
    case .all: return try claim(.normal, behind: 0, upTo: .max, limit, bytes)
    case .fresh: return try claim(.normal, behind: last, upTo: .max, limit, bytes)
    case .leftOver: return try claim(.normal, behind: 0, upTo: last, limit, bytes)
    }
  }

  /// Takes out the oldest events of a lane that have ids in a range and are not in a batch; ids are greater than 0.
  private mutating func claim(
    _ lane: DeliveryLane, behind start: Int64, upTo end: Int64, _ limit: Int, _ bytes: Int
  ) throws -> EventBatch? {
    guard let database else { throw DeliveryError.closed }
    let taken = claims.values.filter { $0.lane == lane }.map(\.range).sorted { $0.lowerBound < $1.lowerBound }
    let events = try database.inDatabase { db in
      var start = start
      for claim in taken where claim.upperBound > start {
        let events = try Self.events(lane, behind: start, upTo: min(claim.lowerBound - 1, end), limit, bytes, db)
        if !events.isEmpty { return events }
        start = claim.upperBound
      }
      return try Self.events(lane, behind: start, upTo: end, limit, bytes, db)
    }
    guard let first = events.first, let last = events.last else { return nil }
    var id = UInt64.random(in: .min ... .max)
    while claims[id] != nil { id &+= 1 }
    claims[id] = Claim(lane: lane, range: first.id...last.id, count: events.count)
    let lastBefore = lastTaken[lane] ?? 0
    if last.id > lastBefore {
      freshCount -= events.count { $0.id > lastBefore }
      lastTaken[lane] = last.id
    }
    return EventBatch(id: id, lane: lane, events: events)
  }

  private static func events(
    _ lane: DeliveryLane, behind start: Int64, upTo end: Int64, _ limit: Int, _ bytes: Int, _ db: Database
  ) throws -> [QueuedEvent] {
    if start >= end { return [] }
    // The statement contains the lane itself, because with a parameter SQLite could not use the index of instant events.
    let cursor = try Row.fetchCursor(
      db.cachedStatement(
        sql: """
          SELECT id, event FROM events WHERE lane = \(lane.rawValue) AND id > ? AND id <= ? ORDER BY id LIMIT ?
          """),
      arguments: [start, end, max(1, limit)])
    var events: [QueuedEvent] = []
    var size = 0
    var last = start
    while let row = try cursor.next() {
      let id: Int64 = try row.decode(atIndex: 0)
      // The rows of a damaged file can come in any order, and without end.
      guard id > last, id <= end else { throw DeliveryError.damaged("its events are not in order") }
      last = id
      let json = try row.withUnsafeData(atIndex: 1) { data in [UInt8](data ?? Data()) }
      size += json.count
      if size > bytes, !events.isEmpty { break }
      events.append(QueuedEvent(id: id, json: json))
    }
    return events
  }

  mutating func settle(_ batch: EventBatch, _ outcome: BatchOutcome, _ limits: QueueLimits) throws {
    // The batch was settled before, or belongs to a file that was set aside.
    guard let claim = claims[batch.id], claim.settlement == nil else { return }
    if outcome == .kept {
      claims[batch.id] = nil
      return
    }
    let settlement = Settlement(outcome: outcome, events: batch.events.map { (id: $0.id, bytes: $0.json.count) })
    // If the outcome cannot be stored, the batch stays claimed. Otherwise the same events would be sent again and again, and no
    // others.
    claims[batch.id]?.settlement = settlement
    try apply(settlement, limits)
    claims[batch.id] = nil
    retrySettlements(limits)
  }

  /// Stores the outcomes that could not be stored before, until one fails again.
  mutating func retrySettlements(_ limits: QueueLimits) {
    for (id, claim) in claims {
      guard let settlement = claim.settlement else { continue }
      guard (try? apply(settlement, limits)) != nil else { return }
      claims[id] = nil
    }
  }

  private mutating func apply(_ settlement: Settlement, _ limits: QueueLimits) throws {
    let knownBytes = rejectedBytes
    let (reports, bytesLeft) = try write { db, counts -> ([DeliveryNotice], Int?) in
      var bytesLeft = knownBytes
      if case .rejected(let status) = settlement.outcome {
        if bytesLeft == nil { bytesLeft = try Self.bytesOfRejected(db) }
        let copy = try db.cachedStatement(
          sql: "INSERT OR REPLACE INTO rejected SELECT id, lane, CAST(? AS INTEGER), event FROM events WHERE id = ?")
        for event in settlement.events { try copy.execute(arguments: [status, event.id]) }
      }
      let deletion = try db.cachedStatement(sql: "DELETE FROM events WHERE id = ?")
      var count = 0
      var bytes = 0
      for event in settlement.events {
        try deletion.execute(arguments: [event.id])
        if db.changesCount == 0 { continue }
        count += 1
        bytes += event.bytes
      }
      counts.waiting -= count
      counts.bytes -= bytes
      var reports: [DeliveryNotice] = []
      switch settlement.outcome {
      case .kept: break
      case .delivered: counts.delivered += count
      case .lost(let status):
        counts.lost += count
        reports.append(.lost(count, status: status))
      case .rejected(let status):
        counts.rejected += count
        reports.append(.rejected(count, status: status))
        var all = (bytesLeft ?? 0) + bytes
        let dropped = try Self.dropRejected(&counts, &all, limits, db)
        if dropped > 0 { reports.append(.dropped(dropped)) }
        bytesLeft = all
      }
      // More pages are released than were freed, so that the file shrinks faster than it is emptied.
      try Self.shrink(db, pages: counts.waiting == 0 ? 100_000 : 64)
      return (reports, bytesLeft)
    }
    notices += reports
    rejectedBytes = bytesLeft
  }

  /// Deletes the oldest rejected events beyond the limits, and returns their number.
  private static func dropRejected(
    _ counts: inout QueueCounts, _ bytes: inout Int, _ limits: QueueLimits, _ db: Database
  ) throws -> Int {
    var dropped = 0
    var last: Int64 = 0
    let cursor = try Row.fetchCursor(db.cachedStatement(sql: "SELECT id, LENGTH(event) FROM rejected ORDER BY id"))
    while counts.rejected > limits.rejected || bytes > limits.rejectedBytes, let row = try cursor.next() {
      let id: Int64 = try row.decode(atIndex: 0)
      let size: Int = try row.decode(atIndex: 1)
      // The rows of a damaged file can come in any order, and without end.
      guard id > last else { throw DeliveryError.damaged("its events are not in order") }
      last = id
      bytes -= size
      counts.rejected -= 1
      dropped += 1
    }
    if dropped > 0 { try db.execute(sql: "DELETE FROM rejected WHERE id <= ?", arguments: [last]) }
    counts.dropped += dropped
    return dropped
  }

  /// Returns free pages to the system, if there are many.
  private static func shrink(_ db: Database, pages: Int) throws {
    let free = try Int.fetchOne(db.cachedStatement(sql: "PRAGMA freelist_count")) ?? 0
    // A few are kept for the next events.
    guard free > 512 else { return }
    let cursor = try Row.fetchCursor(db, sql: "PRAGMA incremental_vacuum(\(min(pages, free - 256)))")
    while try cursor.next() != nil {}
  }

  // MARK: Rejected events

  mutating func rejectedEvents(limit: Int) throws -> [RejectedEvent] {
    guard let database else { throw DeliveryError.closed }
    return try database.inDatabase { db in
      let cursor = try Row.fetchCursor(
        db, sql: "SELECT id, event, status FROM rejected ORDER BY id LIMIT ?", arguments: [limit])
      var events: [RejectedEvent] = []
      while let row = try cursor.next() {
        let json = try row.withUnsafeData(atIndex: 1) { data in [UInt8](data ?? Data()) }
        events.append(RejectedEvent(id: try row.decode(atIndex: 0), json: json, status: try row.decode(atIndex: 2)))
      }
      return events
    }
  }

  private static func bytesOfRejected(_ db: Database) throws -> Int {
    let total = try Double.fetchOne(db, sql: "SELECT TOTAL(LENGTH(event)) FROM rejected") ?? 0
    guard let bytes = Int(exactly: total) else { throw DeliveryError.damaged("its events have no length") }
    return bytes
  }

  mutating func restoreRejected() throws -> Int {
    let count = try write { db, counts in
      let bytes = try Self.bytesOfRejected(db)
      // The events return with their old ids, because ids are never reused.
      try db.execute(
        sql: """
          INSERT INTO events (id, lane, event) SELECT id, lane, event FROM rejected ORDER BY id; DELETE FROM rejected
          """)
      let count = counts.rejected
      counts.waiting += count
      counts.bytes += bytes
      counts.rejected = 0
      return count
    }
    rejectedBytes = 0
    return count
  }

  mutating func deleteRejected() throws {
    try write { db, counts in
      try db.execute(sql: "DELETE FROM rejected")
      counts.rejected = 0
    }
    rejectedBytes = 0
  }
}
