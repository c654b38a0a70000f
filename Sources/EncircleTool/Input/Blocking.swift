import Dispatch
import Synchronization

/// Blocks the main thread until asynchronous work has finished.
enum Blocking {
  static func run(_ body: @escaping @Sendable () async throws -> Void) throws {
    let done = DispatchSemaphore(value: 0)
    let result = Mutex<Result<Void, any Error>>(.success(()))
    Task {
      do { try await body() } catch { result.withLock { $0 = .failure(error) } }
      done.signal()
    }
    done.wait()
    try result.withLock { $0 }.get()
  }
}
