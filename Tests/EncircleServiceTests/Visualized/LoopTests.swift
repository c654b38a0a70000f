import EncircleTestSupport
import Foundation
import Testing

private let folder = PackageFolder.shared?.appendingPathComponent("messages/visualized")

/// From a link to a decided tap: connect, circle, publish, configure the app, tap.
@Suite struct LoopTests {
  /// An element as the live screen lists it.
  private struct Element {
    var number: Int
    var path: String
    var position: String?
    var content: String?
    var page: String

    /// The event of a tap on it, as the SDK sends it.
    func tap(_ id: Int) -> [String: Any] {
      var properties: [String: Any] = ["$element_path": path, "$screen_name": page, "$lib": "iOS"]
      if let position { properties["$element_position"] = position }
      if let content { properties["$element_content"] = content }
      return [
        "_track_id": id, "type": "track", "event": "$AppClick", "distinct_id": "d", "time": 1_795_000_000_000 + id,
        "properties": properties, "lib": ["$lib": "iOS"],
      ]
    }

    /// Returns `true` if a configured event means the element, as the SDK compares.
    func isMeant(by event: [String: Any]) -> Bool {
      guard let element = event["event"] as? [String: Any], event["event_type"] as? String == "appclick" else {
        return false
      }
      return element["element_path"] as? String == path && element["screen_name"] as? String == page
        && (element["limit_element_position"] as? Bool != true || element["element_position"] as? String == position)
        && (element["limit_element_content"] as? Bool != true || element["element_content"] as? String == content)
    }
  }

  private func tappable(_ connection: [String: Any]) throws -> [Element] {
    let screen = try #require(connection["screen"] as? [String: Any])
    return (screen["elements"] as? [[String: Any]] ?? []).compactMap { element in
      guard element["tappable"] as? Bool == true, element["visible"] as? Bool == true,
        let number = element["element"] as? Int, let path = element["element_path"] as? String,
        let page = element["screen_name"] as? String
      else { return nil }
      return Element(
        number: number, path: path, position: element["element_position"] as? String,
        content: element["content"] as? String, page: page)
    }
  }

  /// Circles on all elements of a screen, publishes the rules, and taps on all: the app gets each rule, and both sides
  /// decide each tap alike.
  private func close(_ body: Data, unchanged: Data, on service: RunningService, style: String) async throws {
    let (id, code) = try await service.connect()
    #expect(try await service.postScreen(code, body).text == "{\"delay\":0}")
    let connection = try await service.connection(id)
    let revision = try #require((connection["screen"] as? [String: Any])?["revision"] as? Int)
    let elements = try tappable(connection)
    #expect(!elements.isEmpty)
    let held = try await service.post("/v1/connections/\(id)/hold", json: ["revision": revision])
    let subject = try #require(held.object["capture"] as? String)
    var rules: [[String: Any]] = []
    for element in elements {
      let chips = try await service.post("/v1/chips", json: ["capture": subject, "element": element.number])
      #expect(chips.status == 200, "\(chips.text)")
      #expect((chips.object["told"] as? [String: Any])?["possible"] as? Bool == true, "\(element.path): \(chips.text)")
      rules.append(["id": "rule.\(element.number)", "include": try #require(chips.object["clause"])])
    }
    let text = AppMessage.json(["version": 1, "style": style, "rules": rules])
    let published = try await service.send(
      "PUT", "/v1/rulesets/default?reason=loop", headers: ["If-Match": "*"], body: text)
    #expect(published.status == 200, "\(published.text)")

    let configuration = try await service.postScreen(code, unchanged).object["visualized_sdk_config"] as? [String: Any]
    let appID = try #require(connection["app_id"] as? String)
    let asked = try await service.get("/v1/config/visualized/iOS.conf?project=default&app_id=\(appID)")
    #expect(asked.object["version"] as? String == configuration?["version"] as? String)
    let events = try #require(configuration?["events"] as? [[String: Any]])

    for (id, element) in elements.enumerated() {
      let answer = try await service.send(
        "POST", "/v1/match?ruleset=default", headers: ["Content-Type": "application/x-ndjson"],
        body: AppMessage.json(element.tap(id)))
      let here = (answer.object["rules"] as? [String] ?? []).sorted()
      let there = events.filter(element.isMeant).compactMap { $0["event_name"] as? String }.sorted()
      #expect(here.contains("rule.\(element.number)"), "\(element.path)")
      #expect(here == there, "\(element.path)")
    }
    let kept = try await service.post("/v1/connections/\(id)/keep", json: ["revision": revision])
    #expect([200, 201].contains(kept.status))
  }

  @Test(arguments: ["hubbledata", "sensors", "growingio"])
  func `rules made by clicks alone reach the app and match its taps, whatever style the rule set has`(
    style: String
  ) async throws {
    try await close(
      AppMessage.body(), unchanged: AppMessage.body(label: nil), on: try RunningService(), style: style)
  }

  @Test(
    .enabled(if: folder != nil, "there is no folder with messages of a real SDK"),
    arguments: ["home-feed", "cart", "tab-bar", "alert-ios10", "order-v5.1"])
  func `the loop closes with the messages of a real SDK on a service that was just started`(name: String) async throws {
    let folder = try #require(folder)
    let body = try Data(contentsOf: folder.appendingPathComponent("\(name)-1.body"))
    let unchanged = try Data(contentsOf: folder.appendingPathComponent("\(name)-2.body"))
    try await close(body, unchanged: unchanged, on: try RunningService(), style: "hubbledata")
  }

  @Test func `a held screen stays while the app goes on`() async throws {
    let service = try RunningService()
    let (id, code) = try await service.connect()
    _ = try await service.postScreen(code, AppMessage.body(label: "First"))
    let element = try #require(try tappable(try await service.connection(id)).first)
    let held = try await service.post("/v1/connections/\(id)/hold", json: ["revision": 1])
    #expect(held.status == 200)
    let subject = try #require(held.object["capture"] as? String)
    for number in 2...9 { _ = try await service.postScreen(code, AppMessage.body(label: "Screen \(number)")) }
    let chips = try await service.post("/v1/chips", json: ["capture": subject, "element": element.number])
    #expect(chips.status == 200, "\(chips.text)")
    let counts = try await service.post(
      "/v1/select", json: ["capture": subject, "clause": try #require(chips.object["clause"])])
    #expect(counts.object["here"] as? [Int] == [element.number])
    let kept = try await service.post("/v1/connections/\(id)/keep", json: ["revision": 1])
    #expect(kept.status == 201)
    let capture = (kept.object["capture"] as? [String: Any])?["id"] as? String ?? ""
    #expect(try await service.get("/v1/captures/\(capture)/source").text.contains("First"))
    // Beside its copy, the screen does not count once more.
    let recounted = try await service.post(
      "/v1/select", json: ["capture": subject, "clause": try #require(chips.object["clause"])])
    for name in ["total", "captures_searched"] {
      #expect(recounted.object[name] as? Int == counts.object[name] as? Int, "\(recounted.text)")
    }
    #expect(recounted.object["here"] as? [Int] == [element.number])
    // One that nobody holds is gone.
    #expect(try await service.post("/v1/connections/\(id)/hold", json: ["revision": 2]).errorCode == "screen-changed")
    #expect(try await service.post("/v1/connections/\(id)/keep", json: ["revision": 2]).errorCode == "screen-changed")
    #expect(try await service.post("/v1/chips", json: ["capture": "live.x.1", "element": 1]).status == 404)
  }

  @Test func `the row of a tap on a list can be chosen, and reaches the app as the position`() async throws {
    let service = try RunningService()
    let (id, code) = try await service.connect()
    let path = "UIView/UITableView[0]/OuterCell[0][1]/UICollectionView[0]/InnerCell[0][-]"
    func view(_ id: String, _ name: String, _ kinds: [String], _ path: String, _ position: String?, _ inner: [String])
      -> [String: Any]
    {
      var properties: [String: Any] = [
        "subelements": inner, "element_path": path, "screen_name": "HomeViewController", "element_level": Int(id) ?? 0,
        "enableAppClick": name == "InnerCell", "frame": ["X": 0, "Y": 0, "Width": 100, "Height": 20],
      ]
      if let position { properties["element_position"] = position }
      return ["id": id, "class": [name] + kinds + ["UIView", "UIResponder", "NSObject"], "properties": properties]
    }
    let objects: [[String: Any]] = [
      view("1", "UIWindow", [], "UIWindow", nil, ["2"]),
      [
        "id": "2", "class": ["HomeViewController", "UIViewController", "UIResponder", "NSObject"],
        "properties": ["subelements": ["3"], "element_level": 2],
      ],
      view("3", "UIView", [], "UIView", nil, ["4"]),
      view("4", "UITableView", ["UIScrollView"], "UIView/UITableView[0]", nil, ["5"]),
      view("5", "OuterCell", ["UITableViewCell"], "UIView/UITableView[0]/OuterCell[0][-]", "0:1", ["6"]),
      view(
        "6", "UICollectionView", ["UIScrollView"], "UIView/UITableView[0]/OuterCell[0][-]/UICollectionView[0]", "0:1",
        ["7"]),
      view("7", "InnerCell", ["UICollectionViewCell"], path, "0:4", []),
    ]
    let payload = AppMessage.json(["serialized_objects": ["rootObject": "1", "objects": objects]])
    let packed = Data(gzip([UInt8](payload))).base64EncodedString()
    _ = try await service.postScreen(code, AppMessage.body(label: nil, ["gzip_payload": packed]))
    let element = try #require(try tappable(try await service.connection(id)).first)
    #expect(element.path == path && element.position == "0:4")
    _ = try await service.send(
      "PUT", "/v1/rulesets/sensors?reason=x", headers: ["If-Match": "*"],
      body: AppMessage.json(["version": 1, "style": "sensors", "rules": [Any]()]))
    let capture = "live.\(id).1"
    for ruleset in ["default", "sensors"] {
      let question: [String: Any] = ["capture": capture, "element": element.number, "ruleset": ruleset]
      let free = try await service.post("/v1/chips", json: question)
      #expect((free.object["chips"] as? [[String: Any]])?.contains { $0["id"] as? String == "row" } == true)
      let fixed = try await service.post("/v1/chips", json: question.merging(["choices": ["row": "this"]]) { $1 })
      #expect((fixed.object["told"] as? [String: Any])?["possible"] as? Bool == true, "\(fixed.text)")
      for (clause, positions) in [(free, ["0:4", "0:5"]), (fixed, ["0:4"])] {
        let rules: [[String: Any]] = [["id": "cell", "include": try #require(clause.object["clause"])]]
        let text = AppMessage.json([
          "version": 1, "style": ruleset == "default" ? "hubbledata" : "sensors", "rules": rules,
        ])
        _ = try await service.send(
          "PUT", "/v1/rulesets/\(ruleset)?reason=x", headers: ["If-Match": "*"], body: text)
        for position in ["0:4", "0:5"] {
          var other = element
          other.position = position
          let answer = try await service.send(
            "POST", "/v1/match?ruleset=\(ruleset)", headers: ["Content-Type": "application/x-ndjson"],
            body: AppMessage.json(other.tap(1)))
          #expect(
            answer.object["rules"] as? [String] == (positions.contains(position) ? ["cell"] : []),
            "\(ruleset) \(position): \(text)")
        }
      }
    }
  }
}
