import EncircleTestSupport
import Foundation
import Testing

@Suite struct CaptureUploadTests {
  @Test func `every shipped capture is accepted and listed with its facts`() async throws {
    let service = try RunningService()
    for name in PackageFolder.captureNames {
      #expect(try await service.upload(named: name).utf8.count == 16, "\(name)")
    }
    let list = try await service.get("/v1/captures?limit=1000")
    #expect(list.object["total"] as? Int == PackageFolder.captureNames.count)
    let captures = try #require(list.object["captures"] as? [[String: Any]])
    #expect(captures.compactMap { $0["name"] as? String } == PackageFolder.captureNames.reversed())
    let cart = try #require(captures.first { $0["name"] as? String == "cart.xml" })
    #expect(cart["app"] as? String == "com.example.shop" && cart["app_version"] as? String == "5.2.1")
    #expect(cart["page"] as? String == "CartViewController" && cart["title"] as? String == "购物车")
    #expect(cart["width"] as? Double == 390 && cart["height"] as? Double == 844)
    #expect(cart["captured_at"] as? String == "2026-03-02T08:00:00Z")
    #expect(cart["uploaded_by"] as? String == "anonymous")
    #expect(cart["elements"] as? Int == (try Screens.named("cart.xml")).tree.count)
  }

  @Test func `a capture has the first digits of the SHA-256 of its bytes as its ID, compressed or not`() async throws {
    let service = try RunningService()
    let bytes = Array("<viewTree><view class=\"UIWindow\"/></viewTree>".utf8)
    let first = try await service.upload(bytes)
    #expect(first.status == 201)
    #expect(first.captureID == "53d2ce71211f5899")
    #expect(first.headers["location"] == "/v1/captures/53d2ce71211f5899")
    let again = [
      try await service.upload(bytes), try await service.upload(gzip(bytes)),
      try await service.upload(gzip(bytes), headers: ["Content-Encoding": "gzip"]),
      try await service.uploadForm([FormPart("capture", gzip(bytes))]),
    ]
    for answer in again {
      #expect(answer.status == 200)
      #expect(answer.captureID == first.captureID)
    }
    #expect(try await service.get("/v1/captures").object["total"] as? Int == 1)
  }

  @Test func `a form has a capture, a screenshot, a name and a page`() async throws {
    let service = try RunningService()
    let picture = Pictures.png()
    let answer = try await service.uploadForm([
      FormPart("capture", viewTree(SampleScreen.views).utf8, file: "home.xml"),
      FormPart("screenshot", picture, file: "home.png"), FormPart("name", "首页 \"1\"".utf8), FormPart("page", "".utf8),
    ])
    #expect(answer.status == 201, "\(answer.text)")
    #expect(answer.capture["name"] as? String == "首页 \"1\"")
    #expect(answer.capture["has_screenshot"] as? Bool == true)
    let screenshot = try await service.get("/v1/captures/\(answer.captureID)/screenshot")
    #expect(screenshot.body == Data(picture))
    #expect(screenshot.headers["content-type"] == "image/png")
    let etag = try #require(screenshot.headers["etag"])
    for tags in [etag, "*", "W/\(etag)", "\"other\", \(etag)"] {
      let known = try await service.get(
        "/v1/captures/\(answer.captureID)/screenshot", headers: ["If-None-Match": tags])
      #expect(known.status == 304 && known.body.isEmpty, "\(tags)")
    }
    let thumbnail = try await service.get("/v1/captures/\(answer.captureID)/thumbnail")
    #expect(thumbnail.body == Data(picture))
  }

  @Test func `a capture without a name gets its file's name, else its page's title`() async throws {
    let service = try RunningService()
    let named = try await service.uploadForm([
      FormPart("capture", viewTree(SampleScreen.views).utf8, file: "../../etc/home.xml")
    ])
    #expect(named.capture["name"] as? String == "home.xml")
    let titled = try await service.upload(viewTree(SampleScreen.views + "<view class='A'/>").utf8)
    #expect(titled.capture["name"] as? String == "首页")
  }

  @Test func `the page of an upload is the activity of an Android capture`() async throws {
    let service = try RunningService()
    let xml =
      #"<hierarchy><node package="com.x" class="android.widget.Button" text="OK" bounds="[0,0][9,9]"/></hierarchy>"#
    let answer = try await service.upload(xml.utf8, "?page=.Main&name=m")
    #expect(answer.capture["page"] as? String == "com.x.Main")
    let elements = try await service.get("/v1/captures/\(answer.captureID)/elements")
    #expect(elements.elements.first?["page"] as? String == "com.x.Main")
    #expect(elements.capture["os"] is NSNull)
  }

  @Test func `the page of a stored Android capture can be named later, and corrected`() async throws {
    let service = try RunningService()
    let xml =
      #"<hierarchy><node package="com.x" class="android.widget.Button" text="OK" bounds="[0,0][9,9]"/></hierarchy>"#
    let added = try await service.upload(xml.utf8, "?name=m")
    #expect(added.capture["page"] is NSNull)
    let path = "/v1/captures/\(added.captureID)"
    func change(_ body: String) async throws -> HTTPAnswer {
      try await service.send("PATCH", path, body: Data(body.utf8))
    }
    func selected(_ page: String) async throws -> [String] {
      let answer = try await service.post("/v1/select", json: ["clause": ["page": page]])
      return (answer.object["captures"] as? [[String: Any]] ?? []).compactMap { $0["name"] as? String }
    }
    #expect(try await selected("com.x.Main").isEmpty)
    var eventIDs: [String] = []
    for (body, page, name) in [
      (#"{"page": ".Mian"}"#, "com.x.Mian", "m"), (#"{"page": "com.x.Main", "name": "home"}"#, "com.x.Main", "home"),
      (#"{"name": "start"}"#, "com.x.Main", "start"),
    ] {
      let capture = try await change(body).capture
      #expect(capture["page"] as? String == page && capture["pages"] as? [String] == [page])
      #expect(capture["name"] as? String == name)
      let found = try await service.get("/v1/captures?page=\(page)&search=\(page)+\(name)").object
      #expect(found["total"] as? Int == 1, "\(body)")
      #expect(try await selected(page) == [name], "\(body)")
      let element = try #require(try await service.get("\(path)/elements").elements.first)
      #expect(element["page"] as? String == page)
      eventIDs.append(try #require(element["event_id"] as? String))
    }
    #expect(eventIDs[0] != eventIDs[1] && eventIDs[1] == eventIDs[2])
    #expect(try await service.get("/v1/captures?page=com.x.Mian").object["total"] as? Int == 0)
    #expect(try await service.get("/v1/elements/\(eventIDs[1])").status == 200)
    #expect(try await service.get("/v1/elements/\(eventIDs[0])").status == 404)
    for body in [#"{"page": ""}"#, #"{"page": 1}"#, #"{"name": null}"#] {
      #expect(try await change(body).status == 422, "\(body)")
    }
    let entries = try await service.get("/v1/audit").object["entries"] as? [[String: Any]] ?? []
    let actions = entries.reversed().compactMap { $0["action"] as? String }
    #expect(actions == ["capture.add", "capture.page", "capture.page", "capture.rename", "capture.rename"])
  }

  @Test func `the page of a web page is the path of its address, which can be named later`() async throws {
    let service = try RunningService()
    let saved = try await service.upload(named: "flowers.html")
    #expect(try await service.get("/v1/captures/\(saved)").capture["page"] as? String == "/flowers/today")
    let added = try await service.upload("<html><body><button>OK</button></body></html>".utf8, "?name=m")
    #expect(added.capture["page"] is NSNull)
    let body = Data(#"{"page": "https://a.example/x%20y?q=1"}"#.utf8)
    let named = try await service.send("PATCH", "/v1/captures/\(added.captureID)", body: body)
    #expect(named.capture["page"] as? String == "/x y" && named.capture["pages"] as? [String] == ["/x y"])
    let found = try await service.get("/v1/captures?page=/x%20y").object
    #expect(found["total"] as? Int == 1)
  }

  @Test func `a picture with another aspect ratio than the screen is refused with both sizes`() async throws {
    let service = try RunningService()
    let cart = try Data(contentsOf: PackageFolder.viewTrees.appendingPathComponent("cart.xml"))
    let id = try await service.send("POST", "/v1/captures", body: cart).captureID
    for (width, height, status) in [(390, 844, 200), (1_170, 2_532, 200), (844, 390, 422), (400, 600, 422)]
      as [(UInt32, UInt32, Int)]
    {
      let answer = try await service.send(
        "PUT", "/v1/captures/\(id)/screenshot", body: Data(Pictures.png(width: width, height: height)))
      #expect(answer.status == status, "\(width) \(height)")
      guard status == 422 else { continue }
      #expect(answer.errorCode == "bad-screenshot")
      #expect(answer.text.contains("\(width) × \(height), and the screen 390 × 844"))
    }
  }

  @Test func `a capture is renamed, and found by its new name`() async throws {
    let service = try RunningService()
    let cart = try Data(contentsOf: PackageFolder.viewTrees.appendingPathComponent("cart.xml"))
    let id = try await service.send("POST", "/v1/captures?name=old", body: cart).captureID
    func rename(_ id: String, _ body: [String: Any]) async throws -> HTTPAnswer {
      try await service.send("PATCH", "/v1/captures/\(id)", body: JSONSerialization.data(withJSONObject: body))
    }
    #expect(try await rename(id, ["name": " 购物车 "]).capture["name"] as? String == "购物车")
    let found = try await service.get("/v1/captures?search=%E8%B4%AD%E7%89%A9%E8%BD%A6").object
    #expect(found["total"] as? Int == 1)
    #expect(try await service.get("/v1/captures?search=old").object["total"] as? Int == 0)
    #expect(try await rename("0123456789abcdef", ["name": "x"]).status == 404)
    for body in [[:], ["name": " "], ["name": "a\nb"], ["name": 1], ["title": "x"]] as [[String: Any]] {
      let answer = try await rename(id, body)
      let location = (answer.object["error"] as? [String: Any])?["location"] as? [String: Any]
      #expect(answer.status == 422 && location?["pointer"] != nil, "\(body): \(answer.text)")
    }
  }

  @Test func `a screenshot can come later, and be replaced`() async throws {
    let service = try RunningService()
    let id = try await service.upload(views: SampleScreen.views)
    #expect(try await service.get("/v1/captures/\(id)/screenshot").status == 404)
    let set = try await service.send("PUT", "/v1/captures/\(id)/screenshot", body: Data(Pictures.png()))
    #expect(set.status == 200)
    #expect(set.capture["has_screenshot"] as? Bool == true)
    _ = try await service.send("PUT", "/v1/captures/\(id)/screenshot", body: Data(Pictures.jpeg))
    #expect(try await service.get("/v1/captures/\(id)/screenshot").headers["content-type"] == "image/jpeg")
    let missing = try await service.send(
      "PUT", "/v1/captures/0123456789abcdef/screenshot", body: Data(Pictures.jpeg))
    #expect(missing.status == 404)
  }

  @Test func `uploading, changing and deleting have entries in the audit log`() async throws {
    let service = try RunningService()
    let first = try await service.upload(viewTree("<view class='A'/>").utf8, "?name=first").captureID
    // The same bytes change nothing.
    _ = try await service.upload(viewTree("<view class='A'/>").utf8)
    let second = try await service.upload(viewTree("<view class='B'/>").utf8, "?name=second").captureID
    let picture = Data(Pictures.png())
    #expect(try await service.send("PUT", "/v1/captures/\(first)/screenshot", body: picture).status == 200)
    let form = [
      FormPart("capture", viewTree("<view class='B'/>").utf8),
      FormPart("screenshot", picture),
    ]
    #expect(try await service.uploadForm(form).status == 200)
    #expect(try await service.uploadForm(form).status == 200)
    #expect(try await service.delete("/v1/captures/\(first)").status == 204)
    #expect(try await service.delete("/v1/captures/\(first)").status == 404)
    let entries = try await service.get("/v1/audit").object["entries"] as? [[String: Any]] ?? []
    let texts = entries.reversed().map { entry in ["action", "subject", "detail", "by"].map { entry[$0] as? String } }
    let expected: [[String?]] = [
      ["capture.add", "captures/\(first)", "first", "anonymous"],
      ["capture.add", "captures/\(second)", "second", "anonymous"],
      ["capture.screenshot", "captures/\(first)", "first", "anonymous"],
      ["capture.screenshot", "captures/\(second)", "second", "anonymous"],
      ["capture.remove", "captures/\(first)", "first", "anonymous"],
    ]
    #expect(texts == expected)
  }

  @Test func `authors can download an upload until it is deleted`() async throws {
    let service = try RunningService()
    let bytes = viewTree(SampleScreen.views).utf8
    let id = try await service.upload(gzip(Array(bytes))).captureID
    let source = try await service.get("/v1/captures/\(id)/source")
    #expect(source.body == Data(bytes))
    #expect(source.headers["content-disposition"] == "attachment; filename=\"\(id)\"")
    let event = try #require(
      try await service.get("/v1/captures/\(id)/elements").elements[2]["event_id"] as? String)
    #expect(try await service.delete("/v1/captures/\(id)").status == 204)
    #expect(try await service.delete("/v1/captures/\(id)").status == 404)
    for path in ["", "/source", "/screenshot", "/thumbnail", "/elements", "/at?x=1&y=1", "/elements/0"] {
      #expect(try await service.get("/v1/captures/\(id)\(path)").status == 404, "\(path)")
    }
    #expect(try await service.get("/v1/elements/\(event)").status == 404)
    #expect(try await service.get("/v1/captures").object["total"] as? Int == 0)
    #expect(try await service.upload(bytes).status == 201)
  }

  @Test func `lists are searched, filtered and paged`() async throws {
    let service = try RunningService()
    for name in ["cart.xml", "order-v5.1.xml", "order-v5.2.xml", "emoji.xml"] {
      _ = try await service.upload(named: name)
    }
    func names(_ query: String) async throws -> [String] {
      let answer = try await service.get("/v1/captures?" + query)
      return (answer.object["captures"] as? [[String: Any]] ?? []).compactMap { $0["name"] as? String }
    }
    #expect(try await names("search=%E8%B4%AD%E7%89%A9") == ["cart.xml"])
    #expect(try await names("search=ORDER+5.2") == ["order-v5.2.xml"])
    #expect(try await names("search=%25") == [])
    for query in ["search=%ff", "search=%E8%B4", "search=%", "limit=1&search=%zz"] {
      #expect(try await service.get("/v1/captures?\(query)").status == 400, "\(query)")
    }
    #expect(try await names("page=OrderViewController") == ["order-v5.2.xml", "order-v5.1.xml"])
    #expect(try await names("page=OrderViewController&app_version=5.1.0") == ["order-v5.1.xml"])
    #expect(try await names("app=com.example.chat") == ["emoji.xml"])
    #expect(try await names("offset=1&limit=2") == ["order-v5.2.xml", "order-v5.1.xml"])
    #expect(try await service.get("/v1/captures?offset=3&limit=2").object["total"] as? Int == 4)
  }

  @Test func `captures outlive the process, even if it crashes`() async throws {
    let directory = try RunningService.newDirectory()
    defer { try? FileManager.default.removeItem(at: directory) }
    let service = try RunningService(directory: directory)
    let id = try await service.upload(named: "cart.xml")
    service.crash()
    let second = try RunningService(directory: directory)
    #expect(try await second.get("/v1/captures/\(id)/elements").elements.count > 50)
  }
}
