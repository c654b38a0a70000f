import EncircleEvents
import EncircleText
import Foundation
import GRDB
import Synchronization

/// A queue of events to be sent, in an SQLite file.
///
/// ```swift
/// let queue = try EventQueue(path: "events.queue")
/// try queue.store([event, otherEvent])     // on the disk when this returns
/// ```
/// An event is stored before anything else happens to it, and is deleted only when a batch with it is settled. Events that were
/// being sent when the process ended wait again when the file is next opened, so an interruption may send an event twice, but
/// never loses one. Only one process can open a file at a time. A damaged file is renamed, a new one is begun, and the damage
/// is reported; nothing is overwritten.
///
/// All methods may be called from any thread; they wait for the disk.
public final class EventQueue: Sendable {
  /// The file.
  public let path: String
  /// The limits of the queue.
  public let limits: QueueLimits
  private let durability: Durability
  private let pageLimit: Int?
  private let report: @Sendable (DeliveryNotice) -> Void
  private let state: Mutex<QueueState>

  /// Opens a queue, and creates its file if necessary.
  ///
  /// - Parameters:
  ///   - durability: The failures that a stored event survives.
  ///   - report: Called when events are dropped, rejected or lost, or the file is set aside; on any thread, and never while the
  ///     queue is locked.
  /// - Throws: A ``DeliveryError`` if the path cannot hold a queue.
  public convenience init(
    path: String, limits: QueueLimits = QueueLimits(), durability: Durability = .powerLoss,
    report: @escaping @Sendable (DeliveryNotice) -> Void = { _ in }
  ) throws(DeliveryError) {
    try self.init(path: path, limits: limits, durability: durability, pageLimit: nil, report: report)
  }

  /// Opens a queue whose file has a maximum number of pages, which simulates a full disk.
  package init(
    path: String, limits: QueueLimits, durability: Durability, pageLimit: Int?,
    report: @escaping @Sendable (DeliveryNotice) -> Void = { _ in }
  ) throws(DeliveryError) {
    self.path = path
    self.limits = limits
    self.durability = durability
    self.pageLimit = pageLimit
    self.report = report
    var notices: [DeliveryNotice] = []
    let state = try Self.open(path, durability, pageLimit, &notices)
    self.state = Mutex(state)
    notices.forEach(report)
  }

  private static func open(
    _ path: String, _ durability: Durability, _ pageLimit: Int?, _ notices: inout [DeliveryNotice]
  ) throws(DeliveryError) -> QueueState {
    do {
      return try QueueState(try QueueFile.open(path, durability: durability, pageLimit: pageLimit))
    } catch {
      guard error.isDamage else { throw error }
      guard let other = QueueFile.setAside(path) else { throw error }
      notices.append(.queueSetAside(path: other, reason: error.description))
      return try QueueState(try QueueFile.open(path, durability: durability, pageLimit: pageLimit))
    }
  }

  // MARK: Storing

  /// Stores an event.
  ///
  /// - Throws: A ``DeliveryError``, as ``store(_:lane:)`` does.
  public func store(_ event: [UInt8], lane: DeliveryLane = .normal) throws(DeliveryError) {
    try store([event], lane: lane)
  }

  /// Stores events in one transaction: either all of them, or none.
  ///
  /// - Parameter events: JSON objects in UTF-8.
  /// - Throws: A ``DeliveryError``; none of the events is stored then.
  /// - Complexity: O(*n*), *n* bytes; one wait for the disk.
  public func store(_ events: [[UInt8]], lane: DeliveryLane = .normal) throws(DeliveryError) {
    try check(events)
    if events.isEmpty { return }
    let limits = limits
    try perform(retries: true) { state throws in try state.store(events, lane, limits) }
  }

  private func check(_ events: [[UInt8]]) throws(DeliveryError) {
    var tape = JSONTape()
    for (index, event) in events.enumerated() {
      guard event.count <= limits.eventBytes else {
        throw .eventTooLong(index: index, bytes: event.count, limit: limits.eventBytes)
      }
      do throws(JSONError) {
        try event.withUnsafeBufferPointer { text throws(JSONError) in
          try tape.parse(text)
          if tape[0].kind != .object { throw JSONError(.notAnObject, at: 0) }
        }
      } catch {
        throw .notAnEvent(index: index, offset: error.offset, reason: error.kind.message)
      }
    }
  }

  // MARK: Sending

  /// Takes out the oldest events that are not being sent, beginning with instant ones.
  ///
  /// - Parameters:
  ///   - limit: The largest number of events.
  ///   - bytes: The largest size of the events together; one event may be larger.
  ///   - part: The part of the normal lane from which events are taken.
  /// - Returns: A batch that must be settled; nil if no event waits.
  public func nextBatch(
    limit: Int, bytes: Int = .max, part: QueuePart = .all
  ) throws(DeliveryError) -> EventBatch? {
    let limits = limits
    return try perform { state throws in
      state.retrySettlements(limits)
      return try state.claim(limit: limit, bytes: bytes, part: part)
    }
  }

  /// Records the outcome of a batch. Only the first call for a batch has an effect.
  ///
  /// - Throws: A ``DeliveryError`` if the outcome could not be stored, as on a full disk. Later calls store it as soon as they can;
  ///   the events are sent again only if the process ends before.
  public func settle(_ batch: EventBatch, _ outcome: BatchOutcome) throws(DeliveryError) {
    let limits = limits
    try perform { state throws in try state.settle(batch, outcome, limits) }
  }

  /// The numbers of events that are in the queue or have left it.
  public var counts: QueueCounts { state.withLock { $0.counts } }
  /// The number of waiting events that are not being sent, including events whose outcome could not be stored yet.
  public var unclaimed: Int { state.withLock { $0.counts.waiting - $0.claimedCount } }
  /// The number of events that were stored since the queue was opened and have never been in a batch.
  public var fresh: Int { state.withLock { $0.freshCount } }

  // MARK: Rejected events

  /// Returns the oldest events that the receiver refused for good.
  public func rejectedEvents(limit: Int) throws(DeliveryError) -> [RejectedEvent] {
    try perform { state throws in try state.rejectedEvents(limit: limit) }
  }

  /// Puts all rejected events back in their old order, for example after the receiver was fixed.
  ///
  /// - Returns: The number of events.
  @discardableResult public func restoreRejected() throws(DeliveryError) -> Int {
    try perform { state throws in try state.restoreRejected() }
  }

  /// Deletes all rejected events.
  public func deleteRejected() throws(DeliveryError) {
    try perform { state throws in try state.deleteRejected() }
  }

  /// Closes the file. Further calls throw ``DeliveryError/closed``.
  public func close() { state.withLock { $0.close() } }

  // MARK: Errors

  /// Runs `body`. If the file is damaged, sets it aside and begins a new one, as soon as that is possible.
  ///
  /// - Parameter retries: True if `body` is run again with the new file.
  private func perform<R: Sendable>(
    retries: Bool = false, _ body: (inout QueueState) throws -> R
  ) throws(DeliveryError) -> R {
    var notices: [DeliveryNotice] = []
    defer { notices.forEach(report) }
    let result: Result<R, DeliveryError> = state.withLock { state in
      defer {
        notices += state.notices
        state.notices.removeAll()
      }
      do throws(DeliveryError) {
        if state.lacksFile { state = try Self.open(path, durability, pageLimit, &notices) }
        return .success(try DeliveryError.translating { try body(&state) })
      } catch {
        guard error.isDamage else { return .failure(error) }
        state.close()
        state.lacksFile = true
        do throws(DeliveryError) {
          guard let other = QueueFile.setAside(path) else { throw error }
          notices.append(.queueSetAside(path: other, reason: error.description))
          state = try Self.open(path, durability, pageLimit, &notices)
          guard retries else { throw error }
          return .success(try DeliveryError.translating { try body(&state) })
        } catch {
          return .failure(error)
        }
      }
    }
    return try result.get()
  }
}
