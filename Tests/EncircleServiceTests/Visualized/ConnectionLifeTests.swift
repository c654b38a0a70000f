import EncircleSDK
import Foundation
import Synchronization
import Testing

@testable import EncircleService

@Suite struct ConnectionLifeTests {
  private final class Clock: Sendable {
    private let time = Mutex(Date(timeIntervalSince1970: 1_795_000_000))
    var now: Date { time.withLock { $0 } }
    func advance(_ seconds: Double) { time.withLock { $0 += seconds } }
  }

  private let clock = Clock()
  private let connections: VisualizedConnections

  init() {
    let clock = clock
    connections = VisualizedConnections { clock.now }
  }

  private func open() throws -> VisualizedConnection {
    try connections.open(FeatureLink(.visualized, scheme: "sa1", project: "p", host: "a"), ruleSet: "default")
  }

  private func message(_ label: String? = "Hello") throws -> SnapshotMessage {
    try SnapshotMessage(AppMessage.body(label: label))
  }

  private let peer = VisualizedConnection.Peer(appID: "a", os: "iOS", address: "10.0.0.1")

  @Test func `a link that nobody opens ends after ten minutes`() throws {
    let connection = try open()
    clock.advance(599)
    #expect(connections.live(connection.code) != nil)
    clock.advance(1)
    #expect(connections.live(connection.code) == nil)
    #expect(connection.facts(at: clock.now).phase == .ended)
    #expect(connections.all().count == 1)
    clock.advance(1_000)
    #expect(connections.all().isEmpty)
  }

  @Test func `a silent app is quiet, and then its connection ends`() throws {
    let connection = try open()
    #expect(try connection.admits(peer, message(), at: clock.now))
    #expect(connection.facts(at: clock.now).phase == .connected)
    clock.advance(6)
    #expect(connection.facts(at: clock.now).phase == .quiet)
    clock.advance(600)
    #expect(connections.live(connection.code) == nil)
  }

  @Test func `a phone may change networks, but a second phone cannot join`() throws {
    let connection = try open()
    #expect(try connection.admits(peer, message(), at: clock.now))
    var moved = peer
    moved.address = "10.20.0.1"
    clock.advance(1)
    #expect(try !connection.admits(moved, message(), at: clock.now), "the first phone still posts")
    #expect(try connection.admits(peer, message(), at: clock.now))
    clock.advance(2)
    #expect(try connection.admits(moved, message(), at: clock.now))
    clock.advance(1)
    #expect(try connection.admits(moved, message(), at: clock.now))
    #expect(try !connection.admits(peer, message(), at: clock.now))
    clock.advance(60)
    var other = moved
    other.appID = "b"
    #expect(try !connection.admits(other, message(), at: clock.now))
  }

  @Test func `every connection ends after four hours`() throws {
    let connection = try open()
    for _ in 0..<30 {
      #expect(try connection.admits(peer, message(), at: clock.now))
      clock.advance(479)
    }
    #expect(connections.live(connection.code) != nil)
    #expect(try connection.admits(peer, message(), at: clock.now))
    clock.advance(100)
    #expect(connections.live(connection.code) == nil)
  }

  @Test func `another app, system or address is distinguished from the first`() throws {
    let connection = try open()
    #expect(try connection.admits(peer, message(), at: clock.now))
    for change in [\VisualizedConnection.Peer.appID, \.os, \.address] {
      var other = peer
      other[keyPath: change] = "other"
      #expect(try !connection.admits(other, message(), at: clock.now))
    }
    #expect(try connection.admits(peer, message(), at: clock.now))
  }

  @Test func `an overtaken message is not shown`() throws {
    let connection = try open()
    let (early, late) = try (connection.begin(), connection.begin())
    func show(_ label: String, _ arrival: Int) throws {
      let screen = try #require(try message(label).snapshot()?.screen)
      connection.show(screen, picture: nil, elements: Array(label.utf8), arrival: arrival)
    }
    try show("late", late)
    try show("early", early)
    #expect(connection.screen?.elements == Array("late".utf8))
    #expect(connection.screen?.revision == 1)
  }

  @Test func `it is known whether a message that arrived before another one is still being read`() throws {
    let connection = try open()
    let (early, late) = try (connection.begin(), connection.begin())
    #expect(connection.screen(before: late).isLate && !connection.screen(before: early).isLate)
    connection.finish(early, bytes: 1, at: clock.now)
    #expect(!connection.screen(before: late).isLate)
  }

  @Test(arguments: [[0, 1], [1, 0], [0, 1, 2], [1, 0, 2]])
  func `what was typed is removed from later events in whatever order messages are shown`(order: [Int]) throws {
    let connection = try open()
    let arrivals = try order.map { _ in try connection.begin() }
    // All messages are read before one of them is shown.
    let screens = try order.indices.map { index in
      let body = AppMessage.body(typed: index == 0 ? "typed-secret" : "")
      return try #require(try SnapshotMessage(body).snapshot()?.screen)
    }
    for index in order { connection.show(screens[index], picture: nil, elements: [], arrival: arrivals[index]) }
    let event: [String: Any] = ["event": "search", "properties": ["keyword": "typed-secret"]]
    let next = try SnapshotMessage(AppMessage.body(typed: "", events: [event]))
    let events = try #require(try next.snapshot(after: connection.screen?.snapshot)).events
    #expect(events.first?["properties"] == .object(["keyword": "***"]))
  }

  @Test func `the number of connections, and of messages in progress on each, is limited`() throws {
    for _ in 0..<connections.limits.appConnections { _ = try open() }
    #expect(throws: ServiceError.self) { try open() }
    clock.advance(601)
    let connection = try open()
    for _ in 0..<connections.limits.appMessages { _ = try connection.begin() }
    #expect(throws: ServiceError.self) { try connection.begin() }
    connection.finish(1, bytes: 1, at: clock.now)
    #expect(try connection.begin() == connections.limits.appMessages + 1)
  }

  @Test func `a connection that has sent too much ends`() throws {
    let connection = try open()
    let arrival = try connection.begin()
    connection.finish(arrival, bytes: connections.limits.appConnectionBytes + 1, at: clock.now)
    #expect(connections.live(connection.code) == nil)
  }

  @Test func `a slow reader loses the oldest events and is notified`() async throws {
    let feed = ConnectionFeed()
    let reader = try feed.join()
    for i in 0..<700 { feed.publish { $0.events.append(Array("\(i)".utf8)) } }
    let changes = await reader.next()
    #expect(changes.lost == 200)
    #expect(changes.events.first == Array("200".utf8))
    feed.leave(reader)
    #expect(reader.hasEnded)
  }
}
