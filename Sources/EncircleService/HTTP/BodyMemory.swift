import Synchronization

/// Limits the memory of bodies over all requests: a thousand bodies within the limit of one would otherwise exhaust the
/// machine's memory.
final class BodyMemory: Sendable {
  /// The memory of one request, which it holds until the last use of the share; for a streamed answer, until its end.
  final class Share: Sendable {
    private let memory: BodyMemory
    private let bytes = Mutex(0)

    init(of memory: BodyMemory) { self.memory = memory }

    /// - Throws: ``ErrorAnswer`` with 503 when all requests together hold too much.
    func take(_ count: Int) throws {
      let admitted = memory.held.withLock { held in
        guard held + count <= memory.limit else { return false }
        held += count
        return true
      }
      guard admitted else {
        var answer = ErrorAnswer(
          .unavailable("Too many large bodies are being received.", code: "busy", retryAfter: 2))
        answer.headers[.connection] = "close"
        throw answer
      }
      bytes.withLock { $0 += count }
    }

    /// Returns the memory that is no longer held.
    func giveBack(_ count: Int) {
      bytes.withLock { $0 -= count }
      memory.held.withLock { $0 -= count }
    }

    deinit { giveBack(bytes.withLock { $0 }) }
  }

  private let limit: Int
  private let held = Mutex(0)

  init(limit: Int) { self.limit = limit }
}
