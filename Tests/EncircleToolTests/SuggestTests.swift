import EncircleTestSupport
import Foundation
import Testing

/// The output of `suggest`; `UPDATE_GOLDEN=1` writes the expected files anew.
@Suite struct SuggestTests {
  @Test(
    "suggestions are as reviewed",
    arguments: [
      (
        "order-v5.1.xml 19 --limit 3 --against order-v5.1.xml --against order-v5.2.xml", "suggest-row.txt", 0
      ),
      ("collisions.xml 22", "suggest-shared.txt", 1), ("channels-a.xml 95 --limit 2", "suggest-page.txt", 0),
      ("alert-ios9.xml 51effcaa --format json --limit 1 --against alert-ios10.xml", "suggest.json", 0),
      ("cart.xml 102 --rules-yaml", "suggest.yaml", 0),
      (
        "order-v5.1.xml 43 --limit 2 --against order-v5.2.xml --against action-sheet.xml --against login.xml",
        "suggest-index.txt", 0
      ),
    ] as [(String, String, Int32)])
  func golden(arguments: String, file: String, status: Int32) throws {
    let result = try Tool.run(["suggest"] + arguments.split(separator: " ").map(String.init))
    #expect(result.status == status, "\(result.errors)")
    try compareWithGolden(result.output, file)
  }

  @Test(
    "an element is found by its number, event ID, place or text",
    arguments: [
      (["cart.xml", "75"], 75), (["cart.xml", "e5d325f5b23b"], 75), (["cart.xml", "去结算"], 75),
      (["cart.xml", "E5D325F5B23B"], 75), (["cart.xml", "300,740"], 75), (["cart.xml", "去结算(3)", "--by", "text"], 75),
      (["cart.xml", "75", "--by", "number"], 75),
      // The label in the button.
      (["cart.xml", "76"], 75),
    ])
  func elements(arguments: [String], element: Int) throws {
    let result = try Tool.run(["suggest", "--format", "json"] + arguments)
    #expect(result.status == 0, "\(result.errors)")
    let object = try #require(try JSONSerialization.jsonObject(with: Data(result.output)) as? [String: Any])
    #expect(object["element"] as? Int == element)
    let suggestions = try #require(object["suggestions"] as? [[String: Any]])
    #expect(suggestions.first?["selector"] as? String == "CheckoutButton")
    #expect(suggestions.first?["unique"] as? Bool == true)
  }

  @Test("an element inside a tracked one stands for it, with a note")
  func inner() throws {
    let note =
      "cart.xml: note: element 76 (UIButtonLabel) is inside element 75 (CheckoutButton), which is what SDKs track"
    #expect(try Tool.run(["suggest", "cart.xml", "76"]).errors.hasPrefix(note))
    let selected = try Tool.run(["select", "--at", "300,740", "cart.xml", "--format", "ndjson"])
    #expect(selected.errors.hasPrefix(note))
    #expect(selected.text.contains(#""element":75,"#))
    #expect(try Tool.run(["select", "--at", "300,740", "cart.xml", "--count"]).text == "1\n")
    let beside = try Tool.run(["select", "--at", "9999,9999", "cart.xml", "--count"])
    #expect(beside.text == "0\n" && beside.status == 1)
    #expect(beside.errors == "cart.xml: error: no trackable element is at 9999,9999\n", "\(beside.errors)")
    let both = try Tool.run(["select", "--at", "300,740", "cart.xml", "login.uiautomator.xml", "--count"])
    #expect(both.status == 0, "\(both.errors)")
    #expect(try Tool.run(["select", "--at", "300", "cart.xml"]).status == 64)
  }

  @Test("several matching elements are listed and refused")
  func several() throws {
    let result = try Tool.run(["suggest", "home-feed.xml", "加入"])
    #expect(result.status == 1)
    #expect(result.output.isEmpty)
    #expect(
      result.errors == """
        home-feed.xml: error: 3 elements are meant by '加入'; name one by its number:
          element 17: UIButton '加入', section 1 row 1, on HomeViewController
          element 26: UIButton '加入', section 1 row 0, on HomeViewController
          element 35: UIButton '加入', section 0 row 2, on HomeViewController

        """)
  }

  @Test(
    "the exit status says how it went",
    arguments: [
      (["cart.xml", "105"], 1, "there is no element 105: the capture has 0 to 104"),
      (["cart.xml", "nothing says this"], 1, "no element says 'nothing says this'"),
      (["cart.xml", "deadbeef"], 1, "no element has event ID deadbeef; --by text"),
      (["cart.xml", "5000,5000"], 1, "no trackable element is at 5000,5000"),
      (["cart.xml"], 64, "Missing expected argument"), (["cart.xml", ""], 64, "Name an element"),
      (["cart.xml", "-1"], 64, "Missing expected argument '<element>'"),
      (["cart.xml", "x", "--by", "number"], 64, "'x' is not the number"),
      (["cart.xml", "x", "--by", "event-id"], 64, "'x' is not an event ID"),
      (["cart.xml", "x", "--by", "point"], 64, "'x' is not a point"),
      (["75", "cart.xml"], 64, "The capture comes first: encircle suggest cart.xml 75"),
      (["cart.xml", "75", "--event", "-"], 64, "--event names the element"),
      (["cart.xml", "1", "--limit", "0"], 64, "--limit is at least 1."),
      (["cart.xml", "1", "--rules-yaml", "--format", "json"], 64, "--rules-yaml"),
      ([".", "1"], 64, "suggest takes one capture"), (["README.md", "1"], 65, "README.md"),
      (["missing.xml", "1"], 66, "missing.xml"), (["cart.xml", "75", "--against", "missing.xml"], 66, "missing.xml"),
      (["cart.xml", "1"], 0, "note: element 1 is nothing that SDKs track, so no event may have its path\n"),
      (["login.uiautomator.xml", "9"], 0, "no event of an Android app is in style hubbledata, which is for iOS: use"),
      (["login.uiautomator.xml", "--all", "--rules-yaml"], 0, "use --style hubbledata-android"),
      (["flowers.html", "27"], 0, "; web pages have --style sensors-web or posthog-web\n"),
    ] as [([String], Int32, String)])
  func status(arguments: [String], expected: Int32, message: String) throws {
    let result = try Tool.run(["suggest"] + arguments)
    #expect(result.status == expected, "\(result.errors)")
    #expect(result.errors.contains(message), "\(result.errors)")
  }

  @Test(
    "an element is found by the id that developers gave it",
    arguments: [
      ("settings.wda.xml", "settings.save", "6"), ("login.uiautomator.xml", "agree", "9"),
      ("login.uiautomator.xml", "com.example.shop:id/agree", "9"), ("flowers.html", "filter", "8"),
    ])
  func ids(capture: String, id: String, number: String) throws {
    let style = capture.hasSuffix(".html") ? ["--style", "sensors-web"] : []
    let found = try Tool.run(["suggest", capture, id, "--limit", "1"] + style)
    #expect(found.status == 0, "\(found.errors)")
    #expect(found.text == (try Tool.run(["suggest", capture, number, "--limit", "1"] + style)).text)
  }

  @Test("a note says that no SDK tracks a key of a keypad", arguments: [("1", true), ("3", false)])
  func keys(element: String, isKey: Bool) throws {
    let folder = try TemporaryFolder()
    defer { folder.remove() }
    let keys = ["1", "2"].map { #"<view class="android.widget.TextView" text="\#($0)" clickable="true"/>"# }
    try folder.write(
      "pay.xml",
      #"<viewTree version="1" os="Android"><view class="android.widget.LinearLayout" controller="com.example.Pay">"#
        + keys.joined() + #"<view class="android.widget.Button" text="OK" clickable="true"/></view></viewTree>"#)
    let result = try Tool.run(["suggest", "pay.xml", element, "--style", "sensors-android"], in: folder.url)
    #expect(result.status == 0, "\(result.errors)")
    #expect(result.errors.contains("element \(element) is nothing that SDKs track") == isKey, "\(result.errors)")
  }

  @Test(
    "the rule that is printed selects the event of its element, as explain has it, and of no other", .articles("H54"),
    arguments: [
      ("cart.xml", 75), ("home-feed.xml", 35), ("cart.xml", 102), ("channels-a.xml", 95),
      ("alert-ios10.xml", 70), ("login.uiautomator.xml", 9), ("settings.wda.xml", 16), ("swiftui.xml", 16),
    ])
  func rules(capture: String, element: Int) throws {
    let folder = try TemporaryFolder()
    defer { folder.remove() }
    let yaml = try Tool.run(["suggest", capture, "\(element)", "--rules-yaml"])
    #expect(yaml.status == 0)
    let rules = try folder.write("rule.yaml", yaml.output).path
    func isSelected(_ element: Int) throws -> Bool {
      let explained = try Tool.run(
        ["explain", "--rules", rules, "--capture", capture, "--element", "\(element)", "--format", "json"])
      #expect(explained.status == 0, "\(explained.errors)\n\(yaml.text)")
      let object = try JSONSerialization.jsonObject(with: Data(explained.output)) as? [String: Any]
      return try #require(object?["selected"] as? Bool)
    }
    #expect(try isSelected(element), "\(yaml.text)")
    // The elements next to it are the most similar ones.
    for other in [element - 1, element + 1] where other >= 0 { #expect(try !isSelected(other), "\(yaml.text)") }
  }

  @Test("suggestions can start from an event in a file")
  func events() throws {
    let folder = try TemporaryFolder()
    defer { folder.remove() }
    let events = PackageFolder.root.appendingPathComponent("Rules/events/shop.ndjson").path
    let text = try Tool.run(["suggest", "--event", events + ":9", "--limit", "1"])
    #expect(text.status == 0, "\(text.errors)")
    #expect(
      text.lines.prefix(3).dropFirst().map { String($0) } == [
        "1  ProductCell(section:0 row:*)/**/UIButton(0)",
        "   matches the event: this element in any row on HomeViewController",
      ])
    #expect(text.text.hasPrefix(events + ":9, $AppClick of UIButton '加入', on HomeViewController\n"))
    // The rule matches the event, and the first event of a file is the one without a line.
    let yaml = try Tool.run(["suggest", "--event", events + ":9", "--rules-yaml"])
    try folder.write("rules.yaml", yaml.output)
    let line = try PackageFolder.bytes(URL(fileURLWithPath: events)).split(separator: 0x0A)[8]
    let match = try Tool.run(["match", "--rules", "rules.yaml"], in: folder.url, input: Array(line))
    #expect(match.text.contains(#""selected":true"#), "\(yaml.text)\n\(match.errors)")
    #expect(try Tool.run(["suggest", "--event", events]).text.contains("event: $AppStart"))
    #expect(try Tool.run(["suggest", "--event=-:1"], input: Array(line)).text.contains("ProductCell"))
    let json = try Tool.run(["suggest", "--event", events + ":9", "--format", "json", "--against", "home-feed.xml"])
    let object = try #require(try JSONSerialization.jsonObject(with: Data(json.output)) as? [String: Any])
    #expect(object["style"] as? String == "hubbledata" && object["name"] as? String == "$AppClick")
    let first = try #require((object["suggestions"] as? [[String: Any]])?.first)
    #expect((first["against"] as? [[String: Any]])?.first?["outcome"] as? String == "same")
  }

  @Test("the id of a rule for an event of Android has the names of page and class without their packages")
  func packages() throws {
    let path = "android.widget.LinearLayout[0]/com.google.android.material.button.MaterialButton[0]"
    let properties = #""$lib":"Android","$element_path":"\#(path)","$element_type":"Button""#
    let page = "com.example.shop.MainActivity|com.example.shop.cart.CartPage"
    let event = #"{"event":"$AppClick","properties":{\#(properties),"$screen_name":"\#(page)"}}"#
    let yaml = try Tool.run(["suggest", "--style", "sensors-android", "--rules-yaml", "--event", event]).text
    #expect(yaml.contains("- id: cart.material-button\n") && yaml.contains(page), "\(yaml)")
  }

  @Test("a page that is excluded by default is suggested for with a warning, and the rule says so")
  func excludedPage() throws {
    let folder = try TemporaryFolder()
    defer { folder.remove() }
    try folder.write(
      "share.xml",
      """
      <viewTree version="1"><view class="UIWindow">
        <view class="UIView" controller="ShareController" controllerSuperclasses="UIActivityViewController">
          <view class="UIButton" title="Copy" actions="copy:"/>
        </view>
      </view></viewTree>
      """)
    let properties = #"{"$screen_name":"UIActivityViewController","$element_path":"UIWindow(0)/UIView(0)/UIButton(0)"}"#
    let event = #"{"event":"$AppClick","properties":\#(properties)}"#
    for arguments in [["--event", event], ["share.xml", "2"]] {
      let yaml = try Tool.run(["suggest", "--rules-yaml"] + arguments, in: folder.url)
      #expect(yaml.status == 0)
      for text in [yaml.errors, yaml.text] {
        #expect(text.contains("UIActivityViewController is excluded by default: no rule selects"), "\(text)")
      }
      #expect(yaml.text.contains("selector: "), "\(yaml.text)")
    }
    let other = event.replacing("UIActivityViewController", with: "ShareController")
    #expect(try Tool.run(["suggest", "--event", other]).errors.isEmpty)
  }

  @Test(
    "errors in an event are reported",
    arguments: [
      ("Rules/events/shop.ndjson:99999", 1, "there is no event that begins in line 99999; the nearest begins in line"),
      ("Rules/events/broken.ndjson:2", 65, "not an event"), ("missing.ndjson", 66, "missing.ndjson: error"),
      ("missing.ndjson:3", 66, "missing.ndjson: error"), (#"{"a":1}"#, 1, "nothing names it"),
      (#"{"a":"#, 65, "not an event"),
    ] as [(String, Int32, String)])
  func eventStatus(argument: String, expected: Int32, message: String) throws {
    for command in ["suggest", "select"] {
      let captures = command == "select" ? ["ViewTrees/cart.xml"] : []
      let result = try Tool.run([command, "--event", argument] + captures, in: PackageFolder.root)
      #expect(result.status == expected, "\(argument): \(result.errors)")
      if command == "suggest" { #expect(result.errors.contains(message), "\(argument): \(result.errors)") }
      #expect(result.output.isEmpty)
    }
  }

  @Test("page, type and path are as in events of the style")
  func styles() throws {
    // In Sensors' events the page of a tab is the selected one.
    for (style, page) in [("hubbledata", "ShopTabBarController"), ("sensors", "ProfileViewController")] {
      let result = try Tool.run(["suggest", "tab-bar.xml", "89", "--style", style, "--format", "json"])
      let object = try #require(try JSONSerialization.jsonObject(with: Data(result.output)) as? [String: Any])
      #expect(object["page"] as? String == page)
      #expect((object["path"] as? String)?.hasSuffix(style == "sensors" ? "UITabBarButton[-]" : "(1)") ?? false)
      #expect(try Tool.run(["suggest", "tab-bar.xml", "89", "--style", style]).lines[0].hasSuffix("on \(page)"))
    }
    // The option of an alert up to iOS 9 is the cell in Sensors' events.
    let alert = try Tool.run(["suggest", "alert-ios9.xml", "56", "--style", "sensors", "--format", "json"])
    #expect(alert.text.contains(#""class":"_UIAlertControllerCollectionViewCell""#), "\(alert.text)")
  }

  @Test("suggestions that select the same kind in the other captures come first")
  func ranking() throws {
    let alone = try Tool.run(["suggest", "order-v5.1.xml", "43", "--limit", "1"])
    #expect(alone.lines[1].hasSuffix("OrderBar/UIButton(1)"))
    // The bar has another class in version 5.2, and the button another place.
    let tried = try Tool.run(["suggest", "order-v5.1.xml", "43", "--limit", "1", "--against", "."])
    #expect(tried.text.contains("where $element_content is '取消订单'"), "\(tried.text)")
    let yaml = try Tool.run(["suggest", "order-v5.1.xml", "43", "--rules-yaml", "--against", "order-v5.2.xml"])
    #expect(yaml.text.contains("# Of 1 other capture, it selects another element in 0.\n"), "\(yaml.text)")
  }

  @Test("standard input is a capture, and the capture itself does not count among the others")
  func inputs() throws {
    let file = PackageFolder.viewTrees.appendingPathComponent("cart.xml")
    let result = try Tool.run(["suggest", "-", "75"], input: try PackageFolder.bytes(file))
    #expect(result.status == 0)
    #expect(result.text.hasPrefix("<stdin>, element 75: CheckoutButton '去结算(3)', on CartViewController\n"))
    let others = try Tool.run([
      "suggest", "cart.xml", "75", "--against", "./cart.xml", "--against", "../ViewTrees/emoji.xml",
    ])
    #expect(others.text.contains("nothing in 1 capture"))
  }

  @Test(
    "typed text is neither shown nor found",
    arguments: [
      ("login.xml", "text"), ("login.xml", "json"), ("search.xml", "json"), ("login.uiautomator.xml", "json"),
      ("settings.wda.xml", "json"),
    ])
  func privacy(capture: String, format: String) throws {
    let secret = "do-not-leak"
    let found = try Tool.run(["suggest", capture, secret])
    #expect(found.status == 1 && found.errors.contains("no element says"), "\(capture): \(found.errors)")
    let all = try Tool.run(["resolve", "--format", "ndjson", capture]).lines
    for element in stride(from: 0, to: all.count, by: TestSize.stride(1)) {
      let result = try Tool.run(["suggest", capture, "\(element)", "--format", format])
      #expect(!(result.text + result.errors).contains(secret), "\(capture), element \(element)")
    }
    let rule = try Tool.run(["suggest", capture, "\(all.count / 2)", "--rules-yaml"])
    #expect(!rule.text.contains(secret))
  }
}
