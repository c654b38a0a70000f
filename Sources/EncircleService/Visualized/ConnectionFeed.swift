import Synchronization

/// Tells those who look at a connection what is new. What they are told that they can ask for is told once, however often it
/// has changed meanwhile; of events a slow reader loses the oldest.
final class ConnectionFeed: Sendable {
  /// What a reader has not been told yet.
  struct News: Sendable {
    /// The revision of the screen.
    var screen: Int?
    var hasState = false
    /// Events as JSON.
    var events: [[UInt8]] = []
    var lost = 0

    var isEmpty: Bool { screen == nil && !hasState && events.isEmpty && lost == 0 }
  }

  /// One who looks. The feed does not keep it alive: it leaves at the latest with the answer that it is for.
  final class Reader: Sendable {
    private struct State {
      var news = News()
      var hasEnded = false
      var waiting: CheckedContinuation<Void, Never>?
    }

    private static let room = 500
    private static let roomInBytes = 4 << 20
    private let feed: ConnectionFeed
    private let state = Mutex(State())

    fileprivate init(of feed: ConnectionFeed) { self.feed = feed }

    deinit { feed.forget(ObjectIdentifier(self)) }

    /// What is new since the last call; waits until there is something, or until it is woken.
    func next() async -> News {
      await withCheckedContinuation { continuation in
        let mustWait = state.withLock { state in
          guard state.news.isEmpty, !state.hasEnded else { return false }
          state.waiting?.resume()
          state.waiting = continuation
          return true
        }
        if !mustWait { continuation.resume() }
      }
      return state.withLock { state in
        defer { state.news = News() }
        return state.news
      }
    }

    /// Whether nothing comes any more.
    var hasEnded: Bool { state.withLock { $0.hasEnded } }

    /// Ends the waiting of ``next()``.
    func wake() { change { _ in } }

    func end() { change { $0.hasEnded = true } }

    fileprivate func tell(_ body: (inout News) -> Void) {
      change { state in
        body(&state.news)
        var bytes = state.news.events.reduce(0) { $0 + $1.count }
        var excess = 0
        while state.news.events.count - excess > Self.room || bytes > Self.roomInBytes {
          bytes -= state.news.events[excess].count
          excess += 1
        }
        state.news.events.removeFirst(excess)
        state.news.lost += excess
      }
    }

    private func change(_ body: (inout State) -> Void) {
      let waiting = state.withLock { state in
        body(&state)
        defer { state.waiting = nil }
        return state.waiting
      }
      waiting?.resume()
    }
  }

  private static let mostReaders = 16
  private struct WeakReader {
    weak var reader: Reader?
  }

  private let readers = Mutex<[ObjectIdentifier: WeakReader]>([:])

  /// - Throws: ``ServiceError`` with 503 when too many look already.
  func join() throws -> Reader {
    let reader = Reader(of: self)
    let isAdmitted = readers.withLock { readers in
      guard readers.count < Self.mostReaders else { return false }
      readers[ObjectIdentifier(reader)] = WeakReader(reader: reader)
      return true
    }
    guard isAdmitted else {
      throw ServiceError.unavailable("Too many look at this connection already.", code: "busy")
    }
    return reader
  }

  func leave(_ reader: Reader) {
    forget(ObjectIdentifier(reader))
    reader.end()
  }

  private func forget(_ reader: ObjectIdentifier) { readers.withLock { _ = $0.removeValue(forKey: reader) } }

  func tell(_ body: (inout News) -> Void) {
    for reader in readers.withLock({ $0.values.compactMap(\.reader) }) { reader.tell(body) }
  }
}
