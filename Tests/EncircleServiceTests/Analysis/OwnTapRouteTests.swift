import EncircleTestSupport
import Foundation
import Testing

@testable import EncircleService

/// Rules circled on the page select the tap that they were circled for, as the SDK of their style sends it.
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

  @Test(
    "in every style of the shop, also what is chosen by default, as the SDK sends it",
    arguments: [
      ("hubbledata", [23, 54]), ("sensors", [7, 25, 60]), ("posthog", [7, 23, 54]), ("growingio", [10, 36, 60]),
      // An item of a toolbar, whose events have no path; a row, a button in one, a group, an option of an alert.
      ("sensors-android", [6, 16, 20, 32, 51]), ("growingio-android", [6, 16, 20, 32, 51]),
    ])
  func shop(style: String, elements: [Int]) async throws {
    let service = try RunningService()
    let taps = try ShopTap.all().filter { $0.style == style }
    let name = style.hasSuffix("-android") ? "android-shop.xml" : "ios-shop.xml"
    let capture = try #require(try await SelectorRouteTests.upload([name], to: service)[name])
    for element in elements {
      let tap = try #require(taps.first { $0.element == element && $0.capture == name }, "\(style) \(element)")
      let question: [String: Any] = ["capture": capture, "element": element, "style": style]
      let suggested = try await service.post("/v1/suggest", json: question).object["suggestions"] as? [[String: Any]]
      let best = try #require(suggested?.first)
      // Only a clause without a path has no selector to show.
      let clause = best["clause"] as? [String: Any]
      #expect((best["selector"] as? String) == (clause?["selector"] as? String))
      let chosen = try await service.post("/v1/chips", json: question).object["clause"]
      for clause in [clause as Any?, chosen] {
        let clause = try #require(clause)
        let rules: [String: Any] = ["version": 1, "style": style, "rules": [["id": "circled", "include": clause]]]
        let put = try await service.send(
          "PUT", "/v1/rulesets/default?reason=test", headers: ["If-Match": "*", "Content-Type": "application/json"],
          body: try JSONSerialization.data(withJSONObject: rules))
        #expect(put.status == 200, "\(put.text)")
        let answer = try await service.send(
          "POST", "/v1/match", body: Data(taps.map(\.event).joined(separator: "\n").utf8))
        let decisions = answer.text.split(separator: "\n")
        try #require(decisions.count == taps.count, "\(answer.text)")
        for (other, decision) in zip(taps, decisions) {
          let isSelected = decision.contains(#""rules":["circled"]"#)
          let place: Comment = "\(style) \(element), \(other.element): \(clause)\n\(decision)"
          if other.line == tap.line { #expect(isSelected, place) }
          if other.kind != tap.kind { #expect(!isSelected, place) }
        }
      }
    }
  }
}
