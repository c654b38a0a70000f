import EncircleTestSupport
import EncircleTree
import Foundation
import Testing

/// Typed text is in no answer except the source of the capture, which is for authors.
@Suite struct CapturePrivacyTests {
  @Test(arguments: CaptureFormat.allCases)
  func `no answer contains text typed into a field`(format: CaptureFormat) async throws {
    let service = try RunningService()
    for seed in TestSize.scaled(1...3 as ClosedRange<UInt64>) {
      let capture = PrivateCapture(format, seed: seed)
      let answer = try await service.upload(capture.text.utf8)
      #expect(answer.status == 201, "\(format) \(seed)")
      try await check(service, answer.captureID)
    }
  }

  @Test func `no answer about a shipped capture contains typed text`() async throws {
    let service = try RunningService()
    for name in PackageFolder.smallCaptureNames { try await check(service, service.upload(named: name)) }
  }

  @Test func `no error about a broken capture contains typed text`() async throws {
    let service = try RunningService()
    let field = "<view class='UITextField' text='\(PrivateCapture.marker)'"
    for text in [viewTree(field), viewTree(field + " frame='\(PrivateCapture.marker)'/>"), viewTree(field + "/><b/>")] {
      let answer = try await service.upload(text.utf8)
      #expect(answer.status == 422)
      #expect(!answer.text.contains(PrivateCapture.marker))
    }
  }

  private func check(_ service: RunningService, _ id: String) async throws {
    let list = try await service.get("/v1/captures/\(id)/elements")
    let paths =
      ["/v1/captures", "/v1/screens", "/v1/captures/\(id)", "/v1/captures/\(id)/thumbnail"]
      + list.elements.prefix(TestSize.scaled(40)).flatMap { element in
        ["/v1/captures/\(id)/elements/\(element["element"] ?? 0)", "/v1/elements/\(element["event_id"] ?? "")"]
      }
    try expectNothingTyped(list, "elements")
    for path in paths { try expectNothingTyped(await service.get(path), path) }
  }

  private func expectNothingTyped(_ answer: HTTPAnswer, _ path: String) throws {
    #expect(answer.status == 200, "\(path)")
    for secret in [PrivateCapture.marker, "do-not-leak"] {
      if let place = answer.body.range(of: Data(secret.utf8)) {
        let before = String(decoding: answer.body[..<place.lowerBound].suffix(200), as: UTF8.self)
        Issue.record("\(path): …\(before)\(secret)")
      }
    }
  }
}
