import Synchronization

/// Hands values from one task to another in order. `send` suspends while the buffer is full.
final class BoundedChannel<Value: Sendable>: Sendable {
  private struct State {
    var values: [Value] = []
    var isClosed = false
    var receiver: CheckedContinuation<Void, Never>?
    var sender: CheckedContinuation<Void, Never>?
  }

  private let limit: Int
  private let state = Mutex(State())

  init(limit: Int) { self.limit = limit }

  /// The number of values in the buffer.
  var count: Int { state.withLock { $0.values.count } }

  /// Sends a value; false if the channel is closed.
  func send(_ value: Value) async -> Bool {
    while true {
      let isDone = state.withLock { state -> Bool? in
        if state.isClosed { return false }
        guard state.values.count < limit else { return nil }
        state.values.append(value)
        state.receiver?.resume()
        state.receiver = nil
        return true
      }
      if let isDone { return isDone }
      await withCheckedContinuation { continuation in
        let mustWait = state.withLock { state in
          guard state.values.count >= limit, !state.isClosed else { return false }
          state.sender = continuation
          return true
        }
        if !mustWait { continuation.resume() }
      }
    }
  }

  /// Returns the next value; nil after the last value of a closed channel.
  func receive() async -> Value? {
    while true {
      let next = state.withLock { state -> Value?? in
        if state.values.isEmpty { return state.isClosed ? .some(nil) : nil }
        state.sender?.resume()
        state.sender = nil
        return state.values.removeFirst()
      }
      if let next { return next }
      await withCheckedContinuation { continuation in
        let mustWait = state.withLock { state in
          guard state.values.isEmpty, !state.isClosed else { return false }
          state.receiver = continuation
          return true
        }
        if !mustWait { continuation.resume() }
      }
    }
  }

  /// Closes the channel. Buffered values can still be received, but no more can be sent.
  func close() {
    state.withLock { state in
      state.isClosed = true
      state.receiver?.resume()
      state.sender?.resume()
      (state.receiver, state.sender) = (nil, nil)
    }
  }
}
