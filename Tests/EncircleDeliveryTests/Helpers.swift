import EncircleDelivery
import EncircleEvents
import Foundation
import Synchronization

/// A folder that is gone when the test has ended.
final class ScratchFolder: Sendable {
  let url = FileManager.default.temporaryDirectory.appendingPathComponent("encircle-delivery-\(UUID().uuidString)")

  init() throws { try FileManager.default.createDirectory(at: url, withIntermediateDirectories: true) }
  deinit { try? FileManager.default.removeItem(at: url) }

  var queue: String { url.appendingPathComponent("events.queue").path }
  var names: [String] { ((try? FileManager.default.contentsOfDirectory(atPath: url.path)) ?? []).sorted() }
}

/// Returns a small event with a number.
func event(_ number: Int, padding: Int = 0) -> [UInt8] {
  Array(
    """
    {"event":"e","_track_id":\(number),"time":\(1000 + number),"distinct_id":"u","properties":{"number":\(number),\
    "x":"\(String(repeating: "x", count: padding))"}}
    """.utf8)
}

/// Returns the numbers of such events.
func numbers(_ batch: EventBatch?) -> [Int] { batch?.events.compactMap { number($0.json) } ?? [] }

func number(_ json: [UInt8]) -> Int? { (try? AnalyticsEvent(json: json)).flatMap(ReceivedBody.number) }

/// Takes everything out of a queue.
func drain(_ queue: EventQueue) throws -> [Int] {
  var all: [Int] = []
  while let batch = try queue.nextBatch(limit: 7) {
    all += numbers(batch)
    try queue.settle(batch, .delivered)
  }
  return all
}

/// Collects what is reported.
final class Notices: Sendable {
  private let list = Mutex<[DeliveryNotice]>([])
  var all: [DeliveryNotice] { list.withLock { $0 } }
  var add: @Sendable (DeliveryNotice) -> Void { { notice in self.list.withLock { $0.append(notice) } } }
}

/// Clocks that a test sets.
final class ManualClock: DeliveryClock {
  private let times = Mutex((now: Int64(1_700_000_000_000), uptime: 0.0))
  var now: Int64 { times.withLock { $0.now } }
  var uptime: Double { times.withLock { $0.uptime } }
  func advance(_ seconds: Double) {
    times.withLock {
      $0.uptime += seconds
      $0.now += Int64(seconds * 1000)
    }
  }
  func sleep(_ seconds: Double) async {
    allSleeps.withLock { $0.append(seconds) }
    try? await Task.sleep(for: .milliseconds(1))
  }

  private let allSleeps = Mutex<[Double]>([])
  /// The numbers of seconds that callers asked to sleep.
  var sleeps: [Double] { allSleeps.withLock { $0 } }
}

/// A transport that gives the answers that a test chooses, when the test chooses.
final class ScriptedTransport: Transport {
  typealias Answer = Result<DeliveryAnswer, TransportError>

  private struct State {
    var bodies: [[Int]] = []
    var requests: [DeliveryRequest] = []
    var waiting: [(numbers: [Int], continuation: CheckedContinuation<Answer, Never>)] = []
  }

  private let state = Mutex(State())
  private let answer: (@Sendable (_ numbers: [Int]) -> Answer)?

  /// Answers each request as `answer` says; without it, requests wait for ``finish(_:_:)``.
  init(_ answer: (@Sendable (_ numbers: [Int]) -> Answer)? = nil) { self.answer = answer }

  convenience init(status: Int) { self.init { _ in .success(DeliveryAnswer(status: status)) } }

  /// The numbers of the events of each request.
  var bodies: [[Int]] { state.withLock { $0.bodies } }
  var requests: [DeliveryRequest] { state.withLock { $0.requests } }
  var waiting: [[Int]] { state.withLock { $0.waiting.map(\.numbers) } }

  func send(_ request: DeliveryRequest) async throws(TransportError) -> DeliveryAnswer {
    let isForm = request.body.starts(with: "crc".utf8)
    let body = isForm ? request.body : (try? ReceivedBody.gunzip(request.body)) ?? []
    let events = (try? isForm ? ReceivedBody.sensorsEvents(body) : ReceivedBody.events(body)) ?? []
    let numbers = events.compactMap(ReceivedBody.number)
    state.withLock {
      $0.bodies.append(numbers)
      $0.requests.append(request)
    }
    if let answer { return try answer(numbers).get() }
    let result = await withCheckedContinuation { continuation in
      state.withLock { $0.waiting.append((numbers, continuation)) }
    }
    return try result.get()
  }

  /// Answers a waiting request.
  func finish(_ index: Int, status: Int) {
    let waiter = state.withLock { $0.waiting.remove(at: index) }
    waiter.continuation.resume(returning: .success(DeliveryAnswer(status: status)))
  }
}

/// Waits until something holds, for some minutes at most.
func eventually(_ condition: @Sendable () -> Bool) async -> Bool {
  for _ in 0..<150_000 {
    if condition() { return true }
    try? await Task.sleep(for: .milliseconds(2))
  }
  return condition()
}
