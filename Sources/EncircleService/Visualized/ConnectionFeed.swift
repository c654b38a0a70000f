import Synchronization

/// Publishes the changes of a connection to its readers. Readers can request the screen and the state, so repeated changes of
/// these are reported once. A slow reader loses the oldest events.
final class ConnectionFeed: Sendable {
  /// The changes that a reader has not received yet.
  struct Changes: Sendable {
    /// The revision of the screen.
    var screen: Int?
    var hasState = false
    /// Events as JSON.
    var events: [[UInt8]] = []
    var lost = 0
  }

  /// A reader of the feed. The feed does not keep it alive: the reader leaves at the latest with its answer.
  final class Reader: Sendable {
    private let feed: ConnectionFeed
    private let queue = SubscriberQueue<[UInt8]>(elementLimit: 500) { $0.count }
    private let changes = Mutex(Changes())

    fileprivate init(of feed: ConnectionFeed) { self.feed = feed }

    deinit { feed.forget(ObjectIdentifier(self)) }

    /// Returns the changes since the last call. Suspends until there are some, or until the time is up.
    func next(within time: Duration = .seconds(3_600)) async -> Changes {
      let (events, lost) = await queue.next(within: time)
      var new = changes.withLock { changes in
        defer { changes = Changes() }
        return changes
      }
      (new.events, new.lost) = (events, lost)
      return new
    }

    /// This is true if the feed has ended.
    var hasEnded: Bool { queue.hasEnded }

    func end() { queue.end() }

    fileprivate func publish(_ body: (inout Changes) -> Void) {
      let events = changes.withLock { changes in
        body(&changes)
        defer { changes.events = [] }
        return changes.events
      }
      if !events.isEmpty { queue.append(events) }
      queue.wake()
    }
  }

  private struct WeakReader {
    weak var reader: Reader?
  }

  private static let maximumReaders = 16
  private let readers = Mutex<[ObjectIdentifier: WeakReader]>([:])

  /// - Throws: ``ServiceError`` with 503 if there are too many readers.
  func join() throws -> Reader {
    let reader = Reader(of: self)
    let isAdmitted = readers.withLock { readers in
      guard readers.count < Self.maximumReaders else { return false }
      readers[ObjectIdentifier(reader)] = WeakReader(reader: reader)
      return true
    }
    guard isAdmitted else {
      throw ServiceError.unavailable("Too many clients follow this connection already.", code: "busy")
    }
    return reader
  }

  func leave(_ reader: Reader) {
    forget(ObjectIdentifier(reader))
    reader.end()
  }

  private func forget(_ reader: ObjectIdentifier) { readers.withLock { _ = $0.removeValue(forKey: reader) } }

  func publish(_ body: (inout Changes) -> Void) {
    for reader in readers.withLock({ $0.values.compactMap(\.reader) }) { reader.publish(body) }
  }
}
