import EncircleEvents
import EncircleIdentity
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
  func `what was typed goes from the field, its label and every view around it`(field: [String]) throws {
    let screen = try #require(try MadeMessage.read(MadeMessage.body(objects: form(field)))?.screen)
    #expect(!String(decoding: screen.capture, as: UTF8.self).contains(secret))
    #expect(!"\(screen.facts)\(screen.contents)".contains(secret))
    let contents = screen.facts.filter(\.isListed).map { $0.content ?? "-" }
    #expect(contents.prefix(4) == ["E-mail-Send", "E-mail-Send", "E-mail-Send", "E-mail"])
    #expect(screen.fieldAreas.contains { $0.x == 10 && $0.y == 20 && $0.width == 30 && $0.height == 40 })
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

  @Test func `elements of web pages in which people type have no text`() throws {
    let web: [String: Any] = ["is_h5": true, "tag_name": "textarea", "url": "https://a.example"]
    let views = [
      MadeMessage.view("$4", ["WKWebView"], path: "UIView/WKWebView[0]", subelements: ["$5"]),
      MadeMessage.view("$5", ["textarea"], path: "body > textarea", content: secret, web),
    ]
    let screen = try #require(try MadeMessage.read(MadeMessage.body(objects: MadeMessage.page(views)))?.screen)
    #expect(!String(decoding: screen.capture, as: UTF8.self).contains(secret))
    #expect(screen.fieldAreas.count == 1)
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

  @Test func `typed text goes from every text of an event, names included`() throws {
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

  @Test func `typed text goes also where what follows makes one character with its end`() throws {
    let marks = ["hint": "\(secret)\u{301}", "joined": "a\(secret)\u{200D}b", "\(secret)\u{FE0F}": "x"]
    let body = MadeMessage.body(
      objects: form(), ["event_debug": [event("UIView/UIView[0]/UIButton[0]", "Send", marks)]])
    let events = try #require(try MadeMessage.read(body)).events
    let bytes = EventValue.object(try #require(events.first)).json
    #expect(Data(bytes).range(of: Data(secret.utf8)) == nil)
  }
}
