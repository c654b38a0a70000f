import EncircleTestSupport
import Foundation
import Testing

/// A rule that `suggest` writes selects the tap that it was made for, as the SDK of its style sends it.
@Suite struct OwnTapTests {
  @Test("in lede")
  func lede() throws {
    let folder = try TemporaryFolder()
    defer { folder.remove() }
    let capture = PackageFolder.viewTrees.appendingPathComponent("home-feed.xml").path
    let elements = [17, 26, 35]
    var session = [#"{"action":"config"}"#]
    let start = #""action":"launch","state":"inactive"}"#
    session.append(#"{"time":1765000000200,"uptime":5000.2,"# + start)
    session.append(#"{"time":1765000000700,"uptime":5000.7,"action":"init"}"#)
    for (name, time) in [("didFinishLaunching", 12), ("didBecomeActive", 17)] {
      session.append(
        #"{"time":17650000\#(time)00,"uptime":500\#(time).0,"action":"notification","name":"\#(name)"}"#)
    }
    for (i, element) in elements.enumerated() {
      session.append(
        #"{"time":\#(1_765_000_010_000 + 2_000 * i),"uptime":\#(5_100 + 2 * i),"action":"tap","capture":"\#(capture)","#
          + #""element":\#(element)}"#)
    }
    try folder.write("session.ndjson", session.joined(separator: "\n") + "\n")
    let replayed = try Tool.run(["replay", "--sdk", "lede", "--events-only", "session.ndjson"], in: folder.url)
    let clicks = replayed.lines.filter { $0.contains(#""eventName":"click""#) }
    try #require(clicks.count == elements.count, "\(replayed.errors)")
    try folder.write("clicks.ndjson", clicks.joined(separator: "\n") + "\n")
    for (i, element) in elements.enumerated() {
      try check(capture, element, "lede", "clicks.ndjson", in: folder) { $0[i] }
    }
  }

  @Test(
    "in growingio and posthog",
    arguments: [
      (
        "growingio",
        #"{"eventType":"VIEW_CLICK","timestamp":1767225600014,"domain":"com.example.shop","path":"","textValue":"Buy","#
          + #""deviceId":"d","platform":"iOS","xcontent":"/0/0","xpath":"/CartViewController/UIButton"}"#
      ),
      (
        "posthog",
        #"{"event":"$autocapture","distinct_id":"u","properties":{"$event_type":"touch","$screen_name":"Cart","#
          + #""$elements_chain":"UIButton:text=\"Buy\";UIView;UIWindow","$app_namespace":"com.example.shop"}}"#
      ),
    ])
  func others(style: String, event: String) throws {
    let folder = try TemporaryFolder()
    defer { folder.remove() }
    try folder.write(
      "cart.xml",
      """
      <viewTree version="1" app="com.example.shop"><view class="UIWindow" frame="0 0 390 844">
        <view class="UIView" controller="Shop.CartViewController" frame="0 0 390 844">
          <view class="UIButton" text="Buy" frame="20 20 100 44"/>
        </view>
      </view></viewTree>
      """.replacing("Shop.Cart", with: style == "posthog" ? "Shop.Cart" : "Cart"))
    try folder.write("events.ndjson", event + "\n" + event.replacing("UIButton", with: "UISwitch") + "\n")
    try check("cart.xml", 2, style, "events.ndjson", in: folder) { $0[0] && !$0[1] }
  }

  private func check(
    _ capture: String, _ element: Int, _ style: String, _ events: String, in folder: TemporaryFolder,
    _ isRight: ([Bool]) -> Bool
  ) throws {
    let rule = try Tool.run(
      ["suggest", capture, "\(element)", "--style", style, "--rules-yaml"], in: folder.url)
    try folder.write("rules.yaml", rule.text)
    let match = try Tool.run(["match", "--rules", "rules.yaml", events], in: folder.url)
    let selected = match.lines.map { $0.contains(#""selected":true"#) }
    #expect(isRight(selected), "\(style) \(element): \(selected)\n\(rule.text)\(rule.errors)\(match.errors)")
  }
}
