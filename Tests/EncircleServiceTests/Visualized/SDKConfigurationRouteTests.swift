import EncircleText
import Foundation
import Testing

@testable import EncircleService

@Suite struct SDKConfigurationRouteTests {
  private func publish(_ rules: String, to name: String = "default", on service: RunningService) async throws {
    let text = "version: 1\nstyle: sensors\nrules:\n\(rules)"
    let answer = try await service.send(
      "PUT", "/v1/rulesets/\(name)", headers: ["If-Match": "*"], body: Data(text.utf8))
    #expect([200, 201].contains(answer.status), "\(answer.text)")
  }

  private let expressible = "  - id: buy\n    include: { page: HomeViewController, selector: '/UIView/UIButton(1)' }\n"

  @Test(arguments: ["/v1/config/visualized/iOS.conf", "/config/visualized/iOS.conf"])
  func `an app gets the rules, or learns that it has them or that there are none`(path: String) async throws {
    let service = try RunningService()
    let query = "\(path)?project=shop&app_id=com.example.shop"
    let none = try await service.get(query)
    #expect(none.status == 205 && none.body.isEmpty)
    try await publish("  - id: pages\n    include: { event: $AppViewScreen }\n", on: service)
    #expect(try await service.get(query).status == 205)
    try await publish(expressible, on: service)
    let first = try await service.get(query)
    #expect(first.status == 200)
    #expect(first.object["project"] as? String == "shop" && first.object["os"] as? String == "iOS")
    #expect((first.object["events"] as? [Any])?.count == 1)
    let version = try #require(first.object["version"] as? String)
    let same = try await service.get(query + "&v=\(version)")
    #expect(same.status == 304 && same.body.isEmpty)
    #expect(try await service.get(query + "&v=old").status == 200)
    #expect(try await service.get(path).status == 400)
  }

  @Test func `a version identifies the configuration, not the number of publications`() async throws {
    let query = "/v1/config/visualized/iOS.conf?project=default&app_id=com.example.shop"
    var versions: [String] = []
    for button in ["UIButton(1)", "UIButton(2)", "UIButton(1)"] {
      let service = try RunningService()
      try await publish(expressible.replacing("UIButton(1)", with: button), on: service)
      versions.append(try await service.get(query).object["version"] as? String ?? "")
      if let first = versions.first, versions.count == 2 {
        #expect(try await service.get(query + "&v=\(first)").status == 200)
      }
    }
    #expect(versions[0] != versions[1] && versions[0] == versions[2])
    #expect(versions.allSatisfy { $0.hasPrefix("default-") })
  }

  @Test func `a request that began before a publication leaves its configuration to no later request`() throws {
    let directory = try RunningService.newDirectory()
    defer { try? FileManager.default.removeItem(at: directory) }
    let store = try Store(directory: directory.path)
    let library = try RuleSetLibrary(store: store)
    let configurations = SDKConfigurations(ruleSets: library)
    func publish(_ rules: String) throws {
      let text = "version: 1\nstyle: sensors\nrules:\n\(rules)"
      _ = try library.publish(text, to: "default", RuleSetPublication(by: "lin", reason: ""))
    }
    try publish(expressible)
    let current = try #require(try configurations.current("default"))
    try publish(expressible.replacing("UIButton(1)", with: "UIButton(2)"))
    _ = try configurations.current("default")
    let app = "com.example.shop"
    let earlier = try #require(configurations.document(from: current, project: "default", appID: app))
    let later = try #require(try configurations.document("default", project: "default", appID: app))
    #expect(earlier.version != later.version)
    try store.close()
  }

  @Test func `projects whose names look the same get their own configurations`() async throws {
    let service = try RunningService()
    try await publish(expressible, on: service)
    for project in ["caf\u{E9}", "cafe\u{301}"] {
      let escaped = project.utf8.map { $0 < 0x80 ? String(UnicodeScalar($0)) : "%" + String($0, radix: 16) }.joined()
      let answer = try await service.get("/v1/config/visualized/iOS.conf?project=\(escaped)&app_id=com.example.shop")
      let found = try #require(answer.object["project"] as? String)
      #expect(found.hasSameBytes(as: project))
    }
  }

  @Test func `rules that a configuration cannot express are named with the reason`() async throws {
    let service = try RunningService()
    try await publish(expressible + "  - id: not\n    exclude: { page: X }\n", on: service)
    let answer = try await service.get("/v1/rulesets/default/expressible")
    #expect(answer.object["expressible"] as? [String] == ["buy"])
    #expect(answer.object["style"] as? String == "sensors")
    let others = try #require(answer.object["others"] as? [[String: String]])
    #expect(others.map { $0["id"] } == ["not"])
    #expect(others.allSatisfy { $0["reason"]?.isEmpty == false })
    #expect(others.map { $0["code"] } == ["exclude"])
    #expect(try await service.get("/v1/rulesets/none/expressible").status == 404)
  }

  @Test func `a connected app gets the rules of its project, like an app that starts`() async throws {
    let service = try RunningService()
    try await publish(expressible.replacing("buy", with: "other"), on: service)
    try await publish(expressible, to: "shop", on: service)
    let (id, code) = try await service.connect(["project": "shop"])
    #expect(try await service.connection(id)["ruleset"] as? String == "shop")
    let answer = try await service.postScreen(code, AppMessage.body())
    let connected = try #require(answer.object["visualized_sdk_config"] as? [String: Any])
    let started = try await service.get("/v1/config/visualized/iOS.conf?project=shop&app_id=com.example.shop")
    #expect(connected["version"] as? String == started.object["version"] as? String)
    let (other, _) = try await service.connect(["project": "shop", "ruleset": "default"])
    #expect(try await service.connection(other)["ruleset"] as? String == "default")
    let (none, _) = try await service.connect(["project": "chat"])
    #expect(try await service.connection(none)["ruleset"] as? String == "default")
  }

  @Test func `a connected app gets the rules with the answer, unless it has them or takes none`() async throws {
    let service = try RunningService()
    try await publish(expressible, on: service)
    let (_, code) = try await service.connect(["project": "shop"])
    let answer = try await service.postScreen(code, AppMessage.body())
    let configuration = try #require(answer.object["visualized_sdk_config"] as? [String: Any])
    #expect(configuration["project"] as? String == "shop")
    let version = try #require(configuration["version"] as? String)
    let same = try await service.postScreen(code, AppMessage.body(label: nil, ["config_version": version]))
    #expect(same.text == "{\"delay\":0}")
    let off = try await service.postScreen(code, AppMessage.body(label: nil, ["app_enablevisualizedproperties": false]))
    #expect(off.text == "{\"delay\":0}")
    try await publish("  - id: pages\n    include: { event: $AppViewScreen }\n", on: service)
    let gone = try await service.postScreen(code, AppMessage.body(label: nil, ["config_version": version]))
    #expect(gone.text == "{\"delay\":0,\"visualized_config_disabled\":true}")
  }
}
