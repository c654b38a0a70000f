import EncircleTestSupport
import Foundation
import Testing

@Suite struct CaptureScreenTests {
  @Test func `screens count the rules of the requested rule set`() async throws {
    let service = try RunningService()
    let cart = try Data(contentsOf: PackageFolder.viewTrees.appendingPathComponent("cart.xml"))
    #expect(try await service.send("POST", "/v1/captures", body: cart).status == 201)
    let rules = "version: 1\nrules:\n  - id: a\n    include: { page: CartViewController }\n"
    let made = try await service.send(
      "PUT", "/v1/rulesets/other", headers: ["If-Match": "*"], body: Data(rules.utf8))
    #expect(made.status == 200)
    func count(_ query: String) async throws -> Int? {
      let answer = try await service.get("/v1/screens\(query)").object
      let screens = answer["screens"] as? [[String: Any]]
      return screens?.first { $0["page"] as? String == "CartViewController" }?["rules"] as? Int
    }
    #expect(try await count("?ruleset=other") == 1)
    #expect(try await count("") == 0)
    #expect(try await service.get("/v1/screens?ruleset=none").status == 404)
  }

  @Test func `captures of one page and app are one screen, the newest first`() async throws {
    let service = try RunningService()
    for name in ["order-v5.1.xml", "cart.xml", "order-v5.2.xml", "settings.wda.xml", "login.uiautomator.xml"] {
      _ = try await service.upload(named: name)
    }
    let answer = try await service.get("/v1/screens")
    let screens = try #require(answer.object["screens"] as? [[String: Any]])
    #expect(answer.object["total"] as? Int == 4)
    #expect(screens.map { $0["page"] as? String } == [nil, nil, "OrderViewController", "CartViewController"])
    let order = screens[2]
    let names = (order["captures"] as? [[String: Any]])?.compactMap { $0["name"] as? String }
    #expect(names == ["order-v5.2.xml", "order-v5.1.xml"])
    #expect(order["versions"] as? [String] == ["5.2.0", "5.1.0"])
    #expect(order["title"] as? String == "订单" && order["app"] as? String == "com.example.shop")
    let old = try await service.get("/v1/screens?app_version=5.1.0")
    #expect(
      (old.object["screens"] as? [[String: Any]])?.compactMap { $0["page"] as? String } == ["OrderViewController"])
    for listed in [answer, old] {
      #expect(listed.object["versions"] as? [String] == ["5.2.0", "5.2.1", "5.1.0"], "all, whatever is asked for")
    }
    #expect(try await service.get("/v1/screens?search=%E8%B4%AD%E7%89%A9").object["total"] as? Int == 1)
    #expect(
      (try await service.get("/v1/screens?offset=3").object["screens"] as? [[String: Any]])?.count == 1)
  }

  @Test func `a screen knows how many published rules name its page`() async throws {
    let service = try RunningService()
    _ = try await service.upload(named: "cart.xml")
    let rules = """
      version: 1
      rules:
        - { id: a, include: { page: CartViewController, selector: UIButton } }
        - { id: b, include: { page: { glob: "Cart*" }, selector: UIButton } }
        - { id: c, include: { page: HomeViewController, selector: UIButton } }
        - { id: d, include: { selector: UIButton } }
        - { id: e, exclude: { page: CartViewController } }
      """
    let put = try await service.send(
      "PUT", "/v1/rulesets/default?reason=test", headers: ["If-Match": "*", "Content-Type": "application/yaml"],
      body: Data(rules.utf8))
    try #require(put.status == 200, "\(put.text)")
    let screens = try await service.get("/v1/screens").object["screens"] as? [[String: Any]]
    #expect(screens?.first?["rules"] as? Int == 2)
  }

  @Test func `a capture without a picture is drawn to scale, one without frames as an outline`() async throws {
    let service = try RunningService()
    let drawn = try await service.get("/v1/captures/\(service.upload(views: SampleScreen.views))/thumbnail")
    #expect(drawn.headers["content-type"] == "image/svg+xml")
    #expect(drawn.text.contains("viewBox=\"0 0 100 200\""))
    #expect(drawn.text.contains("<rect x=\"10\" y=\"20\" width=\"30\" height=\"40\""))
    let views = "<view class='UIView'><view class='UIButton'/><view class='UILabel'/></view>"
    let id = try await service.upload(views: views)
    let outline = try await service.get("/v1/captures/\(id)/thumbnail")
    #expect(outline.text.components(separatedBy: "<rect").count == 5)
    let etag = try #require(outline.headers["etag"])
    for tags in [etag, "*", "W/\(etag)"] {
      let known = try await service.get("/v1/captures/\(id)/thumbnail", headers: ["If-None-Match": tags])
      #expect(known.status == 304, "\(tags)")
    }
    _ = try await service.send("PUT", "/v1/captures/\(id)/screenshot", body: Data(Pictures.png()))
    let changed = try await service.get("/v1/captures/\(id)/thumbnail", headers: ["If-None-Match": etag])
    #expect(changed.status == 200 && changed.headers["content-type"] == "image/png")
  }

  @Test func `every shipped capture has a drawing that is well-formed and has no text`() async throws {
    let service = try RunningService()
    for name in PackageFolder.smallCaptureNames {
      let svg = try await service.get("/v1/captures/\(service.upload(named: name))/thumbnail")
      #expect(svg.text.components(separatedBy: "<rect").count > 3, "\(name)")
      #expect(
        svg.text.replacing(/<(svg|\/svg|rect|g|\/g)( [a-z-]+="[^"<>]*"| [a-zA-Z]+="[^"<>]*")*\/?>/, with: "") == "\n",
        "\(name)")
    }
  }
}
