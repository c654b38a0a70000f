import Foundation
import Logging
import Synchronization
import Testing

@testable import EncircleService

@Suite struct BackgroundWorkTests {
  @Test func `events are collected and decided while every thread for checks is taken`() async throws {
    let directory = try RunningService.newDirectory()
    defer { try? FileManager.default.removeItem(at: directory) }
    var configuration = ServiceConfiguration(directory: directory.path)
    configuration.port = 0
    // The service shares the threads of concurrency with all tests, so that answers may take longer than the default allows.
    configuration.limits.answerSeconds = 3_600
    let (ports, continuation) = AsyncStream.makeStream(of: Int.self)
    let application = try ServiceApplication(configuration, logger: Logger(label: "test")) { continuation.yield($0) }
    let running = Task {
      defer { continuation.finish() }
      try await application.run()
    }
    let port = try #require(await ports.first { _ in true })
    @Sendable func post(_ path: String, _ body: String, client: String? = nil) async throws -> Int {
      let head = """
        POST \(path) HTTP/1.1\r
        Host: 127.0.0.1:\(port)\r
        Connection: close\r
        Content-Type: application/json\r
        Content-Length: \(body.utf8.count)\r
        \(client.map { "X-Client-ID: \($0)\r\n" } ?? "")\r

        """
      return try await RunningService.exchange(Data((head + body).utf8), port: port).status
    }
    // Four checks by four people, each as long as the gate is shut, on as many threads as there are, and three that wait.
    let gate = DispatchSemaphore(value: 0)
    let busy = max(4, ProcessInfo.processInfo.activeProcessorCount)
    let checks = (0..<busy).map { _ in Task { try await application.state.analysts.run { gate.wait() } } }
    @Sendable func check(_ client: String?) async throws -> Int {
      try await post("/v1/rules/check", #"{"text":"version: 1"}"#, client: client)
    }
    let waiting = [nil, nil, "one"].map { client in Task { try await check(client) } }
    // The newer of two checks of one client ends the other; checks of other clients go on.
    let (answers, answered) = AsyncStream.makeStream(of: Int.self)
    for _ in 0..<2 { Task { answered.yield((try? await check("another")) ?? 0) } }
    var statuses = answers.makeAsyncIterator()
    #expect(await statuses.next() == 409)
    let event = #"{"event":"$AppClick","properties":{"$screen_name":"Home"}}"#
    for _ in 0..<20 {
      #expect(try await post("/v1/collect", "[\(event)]") == 200)
      #expect(try await post("/v1/match", event) == 200)
    }
    for _ in checks { gate.signal() }
    for check in checks { try await check.value }
    for check in waiting { #expect(try await check.value == 200) }
    #expect(await statuses.next() == 200)
    running.cancel()
    _ = try? await running.value
  }

  @Test func `work that a newer request ends before its caller waits for it is ended at once`() {
    let budget = WorkBudget()
    budget.end(with: .conflict("A newer request.", code: "superseded"))
    let codes = Mutex<[String]>([])
    budget.onEnd { error in codes.withLock { $0.append(error.code) } }
    #expect(codes.withLock { $0 } == ["superseded"])
  }
}
