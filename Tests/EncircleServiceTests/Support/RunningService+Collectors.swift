import Foundation
import Testing

@testable import EncircleService

extension RunningService {
  /// Starts a collector that has its rules from a service. Files and rules are in its directory.
  static func collector(
    of control: Int, in directory: URL? = nil, _ arguments: [String] = []
  ) throws -> RunningService {
    try RunningService(
      directory: directory,
      command: {
        [
          "collect", "--control", "http://127.0.0.1:\(control)", "--files", $0.path + "/events", "--rules-cache",
          $0.path + "/rules",
        ]
      }, arguments)
  }

  /// Starts a collector and waits until it decides: on a busy machine, the first poll may take longer than a collector waits
  /// for it.
  static func readyCollector(
    of control: Int, in directory: URL? = nil, _ arguments: [String] = []
  ) async throws -> RunningService {
    let collector = try collector(of: control, in: directory, arguments)
    #expect(try await waits { try await collector.get("/readyz").status == 200 })
    return collector
  }

  /// Publishes a rule that selects taps on a page.
  func publish(_ page: String, _ ruleSet: String = "default") async throws {
    let rules = #"{"version":1,"rules":[{"id":"r","include":{"event":"$AppClick","page":"\#(page)"}}]}"#
    let put = try await send(
      "PUT", "/v1/rulesets/\(ruleSet)?reason=test", headers: ["If-Match": "*", "Content-Type": "application/json"],
      body: Data(rules.utf8))
    #expect(put.status == 200, "\(put.text)")
  }
}

extension CollectorConfiguration {
  /// A collector in this process that has its rules from a service.
  init(of control: RunningService, in directory: URL) throws {
    self.init(
      service: ServiceConfiguration(directory: directory.path),
      control: try #require(ControlPlane("http://127.0.0.1:\(control.port)")))
    cache = directory.appendingPathComponent("rules").path
  }
}

/// Returns the lines of a stream in all files of a collector, also those that are being written.
func collectedLines(_ stream: String, in directory: URL) throws -> [[String: Any]] {
  let folder = directory.appendingPathComponent("events")
  return try FileManager.default.contentsOfDirectory(atPath: folder.path).filter { $0.hasPrefix(stream) }.sorted()
    .flatMap { name in
      try Data(contentsOf: folder.appendingPathComponent(name)).split(separator: 0x0A).map { line in
        try #require(try JSONSerialization.jsonObject(with: line) as? [String: Any], "a line of \(name)")
      }
    }
}

/// Returns what a collector has added to a line.
func decision(_ line: [String: Any]) -> [String: Any] { line["$encircle"] as? [String: Any] ?? [:] }

/// Waits until something holds, for a minute at most, and returns whether it does.
func waits(_ condition: () async throws -> Bool) async throws -> Bool {
  for _ in 0..<1_200 {
    if try await condition() { return true }
    try await Task.sleep(for: .milliseconds(50))
  }
  return false
}
