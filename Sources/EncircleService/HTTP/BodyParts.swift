import Hummingbird
import NIOCore
import NIOPosix
import Synchronization

/// The parts of a body as they arrive. Iteration fails if the client sends nothing, or too little, for too long.
struct BodyParts: AsyncSequence {
  typealias Element = ByteBuffer

  private let body: RequestBody
  private let limits: ServiceLimits

  /// Begins to read the body of the request that the current task answers. A client that waits for `100 Continue` before it sends
  /// the body gets it now.
  init(of request: Request, limits: ServiceLimits) {
    body = request.body
    self.limits = limits
    if request.headers[.expect] != nil {
      RequestScope.current?.channel.triggerUserOutboundEvent(BodyDemand(), promise: nil)
    }
  }

  func makeAsyncIterator() -> Iterator { Iterator(parts: body.makeAsyncIterator(), limits: limits) }

  struct Iterator: AsyncIteratorProtocol {
    private var parts: RequestBody.AsyncIterator
    private let grace: Duration
    private let bytesPerSecond: Double
    /// The time for which the client may still keep the service waiting. Received bytes add to it, but never beyond the initial
    /// time: a large first part must not pay for a long silence.
    private var balance: Duration
    private let watch = BodyWatch()

    init(parts: RequestBody.AsyncIterator, limits: ServiceLimits) {
      self.parts = parts
      grace = .seconds(limits.stallSeconds)
      bytesPerSecond = Double(limits.bytesPerSecond)
      balance = grace
    }

    mutating func next() async throws -> ByteBuffer? {
      let start = ContinuousClock.now
      let part = try await nextPart(before: start + balance)
      let earned = Duration.seconds(Double(part?.readableBytes ?? 0) / bytesPerSecond)
      balance = Swift.max(.zero, Swift.min(grace, balance - (ContinuousClock.now - start) + earned))
      return part
    }

    private mutating func nextPart(before deadline: ContinuousClock.Instant) async throws -> ByteBuffer? {
      nonisolated(unsafe) var iterator = parts
      defer { parts = iterator }
      let task = Task { () throws -> ByteBuffer? in try await iterator.next() }
      watch.begin(task, deadline)
      let result = await withTaskCancellationHandler {
        await task.result
      } onCancel: {
        task.cancel()
      }
      guard !watch.end() else {
        throw ErrorAnswer(
          status: .requestTimeout, code: "too-slow", message: "The body arrives too slowly.",
          headers: [.connection: "close"])
      }
      return try result.get()
    }
  }
}

/// Ends the wait for the next part of a body at its deadline.
///
/// A body has one timer rather than one per part, because bodies may arrive byte by byte.
private final class BodyWatch: Sendable {
  private struct State {
    var task: Task<ByteBuffer?, any Error>?
    var deadline: ContinuousClock.Instant?
    var timer: Scheduled<Void>?
    var nextLook: ContinuousClock.Instant?
    var isExpired = false
  }

  private let state = Mutex(State())
  private let loop: any EventLoop = MultiThreadedEventLoopGroup.singleton.any()

  deinit { state.withLock { $0.timer?.cancel() } }

  func begin(_ task: Task<ByteBuffer?, any Error>, _ deadline: ContinuousClock.Instant) {
    state.withLock { state in
      state.task = task
      state.deadline = deadline
      if let next = state.nextLook, next <= deadline { return }
      look(at: deadline, &state)
    }
  }

  /// Returns whether the deadline has passed.
  func end() -> Bool {
    state.withLock { state in
      (state.task, state.deadline) = (nil, nil)
      return state.isExpired
    }
  }

  private func look(at time: ContinuousClock.Instant, _ state: inout State) {
    state.timer?.cancel()
    state.nextLook = time
    let wait = Swift.max(.zero, time - .now)
    let (seconds, attoseconds) = wait.components
    state.timer = loop.scheduleTask(in: .nanoseconds(seconds * 1_000_000_000 + attoseconds / 1_000_000_000)) {
      [weak self] in self?.look()
    }
  }

  private func look() {
    state.withLock { state in
      (state.timer, state.nextLook) = (nil, nil)
      guard let deadline = state.deadline else { return }
      if deadline > .now {
        look(at: deadline, &state)
      } else {
        state.isExpired = true
        state.task?.cancel()
      }
    }
  }
}
