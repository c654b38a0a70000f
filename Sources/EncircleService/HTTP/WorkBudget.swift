import Foundation
import GRDB
import NIOCore
import Synchronization

/// The processor time and the elapsed time that a piece of work may use. Long work regularly calls ``check()``, which throws
/// when the budget is used up.
///
/// If the work is waiting for SQLite, its statement is interrupted. A change that is being written is completed, because the
/// answer says that the change is in force.
final class WorkBudget: StoreWork {
  private struct State {
    /// The clock of the working thread, and its reading at the start.
    var clock: (id: clockid_t, start: Duration)?
    var error: ServiceError?
    var isChanging = false
    var onEnd: (@Sendable (ServiceError) -> Void)?
  }

  @TaskLocal private static var current: WorkBudget?

  private let start = ContinuousClock.now
  /// The connection of the client that waits for the work, if one does.
  private let channel = RequestScope.current?.channel
  private let state = Mutex(State())

  /// - Throws: ``ServiceError`` with 503 when the calling work has used up its budget. A call costs some nanoseconds.
  static func check() throws {
    if let error = current?.state.withLock({ $0.error }) { throw error }
  }

  /// Does the work on this thread.
  func spend<Value>(_ work: () throws -> Value) throws -> Value {
    #if os(Linux)
      var clock = clockid_t()
      if pthread_getcpuclockid(pthread_self(), &clock) == 0 {
        state.withLock { $0.clock = (clock, Self.time(of: clock)) }
      }
    #endif
    defer { state.withLock { $0.clock = nil } }
    return try Self.$current.withValue(self) {
      try CurrentStoreWork.$work.withValue(self) {
        try Self.check()
        do {
          return try work()
        } catch let error as DatabaseError where error.resultCode == .SQLITE_INTERRUPT {
          try Self.check()
          throw error
        }
      }
    }
  }

  var isCancelled: Bool { state.withLock { $0.error != nil } }

  func willChange() throws {
    try state.withLock { state in
      if let error = state.error { throw error }
      state.isChanging = true
    }
  }

  /// Calls `body` with the error when the work is ended; at once if it already is.
  func onEnd(_ body: @escaping @Sendable (ServiceError) -> Void) {
    let error: ServiceError? = state.withLock { state in
      state.onEnd = body
      return state.error
    }
    if let error { body(error) }
  }

  /// Ends the work if it has used more processor time or elapsed time than this, or if its client has disconnected.
  func end(ifOver processorTime: Duration, orLasting time: Duration) {
    let late = ContinuousClock.now - start > time
    let ended: (body: (@Sendable (ServiceError) -> Void)?, error: ServiceError)? = state.withLock { state in
      guard state.error == nil, !state.isChanging else { return nil }
      let isOver = state.clock.map { Self.time(of: $0.id) - $0.start > processorTime } ?? false
      let hasGone = channel.map { !$0.isActive } ?? false
      guard isOver || late || hasGone else { return nil }
      let error = ServiceError.unavailable(
        isOver ? "This takes too much processor time." : late ? "This takes too long." : "The client has disconnected.",
        code: "too-much-work", retryAfter: 30)
      state.error = error
      return (state.onEnd, error)
    }
    if let ended { ended.body?(ended.error) }
  }

  /// Ends the work with an error, unless it is done or is writing.
  func end(with error: ServiceError) {
    let body: (@Sendable (ServiceError) -> Void)? = state.withLock { state in
      guard state.error == nil, !state.isChanging else { return nil }
      state.error = error
      return state.onEnd
    }
    body?(error)
  }

  private static func time(of clock: clockid_t) -> Duration {
    var time = timespec()
    // The thread still exists, because `spend(_:)` removes the clock when the work on the thread is done.
    clock_gettime(clock, &time)
    return .seconds(time.tv_sec) + .nanoseconds(time.tv_nsec)
  }
}
