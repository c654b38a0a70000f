import Foundation
import Testing

@Suite struct SettingsTests {
  private func log(_ settings: String, _ arguments: [String] = []) throws -> String {
    do {
      let service = try RunningService(arguments, settings: settings)
      service.stop()
      return ""
    } catch let error as RunningService.NotListening { return "\(error.status) \(error.log)" }
  }

  @Test func `a configuration file is read, as YAML or as JSON`() async throws {
    let yaml = "log: { format: json, level: debug }\nretention: { days: 3, rows: 1000 }\nredact: $element_content\n"
    #expect(try log(yaml) == "")
    let service = try RunningService(settings: #"{"host": "127.0.0.1", "limits": {"connections": 8}}"#)
    #expect(try await service.get("/healthz").status == 200)
  }

  @Test(arguments: [
    ("limit: { depth: 9 }", ":1:1: error: unknown key 'limit' in the configuration"),
    ("limits: { depth: -1 }", ":1:18: error: expected a whole number from 8 to "),
    ("limits:\n  deepth: 9", ":2:3: error: unknown key 'deepth' in limits"),
    ("port: 70000", ":1:7: error: expected a whole number from 0 to 65535"),
    ("log: { format: xml }", ":1:16: error: expected 'lines' or 'json'"),
    ("[1]", "error: expected the configuration, a mapping"),
  ])
  func `what is wrong in it is told with its place, and nothing is started`(text: String, problem: String) throws {
    let log = try log(text)
    #expect(log.hasPrefix("65 "))
    #expect(log.contains(problem), "\(log)")
  }

  @Test func `each line of the JSON log is an object`() async throws {
    let service = try RunningService(["--log-format", "json", "--log-level", "debug"])
    _ = try await service.get("/healthz")
    service.stop()
    let file = service.directory.path + ".log"
    let lines = try String(contentsOfFile: file, encoding: .utf8).split(separator: "\n")
    let objects = lines.compactMap { try? JSONSerialization.jsonObject(with: Data($0.utf8)) as? [String: String] }
    #expect(objects.count == lines.count && !lines.isEmpty)
    #expect(objects.contains { $0["message"] == "request" && $0["path"] == "/healthz" && $0["status"] == "200" })
  }
}
