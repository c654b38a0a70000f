import Synchronization

/// Limits the memory of all bodies together: a thousand bodies, each within its own limit, would otherwise exhaust the
/// machine's memory.
final class BodyMemory: Sendable {
  /// The memory of one request, held until the last use of the share; for a streamed answer, until the answer ends.
  final class Share: Sendable {
    private let memory: BodyMemory
    private let bytes = Mutex(0)

    init(of memory: BodyMemory) { self.memory = memory }

    /// - Throws: ``ErrorAnswer`` with 503 if all requests together would hold too much.
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

    /// Releases memory that is no longer needed.
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
