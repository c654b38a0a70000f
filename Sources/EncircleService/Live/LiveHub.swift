import Synchronization

/// Publishes stored events to live streams.
///
/// Each subscriber has a bounded queue; a slow one loses the oldest events, and receives their number. Collecting never waits
/// for a subscriber, but senders get their answers after their events were published. This takes O(events · subscribers) time,
/// and both are limited: a group of events by `GroupCommit`, subscribers by `maximumWatchers`.
///
/// The hub does not keep subscribers alive: a subscriber whose answer is never sent, as for HEAD, leaves with the answer.
final class LiveHub: Sendable {
  /// An item of a subscriber's stream.
  enum Item: Sendable {
    case event(StoredEvent)
    /// The number of events that were dropped from the full queue.
    case lost(Int)
  }

  /// A subscriber with its queue.
  final class Watcher: Sendable {
    fileprivate let filter: EventFilter
    private let hub: LiveHub
    private let queue = SubscriberQueue<StoredEvent>(elementLimit: 1_000) { $0.row.json.count }

    fileprivate init(_ filter: EventFilter, of hub: LiveHub) {
      self.filter = filter
      self.hub = hub
    }

    deinit { hub.forget(ObjectIdentifier(self)) }

    /// Returns the items since the last call. Suspends until there are some, or until the time is up. An empty result can also
    /// mean that the stream has ended.
    func next(within time: Duration = .seconds(3_600)) async -> [Item] {
      let (events, lost) = await queue.next(within: time)
      return (lost > 0 ? [.lost(lost)] : []) + events.map(Item.event)
    }

    /// This is true if the stream has ended.
    var hasEnded: Bool { queue.hasEnded }

    fileprivate func end() { queue.end() }

    fileprivate func add(_ events: [StoredEvent]) {
      let wanted = events.filter { filter.matches($0) }
      if !wanted.isEmpty { queue.append(wanted) }
    }
  }

  private struct WeakWatcher {
    weak var watcher: Watcher?
  }

  private struct State {
    var watchers: [ObjectIdentifier: WeakWatcher] = [:]
    var hasEnded = false
  }

  private static let maximumWatchers = 256
  private let state = Mutex(State())

  /// The number of subscribers.
  var count: Int { state.withLock { $0.watchers.count } }

  /// Adds a subscriber.
  ///
  /// - Throws: ``ServiceError`` with 503 if there are too many subscribers, or if the service is shutting down.
  func watch(_ filter: EventFilter) throws -> Watcher {
    let watcher = Watcher(filter, of: self)
    let problem = state.withLock { state -> String? in
      if state.hasEnded { return "The service is stopping." }
      if state.watchers.count >= Self.maximumWatchers { return "There are too many live streams already." }
      state.watchers[ObjectIdentifier(watcher)] = WeakWatcher(watcher: watcher)
      return nil
    }
    if let problem { throw ServiceError.unavailable(problem, code: "busy") }
    return watcher
  }

  /// Removes a subscriber, and ends its stream.
  func leave(_ watcher: Watcher) {
    forget(ObjectIdentifier(watcher))
    watcher.end()
  }

  private func forget(_ watcher: ObjectIdentifier) {
    state.withLock { _ = $0.watchers.removeValue(forKey: watcher) }
  }

  /// Ends all streams, because the service is shutting down.
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
