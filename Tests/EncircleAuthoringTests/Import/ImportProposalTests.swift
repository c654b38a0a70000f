import EncircleEvents
import EncircleRuleFiles
import EncircleTestSupport
import EncircleText
import Foundation
import Testing

@testable import EncircleAuthoring

/// Definitions of other tools, found again on captures.
@Suite struct ImportProposalTests {
  private static let path = "/UIView[0]/UITableView[0]/ProductCell[-]/UIButton[0]"

  private static func report(_ json: String) throws -> ImportReport {
    var reading = DefinitionImport()
    try reading.add(Array(json.utf8), name: "f.json")
    var report = ImportReport(reading.finish(), ImportReport.Options())
    let captures = try ["home-feed.xml", "cart.xml"].map { (name: $0, screen: try Screens.named($0)) }
    var finder = ImportFinder(captures, style: .hubbleData)
    finder.propose(for: &report)
    return report
  }

  private static func circle(_ more: String, platform: String = "iOS", path: String = path) -> String {
    """
    [{"id":"a","name":"A","platform":"\(platform)","eventType":"elem","status":"activated",
      "filter":{"path":"HomeViewController","xpath":"\(path)","content":"加入"}\(more)}]
    """
  }

  private static let rectangle = #","screenshot":{"x":"300","y":"624","w":"74","h":"36"}"#

  @Test("a circle of GrowingIO is found by text, rectangle and classes, with a clause that loads")
  func growingIO() throws {
    let entry = try Self.report(Self.circle(Self.rectangle)).entries[0]
    let proposal = try #require(entry.proposal)
    #expect(proposal.verdict == .found)
    let best = try #require(proposal.elements.first)
    #expect(best.capture == "home-feed.xml" && best.title == "UIButton 加入")
    #expect(best.reasons.map(\.code) == [.text, .frame, .classes])
    let clause = try #require(best.clause)
    #expect(clause["page"] == "HomeViewController" && clause["selector"] != nil)
    let file: EventObject = ["version": 1, "rules": .list([["id": "a", "include": .object(clause)]])]
    let text = String(decoding: EventValue.object(file).json, as: UTF8.self)
    #expect(try RuleFiles(text: text, name: "rules.yaml").ruleSet().rules.count == 1)
    // The rule of the definition itself stays what it was.
    #expect(entry.form?.kind == .literal && entry.grade == .exact)
  }

  @Test(
    "elements outside iOS apps, or without searchable facts, are not searched for",
    arguments: [
      (circle("", platform: "Android"), nil), (circle("", path: "/UIView[0]/WKWebView[0]::/body/a"), nil),
      (#"[{"id":"a","name":"A","eventType":"page","filter":{"path":"HomeViewController"}}]"#, nil),
      (circle(""), .several), (circle("").replacing("\"elem\"", with: "\"imp\""), .several),
      (circle("").replacing("HomeViewController", with: "OtherViewController"), .noCapture),
      (circle("").replacing("HomeViewController", with: "Home*"), .noCapture),
      (circle("").replacing("加入", with: "没有").replacing("UIButton", with: "UILabelX"), FoundAgain.Verdict.none),
      (#"[{"id":1,"name":"a","steps":[{"event":"$autocapture","properties":[]}]}]"#, nil),
    ] as [(String, FoundAgain.Verdict?)])
  func others(json: String, verdict: FoundAgain.Verdict?) throws {
    let proposal = try Self.report(json).entries[0].proposal
    #expect(proposal?.verdict == verdict)
    #expect(proposal?.elements.isEmpty != (verdict == .several))
  }

  @Test("Sensors' events are searched for if their rule is not certain", arguments: [true, false])
  func sensors(hasPage: Bool) throws {
    func file(_ path: String, _ page: String) -> String {
      """
      {"version":"1","os":"iOS","app_id":"a","events":[{"event_name":"e","event_type":"appclick","event":
       {"element_path":"\(path)",\(page)"element_content":"加入","limit_element_content":true,"h5":false}}]}
      """
    }
    let path = "UIView/UITableView[0]/ProductCell[0][-]/UIButton[0]"
    let page = #""screen_name":"HomeViewController","#
    // Without a page there is no certain rule, and no page to look at; a path that is no selector can be looked for.
    let report = try Self.report(hasPage ? file(path + "(", page) : file(path, ""))
    let entry = report.entries[0]
    #expect(entry.proposal?.verdict == (hasPage ? .several : .noCapture))
    #expect(try Self.report(file(path, page)).entries[0].proposal == nil)
  }

  /// A PNG's beginning and end, of a size.
  private static func picture(width: UInt8, times: UInt8) -> String {
    let size = Int(width) * Int(times)
    var bytes: [UInt8] = [0x89, 0x50, 0x4E, 0x47, 0x0D, 0x0A, 0x1A, 0x0A, 0, 0, 0, 13, 0x49, 0x48, 0x44, 0x52]
    bytes += [0, 0, UInt8(size >> 8), UInt8(size & 0xFF), 0, 0, 2, 0, 8, 6, 0, 0, 0, 0, 0, 0, 0]
    bytes += [0, 0, 0, 0, 0x49, 0x45, 0x4E, 0x44, 0xAE, 0x42, 0x60, 0x82]
    return "data:image/png;base64," + Data(bytes).base64EncodedString()
  }

  @Test(
    "the picture says how wide the screen was on which a rectangle lies",
    arguments: [
      (picture(width: 195, times: 2), 390), (picture(width: 250, times: 3), 375), (picture(width: 195, times: 6), 390),
      (picture(width: 250, times: 12), nil), ("data:image/png;base64,AAAA", nil), ("data:image/png;base64,?", nil),
      ("data:image/png", nil), ("", nil),
    ] as [(String, Double?)])
  func width(viewport: String, width: Double?) throws {
    let more = #","screenshot":{"x":"300","y":"624","w":"74","h":"36","viewport":"\#(viewport)"}"#
    var reading = DefinitionImport()
    try reading.add(Array(Self.circle(more).utf8), name: "f.json")
    #expect(reading.finish()[0].circled?.screenWidth == width)
  }

  @Test(
    "a picture in the file is shown with its rectangle in pixels, and invalid pictures are not shown",
    arguments: [
      (picture(width: 195, times: 4), #","x":"10","y":20,"w":"30","h":"40""#, "20.0,40.0,60.0,80.0"),
      // Beside the picture, of no known scale, and without a rectangle.
      (picture(width: 195, times: 4), #","x":"380","y":"20","w":"30","h":"40""#, ""),
      (picture(width: 250, times: 12), #","x":"10","y":"20","w":"30","h":"40""#, ""),
      (picture(width: 195, times: 4), "", ""),
      (picture(width: 195, times: 4), #","x":"1e308","y":"1e308","w":"1e308","h":"1e308""#, ""),
      (
        ScreenshotTests.webP(lossless: true, width: 780, height: 1_688), #","x":"10","y":20,"w":"30","h":"40""#,
        "20.0,40.0,60.0,80.0"
      ),
      (String(ScreenshotTests.webP(lossless: true, width: 780, height: 1_688).dropLast(8)), "", nil),
      (picture(width: 195, times: 4).replacing(";base64", with: ""), "", nil),
      (String(picture(width: 195, times: 4).dropLast(8)), "", nil),
      ("data:image/svg+xml;base64,PHN2Zy8+", "", nil), ("https://a.example/b.png", "", nil), ("data:,", "", nil),
    ] as [(String, String, String?)])
  func shownPicture(viewport: String, rectangle: String, shown: String?) throws {
    let more = #","screenshot":{"viewport":"\#(viewport)"\#(rectangle)}"#
    var reading = DefinitionImport()
    try reading.add(Array(Self.circle(more).utf8), name: "f.json")
    let definitions = reading.finish()
    let picture = definitions[0].picture
    #expect((picture == nil) == (shown == nil))
    #expect(picture?.pointer ?? "/0/screenshot/viewport" == "/0/screenshot/viewport")
    let frame = picture?.frame.map { [$0.x, $0.y, $0.width, $0.height].map { "\($0)" }.joined(separator: ",") }
    #expect(frame ?? "" == shown ?? "")
    let json = ImportJSON.text(ImportReport(definitions, ImportReport.Options()), nil)
    let type = viewport.hasPrefix("data:image/webp") ? "webp" : "png"
    #expect(
      json.contains(#""picture":{"pointer":"/0/screenshot/viewport","type":"image/\#(type)","width":"#)
        == (shown != nil))
    #expect(json.contains(#""rectangle""#) == (frame != nil))
  }

  @Test(
    "an invalid rectangle is ignored",
    arguments: [
      #"{"x":"a","y":"0","w":"1","h":"1"}"#, #"{"x":0,"y":0,"w":0,"h":1}"#, "[]", #"{"x":"nan","y":0,"w":1,"h":1}"#,
    ])
  func rectangle(screenshot: String) throws {
    var reading = DefinitionImport()
    try reading.add(Array(Self.circle(#","screenshot":\#(screenshot)"#).utf8), name: "f.json")
    let circled = try #require(reading.finish()[0].circled)
    #expect(circled.frame == nil && circled.text?.likeness("加入") == 1)
  }

  @Test("text, JSON and Markdown show the found elements, and that a person must confirm them")
  func shown() throws {
    let report = try Self.report(Self.circle(Self.rectangle))
    let text = ImportText.text(report, nil)
    #expect(text.contains("found: One element of the captures is like it.") && text.contains("a person confirms each"))
    #expect(text.contains("include: {") && text.contains("the same text, the same place on the screen"))
    let markdown = ImportMarkdown.text(report)
    #expect(markdown.contains("| found again |") && markdown.contains("/**/UIButton(0)\"}`"))
    let json = try DefinitionNode(EventValue(json: Array(ImportJSON.text(report, nil).utf8)))
    let found = json["definitions"]?.items.first?["found"]
    #expect(found?["verdict"]?.text == "found" && found?["elements"]?.items.first?["clause"]?.isObject == true)
    // Nothing of it is in the rules.
    #expect(try report.newFiles().allSatisfy { !$0.text.contains("selector") })
  }
}
