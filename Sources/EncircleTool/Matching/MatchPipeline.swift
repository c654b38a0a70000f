import ArgumentParser
import EncircleEvents
import EncircleInput
import EncircleRules

/// Runs threads that decide blocks of lines, and a thread that writes the decisions in the order of the input.
///
///     reader ──blocks──▶ jobs ──▶ workers ──texts──▶ slots ──▶ writer
///       ▲                                                       │
///       └───── no more pieces than slots are on their way ◀─────┘
///
/// The caller is the reader and also a worker: rather than wait for the other workers, it decides a block itself. So no more
/// threads are active than requested. Each piece of the input has a number, and keeps a slot until all of its output has been
/// written. A worker whose output exceeds a limit waits until the writer takes it. The worker with the lowest number never
/// waits for others, because blocks are taken in order. So all workers finish, and memory is bounded, even if the output is
/// slow or much longer than the input.
final class MatchPipeline: @unchecked Sendable {
  /// A block of lines that is waiting to be decided.
  private struct Job {
    let number: Int
    let block: LineBlocks.Block
    let input: DecisionWriter.Input
  }

  /// The decider and buffers of one thread.
  private final class Worker {
    private var writer: DecisionWriter
    private var reader: EventReader
    private let pending = PendingOutput()

    init(_ plan: DecisionWriter.Plan) {
      writer = DecisionWriter(plan)
      reader = EventReader(blocksFor: plan.matcher.projection)
    }

    var summary: MatchSummary { writer.summary }

    /// Decides a block and passes on the output.
    func decide(_ job: Job, for pipeline: MatchPipeline) throws {
      reader.begin(job.block)
      try writer.decideAll(&reader, of: job.input, to: pending, limit: MatchPipeline.outputLimit) {
        try pipeline.put(pending, for: job.number)
      }
      reader.end(job.block)
      try pipeline.put(pending, for: job.number, isLast: true, reusing: job.block)
    }
  }

  /// The part of a piece's output that is to be written next.
  private struct Slot {
    var output = OutputBytes()
    /// This is true if no more output follows.
    var isComplete = false
    /// The number of input bytes in the piece.
    var size = 0
  }

  /// The number of output bytes up to which a worker need not wait.
  static let outputLimit = 1 << 20

  private let plan: DecisionWriter.Plan
  private let workerCount: Int
  private let writer: MatchWriter
  /// The limit of bytes in all blocks in progress, for lines that are longer than blocks.
  private let sizeLimit: Int
  // The worker of the reading thread, if it ever decides a block.
  private var ownWorker: Worker?

  // The lock guards the rest.
  private let lock = Lock()
  private let jobArrived: ThreadSignal
  private let outputArrived: ThreadSignal
  private let outputTaken: ThreadSignal
  private let roomFreed: ThreadSignal
  private var jobs: [Job] = []
  private var idleWorkers = 0
  /// The slot of a piece is its number modulo the count of slots.
  private var slots: [Slot]
  private var nextNumber = 0
  private var nextToWrite = 0
  private var size = 0
  private var spareBlocks: [LineBlocks.Block] = []
  private var spareOutputs: [OutputBytes] = []
  private var isEnding = false
  /// The error that prevents further writes.
  private var failure: (any Error)?
  private var threads: [RunningThread] = []
  private var workers = 0
  private var summary: MatchSummary

  init(_ plan: DecisionWriter.Plan, workers: Int, writer: MatchWriter) {
    self.plan = plan
    workerCount = workers
    self.writer = writer
    slots = Array(repeating: Slot(), count: 2 * workers + 2)
    sizeLimit = slots.count * LineBlocks.defaultBlockSize
    summary = MatchSummary(ruleCount: plan.matcher.ruleNumberLimit)
    jobArrived = ThreadSignal(lock)
    outputArrived = ThreadSignal(lock)
    outputTaken = ThreadSignal(lock)
    roomFreed = ThreadSignal(lock)
  }

  // MARK: - The reader

  /// This is true if writing has failed, so that reading more is useless.
  var hasFailed: Bool { lock.withLock { failure != nil } }

  /// Returns a block that can be reused.
  func takeSpareBlock() -> LineBlocks.Block? { lock.withLock { spareBlocks.popLast() } }

  /// Returns the number for a piece of the input; waits while the pipeline is full.
  func beginPiece(size pieceSize: Int = 0) throws -> Int {
    while true {
      let job = try lock.withLock { () -> Job? in
        if threads.isEmpty { try start { $0.write() } }
        while failure == nil, !hasRoom(for: pieceSize) {
          if let job = takeJob() { return job }
          roomFreed.wait()
        }
        if let failure { throw failure }
        return nil
      }
      if let job {
        try decideHere(job)
        continue
      }
      return lock.withLock {
        let number = nextNumber
        nextNumber += 1
        size += pieceSize
        slots[number % slots.count].size = pieceSize
        return number
      }
    }
  }

  private func hasRoom(for pieceSize: Int) -> Bool {
    nextNumber - nextToWrite < slots.count && (size == 0 || size + pieceSize <= sizeLimit)
  }

  /// Passes a block to the workers.
  func decide(_ block: LineBlocks.Block, of input: DecisionWriter.Input) throws {
    let number = try beginPiece(size: block.count)
    let job = Job(number: number, block: block, input: input)
    let isForOthers = try lock.withLock {
      // Threads are started only as needed, because each takes memory. One of the workers is the reader.
      if jobs.count >= idleWorkers, workers < workerCount - 1 {
        do {
          try start { $0.decideJobs() }
          workers += 1
        } catch {
          // The other workers are enough.
          if workers == 0 { throw error }
        }
      }
      // The other workers are busy, so this thread decides the block, which is still in its caches.
      if jobs.count >= 2 * workers { return false }
      jobs.append(job)
      jobArrived.signal()
      return true
    }
    if !isForOthers { try decideHere(job) }
  }

  /// Decides a block in the reader's thread.
  private func decideHere(_ job: Job) throws {
    let worker = ownWorker ?? Worker(plan)
    ownWorker = worker
    try worker.decide(job, for: self)
  }

  private func start(_ body: @escaping @Sendable (MatchPipeline) -> Void) throws {
    guard let thread = RunningThread({ body(self) }) else {
      throw ExitStatus.inputOutput.failure("encircle: no thread can be started; --threads 1 needs none")
    }
    threads.append(thread)
  }

  /// Stops all threads as soon as possible, because no more output can be written.
  func fail(_ error: any Error) {
    lock.withLock {
      if failure == nil { failure = error }
      for condition in [jobArrived, outputArrived, outputTaken, roomFreed] { condition.broadcast() }
    }
  }

  /// Waits until all output is written and all threads have ended.
  ///
  /// - Returns: The counts of all workers.
  /// - Throws: The error that prevented writing all output.
  func finish() throws -> MatchSummary {
    lock.withLock {
      isEnding = true
      jobArrived.broadcast()
      outputArrived.broadcast()
    }
    do {
      while let job = lock.withLock({ failure == nil ? takeJob() : nil }) { try decideHere(job) }
    } catch {
      fail(error)
    }
    for thread in lock.withLock({ threads }) { thread.join() }
    return try lock.withLock {
      if let failure { throw failure }
      if let ownWorker { summary.add(ownWorker.summary) }
      return summary
    }
  }

  // MARK: - Workers

  private func decideJobs() {
    let worker = Worker(plan)
    while let job = nextJob() {
      // If writing has failed, no work is left.
      do { try worker.decide(job, for: self) } catch { break }
    }
    let counts = worker.summary
    lock.withLock { summary.add(counts) }
  }

  private func nextJob() -> Job? {
    lock.withLock {
      idleWorkers += 1
      defer { idleWorkers -= 1 }
      while jobs.isEmpty, !isEnding, failure == nil { jobArrived.wait() }
      return failure == nil ? takeJob() : nil
    }
  }

  /// Removes and returns the oldest waiting block, because the block that is written next must never wait.
  private func takeJob() -> Job? { jobs.isEmpty ? nil : jobs.removeFirst() }

  /// Passes on the pending output of a piece, and empties it. Waits until the writer has taken the previous output of the
  /// piece.
  ///
  /// - Throws: The error that prevents further writes.
  func put(
    _ pending: PendingOutput, for number: Int, isLast: Bool = false, reusing block: LineBlocks.Block? = nil
  ) throws {
    try lock.withLock {
      let place = number % slots.count
      if !pending.output.isEmpty {
        while !slots[place].output.isEmpty, failure == nil { outputTaken.wait() }
        swap(&slots[place].output, &pending.output)
        if let spare = spareOutputs.popLast() { pending.output = spare }
      }
      if let failure { throw failure }
      slots[place].isComplete = isLast
      // Blocks that long lines have enlarged are not kept.
      if let block, block.capacity <= LineBlocks.defaultBlockSize, spareBlocks.count < slots.count {
        spareBlocks.append(block)
      }
      if number == nextToWrite { outputArrived.signal() }
    }
  }

  // MARK: - The writer

  private func write() {
    var output = OutputBytes()
    while takeOutput(&output) {
      do {
        try writer.write(&output)
      } catch {
        fail(error)
        return
      }
    }
  }

  /// Replaces the written output by the next; returns false at the end.
  private func takeOutput(_ output: inout OutputBytes) -> Bool {
    lock.withLock {
      if (1...2 * Self.outputLimit).contains(output.capacity), spareOutputs.count <= workerCount {
        spareOutputs.append(output)
      }
      output = OutputBytes()
      while true {
        let place = nextToWrite % slots.count
        let isComplete = slots[place].isComplete
        let isEmpty = slots[place].output.isEmpty
        if !isEmpty {
          swap(&output, &slots[place].output)
          outputTaken.broadcast()
        }
        if isComplete {
          size -= slots[place].size
          slots[place] = Slot()
          nextToWrite += 1
          roomFreed.signal()
        }
        if !isEmpty { return true }
        if isComplete { continue }
        if failure != nil || (isEnding && nextToWrite == nextNumber) { return false }
        outputArrived.wait()
      }
    }
  }
}
