import EncircleTestSupport
import Foundation
import Testing

@testable import EncircleService

/// The events that a live stream sends to a returning reader.
@Suite struct LiveHistoryTests {
  /// Opens a stream, sends an event, waits until the stream has the event's id, ends the service, and returns the stream's text.
  private func stream(
    _ service: RunningService, _ query: String, headers: [String: String] = [:], until id: Int
  ) async throws -> String {
    let stream = try await service.open("/v1/live\(query)", headers: headers)
    try await service.collect([1_000])
    try await stream.wait(for: "id: \(id)\n")
    #expect(service.stop() == 0)
    return try await stream.answer.text
  }

  private func ids(_ text: String) -> [Int] {
    text.split(separator: "\n").compactMap { $0.hasPrefix("id: ") ? Int($0.dropFirst(4)) : nil }
  }

  @Test func `events stored since the last one read come first, in order and once`() async throws {
    for isHeader in [true, false] {
      let service = try RunningService()
      try await service.collect(Array(0..<10))
      let text = try await stream(
        service, isHeader ? "?page=Home" : "?page=Home&last_event_id=4",
        headers: isHeader ? ["Last-Event-ID": "4"] : [:], until: 11)
      #expect(ids(text) == Array(5...11))
      #expect(!text.contains("event: missed"))
    }
  }

  @Test func `of more than a thousand missed events, the newest are sent with the number of the others`() async throws {
    let service = try RunningService()
    try await service.collect(Array(0..<1_500))
    let text = try await stream(service, "", headers: ["Last-Event-ID": "100"], until: 1_501)
    #expect(ids(text) == Array(501...1_501))
    #expect(text.contains("event: missed\ndata: {\"missed\":400}\n"))
  }

  @Test func `a reader without a last event, or with an invalid one, starts with new events`() async throws {
    let service = try RunningService()
    try await service.collect(Array(0..<5))
    #expect(try await service.get("/v1/live?last_event_id=x").status == 400)
    let text = try await stream(service, "", headers: ["Last-Event-ID": "soon"], until: 6)
    #expect(ids(text) == [6])
  }
}

extension RunningService {
  /// Sends events of ``CollectTests`` by their numbers.
  fileprivate func collect(_ numbers: [Int]) async throws {
    let answer = try await post("/v1/collect", json: numbers.map { CollectTests.event($0) })
    #expect(answer.status == 200, "\(answer.text)")
  }
}
