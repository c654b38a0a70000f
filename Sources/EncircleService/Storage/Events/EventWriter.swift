import EncircleLog
import Synchronization

/// Stores the batches of concurrent requests in common transactions.
final class EventWriter: Sendable {
  /// The number of stored events after which old ones are deleted.
  private static let deletionInterval = 2_500

  /// Deletes old events after new ones were stored.
  private final class Deletion: Sendable {
    private let store: EventStore
    private let now: @Sendable () -> Int64
    private let events = Mutex(0)

    init(_ store: EventStore, now: @escaping @Sendable () -> Int64) {
      self.store = store
      self.now = now
    }

    /// Deletes slightly more events than have been stored, so that the surplus never grows.
    func delete(after count: Int) {
      let isDue = events.withLock { events in
        events += count
        guard events >= deletionInterval else { return false }
        events = 0
        return true
      }
      // If this fails, deleting is tried again later.
      if isDue { _ = try? store.deleteSome(now: now(), most: 2 * max(count, deletionInterval)) }
    }

    /// Deletes some events, and returns whether more should be deleted.
    func deleteSome() -> Bool {
      // If this fails, deleting is tried again later.
      (try? store.deleteSome(now: now())) == true
    }
  }

  private let deletion: Deletion
  private let commits: GroupCommit<EventRowBatch, [Int64?]>

  /// - Parameters:
  ///   - now: Returns the current time, in milliseconds since 1970.
  ///   - stored: Called with events after they have been stored, in order, and before ``store(_:)`` returns.
  init(
    _ store: EventStore, now: @escaping @Sendable () -> Int64, stored: @escaping @Sendable ([StoredEvent]) -> Void
  ) {
    let deletion = Deletion(store, now: now)
    self.deletion = deletion
    commits = GroupCommit(
      label: "encircle.events",
      write: { batches in
        let events = try store.write(batches)
        // Streams get the events before their senders get answers, so that a service that stops after an answer has sent them.
        stored(events.flatMap { $0.compactMap { $0 } })
        return events.map { $0.map { $0?.id } }
      },
      written: { batches in
        deletion.delete(after: batches.reduce(0) { $0 + $1.events.count + $1.rejects.count })
      })
  }

  /// Stores a batch, and returns when it is on disk.
  ///
  /// - Returns: The ids of the events; nil for an event that was already stored.
  /// - Throws: `QueueFull`, or `DatabaseError`; nothing of the batch is stored then.
  func store(_ batch: EventRowBatch) async throws -> [Int64?] {
    let size = batch.events.reduce(batch.rejects.reduce(0) { $0 + $1.text.count + 100 }) { $0 + $1.json.count + 300 }
    return try await commits.commit(batch, events: batch.events.count, bytes: size)
  }

  /// Deletes old events while none arrive, in steps that let others write in between.
  func deleteOld() {
    commits.perform { [self] in if deletion.deleteSome() { deleteOld() } }
  }

  /// Waits until the running transactions have ended.
  func finish() { commits.finish() }
}
