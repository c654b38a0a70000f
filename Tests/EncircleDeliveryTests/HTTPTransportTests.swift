import EncircleDelivery
import EncircleEvents
import EncircleTestSupport
import Foundation
import Testing

@Suite("The transport by HTTP")
struct HTTPTransportTests {
  private static let request = DeliveryRequest(
    headers: [("Content-Type", "text/plain")], body: Array("hello".utf8), eventCount: 1)

  /// Longer than a test waits for its turn on a busy machine. What ends sooner has not waited for it.
  private static let never = 1800.0

  private static func send(_ reaction: LocalReceiver.Reaction, timeout: Double = never) async throws
    -> ScriptedTransport.Answer
  {
    let receiver = try LocalReceiver { _ in reaction }
    defer { receiver.stop() }
    do throws(TransportError) {
      return .success(try await HTTPTransport(url: receiver.url, timeout: timeout).send(request))
    } catch {
      return .failure(error)
    }
  }

  @Test("an answer brings its status, body and Retry-After")
  func answer() async throws {
    let result = try await Self.send(.answer(503, headers: ["Retry-After: 7"], body: "busy"))
    #expect(result == .success(DeliveryAnswer(status: 503, body: Array("busy".utf8), retryAfter: 7)))
  }

  @Test(
    "a Retry-After is seconds, or a date in any form of HTTP, counted from the answer's own date",
    arguments: [
      ("Sun, 06 Nov 1994 08:50:37 GMT", 60.0), ("Sunday, 06-Nov-94 08:50:37 GMT", 60), ("Sun Nov  6 08:50:37 1994", 60),
      ("Mon, 06 Nov 1995 08:49:37 GMT", 365 * 86400), ("Sun, 06 Nov 1994 08:49:00 GMT", 0), ("120", 120), ("0", 0),
      ("1e9", nil), ("-5", nil), ("soon", nil), ("Sun, 32 Nov 1994 08:49:37 GMT", nil),
      ("Sun, 06 Nov 1994 24:00:00 GMT", nil), ("Sun, 06 Nov 1994 08:50:37 CET", nil),
      (String(repeating: "9", count: 400), 1e9), ("Fri, 31 Dec 9999 23:59:59 GMT", 1e9),
    ])
  func retryAfter(field: String, seconds: Double?) async throws {
    let headers = ["Date: Sun, 06 Nov 1994 08:49:37 GMT", "Retry-After: \(field)"]
    #expect(try await Self.send(.answer(503, headers: headers)).get().retryAfter == seconds)
  }

  @Test("dates of Retry-After count from the clock here if the answer has none, and leap days are days")
  func retryAfterDates() {
    #expect(RetryAfter.seconds("Thu, 01 Jan 1970 00:01:00 GMT", date: nil, now: 10) == 50)
    #expect(RetryAfter.seconds("Thu, 01 Jan 1970 00:01:00 GMT", date: "yesterday", now: 10) == 50)
    let days = [
      ("Thu, 29 Feb 2024 00:00:00 GMT", 1_709_164_800.0), ("Fri, 01 Mar 2024 00:00:00 GMT", 1_709_251_200),
      ("Tue, 28 Feb 2023 00:00:00 GMT", 1_677_542_400), ("Wed, 01 Mar 2023 00:00:00 GMT", 1_677_628_800),
      ("Wed, 31 Dec 2025 23:59:60 GMT", 1_767_225_600),
    ]
    for (field, time) in days {
      #expect(RetryAfter.seconds(field, date: nil, now: 1_000_000_000) == min(time - 1_000_000_000, 1e9), "\(field)")
    }
  }

  @Test("a reused connection that ends without an answer is noticed before the timeout")
  func closedLater() async throws {
    let count = Received()
    let receiver = try LocalReceiver { _ in count.count() % 2 == 0 ? .answer(200) : .close }
    defer { receiver.stop() }
    let transport = HTTPTransport(url: receiver.url, timeout: Self.never)
    for number in 0..<20 {
      let isAnswered: Bool
      do throws(TransportError) {
        _ = try await transport.send(Self.request)
        isAnswered = true
      } catch {
        // Otherwise it would be the timeout.
        guard case .connection = error else {
          Issue.record("\(error)")
          return
        }
        isAnswered = false
      }
      #expect(isAnswered == (number % 2 == 0))
    }
  }

  @Test("a hanging receiver is given up in time")
  func hang() async throws {
    // The receiver would close the connection only much later.
    #expect(try await Self.send(.hang(), timeout: 0.3) == .failure(.timeout))
  }

  @Test("a timeout may be longer than any request, or infinite", arguments: [1e300, .infinity])
  func longTimeout(timeout: Double) async throws {
    #expect(try await Self.send(.answer(200), timeout: timeout).get().status == 200)
  }

  @Test(
    "an answer that is closed, half, or not HTTP is no answer",
    arguments: [LocalReceiver.Reaction.close, .half, .rubbish])
  func broken(reaction: LocalReceiver.Reaction) async throws {
    guard case .failure = try await Self.send(reaction) else {
      Issue.record("\(reaction) was taken for an answer")
      return
    }
  }

  @Test("an endless answer is given up")
  func endless() async throws {
    let result = try await Self.send(.endless)
    #expect(result == .failure(.answerTooLong(limit: HTTPTransport.longestAnswer)))
  }

  @Test("a redirect is an answer and is not followed", arguments: [301, 302, 303, 307, 308])
  func redirect(status: Int) async throws {
    let other = try LocalReceiver { _ in .answer(200) }
    defer { other.stop() }
    let result = try await Self.send(.answer(status, headers: ["Location: \(other.url)"]))
    #expect(try result.get().status == status)
  }

  @Test("many redirects at a time are answers, each with its body")
  func redirects() async throws {
    let receiver = try LocalReceiver {
      $0.head.contains("/elsewhere") ? .answer(200) : .answer(302, headers: ["Location: /elsewhere"], body: "moved")
    }
    defer { receiver.stop() }
    let transport = HTTPTransport(url: receiver.url, timeout: Self.never)
    try await withThrowingTaskGroup(of: DeliveryAnswer.self) { group in
      for _ in 0..<TestSize.scaled(200) { group.addTask { try await transport.send(Self.request) } }
      for try await answer in group {
        #expect(answer == DeliveryAnswer(status: 302, body: Array("moved".utf8), retryAfter: nil))
      }
    }
  }

  @Test("a request without a listener is an error, and a cancelled request ends")
  func nobody() async throws {
    let (arrivals, arrival) = AsyncStream.makeStream(of: Void.self)
    let receiver = try LocalReceiver { _ in
      arrival.yield()
      return .hang()
    }
    let transport = HTTPTransport(url: receiver.url, timeout: Self.never)
    let task = Task { () -> ScriptedTransport.Answer in
      defer { arrival.finish() }
      do throws(TransportError) { return .success(try await transport.send(Self.request)) } catch {
        return .failure(error)
      }
    }
    for await _ in arrivals { break }
    task.cancel()
    #expect(await task.value == .failure(.cancelled))
    receiver.stop()
    await #expect(throws: TransportError.self) { _ = try await transport.send(Self.request) }
  }

  @Test(
    "whatever a receiver does wrong, the careful policy keeps the events; a 200 with rubbish is a 200",
    arguments: [
      (LocalReceiver.Reaction.hang(), 0), (.half, 0), (.close, 0), (.rubbish, 0), (.endless, 0),
      (.answer(302, headers: ["Location: /elsewhere"]), 0), (.answer(200, body: "<html>log in</html>"), 0),
      (.answer(200, body: "\u{1}\u{2} rubbish"), 2), (.answer(200, body: #"{"code":"#), 2),
    ])
  func wrongReceiver(reaction: LocalReceiver.Reaction, delivered: Int) async throws {
    let receiver = try LocalReceiver { _ in reaction }
    defer { receiver.stop() }
    let folder = try ScratchFolder()
    let notices = Notices()
    let queue = try EventQueue(path: folder.queue, report: notices.add)
    try queue.store([event(1), event(2)])
    let timeout = if case .hang = reaction { 0.3 } else { Self.never }
    let sender = EventSender(
      queue: queue, transport: HTTPTransport(url: receiver.url, timeout: timeout), report: notices.add)
    let report = await sender.flush()
    #expect(report.delivered == delivered)
    #expect((report.failure == nil) == (delivered > 0))
    #expect(queue.counts.waiting == 2 - delivered)
    #expect(queue.counts.lost + queue.counts.rejected + queue.counts.dropped == 0)
    // Said once, and nothing else is said.
    #expect(notices.all.count == (delivered > 0 ? 0 : 1))
  }

  @Test("the careful policy delivers everything to a receiver that does everything wrong")
  func chaos() async throws {
    let received = Received()
    let receiver = try LocalReceiver { request in
      let reactions: [LocalReceiver.Reaction] = [
        .answer(503), .close, .half, .rubbish, .answer(302, headers: ["Location: /elsewhere"]), .answer(401),
        .hang(seconds: 2),
        .answer(200, body: "<html>log in</html>"),
      ]
      let count = received.count()
      if count % 2 == 1, count / 2 < reactions.count { return reactions[count / 2] }
      received.add((try? ReceivedBody.events(request.body)) ?? [])
      return .answer(200, body: "ok")
    }
    defer { receiver.stop() }
    let folder = try ScratchFolder()
    var policy = DeliveryPolicy.careful
    policy.format = .json
    policy.eventsPerRequest = 10
    policy.backoff = Backoff(first: 0, longest: 0)
    let queue = try EventQueue(path: folder.queue)
    try queue.store((1...100).map { event($0) })
    let sender = EventSender(
      queue: queue, transport: HTTPTransport(url: receiver.url, timeout: Self.never), policy: policy)
    for _ in 0..<40 where queue.counts.waiting > 0 { _ = await sender.flush() }
    #expect(received.numbers == Array(1...100))
    #expect(queue.counts.waiting == 0)
    #expect(queue.counts.rejected == 0)
  }

  @Test(
    "bodies of the SDK's own have the crc, the form and the events that ours would have",
    .enabled(if: PackageFolder.uploads != nil, "needs the bodies of a real SDK"))
  func realBodies() throws {
    let folder = try #require(PackageFolder.uploads)
    for name in try FileManager.default.contentsOfDirectory(atPath: folder.path) where name.hasSuffix(".body") {
      let body = try PackageFolder.bytes(folder.appendingPathComponent(name))
      let events = try ReceivedBody.sensorsEvents(body)
      #expect(!events.isEmpty, "\(name)")
      let scratch = try ScratchFolder()
      let queue = try EventQueue(path: scratch.queue)
      let lane = name.hasPrefix("instant") ? DeliveryLane.instant : .normal
      try queue.store(events.map(\.json), lane: lane)
      let batch = try #require(try queue.nextBatch(limit: 100))
      var format = RequestFormat.sensors
      format.flushTimeMember = nil
      let ours = format.request(for: batch, at: 0).body
      #expect(try ReceivedBody.sensorsEvents(ours) == events, "\(name)")
      for body in [body, ours] {
        let fields = ReceivedBody.fields(body)
        let list = try #require(fields["data_list"])
        let crc = list.utf8.reduce(Int32(0)) { $0 &* 31 &+ Int32($1) }
        #expect(fields["crc"] == String(crc), "\(name)")
        #expect(fields["gzip"] == "1", "\(name)")
      }
      #expect(ReceivedBody.fields(ours)["instant_event"] == ReceivedBody.fields(body)["instant_event"], "\(name)")
    }
  }
}
