import EncircleTestSupport
import Foundation
import Testing

private let folder = PackageFolder.shared?.appendingPathComponent("messages/visualized")

@Suite(.enabled(if: folder != nil, "there is no folder with messages of a real SDK"))
struct RealAppMessageTests {
  @Test func `every message of a real SDK is shown and kept without any typed text`() async throws {
    let service = try RunningService()
    let folder = try #require(folder)
    let names = try FileManager.default.contentsOfDirectory(atPath: folder.path).filter { $0.hasSuffix(".body") }
    #expect(!names.isEmpty)
    for name in names.sorted() where name.hasSuffix("-1.body") {
      let (id, code) = try await service.connect()
      for part in [name, name.replacing("-1.body", with: "-2.body")] {
        let answer = try await service.postScreen(code, Data(contentsOf: folder.appendingPathComponent(part)))
        #expect(answer.text == "{\"delay\":0}", "\(part)")
      }
      let shown = try await service.get("/v1/connections/\(id)")
      #expect(!shown.text.contains("do-not-leak"))
      let screen = (try await service.connection(id))["screen"] as? [String: Any]
      #expect(screen?["revision"] as? Int == 1 && screen?["has_screenshot"] as? Bool == true, "\(name)")
      let picture = try await service.get("/v1/connections/\(id)/screenshot?revision=1")
      #expect(picture.headers["content-type"] == "image/jpeg" && picture.body.starts(with: [0xFF, 0xD8]))
      let kept = try await service.post("/v1/connections/\(id)/keep", json: ["name": name])
      // Two of them show one screen, which is one capture when both come within a second.
      #expect([200, 201].contains(kept.status))
      let capture = kept.object["capture"] as? [String: Any]
      #expect(capture?["has_screenshot"] as? Bool == true && capture?["page"] as? String == screen?["page"] as? String)
      let source = try await service.get("/v1/captures/\(capture?["id"] as? String ?? "")/source")
      #expect(source.status == 200 && !source.text.contains("do-not-leak"))
    }
  }
}
