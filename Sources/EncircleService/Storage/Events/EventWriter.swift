import Dispatch
import Synchronization

/// Stores the batches of concurrent requests together (group commit): batches that arrive while a transaction is written
/// share the next one. So a request waits for at most two transactions, whatever the load.
public final class EventWriter: Sendable {
  /// The queue is full.
  public struct Full: Error {}

  private struct Waiting {
    let batch: EventRowBatch
    let size: Int
    let done: CheckedContinuation<[Int64?], any Error>
  }

  private struct State {
    var waiting: [Waiting] = []
    var bytes = 0
    var isWriting = false
    var events = 0
  }

  /// The most bytes in the queue.
  private static let mostBytes = 64 << 20
  /// The most events of a transaction, which limits the time that the first of them wait.
  private static let mostEvents = 10_000
  /// The number of stored events after which old ones are deleted.
  private static let deletionInterval = 2_500

  private let store: EventStore
  private let now: @Sendable () -> Int64
  private let stored: @Sendable ([StoredEvent]) -> Void
  private let state = Mutex(State())
  private let queue = DispatchQueue(label: "encircle.events")

  /// - Parameters:
  ///   - now: The clock, in milliseconds since 1970.
  ///   - stored: Called with events after they have been stored, in their order.
  public init(
    _ store: EventStore, now: @escaping @Sendable () -> Int64, stored: @escaping @Sendable ([StoredEvent]) -> Void
  ) {
    self.store = store
    self.now = now
    self.stored = stored
  }

  /// Stores a batch, which is on disk when this returns.
  ///
  /// - Returns: The ids of the events; none for one that had been stored before.
  /// - Throws: ``Full``, or `DatabaseError`; nothing of the batch has been stored then.
  public func store(_ batch: EventRowBatch) async throws -> [Int64?] {
    let size = batch.events.reduce(batch.rejects.reduce(0) { $0 + $1.text.count + 100 }) { $0 + $1.json.count + 300 }
    return try await withCheckedThrowingContinuation { done in
      let decision = state.withLock { state -> (isAdmitted: Bool, starts: Bool) in
        if state.bytes > 0, state.bytes + size > Self.mostBytes { return (false, false) }
        state.bytes += size
        state.waiting.append(Waiting(batch: batch, size: size, done: done))
        defer { state.isWriting = true }
        return (true, !state.isWriting)
      }
      guard decision.isAdmitted else { return done.resume(throwing: Full()) }
      if decision.starts { queue.async { self.writeAll() } }
    }
  }

  private func writeAll() {
    while true {
      let group = state.withLock { state -> [Waiting] in
        var count = 0
        var events = 0
        while count < state.waiting.count, count == 0 || events < Self.mostEvents {
          events += state.waiting[count].batch.events.count
          count += 1
        }
        let group = Array(state.waiting.prefix(count))
        state.waiting.removeFirst(count)
        state.bytes -= group.reduce(0) { $0 + $1.size }
        if group.isEmpty { state.isWriting = false }
        return group
      }
      if group.isEmpty { return }
      write(group)
      deleteOld(after: group.reduce(0) { $0 + $1.batch.events.count + $1.batch.rejects.count })
    }
  }

  private func write(_ group: [Waiting]) {
    do {
      let ids = try store.write(group.map(\.batch))
      for (waiting, ids) in zip(group, ids) { waiting.done.resume(returning: ids) }
      stored(
        zip(group, ids).flatMap { waiting, ids in
          zip(waiting.batch.events, ids).compactMap { row, id in id.map { StoredEvent(id: $0, row: row) } }
        })
    } catch {
      for waiting in group { waiting.done.resume(throwing: error) }
    }
  }

  /// Deletes somewhat more events than have been stored, so that the surplus never grows.
  private func deleteOld(after count: Int) {
    let isDue = state.withLock { state in
      state.events += count
      guard state.events >= Self.deletionInterval else { return false }
      state.events = 0
      return true
    }
    // Deleting is tried again later.
    if isDue { _ = try? store.deleteSome(now: now(), most: 2 * max(count, Self.deletionInterval)) }
  }

  /// Deletes old events while none arrive, in steps between which others can write.
  public func deleteOld() {
    queue.async { [self] in
      // Deleting is tried again later.
      if (try? store.deleteSome(now: now())) == true { deleteOld() }
    }
  }

  /// Waits until the running transactions have ended.
  public func finish() { queue.sync {} }
}
