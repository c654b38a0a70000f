import EncircleTestSupport
import EncircleText
import Foundation
import Testing

@testable import EncircleWorkbook

/// The plan of the service as tables for people: what was seen of each event, and pictures of screens.
@Suite struct PlanExportTests {
  private static let rules = """
    version: 1
    rules:
      - { id: buy, include: { event: $AppClick, page: Home, selector: BuyButton }, emit: add_to_cart }
      - { id: buy.all, include: { event: $AppClick, selector: BuyButton }, emit: add_to_cart }
      - { id: help, include: { event: $AppClick, selector: HelpButton }, emit: help }
    """
  private static let plan = """
    version: 1
    events:
      - { event: add_to_cart }
      - { event: help }
      - { event: order_paid, tracking: code }
      - { event: never, status: planned }
    """
  private static let capture = """
    <viewTree version="1" app="shop" appVersion="1.0" screen="200 300"><view class="UIWindow" frame="0 0 200 300">
      <view class="UIView" controller="Home" controllerTitle="Shop" frame="0 0 200 300">
        <view class="BuyButton" superclasses="UIButton" title="Buy" frame="0 200 50 50"/>
        <view class="HelpButton" superclasses="UIButton" title="Help" frame="0 60 50 50"/>
      </view></view></viewTree>
    """
  private static let path = "/v1/rulesets/default/plan"

  private static func service() async throws -> RunningService {
    let service = try RunningService(["--retention-days", "90"])
    let put = try await service.send(
      "PUT", "/v1/rulesets/default?reason=x", headers: ["If-Match": "*"], body: Data(rules.utf8))
    #expect(put.status == 200, "\(put.text)")
    let planned = try await service.send("PUT", path, headers: ["If-None-Match": "*"], body: Data(plan.utf8))
    #expect(planned.status == 200, "\(planned.text)")
    return service
  }

  /// Random events of the last fifty days.
  private static func events() -> [[String: Any]] {
    var random = SeededGenerator(seed: 3838)
    let day = 86_400_000
    // At the ends of days, so that whole days say the same as milliseconds.
    let yesterday = Int(Date().timeIntervalSince1970) / 86_400 * day - 1
    return (0..<300).map { number in
      let button = ["BuyButton", "HelpButton"].randomElement(using: &random) ?? ""
      var properties: [String: Any] = ["$lib": "iOS", "$app_version": "3.1"]
      properties["$screen_name"] = ["Home", "Cart"].randomElement(using: &random)
      properties["$element_path"] = "UIWindow(0)_UIView(0)_\(button)(0)"
      return CollectTests.event(
        number,
        [
          "event": ["$AppClick", "$AppClick", "order_paid", "debug"].randomElement(using: &random) ?? "",
          "distinct_id": "u\(Int.random(in: 0..<40, using: &random))", "properties": properties,
          "time": yesterday - Int.random(in: 0..<50, using: &random) * day,
        ])
    }
  }

  /// The cells of some columns, by event.
  private static func cells(_ table: String, _ headers: [String]) throws -> [String] {
    var reader = CSVReader(table)
    var rows: [[String]] = []
    while let row = try reader.next() { rows.append(row.cells) }
    let columns = try headers.map { header in try #require(rows.first?.firstIndex(of: header), "\(rows.first ?? [])") }
    return rows.dropFirst().map { row in columns.map { row[$0] }.joined(separator: " ") }
  }

  @Test func `the counters of thirty days agree with the tool on the same events`() async throws {
    let service = try await Self.service()
    let events = Self.events()
    for start in stride(from: 0, to: events.count, by: 37) {
      let part = Array(events[start..<min(start + 37, events.count)])
      #expect(try await service.post("/v1/collect?project=default", json: part).status == 200)
    }
    let headers = ["Event Name", "Events 30d", "Users 30d"]
    let answer = try await service.get(Self.path + "?format=csv").text
    let found = try Self.cells(String(answer.trimmingPrefix("\u{FEFF}")), headers)
    let printed = try Tool.output(
      ["plan", "export", "--rules", "@app.yaml", "--events", "@events.ndjson"],
      files: [
        "app.yaml": Data(Self.rules.utf8), "app.plan.yaml": Data(Self.plan.utf8),
        "events.ndjson": Tool.lines(events),
      ])
    #expect(try found == Self.cells(String(printed.trimmingPrefix("\u{FEFF}")), headers))
    #expect(found.count == 4 && found.last == "never 0 0" && !found[0].hasSuffix(" 0"), "\(found)")
  }

  @Test func `a workbook shows screens with pictures, rings and counts, and each event with its part of a screen`()
    async throws
  {
    let service = try await Self.service()
    let id = try await service.upload(Self.capture.utf8, "?name=home.xml").captureID
    let picture = Data(Pictures.png(width: 200, height: 300))
    let put = try await service.send("PUT", "/v1/captures/\(id)/screenshot", body: picture)
    #expect(put.status < 300, "\(put.text)")
    let events = (0..<3).map { number in
      CollectTests.event(
        number,
        ["properties": ["$screen_name": "Home", "$element_path": "UIWindow(0)_UIView(0)_BuyButton(0)", "$lib": "iOS"]])
    }
    #expect(try await service.post("/v1/collect?project=default", json: events).status == 200)
    let answer = try await service.get(Self.path + "?format=xlsx")
    #expect(answer.status == 200, "\(answer.text)")
    let bytes = [UInt8](answer.body)
    var reader = try WorkbookReader(bytes)
    let sheets = reader.sheets
    #expect(sheets.map(\.name) == ["events", "properties", "screens", "undefined"])
    let screens = try reader.rows(of: sheets[2]).map { $0.cells.dropFirst().joined(separator: "|") }
    #expect(
      screens.dropFirst() == [
        "Home|Shop||||||||||home.xml", "Home|Shop|1|help||Tap on Help||defined||0",
        "Home|Shop|2|add_to_cart||Tap on Buy||live||3",
      ], "\(screens)")
    func part(_ name: String) throws -> Data {
      var archive = try ZIPReader(bytes, limit: 1 << 20)
      var part: [UInt8] = []
      _ = try archive.read(name) { part += $0 }
      return Data(part)
    }
    #expect(
      try part("xl/media/image1.png") == picture && part("xl/media/image2.png").isEmpty, "one picture is one file")
    let ofEvents = String(decoding: try part("xl/drawings/drawing1.xml"), as: UTF8.self)
    #expect(
      ofEvents.contains("<a:t>2</a:t>") && ofEvents.contains("<a:t>1</a:t>") && ofEvents.contains("<a:srcRect l=\"0\""))
    let ofScreens = String(decoding: try part("xl/drawings/drawing2.xml"), as: UTF8.self)
    #expect(ofScreens.contains("<a:t>2</a:t>") && !ofScreens.contains("srcRect"))
    let board = try await service.get(Self.path + "?format=html")
    #expect(board.headers["content-type"]?.hasPrefix("text/html") == true, "\(board.text)")
    #expect(board.text.contains(picture.base64EncodedString()) && board.text.contains("<td class=\"count\">3</td>"))
    #expect(board.text.contains("home.xml") && !board.text.contains(id) && !board.text.contains("came here"))
    let back = try await service.send(
      "POST", Self.path + "/import", headers: ["Content-Type": answer.headers["content-type"] ?? ""], body: answer.body)
    #expect((back.object["counts"] as? [String: Int])?["unchanged"] == 4, "pictures change nothing: \(back.text)")
  }

  @Test func `a tap of GrowingIO counts on the screen of its element, whatever alias the app gives the page`()
    async throws
  {
    let service = try RunningService()
    let rules = """
      version: 1
      style: growingio
      rules: [{ id: help, include: { event: VIEW_CLICK, selector: UIButton } }]
      """
    let put = try await service.send(
      "PUT", "/v1/rulesets/default?reason=x", headers: ["If-Match": "*"], body: Data(rules.utf8))
    #expect(put.status == 200, "\(put.text)")
    let capture = """
      <viewTree version="1"><view class="UIWindow"><view class="UIView" controller="Home">
        <view class="UIButton" actions="help:" title="Help"/></view></view></viewTree>
      """
    _ = try await service.upload(capture.utf8, "?name=home.xml").captureID
    let events = ["/shop", "", ""].enumerated().map { number, alias in
      [
        "eventType": "VIEW_CLICK", "deviceId": "d", "eventSequenceId": number, "path": alias, "textValue": "Help",
        "timestamp": Int(Date().timeIntervalSince1970 * 1_000) - number, "xpath": "/Home/UIView/UIButton",
        "xcontent": "/0/0/0",
      ] as [String: Any]
    }
    let posted = try await service.post("/v3/projects/a1b2c3d4e5f60718/collect", json: events)
    #expect(posted.status == 204, "\(posted.text)")
    let board = try await service.get(Self.path + "?format=html")
    #expect(board.text.contains("<td class=\"count\">3</td>") && !board.text.contains("/shop"), "\(board.text)")
  }
}
