import Foundation
import Testing

@Suite struct GivenPropertyTests {
  private static let views = """
    <view class="UIWindow" frame="0 0 390 844">
      <view class="UITableView" frame="0 0 390 844" controller="FeedController">
        <view class="ProductCell" superclasses="UITableViewCell" indexPath="0 0" frame="0 0 390 80">
          <view class="UILabel" text="桃" frame="0 0 80 20"/><view class="UILabel" text="¥168.50" frame="0 20 80 20"/>
          <view class="UIButton" title="加入" actions="add:" frame="300 0 80 40"/>
        </view>
      </view>
    </view>
    """

  @Test func `the element of a property is named relative to the element of the rule`() async throws {
    let service = try RunningService()
    let id = try await service.upload(views: Self.views)
    for (style, expected) in [("hubbledata", "../UILabel(1)"), ("sensors", "../UILabel(1)")] {
      let answer = try await service.post(
        "/v1/relative", json: ["capture": id, "element": 5, "other": 4, "style": style])
      try #require(answer.status == 200, "\(answer.text)")
      #expect(answer.object["selector"] as? String == expected && answer.object["text"] as? String == "¥168.50")
    }
    let own = try await service.post("/v1/relative", json: ["capture": id, "element": 5, "other": 2])
    #expect(own.object["selector"] as? String == "../../ProductCell(section:0 row:*)")
    for other in [6, -1] {
      #expect(
        try await service.post("/v1/relative", json: ["capture": id, "element": 5, "other": other]).status == 422)
    }
  }

  @Test func `properties of rules are stored with the event and sent to apps in their configuration`() async throws {
    let service = try RunningService()
    _ = try await service.upload(views: Self.views)
    let rules = """
      version: 1
      style: sensors
      rules:
        - id: add
          include:
            event: $AppClick
            page: FeedController
            selector: /UITableView/ProductCell(section:0)/UIButton(0)
          properties: { source: feed, price: { element: ../UILabel(1), extract: "[0-9.]+", type: number } }
        - { id: other, include: { event: other } }
      """
    let put = try await service.send(
      "PUT", "/v1/rulesets/default?reason=test", headers: ["If-Match": "*", "Content-Type": "application/yaml"],
      body: Data(rules.utf8))
    try #require(put.status == 200, "\(put.text)")
    let tap = CollectTests.event(
      1,
      [
        "properties": [
          "$screen_name": "FeedController", "$element_path": "UITableView/ProductCell[0][-]/UIButton[0]",
          "$element_position": "0:0",
        ]
      ])
    _ = try await service.post("/v1/collect", json: [tap, CollectTests.event(2, ["event": "other"])])
    let list = try await service.get("/v1/events")
    let events = try #require(list.object["events"] as? [[String: Any]])
    #expect(events.count == 2 && events[0]["properties"] == nil)
    let given = try #require((events.last?["properties"] as? [String: [String: Any]])?["add"], "\(list.text)")
    #expect(given["source"] as? String == "feed" && given["price"] as? Double == 168.5)
    let configuration = try await service.get("/v1/config/visualized/iOS.conf?app_id=a.b").text
    #expect(configuration.contains(#""element_path":"UITableView/ProductCell[0][-]/UILabel[1]""#), "\(configuration)")
    let untold = try await service.get("/v1/rulesets/default/expressible").object["untold_properties"]
    #expect((untold as? [[String: Any]])?.map { $0["property"] as? String } == ["source"])
  }
}
