import Synchronization

/// Sends the events of a queue according to a policy.
///
/// ```swift
/// let sender = EventSender(queue: queue, transport: HTTPTransport(url: url), policy: .careful)
/// let sending = Task { await sender.run() }
/// try sender.store([event])          // from any thread; on the disk when it returns
/// ```
/// A sender keeps its events only in the queue, so it can be stopped at any moment.
public actor EventSender {
  /// The queue.
  public nonisolated let queue: EventQueue
  /// The policy.
  public nonisolated let policy: DeliveryPolicy
  private let transport: any Transport
  private let clock: any DeliveryClock
  private let random: @Sendable () -> Double
  private let report: @Sendable (DeliveryNotice) -> Void
  private nonisolated let wake = WakeSignal()
  // Wakes calls of `flush()` that wait for the end of a request.
  private nonisolated let requestEnd = WakeSignal()
  // This is true if events were stored since the last call of `takeDue()`.
  private nonisolated let hasNewEvents = Mutex(false)

  // Requests that are under way or about to be sent.
  private var underWay = 0
  private var isSendingLeftOvers = false
  private var isPaused = false
  // This is true if the program has reported that there is no network, or one on which the policy does not send.
  private var isOffline = false
  // This is true if sending is suspended.
  private var isHeld: Bool { isPaused || isOffline }
  private var isInForeground = true
  // The next times to send, in seconds of uptime.
  private var nextTick: Double
  private var retryAt: Double?
  private var failures = 0
  // This is smaller than in the policy while the sender searches for the event that the receiver refuses.
  private var batchSize: Int

  /// Creates a sender. It sends nothing before ``run()`` or another call to send.
  ///
  /// - Parameters:
  ///   - queue: A queue created with the `limits` of the policy.
  ///   - random: Gives numbers from 0 up to 1, for pauses.
  ///   - report: Called with failures, on any thread. The queue reports dropped, rejected and lost events.
  public init(
    queue: EventQueue, transport: any Transport, policy: DeliveryPolicy = .careful,
    clock: any DeliveryClock = SystemDeliveryClock(),
    random: @escaping @Sendable () -> Double = { Double.random(in: 0..<1) },
    report: @escaping @Sendable (DeliveryNotice) -> Void = { _ in }
  ) {
    self.queue = queue
    self.transport = transport
    self.policy = policy
    self.clock = clock
    self.random = random
    self.report = report
    nextTick = clock.uptime + policy.interval
    batchSize = max(1, policy.eventsPerRequest)
  }

  // MARK: What the app says

  /// Stores events in one transaction, and triggers sending if the policy requires it.
  ///
  /// - Throws: A ``DeliveryError``, as ``EventQueue/store(_:lane:)`` does; none of the events is stored then.
  public nonisolated func store(_ events: [[UInt8]], lane: DeliveryLane = .normal) throws(DeliveryError) {
    try queue.store(events, lane: lane)
    hasNewEvents.withLock { $0 = true }
    wake.signal()
  }

  /// Informs the sender that the app's state has changed. The sender then sends events if the policy requires it.
  ///
  /// - Returns: The result of sending; nil if the policy sends nothing at this change.
  @discardableResult public func enter(_ phase: AppPhase) async -> FlushReport? {
    isInForeground = phase == .start || phase == .foreground
    wake.signal()
    guard policy.flushPhases.contains(phase) else { return nil }
    return await flush(policy.separatesLeftOvers ? .leftOver : .all)
  }

  /// Sends all waiting events now, regardless of the policy's times and of earlier failures. If sending is under way, this method
  /// waits for its end first, unless its task is cancelled.
  @discardableResult public func flush() async -> FlushReport {
    while !canBeginRequest, !isHeld, !Task.isCancelled { await requestEnd.wait() }
    return await flush(.all)
  }

  /// Informs the sender of the current network, nil for none. On a network that the policy does not name, events wait; a
  /// request under way is completed. Before the first call, the sender sends on any network.
  public func use(_ network: DeliveryNetwork?) {
    isOffline = network.map { !policy.networks.contains($0) } ?? true
    wake.signal()
  }

  /// Suspends sending until ``resume()``. A request under way is completed.
  public func pause() { isPaused = true }

  /// Ends a pause.
  public func resume() {
    isPaused = false
    wake.signal()
  }

  // MARK: When to send

  /// Sends events until the task is cancelled.
  ///
  /// Begins by entering `phase`. A request that is under way at the end is abandoned; its events are sent again at the next
  /// start.
  public func run(startingWith phase: AppPhase = .start) async {
    await withDiscardingTaskGroup { group in
      group.addTask { await self.enter(phase) }
      while !Task.isCancelled {
        while let part = takeDue() { group.addTask { _ = await self.send(part) } }
        await waitForOccasion()
      }
      group.cancelAll()
    }
  }

  /// Sends events that are due by number or time; for programs that use their own timer instead of ``run(startingWith:)``.
  @discardableResult public func flushIfDue() async -> FlushReport? {
    guard let part = takeDue() else { return nil }
    return await send(part)
  }

  private func waitForOccasion() async {
    var pause = max(0, nextTick - clock.uptime)
    if let retryAt, !isHeld { pause = min(pause, max(0, retryAt - clock.uptime)) }
    // Events that are due but cannot be sent now are considered again when a request ends.
    let seconds = max(pause, 0.001)
    await withTaskGroup { group in
      group.addTask { await self.clock.sleep(seconds) }
      group.addTask { await self.wake.wait() }
      await group.next()
      group.cancelAll()
    }
  }

  /// Returns the part that is due, which the caller must send; nil if nothing is due.
  private func takeDue() -> QueuePart? {
    let now = clock.uptime
    let isTick = now >= nextTick
    if isTick { nextTick = now + max(0.001, policy.interval) }
    // Events stored in the meantime stay new, and are considered when sending is possible again.
    if isHeld { return nil }
    let isNew = hasNewEvents.withLock { isNew in
      defer { isNew = false }
      return isNew
    }
    let waiting = policy.separatesLeftOvers ? queue.fresh : queue.unclaimed
    if waiting == 0 {
      retryAt = nil
      return nil
    }
    if let retryAt {
      // After a failure, only time brings another try.
      if now < retryAt { return nil }
    } else {
      let isCountDue = (isNew || policy.separatesLeftOvers) && waiting > policy.flushAbove
      let isTimeDue = isTick && (isInForeground || policy.intervalInBackground)
      guard isCountDue || isTimeDue else { return nil }
    }
    let part = policy.separatesLeftOvers ? QueuePart.fresh : .all
    guard reserve(part) else {
      // All requests are under way; the new events are considered again when one ends.
      if isNew { hasNewEvents.withLock { $0 = true } }
      return nil
    }
    return part
  }

  // MARK: Sending

  private func flush(_ part: QueuePart) async -> FlushReport {
    guard !isHeld, reserve(part) else { return FlushReport(isBusy: true) }
    return await send(part)
  }

  private func reserve(_ part: QueuePart) -> Bool {
    if part == .leftOver {
      if isSendingLeftOvers { return false }
      isSendingLeftOvers = true
    } else {
      guard canBeginRequest else { return false }
      underWay += 1
    }
    return true
  }

  private var canBeginRequest: Bool { underWay < max(1, policy.concurrentRequests) }

  private func release(_ part: QueuePart) {
    if part == .leftOver { isSendingLeftOvers = false } else { underWay -= 1 }
    requestEnd.signal()
    wake.signal()
  }

  /// Sends batches one after the other, until none is left or one fails.
  private func send(_ part: QueuePart) async -> FlushReport {
    defer { release(part) }
    retryAt = nil
    var report = FlushReport()
    let isLimited = part != .leftOver && !(part == .all && policy.separatesLeftOvers)
    while !isLimited || report.requests < policy.requestsPerFlush, !isHeld, !Task.isCancelled {
      do throws(DeliveryError) {
        guard let batch = try queue.nextBatch(limit: batchSize, bytes: policy.bytesPerRequest, part: part) else {
          break
        }
        report.requests += 1
        let answer = await answer(to: batch)
        try settle(batch, answer, &report)
      } catch {
        report.failure = .queue(error)
        fail(.queue(error), asked: nil)
      }
      if report.failure != nil { break }
    }
    return report
  }

  private func answer(to batch: EventBatch) async -> Result<DeliveryAnswer, TransportError> {
    let request = policy.format.request(for: batch, at: clock.now)
    do throws(TransportError) {
      return .success(try await transport.send(request))
    } catch {
      return .failure(error)
    }
  }

  private func settle(
    _ batch: EventBatch, _ result: Result<DeliveryAnswer, TransportError>, _ report: inout FlushReport
  ) throws(DeliveryError) {
    let answer: DeliveryAnswer
    switch result {
    case .success(let success): answer = success
    case .failure(let error):
      try queue.settle(batch, .kept)
      report.failure = .transport(error)
      if error != .cancelled { fail(.transport(error), asked: nil) }
      return
    }
    let outcome = policy.answers.outcome(of: answer)
    if case .rejected = outcome, batch.events.count > 1 {
      // Perhaps only one of the events is bad. Smaller and smaller batches isolate it.
      batchSize = batch.events.count / 2
      try queue.settle(batch, .kept)
      return
    }
    try queue.settle(batch, outcome)
    switch outcome {
    case .delivered: report.delivered += batch.events.count
    case .rejected: report.rejected += batch.events.count
    case .lost: report.lost += batch.events.count
    case .kept:
      let isSuccess = (200...299).contains(answer.status)
      let failure = isSuccess ? DeliveryFailure.strangeAnswer(answer.status) : .status(answer.status)
      report.failure = failure
      fail(failure, asked: answer.retryAfter)
      return
    }
    failures = 0
    batchSize = min(max(1, policy.eventsPerRequest), batchSize * 2)
  }

  private func fail(_ failure: DeliveryFailure, asked: Double?) {
    failures += 1
    let pause = policy.backoff?.pause(after: failures, asked: asked, random: random())
    retryAt = pause.map { clock.uptime + $0 }
    report(.failed(failure, retryIn: pause))
  }
}
