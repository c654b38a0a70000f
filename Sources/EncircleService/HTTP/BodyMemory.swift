import Synchronization

/// How many bytes of bodies are held at a time, over all requests: a thousand clients that each send what one may send
/// would otherwise fill the machine.
final class BodyMemory: Sendable {
  /// What one request holds, until the last use of the share: of an answer that is streamed, that is behind its end.
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

    /// Gives back what is not held any more.
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
