import Dispatch
import Synchronization

/// Writes the batches of concurrent requests together (group commit): batches that arrive while a group is written share the
/// next one. A request therefore waits for at most two groups, unless more events are waiting than fit into one.
package final class GroupCommit<Batch: Sendable, Receipt: Sendable>: Sendable {
  private struct Waiting {
    let batch: Batch
    let events: Int
    let bytes: Int
    let done: CheckedContinuation<Receipt, any Error>
  }

  private struct State {
    var waiting: [Waiting] = []
    var bytes = 0
    var isWriting = false
  }

  private let maximumBytes: Int
  private let maximumEvents: Int
  private let write: @Sendable ([Batch]) throws -> [Receipt]
  private let written: @Sendable ([Batch]) -> Void
  private let state = Mutex(State())
  private let queue: DispatchQueue

  /// - Parameters:
  ///   - label: The name of the queue on which groups are written.
  ///   - maximumBytes: The maximum number of bytes in the queue.
  ///   - maximumEvents: The maximum number of events of a group, which limits how long the first of them wait.
  ///   - written: Called after the requests of a group have been resumed, also if the group failed.
  package init(
    label: String, maximumBytes: Int = 64 << 20, maximumEvents: Int = 10_000,
    write: @escaping @Sendable ([Batch]) throws -> [Receipt],
    written: @escaping @Sendable ([Batch]) -> Void = { _ in }
  ) {
    queue = DispatchQueue(label: label)
    self.maximumBytes = maximumBytes
    self.maximumEvents = maximumEvents
    self.write = write
    self.written = written
  }

  /// Writes a batch, and returns when it is written.
  ///
  /// - Throws: ``QueueFull``, or the error that writing throws.
  package func commit(_ batch: Batch, events: Int, bytes: Int) async throws -> Receipt {
    try await withCheckedThrowingContinuation { done in
      let decision = state.withLock { state -> (isAdmitted: Bool, starts: Bool) in
        if state.bytes > 0, state.bytes + bytes > maximumBytes { return (false, false) }
        state.bytes += bytes
        state.waiting.append(Waiting(batch: batch, events: events, bytes: bytes, done: done))
        defer { state.isWriting = true }
        return (true, !state.isWriting)
      }
      guard decision.isAdmitted else { return done.resume(throwing: QueueFull()) }
      if decision.starts { queue.async { self.writeAll() } }
    }
  }

  /// Runs a closure between two groups.
  package func perform(_ work: @escaping @Sendable () -> Void) { queue.async(execute: work) }

  /// Waits until the groups under way are written.
  package func finish() { queue.sync {} }

  private func writeAll() {
    while true {
      let group = state.withLock { state -> [Waiting] in
        var count = 0
        var events = 0
        while count < state.waiting.count, count == 0 || events < maximumEvents {
          events += state.waiting[count].events
          count += 1
        }
        let group = Array(state.waiting.prefix(count))
        state.waiting.removeFirst(count)
        state.bytes -= group.reduce(0) { $0 + $1.bytes }
        if group.isEmpty { state.isWriting = false }
        return group
      }
      if group.isEmpty { return }
      let batches = group.map(\.batch)
      do {
        let receipts = try write(batches)
        for (waiting, receipt) in zip(group, receipts) { waiting.done.resume(returning: receipt) }
      } catch {
        for waiting in group { waiting.done.resume(throwing: error) }
      }
      written(batches)
    }
  }
}

/// The queue of a ``GroupCommit`` is full; nothing of the batch has been written.
package struct QueueFull: Error {}
