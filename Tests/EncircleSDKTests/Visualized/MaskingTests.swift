import EncircleEvents
import EncircleIdentity
import EncircleTestSupport
import EncircleText
import EncircleTree
import Foundation
import Testing

@testable import EncircleSDK

@Suite struct MaskingTests {
  private let secret = "ann@example.com"

  /// A cell with a label and a field with its own label.
  private func form(_ field: [String] = ["UITextField", "UIControl"]) -> [[String: Any]] {
    let joined = "E-mail-\(secret)-Send"
    return MadeMessage.page(
      [
        MadeMessage.view(
          "$4", [], path: "UIView/UIView[0]", content: joined, subelements: ["$5", "$6", "$8"]),
        MadeMessage.view("$5", ["UILabel"], path: "UIView/UIView[0]/UILabel[0]", content: "E-mail"),
        MadeMessage.view(
          "$6", field, path: "UIView/UIView[0]/\(field[0])[0]", in: [10, 20, 30, 40], content: secret,
          subelements: ["$7"]),
        MadeMessage.view(
          "$7", ["UITextFieldLabel", "UILabel"], path: "UIView/UIView[0]/\(field[0])[0]/UITextFieldLabel[0]",
          content: secret),
        MadeMessage.view("$8", ["UIButton", "UIControl"], path: "UIView/UIView[0]/UIButton[0]", content: "Send"),
      ], content: joined)
  }

  @Test(arguments: [
    ["UITextField", "UIControl"], ["LoginField", "UITextField", "UIControl"], ["UITextView", "UIScrollView"],
    ["UISearchBar"], ["RCTTextField", "RCTBaseTextInputView"], ["NSKVONotifying_UITextField", "UITextField"],
  ])
  func `typed text is removed from the field, its label and every view around it`(field: [String]) throws {
    let screen = try #require(try MadeMessage.read(MadeMessage.body(objects: form(field)))?.screen)
    #expect(!String(decoding: screen.capture, as: UTF8.self).contains(secret))
    #expect(!"\(screen.facts)\(screen.contents)".contains(secret))
    let contents = screen.facts.filter(\.isListed).map { $0.content ?? "-" }
    #expect(contents.prefix(4) == ["E-mail-Send", "E-mail-Send", "E-mail-Send", "E-mail"])
    #expect(screen.fieldAreas.contains { $0.x == 10 && $0.y == 20 && $0.width == 30 && $0.height == 40 })
  }

  @Test func `a title is not typed text, even if the title view is a search bar`() throws {
    func screen(_ title: String, typed: String, _ earlier: SnapshotScreen? = nil) throws -> SnapshotScreen {
      let views = [
        MadeMessage.view("$4", ["UINavigationBar"], path: "UIView/UINavigationBar[0]", subelements: ["$5"]),
        MadeMessage.view(
          "$5", ["UISearchBar"], path: "UIView/UINavigationBar[0]/UISearchBar[0]", content: typed, ["title": title]),
      ]
      let payload = MadeMessage.json([
        "serialized_objects": ["rootObject": "$1", "objects": MadeMessage.page(views)]
      ])
      let body = MadeMessage.body(payload: gzip(payload), ["title": title])
      return try #require(try MadeMessage.read(body, after: earlier)?.screen)
    }
    let typing = try screen(secret, typed: secret)
    #expect(typing.title == nil)
    #expect(!String(decoding: typing.capture, as: UTF8.self).contains(secret))
    #expect(try screen("Results for \(secret)", typed: secret).title == "Results for ***")
    #expect(try screen("Search", typed: secret).title == "Search")
    #expect(try screen("Results for \(secret)", typed: "x", typing).title == "Results for ***")
  }

  @Test func `typed text does not come back with the events of a later screen`() throws {
    let earlier = try #require(try MadeMessage.read(MadeMessage.body(objects: form()))?.screen)
    let views = [MadeMessage.view("$4", ["UILabel"], path: "UIView/UILabel[0]", content: "Thanks")]
    let read = event("UIView/UIView[0]/UIButton[0]", "Send", ["mail": "to \(secret)"])
    var screen = earlier
    for _ in 0..<3 {
      let body = MadeMessage.body(objects: MadeMessage.page(views), ["event_debug": [read]])
      let snapshot = try #require(try MadeMessage.read(body, after: screen))
      #expect(property(snapshot.events.first, "mail") == "to ***")
      screen = try #require(snapshot.screen)
    }
  }

  @Test func `a text that grows for minutes does not displace texts that were typed before`() {
    var typed = TypedTexts(present: ["\(secret)"], isInBar: false, after: TypedTexts())
    for length in 4..<304 {
      let note: UTF8String = "\(String(repeating: "x", count: length))"
      typed = TypedTexts(present: [note], isInBar: false, after: typed)
    }
    #expect(typed.isIn("to \(secret)") && typed.earlier.count == 64)
    for number in 100..<164 { typed = TypedTexts(present: ["note \(number)"], isInBar: false, after: typed) }
    #expect(!typed.isIn("to \(secret)") && typed.isIn("note 100"), "the number of texts is limited")
  }

  @Test func `content with a placeholder stays if nothing was typed`() throws {
    let views = [
      MadeMessage.view("$4", ["UITextField", "UIControl"], path: "UIView/UITextField[0]", content: "验证码"),
      MadeMessage.view("$5", ["UIButton", "UIControl"], path: "UIView/UIButton[0]", content: "获取验证码"),
    ]
    let events = [event("UIView/UIButton[0]", "获取验证码"), event("UIView/UIButton[0]", "重发验证码")]
    let body = MadeMessage.body(objects: MadeMessage.page(views), ["event_debug": events])
    let masked = try #require(try MadeMessage.read(body)).events.map { property($0, "$element_content") }
    #expect(masked == ["获取验证码", "重发***"])
  }

  /// An alert over a page, with a list whose cell with a field the SDK does not report.
  private func alert(field: String?) -> [[String: Any]] {
    let path = "UIAlertController/_UIAlertControllerView"
    let joined = ["Really?", field].compactMap { $0 }.joined(separator: "-")
    var list = MadeMessage.view(
      "$5", ["UICollectionView", "UIScrollView"], path: "\(path)/UICollectionView[0]", in: [60, 300, 200, 40])
    if let field {
      list = MadeMessage.view(
        "$5", ["UICollectionView", "UIScrollView"], path: "\(path)/UICollectionView[0]", in: [60, 300, 200, 40],
        content: field)
    }
    return [
      MadeMessage.view(
        "$1", ["UIWindow"], path: "UIWindow", in: [0, 0, 390, 844], content: joined, subelements: ["$2"]),
      MadeMessage.controller("$2", ["UINavigationController"], ["$3"]),
      MadeMessage.controller("$3", ["UIAlertController"], ["$4"]),
      MadeMessage.view(
        "$4", ["_UIAlertControllerView"], path: path, in: [50, 250, 270, 150], content: joined,
        subelements: ["$6", "$5"]),
      list,
      MadeMessage.view("$6", ["UILabel"], path: "\(path)/UILabel[0]", in: [60, 260, 200, 20], content: "Really?"),
    ]
  }

  @Test func `fields beneath an alert and the alert's own field are places that a picture must not show`() throws {
    let earlier = try #require(try MadeMessage.read(MadeMessage.body(objects: form()))?.screen)
    let plain = try #require(try MadeMessage.read(MadeMessage.body(objects: alert(field: nil)))?.screen)
    #expect(plain.fieldAreas.isEmpty)
    let over = try #require(try MadeMessage.read(MadeMessage.body(objects: alert(field: nil)), after: earlier)?.screen)
    #expect(over.fieldAreas == earlier.fieldAreas)
    let still = try #require(try MadeMessage.read(MadeMessage.body(objects: alert(field: nil)), after: over)?.screen)
    #expect(still.fieldAreas == earlier.fieldAreas && !still.hasUnplacedField)
    // A message with the page beneath may still be under way.
    let missing = try SnapshotMessage(MadeMessage.body(objects: alert(field: nil)))
    let unknown = try #require(try missing.snapshot(after: earlier, missesEarlier: true)?.screen)
    #expect(unknown.hasUnplacedField)
    #expect(try missing.snapshot(after: unknown)?.screen?.hasUnplacedField == true)
    let page = try SnapshotMessage(MadeMessage.body(objects: form()))
    #expect(try page.snapshot(after: unknown, missesEarlier: true)?.screen?.hasUnplacedField == false)
    let asks = try #require(try MadeMessage.read(MadeMessage.body(objects: alert(field: secret)))?.screen)
    #expect(asks.fieldAreas == [Frame(x: 60, y: 300, width: 200, height: 40)])
    #expect(!String(decoding: asks.capture, as: UTF8.self).contains(secret))
  }

  @Test func `items beyond the edge of a list in a cell are part of the cell's content, unless somebody typed them`()
    throws
  {
    func content(_ beyond: String, typed: String) throws -> String? {
      let table = "UIView/UITableView[0]"
      let cell = "\(table)/StripCell[0][-]"
      let list = "\(cell)/UICollectionView[0]"
      let views = [
        MadeMessage.view("$4", ["UITableView", "UIScrollView"], path: table, subelements: ["$5"]),
        MadeMessage.view(
          "$5", ["StripCell", "UITableViewCell"], path: cell, content: "Sale-\(beyond)", position: "0:0",
          subelements: ["$6"]),
        MadeMessage.view(
          "$6", ["UICollectionView", "UIScrollView"], path: list, content: "Sale-\(beyond)", position: "0:0",
          subelements: ["$7"]),
        MadeMessage.view(
          "$7", ["BannerCell", "UICollectionViewCell"],
          path: "\(table)/StripCell[0][0]/UICollectionView[0]/BannerCell[0][-]", content: "Sale", position: "0:0",
          subelements: ["$8"]),
        MadeMessage.view(
          "$8", ["UILabel"], path: "\(table)/StripCell[0][0]/UICollectionView[0]/BannerCell[0][-]/UILabel[0]",
          content: "Sale", position: "0:0"),
        MadeMessage.view("$9", ["UITextField", "UIControl"], path: "UIView/UITextField[0]", content: typed),
      ]
      let screen = try #require(try MadeMessage.read(MadeMessage.body(objects: MadeMessage.page(views)))?.screen)
      #expect(screen.differences == [])
      return screen.facts.first { $0.path == cell }?.content
    }
    #expect(try content("Members' day", typed: secret) == "Sale-Members' day")
    #expect(try content("for \(secret)", typed: secret) == "Sale")
  }

  @Test func `text that no listed view explains is left out, as on the page beneath an alert`() throws {
    let views = [
      MadeMessage.view(
        "$4", ["UILabel"], path: "UIView/UILabel[0]", content: "Really?")
    ]
    let objects = MadeMessage.page(views, content: "\(secret)-Really?")
    let screen = try #require(try MadeMessage.read(MadeMessage.body(objects: objects))?.screen)
    #expect(screen.facts.filter(\.isListed).map { $0.content ?? "-" } == ["Really?", "Really?", "Really?"])
  }

  @Test func `states of controls are learnt from the content around them, if nothing else can be meant`() throws {
    func contents(_ whole: String) throws -> String? {
      let views = [
        MadeMessage.view("$4", [], path: "UIView/UIView[0]", content: whole, subelements: ["$5", "$6", "$7"]),
        MadeMessage.view("$5", ["UILabel"], path: "UIView/UIView[0]/UILabel[0]", content: "Sound"),
        MadeMessage.view("$6", ["UISwitch", "UIControl"], path: "UIView/UIView[0]/UISwitch[0]"),
        MadeMessage.view("$7", ["UISlider", "UIControl"], path: "UIView/UIView[0]/UISlider[0]"),
      ]
      let screen = try #require(
        try MadeMessage.read(MadeMessage.body(objects: MadeMessage.page(views)))?.screen)
      return screen.facts.first { $0.path == "UIView/UIView[0]" }?.content
    }
    #expect(try contents("Sound-checked--0.500000") == "Sound-checked--0.500000")
    #expect(try contents("Sound-unchecked-1.000000") == "Sound-unchecked-1.000000")
    #expect(try contents("Sound-checked-\(secret)") == "Sound")
    #expect(try contents("Sound-checked-1.0-\(secret)") == "Sound")
  }

  @Test func `elements of web pages that people type into have no text`() throws {
    let web: [String: Any] = ["is_h5": true, "tag_name": "textarea", "url": "https://a.example"]
    let views = [
      MadeMessage.view("$4", ["WKWebView"], path: "UIView/WKWebView[0]", subelements: ["$5"]),
      MadeMessage.view("$5", ["textarea"], path: "body > textarea", content: secret, web),
    ]
    let screen = try #require(try MadeMessage.read(MadeMessage.body(objects: MadeMessage.page(views)))?.screen)
    #expect(!String(decoding: screen.capture, as: UTF8.self).contains(secret))
    #expect(screen.fieldAreas.count == 1)
  }

  @Test(arguments: ["1234567 ", " 1234567\n", "12 "])
  func `typed text is removed also where the app has removed the spaces around it`(typed: String) throws {
    let field = MadeMessage.view("$4", ["UITextField", "UIControl"], path: "UIView/UITextField[0]", content: typed)
    let trimmed = typed.trimmingCharacters(in: .whitespacesAndNewlines)
    let read = event("UIView/UIButton[0]", "Send", ["code": trimmed, "written": typed, "none": ""])
    let body = MadeMessage.body(objects: MadeMessage.page([field]), ["event_debug": [read]])
    let events = try #require(try MadeMessage.read(body)).events
    #expect(["code", "written", "none"].map { property(events.first, $0) } == ["***", "***", ""])
  }

  @Test func `typed text is removed also where the whole text of a property is it in other case`() throws {
    let field = MadeMessage.view(
      "$4", ["UITextField", "UIControl"], path: "UIView/UITextField[0]", content: "Ann@Example.com")
    let search = MadeMessage.view("$5", ["UITextField", "UIControl"], path: "UIView/UITextField[1]", content: "home")
    let read = event("UIView/UIButton[0]", "Send", ["mail": secret, "class": "HomeCell"])
    let body = MadeMessage.body(objects: MadeMessage.page([field, search]), ["event_debug": [read]])
    let events = try #require(try MadeMessage.read(body)).events
    #expect(["mail", "class"].map { property(events.first, $0) } == ["***", "HomeCell"])
    #expect(property(events.first, "$screen_name") == "HomeViewController")
  }

  @Test func `a typed text that is longer than the limit of texts is removed as a whole`() throws {
    let typed = (0..<3_000).map { "第\($0)" }.joined(separator: " ")
    let field = MadeMessage.view("$4", ["UITextView", "UIScrollView"], path: "UIView/UITextView[0]", content: typed)
    let read = event("UIView/UIButton[0]", "Send", ["text": "It says: \(typed)"])
    let body = MadeMessage.body(objects: MadeMessage.page([field]), ["event_debug": [read]])
    let events = try #require(try MadeMessage.read(body)).events
    #expect(property(events.first, "text") == "It says: ***")
  }

  @Test func `typed text is removed from addresses, in which it is percent-encoded`() throws {
    let field = MadeMessage.view(
      "$4", ["UITextField", "UIControl"], path: "UIView/UITextField[0]", content: "跑步 鞋42")
    let earlier = try #require(try MadeMessage.read(MadeMessage.body(objects: MadeMessage.page([field])))?.screen)
    let query = "q=%E8%B7%91%e6%ad%a5+%E9%9E%8B42"
    let web: [String: Any] = ["is_h5": true, "tag_name": "a", "url": "https://a.example/search?\(query)"]
    let views = [
      MadeMessage.view("$4", ["WKWebView"], path: "UIView/WKWebView[0]", subelements: ["$5"]),
      MadeMessage.view("$5", ["a"], path: "body > a", content: "More", web),
    ]
    let read = event("body > a", "More", ["$url": "https://a.example/?\(query)&x=1", "kept": "100%+"])
    let body = MadeMessage.body(objects: MadeMessage.page(views), ["event_debug": [read]])
    let snapshot = try #require(try MadeMessage.read(body, after: earlier))
    #expect(property(snapshot.events.first, "$url") == "https://a.example/?q=***&x=1")
    #expect(property(snapshot.events.first, "kept") == "100%+")
    let capture = String(decoding: try #require(snapshot.screen).capture, as: UTF8.self)
    #expect(capture.contains("url=\"https://a.example/search\""))
  }

  @Test(arguments: [100, 101])
  func `titles, queries and events are removed without a search if more than 100 texts are typed`(count: Int) throws {
    let fields = (0..<count).map {
      MadeMessage.view("$f\($0)", ["UITextField"], path: "UIView/UITextField[\($0)]", content: "typed text \($0)")
    }
    let address = "https://a.example/list?page=2"
    let web: [String: Any] = ["is_h5": true, "tag_name": "a", "url": address, "h5_title": "All goods"]
    let views = [
      MadeMessage.view("$4", ["WKWebView"], path: "UIView/WKWebView[0]", subelements: ["$5"]),
      MadeMessage.view("$5", ["a"], path: "body > a", content: "More", web),
    ]
    let body = MadeMessage.body(
      objects: MadeMessage.page(views + fields), ["event_debug": [event("body > a", "More")]])
    let snapshot = try #require(try MadeMessage.read(body))
    let screen = try #require(snapshot.screen)
    let capture = String(decoding: screen.capture, as: UTF8.self)
    #expect(capture.contains("url=\"\(count > 100 ? "https://a.example/list" : address)\""))
    #expect(capture.contains("All goods") == (count <= 100) && screen.title == (count > 100 ? nil : "Home"))
    #expect(snapshot.events.isEmpty == (count > 100))
  }

  private func event(_ path: String, _ content: String, _ others: [String: Any] = [:]) -> [String: Any] {
    var properties: [String: Any] = [
      "$element_path": path, "$screen_name": "HomeViewController", "$element_content": content,
    ]
    properties.merge(others) { $1 }
    return ["event": "$AppClick", "distinct_id": "d", "properties": properties]
  }

  private func property(_ event: EventObject?, _ name: String) -> String? {
    guard case .object(let properties)? = event?["properties"], case .string(let text)? = properties[name] else {
      return nil
    }
    return text
  }

  @Test func `the content of an event's element is what the screen has without typed text`() throws {
    let events = [
      event("UIView/UIView[0]", "E-mail-\(secret)-Send"), event("UIView/UIView[0]/UIButton[0]", "Send"),
      event("UIView/Other[0]", "anything"),
      // The text may have been another one at the moment of the event.
      event("UIView/UIView[0]", "E-mail-ann@-Send"),
    ]
    let snapshot = try #require(try MadeMessage.read(MadeMessage.body(objects: form(), ["event_debug": events])))
    #expect(
      snapshot.events.map { property($0, "$element_content") } == ["E-mail-Send", "Send", nil, "E-mail-Send"])
  }

  @Test func `an event's element may be on the screen before`() throws {
    let earlier = try #require(try MadeMessage.read(MadeMessage.body(objects: form()))?.screen)
    let views = [MadeMessage.view("$4", ["UILabel"], path: "UIView/UILabel[0]", content: "Thanks")]
    let events = [event("UIView/UIView[0]/UIButton[0]", "Send"), event("UIView/UIView[0]", secret)]
    let body = MadeMessage.body(objects: MadeMessage.page(views), ["event_debug": events])
    let snapshot = try #require(try MadeMessage.read(body, after: earlier))
    #expect(snapshot.events.map { property($0, "$element_content") } == ["Send", "E-mail-Send"])
  }

  @Test func `typed text is removed from every text of an event, including names`() throws {
    let odd: [String: Any] = [
      "hint": "sent to \(secret)!", "list": [secret, ["deep": "<\(secret)>"]], secret: "x", "kept": "Send",
    ]
    let body = MadeMessage.body(
      objects: form(), ["event_debug": [event("UIView/UIView[0]/UIButton[0]", "Send", odd), "no event", [1, 2]]])
    let events = try #require(try MadeMessage.read(body)).events
    #expect(events.count == 1)
    let text = String(decoding: EventValue.object(events[0]).json, as: UTF8.self)
    #expect(!text.contains(secret))
    #expect(text.contains("sent to ***!"))
    #expect(text.contains("\"kept\":\"Send\""))
  }

  @Test func `typed text is removed even if the next scalar combines with its end`() throws {
    let marks = ["hint": "\(secret)\u{301}", "joined": "a\(secret)\u{200D}b", "\(secret)\u{FE0F}": "x"]
    let body = MadeMessage.body(
      objects: form(), ["event_debug": [event("UIView/UIView[0]/UIButton[0]", "Send", marks)]])
    let events = try #require(try MadeMessage.read(body)).events
    let bytes = EventValue.object(try #require(events.first)).json
    #expect(Data(bytes).range(of: Data(secret.utf8)) == nil)
  }
}
