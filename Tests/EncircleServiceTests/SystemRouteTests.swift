import EncircleTestSupport
import Foundation
import GRDB
import Testing

@Suite struct SystemRouteTests {
  @Test func `health and readiness are public`() async throws {
    let service = try RunningService()
    #expect(try await service.get("/healthz").text == "ok\n")
    #expect(try await service.get("/readyz").text == "ready\n")
  }

  @Test func `an unknown path is a 404 with the shape of all errors`() async throws {
    let service = try RunningService()
    let answer = try await service.get("/nothing/here")
    #expect(answer.status == 404)
    #expect(answer.errorCode == "not-found")
    #expect(answer.headers["content-type"] == "application/json; charset=utf-8")
  }

  @Test func `another method of a path is a 405 that names the right ones`() async throws {
    let service = try RunningService()
    let answer = try await service.delete("/healthz")
    #expect(answer.status == 405)
    #expect(answer.headers["allow"] == "GET, HEAD")
  }

  @Test func `requests are counted by operation and answers by status`() async throws {
    let service = try RunningService()
    _ = try await service.get("/healthz")
    _ = try await service.get("/nothing")
    let text = try await service.get("/metrics").text
    #expect(text.contains("encircle_requests_total{operation=\"health\"} 1\n"))
    #expect(text.contains("encircle_responses_total{status=\"404\"} 1\n"))
  }

  @Test(arguments: ["/", "/base.css", "/codemirror/codemirror.js"])
  func `a browser that has a file of the page does not load it again`(path: String) async throws {
    let service = try RunningService()
    let tag = try #require(try await service.get(path).headers["etag"])
    let again = try await service.get(path, headers: ["If-None-Match": tag])
    #expect(again.status == 304 && again.body.isEmpty && again.headers["etag"] == tag)
    #expect(again.headers["cache-control"] == "no-cache")
  }

  /// Prometheus counts growth from the first value of a series, so the first error would not count if its series began with it.
  @Test func `what alerts watch is counted from 0`() async throws {
    let service = try RunningService()
    let answer = try await service.get("/metrics")
    #expect(answer.headers["content-type"] == "text/plain; version=0.0.4; charset=utf-8")
    for series in [
      "encircle_responses_total{status=\"500\"}", "encircle_responses_total{status=\"503\"}",
      "encircle_events_stored_total", "encircle_events_repeated_total", "encircle_events_rejected_total",
      "encircle_log_dropped_total",
    ] {
      #expect(answer.text.contains("\n\(series) 0\n"), "\(series)")
    }
  }

  @Test func `the service exits cleanly on SIGTERM, and a second one cannot take its directory`() async throws {
    let service = try RunningService()
    #expect(throws: RunningService.NotListening.self) { try RunningService(directory: service.directory) }
    #expect(service.stop() == 0)
    let second = try RunningService(directory: service.directory)
    #expect(try await second.get("/healthz").status == 200)
  }

  @Test func `a directory that a later version has changed is left alone`() throws {
    for file in ["encircle.sqlite", "events.sqlite"] {
      let service = try RunningService()
      #expect(service.stop() == 0)
      let path = service.directory.appendingPathComponent(file).path
      try DatabaseQueue(path: path).write { database in
        try database.execute(sql: "INSERT INTO grdb_migrations VALUES ('of a later version')")
      }
      let run = try Tool.run(["serve", "--port", "0", "--data", service.directory.path])
      #expect(run.status == 74 && run.errors.contains("a later version of encircle"), "\(run.errors)")
      guard file == "encircle.sqlite" else { continue }
      let listed = try Tool.run(["token", "list", "--data", service.directory.path])
      #expect(listed.status == 74 && listed.errors.contains("a later version of encircle"), "\(listed.errors)")
    }
  }

  @Test func `a client that sends no request is disconnected after a while`() async throws {
    let service = try RunningService(["--idle-seconds", "1"])
    await #expect(throws: HTTPAnswer.Incomplete.self) {
      try await service.exchange(Data("GET /healthz HTTP/1.1\r\nHost: a\r\n".utf8))
    }
  }
}
