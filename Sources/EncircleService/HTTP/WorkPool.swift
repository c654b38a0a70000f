import Foundation
import NIOPosix
import Synchronization

/// Threads for work that keeps a processor busy or waits for the disk, so that connections are served in the meantime.
final class WorkPool: Sendable {
  private let threads: NIOThreadPool
  private let limit: Int
  private let processorTime: Duration
  private let time: Duration
  private let isInBackground: Bool
  private let jobs = Mutex(Jobs())

  private struct Jobs {
    var next = 0
    var waitingOrRunning: [Int: WorkBudget] = [:]
    /// The number of the latest work for each name; earlier work with the same name is not done.
    var sole: [String: Int] = [:]
  }

  /// - Parameters:
  ///   - waiting: The maximum number of waiting pieces of work.
  ///   - processorTime: The processor time that one piece of work may use.
  ///   - time: The time until the work must be done, including waiting for a thread and for the disk.
  ///   - isInBackground: True if its threads have a lower priority than other threads.
  init(
    threads count: Int, waiting: Int, processorTime: Duration = .seconds(20), time: Duration = .seconds(60),
    isInBackground: Bool = false
  ) {
    self.isInBackground = isInBackground
    threads = NIOThreadPool(numberOfThreads: count)
    limit = waiting + count
    self.processorTime = processorTime
    self.time = time
    threads.start()
    // A precision of half a second is enough, and polling costs less than a timer for each piece of work.
    Task.detached { [weak self] in
      while let pool = self {
        pool.endOverdue()
        try? await Task.sleep(for: .milliseconds(500))
      }
    }
  }

  /// Returns a pool with a thread for each processor, with the limits of a configuration.
  static func ofService(_ limits: ServiceLimits, isInBackground: Bool = false) -> WorkPool {
    WorkPool(
      threads: max(2, ProcessInfo.processInfo.activeProcessorCount), waiting: limits.waitingWork,
      processorTime: .seconds(limits.workSeconds), time: .seconds(limits.answerSeconds), isInBackground: isInBackground)
  }

  /// Runs work on a thread of the pool, and returns its result.
  ///
  /// - Parameters:
  ///   - waits: True if the work may wait even if the queue is full, because its request has already been started.
  ///   - sole: A name. Earlier work with the same name, waiting or running, ends with 409, because nobody needs its result any
  ///     more.
  /// - Throws: The error of the work, or ``ServiceError`` with 503 if too much work is waiting or the work takes too long. Work
  ///   that takes too long ends at its next check of the ``WorkBudget``; the caller does not wait for that.
  func run<Value: Sendable>(
    waits: Bool = false, sole: String? = nil, _ work: @escaping @Sendable () throws -> Value
  ) async throws -> Value {
    let budget = WorkBudget()
    let (job, former): (Int?, WorkBudget?) = jobs.withLock { jobs in
      let former = sole.flatMap { jobs.sole[$0] }.flatMap { jobs.waitingOrRunning[$0] }
      guard waits || jobs.waitingOrRunning.count < limit else { return (nil, former) }
      jobs.next += 1
      jobs.waitingOrRunning[jobs.next] = budget
      if let sole { jobs.sole[sole] = jobs.next }
      return (jobs.next, former)
    }
    former?.end(
      with: .conflict("A newer request of the same client has taken the place of this one.", code: "superseded"))
    guard let job else {
      throw ServiceError.unavailable("Too many requests wait for a processor.", code: "busy", retryAfter: 2)
    }
    return try await withCheckedThrowingContinuation { continuation in
      let answer = Answer(continuation)
      budget.onEnd { answer.give(.failure($0)) }
      threads.submit { state in
        if self.isInBackground { lowerThreadPriority() }
        defer {
          self.jobs.withLock { jobs in
            jobs.waitingOrRunning[job] = nil
            if let sole, jobs.sole[sole] == job { jobs.sole[sole] = nil }
          }
        }
        guard case .active = state else { return answer.give(.failure(CancellationError())) }
        answer.give(Result { try budget.spend { try work() } })
      }
    }
  }

  /// Ends the threads. Background work is abandoned, because its clients have disconnected.
  func stop() async throws {
    if isInBackground {
      let left = jobs.withLock { Array($0.waitingOrRunning.values) }
      for budget in left { budget.end(with: .unavailable("The service is stopping.", code: "busy")) }
    }
    try await threads.shutdownGracefully()
  }

  private func endOverdue() {
    for budget in jobs.withLock({ Array($0.waitingOrRunning.values) }) {
      budget.end(ifOver: processorTime, orLasting: time)
    }
  }
}

/// Lowers the priority of this thread for the rest of its life.
private func lowerThreadPriority() {
  #if os(Linux)
    // On Linux, PRIO_PROCESS with 0 means the calling thread. With a nice value of 10, a check on a machine that was busy with
    // other programs did not end within its time limit.
    _ = setpriority(__priority_which_t(PRIO_PROCESS.rawValue), 0, 5)
  #else
    _ = pthread_set_qos_class_self_np(QOS_CLASS_UTILITY, 0)
  #endif
}

/// The result that a caller awaits. Either the work or its time limit provides it, whichever is first.
private final class Answer<Value: Sendable>: Sendable {
  private let continuation: Mutex<CheckedContinuation<Value, any Error>?>

  init(_ continuation: CheckedContinuation<Value, any Error>) { self.continuation = Mutex(continuation) }

  func give(_ result: Result<Value, any Error>) {
    let waiting = continuation.withLock { continuation in
      defer { continuation = nil }
      return continuation
    }
    waiting?.resume(with: result)
  }
}
