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

  /// One who looks.
  final class Reader: Sendable {
    private struct State {
      var news = News()
      var hasEnded = false
      var waiting: CheckedContinuation<Void, Never>?
    }

    private static let room = 500
    private let state = Mutex(State())

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
        let excess = state.news.events.count - Self.room
        if excess > 0 {
          state.news.events.removeFirst(excess)
          state.news.lost += excess
        }
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
  private let readers = Mutex<[ObjectIdentifier: Reader]>([:])

  /// - Throws: ``ServiceError`` with 503 when too many look already.
  func join() throws -> Reader {
    let reader = Reader()
    let isAdmitted = readers.withLock { readers in
      guard readers.count < Self.mostReaders else { return false }
      readers[ObjectIdentifier(reader)] = reader
      return true
    }
    guard isAdmitted else {
      throw ServiceError.unavailable("Too many look at this connection already.", code: "busy")
    }
    return reader
  }

  func leave(_ reader: Reader) {
    readers.withLock { _ = $0.removeValue(forKey: ObjectIdentifier(reader)) }
    reader.end()
  }

  func tell(_ body: (inout News) -> Void) {
    for reader in readers.withLock({ Array($0.values) }) { reader.tell(body) }
  }
}
