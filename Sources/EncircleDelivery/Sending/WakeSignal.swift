import Synchronization

/// A signal that wakes one waiting task. If no task is waiting, the signal is kept for the next one.
final class WakeSignal: Sendable {
  private enum State {
    case idle
    case signalled
    case waiting(CheckedContinuation<Void, Never>)
  }

  private let state = Mutex(State.idle)

  func signal() {
    let waiter = state.withLock { state -> CheckedContinuation<Void, Never>? in
      if case .waiting(let continuation) = state {
        state = .idle
        return continuation
      }
      state = .signalled
      return nil
    }
    waiter?.resume()
  }

  /// Waits for a signal, or until the task is cancelled.
  func wait() async {
    await withTaskCancellationHandler {
      await withCheckedContinuation { continuation in
        let isOver = state.withLock { state -> Bool in
          if case .idle = state, !Task.isCancelled {
            state = .waiting(continuation)
            return false
          }
          state = .idle
          return true
        }
        if isOver { continuation.resume() }
      }
    } onCancel: {
      signal()
    }
  }
}
