import EncircleTestSupport
import Foundation
import Testing

/// A rule that `suggest` writes selects the tap that it was made for, as the SDK of its style sends it, and is laid out as `fmt` does.
@Suite struct OwnTapTests {
  // Alerts of both layouts, tabs and lists, cells without an index path and shared identities, segments, bar items, gestures.
  private static let captures = [
    "alert-ios9.xml", "alert-ios10.xml", "home-feed.xml", "collisions.xml", "segmented.xml", "tab-bar.xml",
    "order-v5.2.xml",
  ]

  @Test(
    "of elements of every kind, as replay has it", arguments: captures, ["hubbledata", "lede", "sensors"])
  func replayed(name: String, style: String) throws {
    let folder = try TemporaryFolder()
    defer { folder.remove() }
    let capture = PackageFolder.viewTrees.appendingPathComponent(name).path
    let elements = try Self.elements(of: capture, style, in: folder)
    var session = Self.start
    for (i, element) in elements.enumerated() {
      let time = #""time":\#(1_765_000_010_000 + 2_000 * i),"uptime":\#(5_100 + 2 * i)"#
      session.append(
        "{\(time),\(Self.use(of: element, style)),\"capture\":\"\(capture)\",\"element\":\(element.number)}")
    }
    try folder.write("session.ndjson", session.joined(separator: "\n") + "\n")
    let replayed = try Tool.run(["replay", "--sdk", style, "--events-only", "session.ndjson"], in: folder.url)
    let clicks = replayed.lines.filter { line in
      Self.clickMarks.contains { line.contains($0) }
    }
    try #require(clicks.count == elements.count, "\(style) \(name): \(replayed.errors)")
    try folder.write("clicks.ndjson", clicks.joined(separator: "\n") + "\n")
    try check(capture, elements.map(\.number), style, "clicks.ndjson", in: folder) { number, selected in
      selected.indices.contains(number) && selected[number]
    }
    try expectFormatted(in: folder)
  }

  private static let clickMarks = [#""event":"$AppClick""#, #""eventName":"click""#, #""type":"#]

  private struct Element {
    let number: Int
    let kind: String
  }

  /// Returns two elements of each kind and class that the SDK of a style tracks; in small runs one of a third of the kinds,
  /// as each takes two processes.
  private static func elements(of capture: String, _ style: String, in folder: TemporaryFolder) throws -> [Element] {
    let list = try Tool.run(
      ["resolve", capture, "--style", style, "--only", "trackable", "--format", "ndjson"], in: folder.url)
    var counts: [String: Int] = [:]
    var result: [Element] = []
    for line in list.lines {
      let record = try JSONSerialization.jsonObject(with: Data(line.utf8)) as? [String: Any]
      guard let number = record?["element"] as? Int, let kind = record?["kind"] as? String,
        let className = record?["class"] as? String, className != "UIRefreshControl"
      else { continue }
      counts["\(kind) \(className)", default: 0] += 1
      let most = TestSize.isFull ? 2 : 1
      if counts["\(kind) \(className)", default: 0] <= most { result.append(Element(number: number, kind: kind)) }
    }
    return TestSize.part(result, of: capture.utf8.count + style.utf8.count)
  }

  /// Returns the members of the signal that uses an element.
  private static func use(of element: Element, _ style: String) -> String {
    switch element.kind {
    case "tableViewSelectEvent", "collectionViewSelectEvent": #""action":"select""#
    case "gestureTapEvent", "alertEvent":
      #""action":"gesture","recognizer":"UITapGestureRecognizer","state":"ended""#
    case "gestureLongPressEvent":
      #""action":"gesture","recognizer":"UILongPressGestureRecognizer","state":"\#(style == "sensors" ? "ended" : "began")""#
    case "searchBarEvent": #""action":"editingEnd","attributes":{"text":"tea"}"#
    default: #""action":"tap""#
    }
  }

  private static let start =
    [
      #"{"action":"config","autoTrack":["click"]}"#,
      #"{"time":1765000000200,"uptime":5000.2,"action":"launch","state":"inactive"}"#,
      #"{"time":1765000000700,"uptime":5000.7,"action":"init"}"#,
    ]
    + [("didFinishLaunching", 12), ("didBecomeActive", 17)].map { name, time in
      #"{"time":17650000\#(time)00,"uptime":500\#(time).0,"action":"notification","name":"\#(name)"}"#
    }

  @Test(
    "suggestions in growingio and posthog",
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
    try check("cart.xml", [2], style, "events.ndjson", in: folder) { $1 == [true, false] }
    try expectFormatted(in: folder)
  }

  // MARK: - The flower shop, whose taps are stored as all SDKs send them

  private static let shopStyles = [
    "hubbledata", "sensors", "posthog", "growingio", "sensors-android", "growingio-android",
  ]

  @Test("suggestions for one element of each class in each style of the shop", arguments: shopStyles)
  func shop(style: String) throws {
    let folder = try TemporaryFolder()
    defer { folder.remove() }
    let taps = try ShopTap.all().filter { $0.style == style }
    try folder.write("events.ndjson", taps.map(\.event).joined(separator: "\n") + "\n")
    for name in Set(taps.map(\.capture)).sorted() {
      let capture = PackageFolder.viewTrees.appendingPathComponent(name).path
      let own = try Self.elements(of: capture, style, in: folder).map(\.number)
      let tried = taps.indices.filter { taps[$0].capture == name && own.contains(taps[$0].element) }
      try check(capture, tried.map { taps[$0].element }, style, "events.ndjson", in: folder) { number, selected in
        let i = tried[number]
        // Of the others, only those in other rows.
        return selected[i] && zip(taps, selected).allSatisfy { !$1 || $0.kind == taps[i].kind }
      }
    }
    try expectFormatted(in: folder)
  }

  @Test("suggestions in hubbledata-android use the path with the page")
  func hubbleDataAndroid() throws {
    let folder = try TemporaryFolder()
    defer { folder.remove() }
    let capture = PackageFolder.viewTrees.appendingPathComponent("android-shop.xml").path
    let list = try Tool.run(
      ["resolve", capture, "--style", "hubbledata-android", "--only", "trackable", "--format", "ndjson"], in: folder.url
    )
    let records = try list.lines.map {
      try #require(JSONSerialization.jsonObject(with: Data($0.utf8)) as? [String: Any])
    }
    let events = try records.map { record in
      let properties = ["$element_path": record["path"] ?? "", "$screen_name": record["page"] ?? ""]
      let event: [String: Any] = ["event": "$AppClick", "properties": properties]
      return String(decoding: try JSONSerialization.data(withJSONObject: event), as: UTF8.self)
    }
    try folder.write("events.ndjson", events.joined(separator: "\n") + "\n")
    let tried = TestSize.part(Array(records.indices), of: 0)
    let elements = try tried.map { try #require(records[$0]["element"] as? Int) }
    try check(capture, elements, "hubbledata-android", "events.ndjson", in: folder) { $1[tried[$0]] }
    try expectFormatted(in: folder)
  }

  @Test("the event ID that HubbleData's SDK for Android makes leads to its element in every command")
  func hubbleDataAndroidID() throws {
    let folder = try TemporaryFolder()
    defer { folder.remove() }
    let capture = PackageFolder.viewTrees.appendingPathComponent("android-shop.xml").path
    let style = ["--style", "hubbledata-android"]
    let record = try #require(
      try Tool.run(["resolve", capture, "--format", "ndjson"] + style, in: folder.url).lines.first {
        $0.contains("\"element\":20,")
      })
    let id = try #require(record.firstMatch(of: /"style_id":"([0-9a-f]{64})"/)?.1)
    try folder.write("tap.ndjson", "{\"eventId\":\"\(id)\",\"type\":\"buttonEvent\"}\n")
    let found = try Tool.run(["select", "--event", "tap.ndjson", capture, "--format", "ndjson"], in: folder.url)
    #expect(found.lines.count == 1 && found.text.contains("\"element\":20,"), "\(found.text) \(found.errors)")
    let rule = try Tool.run(["suggest", capture, String(id.prefix(12)), "--rules-yaml"] + style, in: folder.url)
    #expect(rule.text.contains("MaterialButton#add"), "\(rule.text) \(rule.errors)")
    try folder.write("rules.yaml", rule.text)
    let given = ["--rules", "rules.yaml", "--captures", capture]
    let decided = try Tool.run(["match"] + given + ["tap.ndjson"], in: folder.url)
    #expect(decided.text.contains("\"selected\":true"), "\(decided.text)")
    let coverage = try Tool.run(["coverage"] + given + ["--events", "tap.ndjson"], in: folder.url)
    // No tap is on a screen without a name.
    #expect(!coverage.lines.contains { $0.hasPrefix("- ") }, "\(coverage.text)")
  }

  /// Expects that the rule that is suggested for each element selects the right events. `isRight` gets the place of the element
  /// in the list, and for each event whether the rule selects it.
  private func check(
    _ capture: String, _ elements: [Int], _ style: String, _ events: String, in folder: TemporaryFolder,
    _ isRight: (Int, [Bool]) -> Bool
  ) throws {
    guard !elements.isEmpty else { return }
    var rules: [ToolResult] = []
    for (number, element) in elements.enumerated() {
      let rule = try Tool.run(
        ["suggest", capture, "\(element)", "--by", "number", "--style", style, "--rules-yaml"], in: folder.url)
      try folder.write("rules/\(element).yaml", rule.text)
      // One run decides by all of them, and rules of two elements may have the same id.
      try folder.write("tried/\(number).yaml", rule.text.replacing(/- id: .*/, with: "- id: tap.\(number)"))
      rules.append(rule)
    }
    var options = elements.indices.flatMap { ["--rules", "tried/\($0).yaml"] }
    if style == "hubbledata" {
      _ = try Tool.run(["index", capture, "-o", "capture.dictionary"], in: folder.url)
      options += ["--dictionary", "capture.dictionary"]
    }
    let match = try Tool.run(["match"] + options + [events], in: folder.url)
    try #require(!match.lines.isEmpty, "\(style) \(elements): \(match.errors)")
    for (number, element) in elements.enumerated() {
      let selected = match.lines.map { $0.contains(#""selected":true"#) && $0.contains("\"tap.\(number)\"") }
      #expect(
        isRight(number, selected), "\(style) \(element): \(selected)\n\(rules[number].text)\(rules[number].errors)")
    }
  }

  /// Expects that the rules that were tried in a folder are laid out as `fmt` does.
  private func expectFormatted(in folder: TemporaryFolder) throws {
    let formatted = try Tool.run(["fmt", "--check", "rules"], in: folder.url)
    #expect(formatted.status == 0, "\(formatted.text)\(formatted.errors)")
  }
}
