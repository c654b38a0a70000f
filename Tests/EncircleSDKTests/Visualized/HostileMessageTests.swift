import EncircleTestSupport
import EncircleTree
import Foundation
import Testing

@testable import EncircleSDK

@Suite struct HostileMessageTests {
  private func error(_ body: [UInt8], _ limits: SnapshotLimits = SnapshotLimits()) -> SnapshotError.Kind? {
    do throws(SnapshotError) {
      _ = try MadeMessage.read(body, limits: limits)
      return nil
    } catch {
      return error.kind
    }
  }

  @Test func `a message that is not a JSON object is refused`() {
    for text in ["", "{", "[]", "null", "\"\u{1}\"", "{\"type\":", String(repeating: "[", count: 100_000)] {
      switch error(Array(text.utf8)) {
      case .notJSON, .notAnObject: break
      case let other: Issue.record("\(text.prefix(10)): \(String(describing: other))")
      }
    }
    #expect(error(Array("{}".utf8)) == .unknownType)
    #expect(error(Array("{\"type\":\"other\"}".utf8)) == .unknownType)
    #expect(error([0xFF, 0xFE, 0x7B]) != nil)
  }

  @Test func `a payload that is not gzip data is refused`() {
    #expect(error(MadeMessage.body(payload: nil, ["gzip_payload": "%%%"])) == .notBase64)
    #expect(error(MadeMessage.body(payload: nil, ["gzip_payload": "QQ=A"])) == .notBase64)
    for bytes in [[UInt8]("{}".utf8), [0x1F, 0x8B], Array(gzip(Array("{}".utf8)).dropLast(4))] {
      guard case .badCompression = error(MadeMessage.body(payload: bytes)) else {
        Issue.record("\(bytes) is taken")
        continue
      }
    }
    #expect(error(MadeMessage.body(payload: gzip(Array("[1]".utf8)))) == .payloadNotAnObject)
  }

  @Test func `a payload that grows beyond the limit is refused`() {
    let bomb = gzip([UInt8](repeating: 0x20, count: 40 << 20))
    #expect(error(MadeMessage.body(payload: bomb)) == .payloadTooLong(limit: 30 << 20))
    var limits = SnapshotLimits()
    limits.messageBytes = 100
    #expect(error(MadeMessage.body(payload: bomb), limits) == .messageTooLong(limit: 100))
  }

  @Test func `a payload of nothing but brackets is refused`() {
    let deep = [UInt8](repeating: UInt8(ascii: "["), count: 1_000_000)
    guard case .payloadNotJSON = error(MadeMessage.body(payload: gzip(deep))) else {
      Issue.record("it is taken")
      return
    }
  }

  @Test func `a million objects are refused`() {
    let list = String(repeating: "{\"id\":\"$\"},", count: 1_000_000).dropLast()
    let payload = gzip(Array("{\"serialized_objects\":{\"rootObject\":\"$\",\"objects\":[\(list)]}}".utf8), level: 1)
    #expect(error(MadeMessage.body(payload: payload)) == .tooManyObjects(limit: 30_000))
    var limits = SnapshotLimits()
    limits.objects = 2
    #expect(error(MadeMessage.body(objects: MadeMessage.page([])), limits) == .tooManyObjects(limit: 2))
  }

  @Test func `views that contain themselves, each other or missing views are read once`() throws {
    let objects = [
      MadeMessage.view("$1", ["UIWindow"], path: "UIWindow", subelements: ["$1", "$2", "$3", "$9", "$2"]),
      MadeMessage.view("$2", [], path: "UIWindow/UIView[0]", subelements: ["$3", "$1"]),
      MadeMessage.view("$3", ["UILabel"], path: "UIWindow/UIView[0]/UILabel[0]", subelements: ["$2", "$3"]),
      MadeMessage.view("$3", ["UILabel"], path: "twice"),
      MadeMessage.view("$7", [], path: "alone"),
    ]
    let screen = try #require(try MadeMessage.read(MadeMessage.body(objects: objects))?.screen)
    #expect(screen.identified.tree.count == 3)
    #expect(
      screen.defects
        == SnapshotScreen.Defects(missing: 1, shared: 6, repeatedIDs: 1, unreachable: 1, tooDeep: 0))
  }

  @Test func `a screen without a window, or with a missing root, gives no capture`() throws {
    let empty = MadeMessage.body(payload: gzip(Array("{\"serialized_objects\":{}}".utf8)))
    let snapshot = try #require(try MadeMessage.read(empty))
    #expect(snapshot.screen == nil)
    #expect(error(MadeMessage.body(objects: MadeMessage.page([]), root: "$404")) == .noRoot)
  }

  @Test func `missing members and members of other types are ignored`() throws {
    let odd: [Any] = [NSNull(), 1, "x", [1], ["a": 1], true, 1e300, -1]
    for value in odd {
      for name in [
        "subelements", "frame", "element_level", "element_path", "element_position", "element_content", "screen_name",
        "title", "enableAppClick", "is_h5", "tag_name", "sensorsAnalyticsViewID",
      ] {
        let view = MadeMessage.view("$4", ["UILabel"], path: "UIView/UILabel[0]", [name: value])
        let body = MadeMessage.body(objects: MadeMessage.page([view]))
        #expect(try MadeMessage.read(body)?.screen != nil, "\(name): \(value)")
      }
      var object = MadeMessage.view("$4", [], path: "UIView/UILabel[0]")
      object["class"] = value
      let body = MadeMessage.body(objects: MadeMessage.page([object]), ["event_debug": value, "screenshot": value])
      #expect(try MadeMessage.read(body)?.screen != nil, "\(value)")
    }
  }

  @Test func `thousands of levels of views end at the limit`() throws {
    let objects = (1...2_500).map { i in
      MadeMessage.view(
        "$\(i)", i == 1 ? ["UIWindow"] : [], path: i == 1 ? "UIWindow" : "UIWindow/UIView[\(i)]",
        subelements: ["$\(i + 1)"])
    }
    let screen = try #require(try MadeMessage.read(MadeMessage.body(objects: objects))?.screen)
    #expect(screen.defects.tooDeep == 1)
    #expect(screen.identified.tree.count < 20_000)
  }

  @Test func `absurd indexes and paths do not make unlimited views`() throws {
    let views = (4...200).map { i in
      MadeMessage.view(
        "$\(i)", ["UILabel"], path: "UIView/UILabel[\(i * 1_000_000)]/\(String(repeating: "A[9]/", count: 200))B[3]")
    }
    let screen = try #require(try MadeMessage.read(MadeMessage.body(objects: MadeMessage.page(views)))?.screen)
    #expect(screen.identified.tree.count < 50_000)
  }

  @Test func `script and control characters in names stay text`() throws {
    let text = "<script>alert(\"1\")</script>&\u{1}\u{0}\n\u{FFFF}"
    let views = [MadeMessage.view("$4", ["UI<b>Label", "UILabel"], path: nil, content: text)]
    let screen = try #require(try MadeMessage.read(MadeMessage.body(objects: MadeMessage.page(views)))?.screen)
    let xml = String(decoding: screen.capture, as: UTF8.self)
    #expect(!xml.contains("<script"))
    #expect(!xml.contains("<b>"))
    #expect(xml.contains("&lt;script&gt;"))
    #expect(screen.identified.tree.className(of: ElementID(2)) == "UI<b>Label")
  }

  @Test func `names of generic classes have spaces`() throws {
    let name = "UIHostingController<ModifiedContent<AnyView, RootModifier>>"
    let objects = [
      MadeMessage.view("$1", ["UIWindow"], path: "UIWindow", subelements: ["$2"]),
      MadeMessage.controller("$2", [name, "Base<A, B>"], ["$3"]),
      MadeMessage.view("$3", ["Host<A, B>"], path: "Host<A, B>", ["screen_name": name]),
    ]
    let screen = try #require(try MadeMessage.read(MadeMessage.body(objects: objects))?.screen)
    #expect(screen.differences.filter { !$0.contains("UIWindow") } == [])
    #expect(screen.identified.tree.count == 2)
  }

  @Test func `changed bytes never do more than end in an error`() throws {
    var generator = SeededGenerator(seed: 19)
    let views = (4...12).map { i in
      MadeMessage.view(
        "$\(i)", i % 3 == 0 ? ["UITextField", "UIControl"] : ["UITableViewCell"],
        path: "UIView/UITableView[0]/UITableViewCell[0][-]", content: "c\(i)", position: "0:\(i)",
        subelements: ["$\(i + 1)"], ["element_level": i, "enableAppClick": i % 2 == 0])
    }
    let payload: [String: Any] = [
      "serialized_objects": ["rootObject": "$1", "objects": MadeMessage.page(views)],
      "event_debug": [["event": "$AppClick", "properties": ["$element_path": "UIView", "$element_content": "c6"]]],
    ]
    let bytes = MadeMessage.json(payload)
    var taken = 0
    for _ in 0..<TestSize.scaled(2_000) {
      var changed = bytes
      for _ in 0..<Int.random(in: 1...6, using: &generator) {
        let place = Int.random(in: 0..<changed.count, using: &generator)
        switch Int.random(in: 0..<4, using: &generator) {
        case 0: changed[place] = UInt8.random(in: 0x20...0x7E, using: &generator)
        case 1: changed[place] = UInt8.random(in: 0...255, using: &generator)
        case 2: changed.remove(at: place)
        default:
          // Another stretch of the same text, so that much of it stays JSON.
          let from = Int.random(in: 0..<changed.count, using: &generator)
          let length = min(Int.random(in: 1...40, using: &generator), changed.count - from)
          changed.replaceSubrange(place..<min(place + length, changed.count), with: changed[from..<from + length])
        }
      }
      do throws(SnapshotError) {
        if try MadeMessage.read(MadeMessage.body(payload: gzip(changed, level: 1)))?.screen != nil { taken += 1 }
      } catch {
        #expect(!error.description.isEmpty)
      }
    }
    #expect(taken > 0)
  }
}
