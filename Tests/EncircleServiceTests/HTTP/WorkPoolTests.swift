import Foundation
import Testing

@testable import EncircleService

@Suite struct WorkPoolTests {
  private func status(_ work: () async throws -> Void) async -> Int {
    do {
      try await work()
      return 200
    } catch { return (error as? ServiceError).map { ErrorAnswer($0).status.code } ?? 0 }
  }

  @Test func `the result or error of work is passed on`() async throws {
    let pool = WorkPool(threads: 1, waiting: 1)
    #expect(try await pool.run { 6 * 7 } == 42)
    await #expect(throws: ServiceError.self) { try await pool.run { throw ServiceError.notFound("") } }
    try await pool.stop()
  }

  @Test func `work that takes too much processor time is abandoned, and ends at its next check`() async throws {
    let pool = WorkPool(threads: 1, waiting: 1, processorTime: .milliseconds(50))
    let code = await status {
      try await pool.run {
        let clock = ThreadClock()
        // More than it may take; then it waits for the next look at it without a processor.
        while clock.spent < .milliseconds(60) {}
        while true {
          usleep(1_000)
          try WorkBudget.check()
        }
      }
    }
    #expect(code == 503)
    #expect(try await pool.run { 1 } == 1)
    try await pool.stop()
  }

  @Test func `blocked work is abandoned by the clock, and its client does not wait for it`() async throws {
    let pool = WorkPool(threads: 1, waiting: 1, time: .milliseconds(50))
    let gate = DispatchSemaphore(value: 0)
    let code = await status { try await pool.run { gate.wait() } }
    #expect(code == 503)
    gate.signal()
    try await pool.stop()
  }

  @Test func `work beyond the limit of waiting work is refused at once`() async throws {
    let pool = WorkPool(threads: 1, waiting: 1)
    let gate = DispatchSemaphore(value: 0)
    let codes = await withTaskGroup(of: Int.self) { group in
      for _ in 0..<8 { group.addTask { await status { try await pool.run { gate.wait() } } } }
      // Those that were let in wait for this; the others do not.
      for _ in 0..<6 { _ = await group.next() }
      gate.signal()
      gate.signal()
      return await group.reduce(into: []) { $0.append($1) }
    }
    #expect(codes == [200, 200])
    try await pool.stop()
  }

  @Test func `a person's newer request ends the earlier one, whether it runs or waits`() async throws {
    let pool = WorkPool(threads: 1, waiting: 4, isInBackground: true)
    let (started, other) = (DispatchSemaphore(value: 0), DispatchSemaphore(value: 0))
    @Sendable func question(_ name: String, _ number: Int) async -> Int {
      await status {
        try await pool.run(sole: name) {
          _ = started.signal()
          while number == 1 { try WorkBudget.check() }
        }
      }
    }
    async let running = question("lin", 1)
    await withCheckedContinuation { done in
      DispatchQueue.global().async {
        started.wait(); done.resume()
      }
    }
    async let others = status { try await pool.run(sole: "bob") { _ = other.signal() } }
    async let newest = question("lin", 2)
    #expect(await running == 409)
    #expect(await newest == 200)
    #expect(await others == 200)
    #expect(await question("lin", 3) == 200)
    try await pool.stop()
  }

  @Test func `only background threads have a lower priority`() async throws {
    #if os(Linux)
      for isInBackground in [true, false] {
        let pool = WorkPool(threads: 1, waiting: 1, isInBackground: isInBackground)
        let (own, isLower) = (getpriority(__priority_which_t(PRIO_PROCESS.rawValue), 0), isInBackground)
        let other = try await pool.run { getpriority(__priority_which_t(PRIO_PROCESS.rawValue), 0) }
        #expect((other > own) == isLower, "\(own) \(other)")
        try await pool.stop()
      }
    #endif
  }

  @Test func `the bodies of all requests are bounded together, and returned memory can be reused`() throws {
    let memory = BodyMemory(limit: 100)
    let one = BodyMemory.Share(of: memory)
    do {
      let other = BodyMemory.Share(of: memory)
      try one.take(60)
      #expect(throws: ErrorAnswer.self) { try other.take(41) }
      try other.take(40)
      one.giveBack(60)
      try other.take(60)
    }
    // The end of a share gives back what it holds.
    try one.take(100)
  }
}
