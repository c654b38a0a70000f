import Foundation
import Testing

@Suite struct SettingsRouteTests {
  @Test func `settings are checked, and missing ones stay unchanged`() async throws {
    let service = try RunningService(["--retention-days", "9", "--redact", "$ip"])
    var settings = try await service.get("/v1/settings").object
    #expect(settings["retention_days"] as? Int == 9 && settings["redact"] as? [String] == ["$ip"])
    for json: [String: Any] in [
      ["retention_days": 0], ["retention_rows": 1.5], ["redact": [""]], ["redact": "x"], ["health_alpha": 0],
      ["health_alpha": 1], ["approval": "yes"], ["redact": ["/a~2"]], ["redact": [String(repeating: "x", count: 251)]],
      ["redact": Array(repeating: "x", count: 1_001)],
    ] {
      #expect(try await service.put("/v1/settings", json: json).status == 422, "\(json)")
    }
    settings = try await service.put("/v1/settings", json: ["health_alpha": 0.01]).object
    #expect(settings["health_alpha"] as? Double == 0.01 && settings["retention_days"] as? Int == 9)
    #expect(try await service.put("/v1/settings", json: [1]).status == 422)
    #expect(try await service.send("PUT", "/v1/settings", body: Data("{".utf8)).status == 400)
  }
}
