import EncircleDelivery
import Testing

@Suite("A queue keeps rejected events apart")
struct RejectedEventsTests {
  private let folder: ScratchFolder

  init() throws { folder = try ScratchFolder() }

  @Test("rejected events are kept apart and return to their old places")
  func rejected() throws {
    let queue = try EventQueue(path: folder.queue)
    try queue.store((1...3).map { event($0) })
    let batch = try #require(try queue.nextBatch(limit: 2))
    try queue.settle(batch, .rejected(status: 422))
    #expect(queue.counts.rejected == 2)
    #expect(queue.counts.waiting == 1)
    #expect(try queue.rejectedEvents(limit: 10).map(\.status) == [422, 422])
    #expect(try queue.restoreRejected() == 2)
    #expect(try drain(queue) == [1, 2, 3])
  }

  @Test("rejected events are left over once they are restored, also in a file that was opened again")
  func restoredAreLeftOver() throws {
    let queue = try EventQueue(path: folder.queue)
    try queue.store((1...3).map { event($0) })
    try queue.settle(try #require(try queue.nextBatch(limit: 3)), .rejected(status: 422))
    queue.close()
    let again = try EventQueue(path: folder.queue)
    #expect(try again.restoreRejected() == 3)
    try again.store(event(4))
    #expect(again.fresh == 1)
    #expect(numbers(try again.nextBatch(limit: 9, part: .fresh)) == [4])
    #expect(again.fresh == 0)
    #expect(numbers(try again.nextBatch(limit: 9, part: .leftOver)) == [1, 2, 3])
  }
}
