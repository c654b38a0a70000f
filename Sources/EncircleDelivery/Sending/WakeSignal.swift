import Synchronization

/// A signal that wakes all waiting tasks. If no task is waiting, the signal is kept for the next one.
final class WakeSignal: Sendable {
  private enum State {
    case idle
    case signalled
    case waiting([CheckedContinuation<Void, Never>])
  }

  private let state = Mutex(State.idle)

  func signal() {
    let waiters = state.withLock { state -> [CheckedContinuation<Void, Never>] in
      if case .waiting(let waiters) = state {
        state = .idle
        return waiters
      }
      state = .signalled
      return []
    }
    for waiter in waiters { waiter.resume() }
  }

  /// Waits for a signal, or until the task is cancelled.
  func wait() async {
    await withTaskCancellationHandler {
      await withCheckedContinuation { continuation in
        let isOver = state.withLock { state -> Bool in
          if Task.isCancelled { return true }
          switch state {
          case .idle: state = .waiting([continuation])
          case .waiting(let others): state = .waiting(others + [continuation])
          case .signalled:
            state = .idle
            return true
          }
          return false
        }
        if isOver { continuation.resume() }
      }
    } onCancel: {
      signal()
    }
  }
}
