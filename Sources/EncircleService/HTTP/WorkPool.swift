import NIOPosix
import Synchronization

/// Threads for work that keeps a processor busy or waits for the disk, so that connections go on being served meanwhile.
final class WorkPool: Sendable {
  private let threads: NIOThreadPool
  private let waiting = Mutex(0)
  private let limit: Int

  /// - Parameter limit: How many pieces of work may wait or run at a time.
  init(threads count: Int, limit: Int) {
    threads = NIOThreadPool(numberOfThreads: count)
    self.limit = limit + count
    threads.start()
  }

  /// What the work returns.
  ///
  /// - Throws: What it throws, and ``ServiceError`` with 503 when too much waits already.
  func run<Value: Sendable>(_ work: @escaping @Sendable () throws -> Value) async throws -> Value {
    let admitted = waiting.withLock { count in
      guard count < limit else { return false }
      count += 1
      return true
    }
    guard admitted else {
      throw ServiceError.unavailable("Too many requests wait for a processor.", code: "busy", retryAfter: 2)
    }
    defer { waiting.withLock { $0 -= 1 } }
    return try await threads.runIfActive(work)
  }

  func stop() async throws { try await threads.shutdownGracefully() }
}
