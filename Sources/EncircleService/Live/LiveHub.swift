import EncircleStore
import Synchronization

/// Hands events that have been stored to those who watch.
///
/// Each watcher has a bounded queue; a slow one loses the oldest events, and is sent their number. Collecting never waits. The
/// hub does not keep watchers alive: one whose answer is never sent, as for HEAD, leaves with the answer.
final class LiveHub: Sendable {
  /// What a watcher is given.
  enum Item: Sendable {
    case event(StoredEvent)
    /// So many events had no room in the queue.
    case lost(Int)
  }

  /// One who watches.
  final class Watcher: Sendable {
    private struct State {
      var events: [StoredEvent] = []
      /// The bytes of their JSON.
      var bytes = 0
      var lost = 0
      var hasEnded = false
      var wakes: CheckedContinuation<Void, Never>?
    }

    private static let room = 1_000
    private static let roomInBytes = 4 << 20
    fileprivate let filter: EventFilter
    private let hub: LiveHub
    private let state = Mutex(State())

    fileprivate init(_ filter: EventFilter, of hub: LiveHub) {
      self.filter = filter
      self.hub = hub
    }

    deinit { hub.forget(ObjectIdentifier(self)) }

    /// What has come since the last call; waits until there is something. Nothing at all means the end, or that it was woken.
    func next() async -> [Item] {
      await withCheckedContinuation { continuation in
        let mustWait = state.withLock { state in
          guard state.events.isEmpty, state.lost == 0, !state.hasEnded else { return false }
          // There is one who waits, but one that was left behind must not wait for ever.
          state.wakes?.resume()
          state.wakes = continuation
          return true
        }
        if !mustWait { continuation.resume() }
      }
      return state.withLock { state in
        var items: [Item] = state.lost > 0 ? [.lost(state.lost)] : []
        items += state.events.map(Item.event)
        (state.events, state.bytes, state.lost) = ([], 0, 0)
        return items
      }
    }

    /// Whether nothing comes any more.
    var hasEnded: Bool { state.withLock { $0.hasEnded } }

    /// Ends the waiting of ``next()``.
    func wake() { change { _ in } }

    fileprivate func end() { change { $0.hasEnded = true } }

    fileprivate func add(_ events: [StoredEvent]) {
      let wanted = events.filter { filter.matches($0.row) }
      if wanted.isEmpty { return }
      change { state in
        state.events += wanted
        state.bytes += wanted.reduce(0) { $0 + $1.row.json.count }
        var excess = 0
        while state.events.count - excess > Self.room || state.bytes > Self.roomInBytes {
          state.bytes -= state.events[excess].row.json.count
          excess += 1
        }
        state.events.removeFirst(excess)
        state.lost += excess
      }
    }

    private func change(_ body: (inout State) -> Void) {
      let waiting = state.withLock { state in
        body(&state)
        defer { state.wakes = nil }
        return state.wakes
      }
      waiting?.resume()
    }
  }

  private struct WeakWatcher {
    weak var watcher: Watcher?
  }

  private struct State {
    var watchers: [ObjectIdentifier: WeakWatcher] = [:]
    var hasEnded = false
  }

  private static let mostWatchers = 256
  private let state = Mutex(State())

  /// The number of those who watch.
  var count: Int { state.withLock { $0.watchers.count } }

  /// Begins to watch.
  ///
  /// - Throws: ``ServiceError`` with 503 when too many watch, or the service is ending.
  func watch(_ filter: EventFilter) throws -> Watcher {
    let watcher = Watcher(filter, of: self)
    let problem = state.withLock { state -> String? in
      if state.hasEnded { return "The service is stopping." }
      if state.watchers.count >= Self.mostWatchers { return "Too many watch already." }
      state.watchers[ObjectIdentifier(watcher)] = WeakWatcher(watcher: watcher)
      return nil
    }
    if let problem { throw ServiceError.unavailable(problem, code: "busy") }
    return watcher
  }

  /// Ends watching.
  func leave(_ watcher: Watcher) {
    forget(ObjectIdentifier(watcher))
    watcher.end()
  }

  private func forget(_ watcher: ObjectIdentifier) {
    state.withLock { _ = $0.watchers.removeValue(forKey: watcher) }
  }

  /// Ends it for all, as the service ends.
  func end() {
    let watchers = state.withLock { state in
      state.hasEnded = true
      return state.watchers.values.compactMap(\.watcher)
    }
    for watcher in watchers { watcher.end() }
  }

  func publish(_ events: [StoredEvent]) {
    for watcher in state.withLock({ $0.watchers.values.compactMap(\.watcher) }) { watcher.add(events) }
  }
}
