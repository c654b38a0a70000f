import EncircleIdentity
import EncircleTestSupport
import EncircleTree
import Foundation
import Testing

@Suite struct CaptureElementTests {
  @Test(arguments: ["cart.xml", "home-feed.xml", "alert-ios10.xml", "settings.wda.xml", "login.uiautomator.xml"])
  func `elements have the paths, pages, event IDs and types that the library gives them`(name: String) async throws {
    let service = try RunningService()
    let screen = try Screens.named(name)
    let elements = try await service.get("/v1/captures/\(service.upload(named: name))/elements").elements
    try #require(elements.count == screen.tree.count)
    for element in screen.tree.elements {
      let answer = elements[element.index]
      #expect(answer["element"] as? Int == element.index)
      #expect(answer["parent"] as? Int == screen.tree.parent(of: element)?.index)
      #expect(answer["class"] as? String == screen.className(of: element))
      #expect(answer["path"] as? String == screen.path(of: element).written(.underscores))
      #expect(answer["page"] as? String == screen.page(of: element))
      #expect(answer["event_id"] as? String == screen.eventID(of: element).description)
      #expect(answer["type"] as? String == screen.trackingType(of: element)?.sent.rawValue)
      #expect(answer["tracked"] as? Int == screen.trackedElement(around: element)?.index)
    }
    let resolved = try await service.send(
      "POST", "/v1/resolve",
      body: Data(PackageFolder.bytes(PackageFolder.viewTrees.appendingPathComponent(name))))
    #expect(resolved.elements as NSArray == elements as NSArray)
    #expect(resolved.capture["uploaded_at"] is NSNull)
  }

  @Test func `resolving a capture does not store it`() async throws {
    let service = try RunningService()
    let answer = try await service.send("POST", "/v1/resolve", body: Data(viewTree(SampleScreen.views).utf8))
    #expect(answer.status == 200)
    #expect(try await service.get("/v1/captures/\(answer.captureID)").status == 404)
  }

  @Test func `frames are in the window's coordinates, scrolled as their list is`() async throws {
    let service = try RunningService()
    let elements = try await service.get("/v1/captures/\(service.upload(views: SampleScreen.views))/elements").elements
    #expect(elements[SampleScreen.button]["frame"] as? [Double] == [10, 20, 30, 40])
    #expect(elements[SampleScreen.label]["frame"] as? [Double] == [15, 25, 10, 10])
    #expect(elements[SampleScreen.cell]["frame"] as? [Double] == [0, 110, 100, 20])
    #expect(elements[SampleScreen.toggle]["frame"] as? [Double] == [0, 110, 20, 20])
    #expect(elements[SampleScreen.hidden]["hidden"] as? Bool == true)
    #expect(elements[SampleScreen.toggle]["list_position"] as? String == "0:3")
  }

  @Test func `frames outside the range of numbers count as missing`() async throws {
    let service = try RunningService()
    let views =
      #"<view class="A" frame="1.7e308 0 9 9"><view class="B" frame="1.7e308 0 9 9"/></view><view class="C"/>"#
    let id = try await service.upload(views: views)
    let elements = try await service.get("/v1/captures/\(id)/elements").elements
    #expect(elements.map { $0["frame"] is NSNull } == [false, true, true])
    #expect(try await service.get("/v1/captures/\(id)/thumbnail").status == 200)
  }

  @Test func `at a point, tracked elements come first, topmost first, without hidden ones`()
    async throws
  {
    let service = try RunningService()
    let id = try await service.upload(views: SampleScreen.views)
    func at(_ x: Double, _ y: Double) async throws -> [Int] {
      try await service.get("/v1/captures/\(id)/at?x=\(x)&y=\(y)").elementNumbers
    }
    #expect(try await at(16, 26) == [SampleScreen.button, SampleScreen.label, 1, 0])
    #expect(try await at(39.5, 21) == [SampleScreen.button, 1, 0])
    #expect(try await at(40, 21) == [1, 0])
    #expect(try await at(5, 115) == [SampleScreen.toggle, SampleScreen.cell, SampleScreen.table, 1, 0])
    #expect(try await at(500, 500) == [])
    #expect(try await at(-1e300, 1e300) == [])
  }

  @Test func `the first window of a dump of uiautomator is the topmost`() async throws {
    let service = try RunningService()
    func window(_ y: Int) -> String {
      "<node class='android.widget.FrameLayout' bounds='[0,\(y)][100,90]'>"
        + "<node class='android.widget.Button' clickable='true' bounds='[0,60][100,80]'/></node>"
    }
    let id = try await service.upload("<hierarchy rotation='0'>\(window(50))\(window(0))</hierarchy>".utf8).captureID
    let elements = try await service.get("/v1/captures/\(id)/elements").elements
    #expect(elements.map { $0["z_order"] as? Int } == [2, 3, 0, 1])
    #expect(try await service.get("/v1/captures/\(id)/at?x=10&y=70").elementNumbers == [1, 3, 0, 2])
    let drawing = try await service.get("/v1/captures/\(id)/thumbnail").text
    // The dialog comes after the buttons beneath it.
    let dialog = try #require(drawing.range(of: "<rect x=\"0\" y=\"50\""))
    let button = try #require(drawing.range(of: "<rect x=\"0\" y=\"60\""))
    #expect(button.lowerBound < dialog.lowerBound)
  }

  @Test func `an element is shown with its components, properties, styles and elements that share its event ID`()
    async throws
  {
    let service = try RunningService()
    let id = try await service.upload(views: SampleScreen.views)
    let button = try await service.get("/v1/captures/\(id)/elements/\(SampleScreen.button)").object
    let components = try #require(button["components"] as? [[String: Any]])
    #expect(components.compactMap { $0["text"] as? String } == ["UIWindow(0)", "UIView(0)", "UIButton(0)"])
    #expect(
      components[1]["meaning"] as? String
        == "Index 0, counted from 0, among the views of class UIView in the view around it. "
        + "It is the root view of FirstViewController.")
    #expect(
      button["identity"] as? String == "path(UIWindow(0)_UIView(0)_UIButton(0))&controller(FirstViewController)")
    let properties = try #require(button["properties"] as? [String: Any])
    #expect(properties["actions"] as? String == "go:" && properties["identifier"] as? String == "ok.button")
    #expect(properties["screen_title"] as? String == "首页")
    let styles = try #require(button["styles"] as? [String: String])
    #expect(styles["sensors"] == "UIView/UIButton[0]")
    #expect(Set(styles.keys) == ["sensors", "sensors-exact", "lede", "growingio", "posthog"])
    let toggle = try await service.get("/v1/captures/\(id)/elements/\(SampleScreen.toggle)").object
    #expect((toggle["properties"] as? [String: Any])?["switch_state"] as? Bool == true)
    let cell = try #require((toggle["components"] as? [[String: Any]])?[3])
    #expect(cell["locator"] as? String == "section:0 row:3" && cell["kind"] as? String == "row")
    #expect(cell["meaning"] as? String == "The cell in section 0, row 3 of its list, counted from 0.")
  }

  @Test func `elements that share an event ID name each other`() async throws {
    let service = try RunningService()
    let id = try await service.upload(views: "<view class='UIWindow'/><view class='UIWindow'/><view class='UIWindow'/>")
    #expect(try await service.get("/v1/captures/\(id)").capture["collisions"] as? Int == 1)
    let detail = try await service.get("/v1/captures/\(id)/elements/1").object
    #expect(detail["collides_with"] as? [Int] == [0, 2])
  }

  @Test func `the same kind is the same place in other rows`() async throws {
    let service = try RunningService()
    let id = try await service.upload(views: SampleScreen.views)
    func sameKind(_ element: Int) async throws -> [Int] {
      try await service.get("/v1/captures/\(id)/elements/\(element)/same-kind").elementNumbers
    }
    #expect(try await sameKind(SampleScreen.toggle) == [SampleScreen.toggle, SampleScreen.secondToggle])
    #expect(try await sameKind(SampleScreen.button) == [SampleScreen.button])
  }

  @Test func `an element is found by its event ID or the beginning of it, in all captures`() async throws {
    let service = try RunningService()
    let first = try await service.upload(viewTree(SampleScreen.views).utf8, "?name=first").captureID
    let second = try await service.upload(
      viewTree(SampleScreen.views + "<view class='Other'/>").utf8, "?name=second"
    ).captureID
    let elements = try await service.get("/v1/captures/\(first)/elements").elements
    let event = try #require(elements[SampleScreen.button]["event_id"] as? String)
    for digits in [event, String(event.prefix(8)), String(event.prefix(13)).uppercased()] {
      let found = try await service.get("/v1/elements/\(digits)")
      #expect(found.object["total"] as? Int == 2)
      #expect(found.elements.compactMap { $0["capture"] as? String } == [second, first])
      #expect(found.elements.compactMap { $0["capture_name"] as? String } == ["second", "first"])
      #expect(found.elements.allSatisfy { $0["element"] as? Int == SampleScreen.button })
      #expect(found.elements.first?["type"] as? String == "buttonEvent")
      #expect(found.elements.first?["content"] as? String == "OK")
    }
    let part = try await service.get("/v1/elements/\(event)?offset=1&limit=1")
    #expect(part.elements.compactMap { $0["capture"] as? String } == [first])
    let other = (event.first == "0" ? "1" : "0") + event.dropFirst()
    #expect(try await service.get("/v1/elements/\(other)").status == 404)
    let none = try await service.get("/v1/elements/\(other)?empty=true")
    #expect(
      none.status == 200 && (none.object["elements"] as? [Any])?.isEmpty == true && none.object["total"] as? Int == 0)
  }
}
