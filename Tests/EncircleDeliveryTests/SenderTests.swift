import EncircleDelivery
import EncircleEvents
import EncircleTestSupport
import EncircleText
import Foundation
import Testing

/// A sender with everything that a test sets.
private struct Sending {
  let folder: ScratchFolder
  let clock = ManualClock()
  let notices = Notices()
  let transport: ScriptedTransport
  let queue: EventQueue
  let sender: EventSender

  init(_ policy: DeliveryPolicy, _ transport: ScriptedTransport, random: Double = 0) throws {
    folder = try ScratchFolder()
    self.transport = transport
    queue = try EventQueue(path: folder.queue, limits: policy.limits, durability: .crash, report: notices.add)
    sender = EventSender(
      queue: queue, transport: transport, policy: policy, clock: clock, random: { random }, report: notices.add)
  }

  func store(_ numbers: ClosedRange<Int>, lane: DeliveryLane = .normal) throws {
    try sender.store(numbers.map { event($0) }, lane: lane)
  }
}

@Suite("The policy of sa-sdk-ios")
struct SensorsPolicyTests {
  @Test("the 101st event sends, fifty in a request, oldest first", .articles("W35"))
  func threshold() async throws {
    let sending = try Sending(.sensors, ScriptedTransport(status: 200))
    try sending.store(1...100)
    #expect(await sending.sender.flushIfDue() == nil)
    try sending.store(101...101)
    let report = await sending.sender.flushIfDue()
    #expect(report?.delivered == 101)
    #expect(sending.transport.bodies == [Array(1...50), Array(51...100), [101]])
    #expect(sending.queue.counts.waiting == 0)
  }

  @Test("waiting events are sent after 15 s, and not in the background", .articles("W35"))
  func timer() async throws {
    let sending = try Sending(.sensors, ScriptedTransport(status: 200))
    try sending.store(1...3)
    sending.clock.advance(14.9)
    #expect(await sending.sender.flushIfDue() == nil)
    sending.clock.advance(0.1)
    #expect(await sending.sender.flushIfDue()?.delivered == 3)
    try sending.store(4...4)
    // Entering the background sends.
    #expect(await sending.sender.enter(.background)?.delivered == 1)
    try sending.store(5...5)
    sending.clock.advance(100)
    #expect(await sending.sender.flushIfDue() == nil)
    // Neither entering the foreground nor a passive start sends; the start does.
    #expect(await sending.sender.enter(.foreground) == nil)
    #expect(await sending.sender.enter(.passiveStart) == nil)
    #expect(await sending.sender.enter(.start)?.delivered == 1)
  }

  @Test("one occasion sends at most 41 requests")
  func requests() async throws {
    let sending = try Sending(.sensors, ScriptedTransport(status: 200))
    try sending.store(1...3000)
    #expect(await sending.sender.flush().requests == 41)
    #expect(sending.queue.counts.waiting == 3000 - 41 * 50)
  }

  @Test("the queue holds 10,000 events and drops the oldest 100 at a time")
  func capacity() async throws {
    let sending = try Sending(.sensors, ScriptedTransport(status: 200))
    try sending.store(1...10_000)
    try sending.store(10_001...10_001)
    #expect(sending.queue.counts.waiting == 9901)
    #expect(sending.notices.all == [.dropped(100)])
  }

  @Test("instant events go first, and their bodies say so")
  func instant() async throws {
    let sending = try Sending(.sensors, ScriptedTransport(status: 200))
    try sending.store(1...2)
    try sending.store(3...4, lane: .instant)
    _ = await sending.sender.flush()
    #expect(sending.transport.bodies == [[3, 4], [1, 2]])
    let ends = sending.transport.requests.map {
      String(decoding: $0.body, as: UTF8.self).hasSuffix("&instant_event=true")
    }
    #expect(ends == [true, false])
  }

  @Test("a refused batch is retried at the next occasion, not at once")
  func failure() async throws {
    let sending = try Sending(.sensors, ScriptedTransport(status: 503))
    try sending.store(1...101)
    #expect(await sending.sender.flushIfDue()?.failure == .status(503))
    #expect(await sending.sender.flushIfDue() == nil)
    #expect(sending.notices.all == [.failed(.status(503), retryIn: nil)])
    sending.clock.advance(15)
    #expect(await sending.sender.flushIfDue()?.failure == .status(503))
    #expect(sending.queue.counts.waiting == 101)
  }

  @Test("each attempt to send states its own time")
  func flushTime() async throws {
    let sending = try Sending(.sensors, ScriptedTransport(status: 500))
    try sending.sender.store([event(1), Array(#"{"_flush_time":5,"event":"x"}"#.utf8), Array("{ }".utf8)])
    let start = sending.clock.now
    _ = await sending.sender.flush()
    sending.clock.advance(60)
    _ = await sending.sender.flush()
    let times = try sending.transport.requests.map { request in
      try ReceivedBody.sensorsEvents(request.body).map { $0.members["_flush_time"] }
    }
    #expect(times == [start, start + 60_000].map { time in Array(repeating: .number(DecimalNumber(time)), count: 3) })
  }

  @Test("an event is sent byte for byte, with the time of sending at its end", arguments: [#"a\nb"#, #"\ud83d"#, "ab"])
  func unchanged(text: String) throws {
    let folder = try ScratchFolder()
    let queue = try EventQueue(path: folder.queue)
    let event = #"{"price":5.0,"note":"\#(text)","properties":{"_flush_time":1}"#
    try queue.store(Array("\(event)}".utf8))
    let batch = try #require(try queue.nextBatch(limit: 1))
    let body = RequestFormat.json.request(for: batch, at: 7).body
    #expect(String(decoding: body, as: UTF8.self) == #"[\#(event),"_flush_time":7}]"#)
  }
}

@Suite("The debug modes and the mirror of sa-sdk-ios")
struct SensorsDebugTests {
  @Test(
    "in debug modes each event is sent at once in a separate request, and every answer deletes it",
    arguments: [SensorsDebugMode.checksOnly, .checksAndStores])
  func debug(mode: SensorsDebugMode) async throws {
    let sending = try Sending(.sensors(debug: mode), ScriptedTransport(status: 500))
    try sending.store(1...3)
    let report = await sending.sender.flushIfDue()
    #expect(report?.lost == 3)
    #expect(sending.transport.bodies == [[1], [2], [3]])
    #expect(sending.queue.counts.waiting == 0)
    for request in sending.transport.requests {
      let values = request.headers.filter { $0.name == "Dry-Run" }.map(\.value)
      #expect(values == (mode == .checksOnly ? ["true"] : []))
    }
  }

  @Test("without an answer, events of debug modes are kept")
  func unanswered() async throws {
    let sending = try Sending(.sensors(debug: .checksOnly), ScriptedTransport { _ in .failure(.timeout) })
    try sending.store(1...3)
    #expect(await sending.sender.flushIfDue()?.failure == .transport(.timeout))
    #expect(sending.queue.counts.waiting == 3)
  }

  @Test(
    "debug modes replace the last component of the path, and keep the query",
    arguments: [
      ("https://a.example/sa?project=x%20y", "https://a.example/debug?project=x%20y"),
      ("https://a.example:8106/p/sa", "https://a.example:8106/p/debug"),
      ("https://a.example", "https://a.example/debug"),
      ("https://a.example/a%2Fb/sa/", "https://a.example/a%2Fb/debug"),
      ("https://a.example/debug?project=x", "https://a.example/debug?project=x"),
    ])
  func debugURL(receiver: String, expected: String) throws {
    let url = try #require(URL(string: receiver))
    #expect(SensorsDebugMode.url(for: url).absoluteString == expected)
  }

  @Test("a copy for an advertising server is marked, sent once without retries, and never queued")
  func mirror() async throws {
    let transport = ScriptedTransport(status: 503)
    let clock = ManualClock()
    let mirror = EventMirror(transport: transport, clock: clock)
    #expect(try await mirror.send(event(7)).status == 503)
    #expect(transport.bodies == [[7]])
    let body = try #require(transport.requests.first).body
    #expect(String(decoding: body, as: UTF8.self).hasSuffix("&sink_name=mirror"))
    let sent = try #require(try ReceivedBody.sensorsEvents(body).first)
    #expect(sent.members["_flush_time"] == .number(DecimalNumber(clock.now)))
    let failing = EventMirror(transport: ScriptedTransport { _ in .failure(.timeout) })
    await #expect(throws: TransportError.timeout) { try await failing.send(event(8)) }
  }
}

@Suite("The policy of Lede")
struct LedePolicyTests {
  @Test(
    "ten events make a batch; up to ten batches are under way at once and can arrive in any order",
    .articles("L18", "L22"))
  func concurrent() async throws {
    let sending = try Sending(.lede, ScriptedTransport())
    let running = Task { await sending.sender.run() }
    for batch in 0..<12 { try sending.store(batch * 10 + 1...batch * 10 + 10) }
    #expect(await eventually { sending.transport.waiting.count == 10 })
    #expect(sending.queue.unclaimed == 20)
    // The last request is answered first.
    for _ in 0..<12 {
      #expect(await eventually { !sending.transport.waiting.isEmpty })
      sending.transport.finish(sending.transport.waiting.count - 1, status: 200)
    }
    #expect(await eventually { sending.queue.counts.waiting == 0 })
    #expect(sending.transport.bodies.flatMap { $0 }.sorted() == Array(1...120))
    running.cancel()
    await running.value
  }

  @Test("fewer than ten are sent after 30 s", .articles("L22"))
  func timer() async throws {
    let sending = try Sending(.lede, ScriptedTransport(status: 200))
    try sending.store(1...9)
    #expect(await sending.sender.flushIfDue() == nil)
    sending.clock.advance(30)
    #expect(await sending.sender.flushIfDue()?.delivered == 9)
  }

  @Test("instant events count as fresh, so they are sent by number and time, too")
  func instant() async throws {
    let sending = try Sending(.lede, ScriptedTransport(status: 200))
    try sending.store(1...3, lane: .instant)
    #expect(sending.queue.fresh == 3)
    #expect(await sending.sender.flushIfDue() == nil)
    sending.clock.advance(30)
    #expect(await sending.sender.flushIfDue()?.delivered == 3)
    try sending.store(4...8)
    try sending.store(9...13, lane: .instant)
    #expect(await sending.sender.flushIfDue()?.requests == 1)
    #expect(sending.transport.bodies.last == Array(9...13))
    #expect(sending.queue.fresh == 5)
  }

  @Test("failed events are sent again only when the app starts, comes or goes, one request at a time", .articles("L23"))
  func leftOvers() async throws {
    let sending = try Sending(
      .lede, ScriptedTransport { $0.contains(1) ? .failure(.timeout) : .success(DeliveryAnswer(status: 200)) })
    try sending.store(1...20)
    #expect(await sending.sender.flushIfDue()?.failure == .transport(.timeout))
    sending.clock.advance(1000)
    #expect(await sending.sender.flushIfDue()?.delivered == 10)
    sending.clock.advance(1000)
    #expect(await sending.sender.flushIfDue() == nil)
    #expect(await sending.sender.enter(.background)?.failure == .transport(.timeout))
    #expect(await sending.sender.enter(.foreground)?.requests == 1)
    #expect(sending.queue.counts.waiting == 10)
  }

  @Test("events left by an earlier run are sent at the start")
  func start() async throws {
    let folder = try ScratchFolder()
    let earlier = try EventQueue(path: folder.queue)
    try earlier.store((1...25).map { event($0) })
    earlier.close()
    let transport = ScriptedTransport(status: 200)
    let sender = EventSender(queue: try EventQueue(path: folder.queue), transport: transport, policy: .lede)
    #expect(await sender.enter(.start)?.delivered == 25)
    #expect(transport.bodies == [Array(1...10), Array(11...20), Array(21...25)])
  }
}

@Suite("The careful policy")
struct CarefulPolicyTests {
  @Test("one bad event is set aside alone, and all others are delivered in order", arguments: [1, 7, 50])
  func oneBad(bad: Int) async throws {
    let transport = ScriptedTransport { .success(DeliveryAnswer(status: $0.contains(bad) ? 422 : 200)) }
    let sending = try Sending(.careful, transport)
    try sending.store(1...50)
    let report = await sending.sender.flush()
    #expect(report.delivered == 49)
    #expect(report.rejected == 1)
    #expect(report.failure == nil)
    #expect(try sending.queue.rejectedEvents(limit: 9).map { number($0.json) } == [bad])
    #expect(transport.bodies.filter { !$0.contains(bad) }.flatMap { $0 } == (1...50).filter { $0 != bad })
    #expect(transport.bodies.count < 20)
    #expect(sending.notices.all == [.rejected(1, status: 422)])
  }

  @Test("pauses grow with failures, vary at random, and obey Retry-After")
  func backoff() async throws {
    let backoff = Backoff(first: 1, factor: 2, longest: 60)
    #expect((1...8).map { backoff.pause(after: $0, asked: nil, random: 0) } == [0.5, 1, 2, 4, 8, 16, 30, 30])
    #expect((1...8).map { backoff.pause(after: $0, asked: nil, random: 1) } == [1, 2, 4, 8, 16, 32, 60, 60])
    #expect(backoff.pause(after: .max, asked: nil, random: 1) == 60)
    #expect(backoff.pause(after: 1, asked: 90, random: 1) == 90)
    #expect(backoff.pause(after: 1, asked: 1e300, random: 1) == 3600)

    let sending = try Sending(
      .careful, ScriptedTransport { _ in .success(DeliveryAnswer(status: 503, retryAfter: 40)) })
    try sending.store(1...101)
    #expect(await sending.sender.flushIfDue()?.failure == .status(503))
    #expect(sending.notices.all == [.failed(.status(503), retryIn: 40)])
    sending.clock.advance(39)
    try sending.store(102...102)
    #expect(await sending.sender.flushIfDue() == nil)
    sending.clock.advance(1)
    #expect(await sending.sender.flushIfDue()?.failure == .status(503))
    #expect(sending.queue.counts.waiting == 102)
  }

  @Test("an idle sender waits, even while it is paused after a failure")
  func idle() async throws {
    let sending = try Sending(.careful, ScriptedTransport(status: 503))
    try sending.store(1...101)
    #expect(await sending.sender.flushIfDue()?.failure == .status(503))
    await sending.sender.pause()
    sending.clock.advance(10)
    let running = Task { await sending.sender.run() }
    #expect(await eventually { sending.clock.sleeps.count > 3 })
    running.cancel()
    await running.value
    // Until the next time that something could be due, not again and again.
    #expect(sending.clock.sleeps.allSatisfy { $0 > 1 })
  }

  @Test("a sender that two tasks run at the same time ends in both when they are cancelled")
  func runTwice() async throws {
    let sending = try Sending(.careful, ScriptedTransport(status: 200))
    let running = (0..<2).map { _ in Task { await sending.sender.run() } }
    #expect(await eventually { sending.clock.sleeps.count > 10 })
    for task in running { task.cancel() }
    for task in running { await task.value }
    try sending.store(1...2)
    #expect(await sending.sender.flush().delivered == 2)
  }

  @Test("a page sent by a network instead of the receiver deletes nothing")
  func captivePortal() async throws {
    let page = Array(" <!DOCTYPE html><html>Please log in</html>".utf8)
    let sending = try Sending(.careful, ScriptedTransport { _ in .success(DeliveryAnswer(status: 200, body: page)) })
    try sending.store(1...2)
    #expect(await sending.sender.flush().failure == .strangeAnswer(200))
    #expect(sending.queue.counts.waiting == 2)
  }

  @Test("events wait in networks that the policy does not name, and without any", .articles("W34"))
  func networks() async throws {
    var policy = DeliveryPolicy.careful
    policy.networks = [.wifi]
    let sending = try Sending(policy, ScriptedTransport(status: 200))
    try sending.store(1...101)
    for network in [nil, DeliveryNetwork.mobile5G] {
      await sending.sender.use(network)
      #expect(await sending.sender.flushIfDue() == nil)
      #expect(await sending.sender.flush().isBusy)
    }
    #expect(sending.queue.counts.waiting == 101)
    await sending.sender.use(.wifi)
    #expect(await sending.sender.flush().delivered == 101)
  }

  @Test("enough events stored without a network are due as soon as one is available")
  func storedWhileHeld() async throws {
    let sending = try Sending(.careful, ScriptedTransport(status: 200))
    try sending.store(1...101)
    await sending.sender.use(nil)
    #expect(await sending.sender.flushIfDue() == nil)
    await sending.sender.use(.wifi)
    #expect(await sending.sender.flushIfDue()?.delivered == 101)
  }

  @Test("sa-sdk-ios does not send in networks of the second generation")
  func slowNetwork() {
    #expect(DeliveryPolicy.sensors.networks == [.wifi, .mobile3G, .mobile4G, .mobile5G])
    #expect(DeliveryPolicy.careful.networks.contains(.mobile2G))
  }

  @Test("while sending is paused, and when the app's state changes while it is under way, nothing else is sent")
  func pause() async throws {
    let sending = try Sending(.careful, ScriptedTransport())
    try sending.store(1...2)
    await sending.sender.pause()
    #expect(await sending.sender.flush().isBusy)
    await sending.sender.resume()
    async let first = sending.sender.flush()
    #expect(await eventually { sending.transport.waiting.count == 1 })
    #expect(await sending.sender.enter(.background)?.isBusy == true)
    sending.transport.finish(0, status: 200)
    #expect(await first.delivered == 2)
  }

  @Test("a flush waits for the end of sending that is under way, and sends what it has left")
  func flushDuringSending() async throws {
    let sending = try Sending(.careful, ScriptedTransport())
    try sending.store(1...2)
    async let first = sending.sender.flush()
    #expect(await eventually { sending.transport.waiting.count == 1 })
    async let second = sending.sender.flush()
    try await Task.sleep(for: .milliseconds(20))
    sending.transport.finish(0, status: 503)
    #expect(await first.failure == .status(503))
    #expect(await eventually { sending.transport.waiting.count == 1 })
    sending.transport.finish(0, status: 200)
    #expect(await second.delivered == 2)
  }

  @Test("a flush that waits ends when its task is cancelled")
  func cancelledFlush() async throws {
    let sending = try Sending(.careful, ScriptedTransport())
    let sender = sending.sender
    try sending.store(1...2)
    async let first = sender.flush()
    #expect(await eventually { sending.transport.waiting.count == 1 })
    let second = Task { await sender.flush() }
    try await Task.sleep(for: .milliseconds(20))
    second.cancel()
    // The first one still waits for its answer.
    #expect(await second.value.isBusy)
    sending.transport.finish(0, status: 200)
    #expect(await first.delivered == 2)
  }

  @Test("a flush that waits ends when sending is paused")
  func pauseDuringFlush() async throws {
    let sending = try Sending(.careful, ScriptedTransport())
    try sending.store(1...501)
    async let first = sending.sender.flush()
    #expect(await eventually { sending.transport.waiting.count == 1 })
    async let second = sending.sender.flush()
    try await Task.sleep(for: .milliseconds(20))
    await sending.sender.pause()
    sending.transport.finish(0, status: 200)
    #expect(await first.delivered == 500)
    #expect(await second.isBusy)
  }
}

@Suite("Which status deletes")
struct AnswerTests {
  private static func word(_ outcome: BatchOutcome) -> String {
    switch outcome {
    case .delivered: "taken"
    case .kept: "kept"
    case .rejected: "set aside"
    case .lost: "lost"
    }
  }

  @Test("the table in docs/delivery.md agrees with the policies")
  func table() throws {
    let document = try String(
      contentsOf: PackageFolder.root.appendingPathComponent("docs/delivery.md"), encoding: .utf8)
    var statuses: Set<Int> = []
    for line in document.split(separator: "\n") {
      let cells = line.split(separator: "|").map { $0.trimmingCharacters(in: .whitespaces) }
      guard cells.count == 4, let first = cells[0].split(separator: " ").first, first.first?.isNumber == true else {
        continue
      }
      for part in cells[0].components(separatedBy: ", ") {
        let ends = part.components(separatedBy: " to ").compactMap { Int($0) }
        guard let low = ends.first, let high = ends.last else { continue }
        for status in low...high where statuses.insert(status).inserted {
          let answer = DeliveryAnswer(status: status)
          let found = [AnswerRule.careful, .sensors, .success].map { Self.word($0.outcome(of: answer)) }
          #expect(found == Array(cells[1...]), "status \(status)")
        }
      }
    }
    #expect(statuses == Set(100...699))
  }
}
