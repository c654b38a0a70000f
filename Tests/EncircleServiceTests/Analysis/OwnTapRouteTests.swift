import EncircleTestSupport
import Foundation
import Testing

@testable import EncircleService

/// What the page circles selects the tap that it was circled for, as the SDK of its style sends it.
@Suite struct OwnTapRouteTests {
  @Test(
    .articles("H54"),
    arguments: [
      (
        // An item of a navigation bar, by actions that only the capture knows.
        "hubbledata", "cart.xml", 99,
        #"{"eventId":"EVENTID","type":"controlEvent","deviceUdid":"d","attributes":{"type":"controlEvent","page":"CartViewController"}}"#
      ),
      (
        // An option of an alert, by texts that only the capture knows.
        "hubbledata", "alert-ios10.xml", 70,
        #"{"eventId":"EVENTID","type":"gestureTapEvent","deviceUdid":"d","attributes":{"type":"gestureTapEvent"}}"#
      ),
      (
        "lede", "home-feed.xml", 123,
        #"{"eventName":"click","appKey":"com.example.shop","eventTime":1765000010000,"pageName":"HomeViewController","viewInfo":"#
          + #"{"viewPath":"UITabBarController-UITabBar-UITabBarButton & 0-0-0","title":"首页"}}"#
      ),
      (
        "sensors", "home-feed.xml", 26,
        #"{"event":"$AppClick","time":1765000010000,"properties":{"$screen_name":"HomeViewController","$element_position":"1:0","#
          + #""$element_path":"UIView/UITableView[0]/ProductCell[1][-]/UITableViewCellContentView[0]/UIButton[0]"}}"#
      ),
    ])
  func `a suggested clause selects the SDK's own event, and none of another app`(
    style: String, name: String, element: Int, event: String
  ) async throws {
    let service = try RunningService()
    let capture = try #require(try await SelectorRouteTests.upload([name], to: service)[name])
    let answer = try await service.post(
      "/v1/suggest", json: ["capture": capture, "element": element, "style": style, "limit": 3])
    let suggestions = try #require(answer.object["suggestions"] as? [[String: Any]])
    try #require(!suggestions.isEmpty)
    let elements = try await service.get("/v1/captures/\(capture)/elements").object["elements"] as? [[String: Any]]
    let id = elements?.first { $0["element"] as? Int == element }?["event_id"] as? String
    let own = event.replacing("EVENTID", with: id ?? "")
    for suggestion in suggestions {
      let clause = try #require(suggestion["clause"])
      let rules: [String: Any] = ["version": 1, "style": style, "rules": [["id": "circled", "include": clause]]]
      let put = try await service.send(
        "PUT", "/v1/rulesets/default?reason=test", headers: ["If-Match": "*", "Content-Type": "application/json"],
        body: try JSONSerialization.data(withJSONObject: rules))
      #expect(put.status == 200, "\(put.text)")
      let decision = try await service.send("POST", "/v1/match", body: Data(own.utf8))
      #expect(decision.text.contains(#""rules":["circled"]"#), "\(style) \(element): \(clause)\n\(decision.text)")
    }
  }
}
