import EncircleService
import EncircleTestSupport
import Foundation
import Synchronization
import Testing

@testable import EncircleService

@Suite struct LiveTests {
  private final class Published: Sendable {
    let count = Mutex(0)
  }

  private func event(_ id: Int64, page: String = "Home") -> StoredEvent {
    StoredEvent(
      id: id, at: 1,
      row: EventRow(
        received: 1, time: 1, key: nil, event: "A", page: page, distinctID: "u", appVersion: nil, element: nil,
        decision: StoredDecision(isSelected: false, rules: [], excludedBy: [], pages: [], emit: []),
        json: Array("{}".utf8)))
  }

  @Test(arguments: [
    ("/商", "/商", true), ("/%E5%95%86", "/商", true), ("https://shop.example/%E5%95%86?a=1", "/商", true),
    ("/%E5%95%86", "/%E5%95%86", true), ("/%E5%94%86", "/商", false),
  ])
  func `a page is found as it is stored, and as an event was sent with it`(
    page: String, stored: String, isFound: Bool
  ) {
    var filter = EventFilter()
    filter.page = page
    #expect(filter.matches(event(1, page: stored)) == isFound)
  }

  @Test func `a watcher gets what it asked for, and a count of what it was too slow for`() async throws {
    let hub = LiveHub()
    var filter = EventFilter()
    filter.page = "Home"
    let watcher = try hub.watch(filter)
    hub.publish([event(1), event(2, page: "Cart"), event(3)])
    let items = await watcher.next()
    #expect(items.count == 2)
    hub.publish((1...1_500).map { event($0) })
    let more = await watcher.next()
    guard case .lost(500)? = more.first else {
      Issue.record("\(more.count) items without the number of those that were lost")
      return
    }
    #expect(more.count == 1_001)
    hub.leave(watcher)
    #expect(hub.count == 0)
    #expect(watcher.hasEnded)
  }

  @Test func `events that were stored before the end of the service are still sent`() async throws {
    let hub = LiveHub()
    let watcher = try hub.watch(EventFilter())
    hub.publish([event(1)])
    hub.end()
    #expect(!watcher.hasEnded)
    #expect(await watcher.next().count == 1)
    #expect(watcher.hasEnded)
  }

  @Test func `events are given to streams before their sender has an answer`() async throws {
    let directory = try RunningService.newDirectory()
    defer { try? FileManager.default.removeItem(at: directory) }
    let store = try Store(directory: directory.path)
    defer { try? store.close() }
    let published = Published()
    let writer = EventWriter(try EventStore(store) { EventLimits() }, now: { 1 }) { _ in
      // An answer that does not wait is there first.
      Thread.sleep(forTimeInterval: 0.1)
      published.count.withLock { $0 += 1 }
    }
    _ = try await writer.store(EventRowBatch(events: [event(1).row]))
    #expect(published.count.withLock { $0 } == 1)
  }

  @Test func `a watcher whose answer is never sent is removed, and a slow one holds a bounded number of bytes`()
    async throws
  {
    let hub = LiveHub()
    do {
      let watchers = try (0..<256).map { _ in try hub.watch(EventFilter()) }
      #expect(hub.count == watchers.count)
    }
    #expect(hub.count == 0)
    let watcher = try hub.watch(EventFilter())
    var large = event(1).row
    large.json = Array(repeating: 0x20, count: 1 << 20)
    for id in 0..<10 { hub.publish([StoredEvent(id: Int64(id), at: 1, row: large)]) }
    let items = await watcher.next()
    guard case .lost(6)? = items.first else {
      Issue.record("\(items.count) items without the number of those that were lost")
      return
    }
    #expect(items.count == 5)
  }

  @Test func `a stream of a period has the events that a list of it has, also those of wrong clocks`() async throws {
    let service = try RunningService()
    let now = Int(Date().timeIntervalSince1970) * 1_000
    let period = "?from=\(now - 3_600_000)&to=\(now + 3_600_000)"
    let stream = try await service.open("/v1/live" + period)
    let event: [String: Any] = ["event": "A", "distinct_id": "u", "time": now + 400 * 86_400_000]
    #expect(try await service.post("/v1/collect", json: event).status == 200)
    let listed = try await service.get("/v1/events" + period).object["events"] as? [[String: Any]]
    #expect(listed?.map { $0["id"] as? Int } == [1])
    #expect(service.stop() == 0)
    #expect(try await stream.answer.text.contains("id: 1\n"))
  }

  @Test func `HEAD requests for a stream take no watcher's place`() async throws {
    let service = try RunningService()
    for _ in 0..<260 { #expect(try await service.send("HEAD", "/v1/live").status == 200) }
  }

  @Test func `proxies are asked not to buffer streams`() async throws {
    let service = try RunningService()
    let (id, _) = try await service.connect()
    for path in ["/v1/live", "/v1/connections/\(id)/stream"] {
      #expect(try await service.send("HEAD", path).headers["x-accel-buffering"] == "no", "\(path)")
    }
  }

  @Test func `a stream ends with its token`() async throws {
    let service = try RunningService()
    let admin = try await service.token("lin", "publish", as: nil)
    let token = try await service.token("bob", "read", as: admin)
    let headers = bearer(admin)
    let tokens = try await service.get("/v1/tokens", headers: headers).object["tokens"] as? [[String: Any]] ?? []
    let id = try #require(tokens.first { $0["name"] as? String == "bob" }?["id"] as? String)
    let stream = try await service.open("/v1/live", headers: bearer(token))
    #expect(try await service.delete("/v1/tokens/\(id)", headers: headers).status == 204)
    #expect(try await stream.answer.status == 200)
  }

  @Test func `watching ends with the service, and the number of watchers is limited`() async throws {
    let hub = LiveHub()
    var watchers = try (0..<256).map { _ in try hub.watch(EventFilter()) }
    #expect(throws: ServiceError.self) { try hub.watch(EventFilter()) }
    let last = watchers.removeLast()
    async let items = last.next()
    hub.end()
    #expect(await items.isEmpty)
    #expect(last.hasEnded)
    #expect(throws: ServiceError.self) { try hub.watch(EventFilter()) }
  }

  @Test(.articles("H55"))
  func `an open stream does not keep the service from ending, and got the events before`() async throws {
    let service = try RunningService()
    let stream = try await service.open("/v1/live?page=Home")
    _ = try await service.post("/v1/collect", json: [CollectTests.event(1)])
    #expect(service.stop() == 0)
    let answer = try await stream.answer
    #expect(answer.headers["content-type"] == "text/event-stream; charset=utf-8")
    #expect(answer.text.contains("event: decision\ndata: {\"id\":"))
  }
}
