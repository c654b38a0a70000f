import Synchronization

/// The bounded queue of one subscriber. When it is full, the oldest elements are dropped and counted. Appending never waits.
final class SubscriberQueue<Element: Sendable>: Sendable {
  private struct State {
    var elements: [Element] = []
    var bytes = 0
    var dropped = 0
    var isWoken = false
    var hasEnded = false
    var waiting: CheckedContinuation<Void, Never>?
    var isEmpty: Bool { elements.isEmpty && dropped == 0 && !isWoken }
  }

  private let elementLimit: Int
  private let byteLimit: Int
  private let size: @Sendable (Element) -> Int
  private let state = Mutex(State())

  /// - Parameters:
  ///   - elementLimit: The maximum number of elements in the queue.
  ///   - byteLimit: The maximum number of bytes in the queue.
  ///   - size: Returns the size of an element in bytes.
  init(elementLimit: Int, byteLimit: Int = 4 << 20, size: @escaping @Sendable (Element) -> Int) {
    self.elementLimit = elementLimit
    self.byteLimit = byteLimit
    self.size = size
  }

  /// Returns the elements appended since the last call, and the number of dropped ones.
  ///
  /// Suspends while there are neither, until ``wake()`` or ``end()`` is called.
  func next() async -> (elements: [Element], dropped: Int) {
    await withCheckedContinuation { continuation in
      let mustWait = state.withLock { state in
        guard state.isEmpty, !state.hasEnded else { return false }
        // A queue has one reader. If an earlier call still waits, it must not wait for ever.
        state.waiting?.resume()
        state.waiting = continuation
        return true
      }
      if !mustWait { continuation.resume() }
    }
    return state.withLock { state in
      defer { (state.elements, state.bytes, state.dropped, state.isWoken) = ([], 0, 0, false) }
      return (state.elements, state.dropped)
    }
  }

  /// Returns the result of ``next()``, or nothing if nothing is appended within a time, or if the task is cancelled.
  func next(within time: Duration) async -> (elements: [Element], dropped: Int) {
    let timer = Task {
      try await Task.sleep(for: time)
      wake()
    }
    defer { timer.cancel() }
    return await withTaskCancellationHandler {
      await next()
    } onCancel: {
      wake()
    }
  }

  /// This is true if the queue has ended: ``end()`` was called, and ``next()`` would return nothing.
  var hasEnded: Bool { state.withLock { $0.hasEnded && $0.isEmpty } }

  func append(_ elements: [Element]) {
    change { state in
      state.elements += elements
      state.bytes += elements.reduce(0) { $0 + size($1) }
      var excess = 0
      while state.elements.count - excess > elementLimit || state.bytes > byteLimit {
        state.bytes -= size(state.elements[excess])
        excess += 1
      }
      state.elements.removeFirst(excess)
      state.dropped += excess
    }
  }

  /// Makes the waiting call of ``next()`` return, or otherwise the next call.
  func wake() { change { $0.isWoken = true } }

  func end() { change { $0.hasEnded = true } }

  private func change(_ body: (inout State) -> Void) {
    let waiting = state.withLock { state in
      body(&state)
      defer { state.waiting = nil }
      return state.waiting
    }
    waiting?.resume()
  }
}
