import EncircleTestSupport
import Foundation
import Testing

/// The API answers requests as earlier versions did: the promise of `docs/compatibility.md` for `/v1`.
@Suite struct APICompatibilityTests {
  @Test("requests are answered as by an earlier version", arguments: EarlierVersion.all)
  func requests(version: EarlierVersion) async throws {
    let recorded = try #require(
      JSONSerialization.jsonObject(with: Data(try version.text("api.json").utf8)) as? [[String: Any]])
    #expect(recorded.count > 8)
    let folder = version.folder
    let service = try RunningService([
      "--rules", folder.appendingPathComponent("rules/shop.yaml").path, "--captures",
      folder.appendingPathComponent("captures").path,
    ])
    for one in recorded {
      let name = try #require(one["name"] as? String)
      let path = try #require(one["path"] as? String)
      let old = try #require(one["answer"] as? String)
      let answer: HTTPAnswer
      if let body = one["body"] as? String {
        // Long bodies are files of the folder.
        let files = ["/v1/resolve": "captures/cart.xml", "/v1/match": "rules/events/shop.ndjson"]
        let bytes = try body == path ? Data(version.text(try #require(files[path])).utf8) : Data(body.utf8)
        let type = try #require(one["type"] as? String)
        answer = try await service.send("POST", path, headers: ["Content-Type": type], body: bytes)
      } else {
        answer = try await service.get(path)
      }
      #expect(answer.status == one["status"] as? Int, "\(name): \(answer.text.prefix(300))")
      let announced = version.announced(for: "api-\(name)")
      let breaches = try Self.breaches(of: old, by: answer.text).filter { breach in
        !announced.contains { breach.hasPrefix($0) }
      }
      #expect(breaches.isEmpty, "\(name): \(breaches.prefix(8).joined(separator: "\n"))")
    }
  }

  private static func breaches(of old: String, by new: String) throws -> [String] {
    guard old.hasPrefix("{") else {
      // Metrics: their names stay.
      let names = Set(new.split(separator: "\n").filter { $0.hasPrefix("# TYPE ") })
      return old.split(separator: "\n").filter { $0.hasPrefix("# TYPE ") && !names.contains($0) }
        .map { "\($0) is missing" }
    }
    return JSONPromise.breaches(of: try JSONPromise.lines(old), by: try JSONPromise.lines(new))
  }
}
