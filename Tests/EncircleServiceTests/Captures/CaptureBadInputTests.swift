import EncircleTestSupport
import Foundation
import Testing

@Suite struct CaptureBadInputTests {
  private static let good = Array("<viewTree><view class=\"UIWindow\"/></viewTree>".utf8)

  @Test func `a broken capture is refused with its line and column, and nothing is stored`() async throws {
    let service = try RunningService()
    let xml = "<viewTree>\n  <view class=\"UIWindow\">\n    <button/>\n  </view>\n</viewTree>"
    let answer = try await service.uploadForm([FormPart("capture", xml.utf8, file: "home.xml")])
    #expect(answer.status == 422)
    #expect(answer.errorCode == "bad-capture")
    #expect(answer.errorLocation["file"] as? String == "home.xml")
    #expect(answer.errorLocation["line"] as? Int == 3)
    #expect(answer.errorLocation["column"] as? Int == 5)
    #expect(try await service.get("/v1/captures").object["total"] as? Int == 0)
  }

  @Test func `what is no capture is refused`() async throws {
    let texts = [
      "", "   ", "hello", "{}", "[1,2,3]", "<viewTree/>", "<plist><dict/></plist>", "\u{0}\u{1}\u{2}",
      "<!DOCTYPE a [<!ENTITY x SYSTEM \"file:///etc/passwd\">]><viewTree><view class='UIView' text='&x;'/></viewTree>",
      String(repeating: "<view class='a'>", count: 10_000), String(repeating: "[", count: 10_000),
      "<viewTree>" + String(repeating: "<view class='a'>", count: 5_000),
    ]
    let service = try RunningService()
    for text in texts {
      for path in ["/v1/captures", "/v1/resolve"] {
        let answer = try await service.send("POST", path, body: Data(text.utf8))
        #expect(answer.status == 422, "\(path) \(text.prefix(60)): \(answer.text.prefix(300))")
        #expect(answer.errorCode == "bad-capture", "\(path) \(text.prefix(60))")
        #expect(!answer.text.contains("--"), "the client has no options: \(answer.text.prefix(300))")
      }
    }
  }

  @Test func `invalid UTF-8 and truncated gzip are refused`() async throws {
    let service = try RunningService()
    let invalid = Array("<viewTree><view class='UIView' text='".utf8) + [0xFF, 0xFE] + Array("'/></viewTree>".utf8)
    let refused = try await service.upload(invalid)
    #expect(refused.status == 422 && !refused.text.contains("--encoding"), "\(refused.text)")
    let whole = gzip(viewTreeBytes(elements: 500))
    #expect(try await service.upload(whole.prefix(whole.count / 2)).status == 422)
    let announced = try await service.upload(whole.prefix(whole.count / 2), headers: ["Content-Encoding": "gzip"])
    #expect(announced.status == 400)
    #expect(announced.errorCode == "bad-encoding")
  }

  @Test func `a body with a wrong or unknown compression is refused`() async throws {
    let service = try RunningService()
    #expect(try await service.upload(Self.good, headers: ["Content-Encoding": "gzip"]).status == 400)
    let brotli = try await service.upload(Self.good, headers: ["Content-Encoding": "br"])
    #expect(brotli.status == 415)
    #expect(brotli.headers["accept-encoding"] == "gzip")
  }

  @Test func `a gzip bomb ends at the limit of captures, wherever it occurs`() async throws {
    let service = try RunningService(limits: ["capture_bytes": 1000000])
    let bomb = gzip(Array("<viewTree>".utf8) + Array(repeating: UInt8(ascii: " "), count: 5_000_000))
    let twice = gzip(gzip(Array(repeating: 0x20, count: 10_000_000), level: 9), level: 9)
    let answers = [
      try await service.upload(bomb), try await service.upload(bomb, headers: ["Content-Encoding": "gzip"]),
      try await service.uploadForm([FormPart("capture", bomb)]),
    ]
    for answer in answers {
      #expect(answer.status == 413)
      #expect(answer.errorCode == "too-large")
    }
    #expect([413, 422].contains(try await service.upload(twice, headers: ["Content-Encoding": "gzip"]).status))
    #expect(try await service.upload(Self.good).status == 201)
  }

  @Test func `captures with too many elements, or too large a body, are refused`() async throws {
    let service = try RunningService(limits: ["capture_bytes": 100000, "capture_elements": 100])
    #expect(try await service.upload(viewTreeBytes(elements: 200)).status == 422)
    #expect(try await service.upload(viewTreeBytes(elements: 50)).status == 201)
    #expect(try await service.upload(Array(repeating: 0x20, count: 200_000)).status == 413)
  }

  // MARK: - Forms

  @Test func `a broken form is refused, and says which part is wrong`() async throws {
    let service = try RunningService()
    let capture = FormPart("capture", Self.good)
    func check(_ parts: [FormPart], part: String?, status: Int = 400, code: String = "bad-form") async throws {
      let answer = try await service.uploadForm(parts)
      #expect(answer.status == status, "\(answer.text)")
      #expect(answer.errorCode == code)
      #expect(answer.errorLocation["parameter"] as? String == part)
    }
    try await check([], part: "capture")
    try await check([FormPart("name", "a".utf8)], part: "capture")
    try await check([capture, capture], part: "capture")
    try await check([capture, FormPart("<script>", "a".utf8)], part: "<script>")
    try await check([capture, FormPart("name", [0xFF])], part: "name")
    try await check([capture, FormPart("name", "a\nb".utf8)], part: "name", code: "bad-parameter")
    try await check(
      [capture, FormPart("name", Data(repeating: 0x61, count: 201))], part: "name", code: "bad-parameter")
    try await check((0..<40).map { FormPart("p\($0)", "".utf8) }, part: nil)
    #expect(try await service.get("/v1/captures").object["total"] as? Int == 0)
  }

  @Test func `a form needs its type and its boundary`() async throws {
    let service = try RunningService()
    let body = FormPart.body([FormPart("capture", Self.good)], boundary: "x")
    for (type, status) in [
      ("multipart/form-data", 400), ("multipart/form-data; boundary=", 400), ("multipart/mixed; boundary=x", 415),
      ("multipart/form-data; boundary=" + String(repeating: "b", count: 71), 400),
      ("multipart/form-data; boundary=other", 400),
    ] {
      #expect(try await service.upload(body, headers: ["Content-Type": type]).status == status, "\(type)")
    }
  }

  @Test func `a form that is cut off anywhere is refused`() async throws {
    let service = try RunningService()
    let whole = FormPart.body([FormPart("capture", Self.good), FormPart("name", "n".utf8)], boundary: "x")
    for length in stride(from: 1, to: whole.count - 4, by: 13) {
      let answer = try await service.upload(
        whole.prefix(length), headers: ["Content-Type": "multipart/form-data; boundary=x"])
      #expect(answer.status == 400, "\(length)")
    }
  }

  // MARK: - Screenshots

  @Test func `a screenshot must be a picture within the size limits`() async throws {
    let service = try RunningService(limits: ["screenshot_bytes": 100000])
    let id = try await service.upload(Self.good).captureID
    let cases: [([UInt8], Int)] = [
      ([], 415), (Array("<svg onload=alert(1)>".utf8), 415), (Array("GIF89a".utf8), 415),
      (Array(Pictures.png().prefix(20)), 422), (Pictures.png(width: 0), 422),
      (Pictures.png(width: 100_000, height: 100_000), 422), (Pictures.png(width: .max, height: .max), 422),
      (Array(Pictures.png().dropLast()), 422), (Array(Pictures.png().prefix(33)), 422),
      (Array(Pictures.jpeg.dropLast()), 422), (Array(Pictures.jpeg.dropLast(2)) + [0, 0], 422),
      (Array(Pictures.jpeg.prefix(12)), 422), ([0xFF, 0xD8, 0xFF, 0xE0, 0, 0], 422),
      (Pictures.png() + Array(repeating: 0, count: 200_000), 413),
    ]
    for (bytes, status) in cases {
      let put = try await service.send("PUT", "/v1/captures/\(id)/screenshot", body: Data(bytes))
      #expect(put.status == status, "\(bytes.prefix(12))")
      guard !bytes.isEmpty else { continue }
      let form = try await service.uploadForm([FormPart("capture", Self.good), FormPart("screenshot", bytes)])
      #expect(form.status == status, "\(bytes.prefix(12))")
    }
    #expect(try await service.get("/v1/captures/\(id)").capture["has_screenshot"] as? Bool == false)
  }

  // MARK: - Paths and parameters

  @Test func `an invalid ID is not found`() async throws {
    let service = try RunningService()
    _ = try await service.upload(Self.good)
    for id in [
      "..%2f..%2fetc%2fpasswd", "..", "%2e%2e", "0123456789abcdeg", "0123456789ABCDEF", "0123456789abcdef", "a", "%00",
      "0123456789abcdef%00", "%27%20OR%201=1%20--", String(repeating: "a", count: 2_000),
    ] {
      for path in ["", "/source", "/screenshot", "/thumbnail", "/elements", "/at?x=0&y=0", "/elements/0"] {
        #expect(try await service.get("/v1/captures/\(id)\(path)").status == 404, "\(id)\(path)")
      }
      #expect(try await service.delete("/v1/captures/\(id)").status == 404, "\(id)")
    }
  }

  @Test func `parameters that are wrong are named`() async throws {
    let service = try RunningService()
    let id = try await service.upload(Self.good).captureID
    let wrong = [
      ("/v1/captures?limit=0", "limit"), ("/v1/captures?limit=1001", "limit"), ("/v1/captures?offset=-1", "offset"),
      ("/v1/captures?offset=99999999999999999999", "offset"),
      ("/v1/captures?search=" + String(repeating: "a", count: 201), "search"),
      ("/v1/screens?limit=x", "limit"), ("/v1/captures/\(id)/at?x=1", "y"), ("/v1/captures/\(id)/at?x=nan&y=1", "x"),
      ("/v1/captures/\(id)/at?x=inf&y=1", "x"), ("/v1/captures/\(id)/elements/-1", "element"),
      ("/v1/captures/\(id)/elements/99999999999", "element"), ("/v1/captures/\(id)/elements/x/same-kind", "element"),
      ("/v1/captures/\(id)/elements/0/same-kind?levels=x", "levels"), ("/v1/elements/1234567", "event_id"),
      ("/v1/elements/1234567g", "event_id"), ("/v1/elements/" + String(repeating: "a", count: 65), "event_id"),
    ]
    for (path, parameter) in wrong {
      let answer = try await service.get(path)
      #expect(answer.status == 400, "\(path)")
      #expect(answer.errorLocation["parameter"] as? String == parameter, "\(path)")
    }
    #expect(try await service.get("/v1/captures/\(id)/elements/1").status == 404)
  }

  @Test func `texts with scripts come back as text, never as a page`() async throws {
    let service = try RunningService()
    let script = "<script>alert(1)</script>"
    let escaped = "&lt;script&gt;alert(1)&lt;/script&gt;"
    let views =
      "<view class='\(escaped)' frame='0 0 9 9' controller='\(escaped)' controllerTitle='\(escaped)' "
      + "title='\(escaped)' gestures='tap'/>"
    let xml = "<viewTree app='\(escaped)' appVersion='\(escaped)' os='\(escaped)'>\(views)</viewTree>"
    let answer = try await service.uploadForm([
      FormPart("capture", xml.utf8, file: script), FormPart("name", script.utf8),
    ])
    #expect(answer.status == 201)
    let id = answer.captureID
    for path in ["/v1/captures", "/v1/screens", "/v1/captures/\(id)/elements", "/v1/captures/\(id)/elements/0"] {
      let answer = try await service.get(path)
      #expect(answer.headers["content-type"] == "application/json; charset=utf-8")
      #expect(answer.headers["x-content-type-options"] == "nosniff")
      #expect(answer.object.count > 0)
    }
    let thumbnail = try await service.get("/v1/captures/\(id)/thumbnail")
    #expect(thumbnail.headers["content-type"] == "image/svg+xml")
    #expect(!thumbnail.text.contains("script"))
    let source = try await service.get("/v1/captures/\(id)/source")
    #expect(source.headers["content-type"] == "application/octet-stream")
    #expect(source.headers["content-security-policy"]?.contains("default-src 'none'") == true)
  }

  private func viewTreeBytes(elements: Int) -> [UInt8] {
    Array(viewTree((0..<elements).map { "<view class='V\($0 * 7919 % 997)' frame='\($0) 0 9 9'/>" }.joined()).utf8)
  }
}
