import EncircleTestSupport
import Foundation
import Testing

/// Options by which captures are read in another style, or with other identities.
@Suite struct StyleOptionTests {
  private static let uiautomator = [
    "resolve", "login.uiautomator.xml", "--style", "hubbledata-android", "--only", "trackable", "--format", "ndjson",
  ]

  @Test("a dump of uiautomator has paths of HubbleData for Android once its activity is known")
  func android() throws {
    let unknown = try Tool.run(Self.uiautomator)
    #expect(unknown.status == 1 && unknown.text.isEmpty)
    #expect(unknown.errors.contains("it does not name the activity that it shows; give it with --page"))
    let short = try Tool.run(Self.uiautomator + ["--page", ".LoginActivity"])
    let full = try Tool.run(Self.uiautomator + ["--page", "com.example.shop.LoginActivity"])
    #expect(short.status == 0 && short.output == full.output)
    let first = try #require(short.text.split(separator: "\n").first)
    #expect(first.contains(#""path":"com.example.shop.LoginActivity:DecorView[0]/LinearLayout[0]/"#))
    #expect(first.contains("]#") && first.contains(#""page":"com.example.shop.LoginActivity""#))
  }

  @Test("the page of the arguments is for Android's captures only")
  func otherPages() throws {
    let plain = try Tool.run(["resolve", "cart.xml", "--format", "ndjson"])
    #expect(try Tool.run(["resolve", "cart.xml", "--format", "ndjson", "--page", "Other"]).output == plain.output)
  }

  @Test("a capture keeps its own activity, in dialogs too, and an activity given as an argument counts alike")
  func dialogs() throws {
    let resolve = ["resolve", "android-shop.xml", "--format", "ndjson"]
    let plain = try Tool.run(resolve).output
    #expect(try Tool.run(resolve + ["--page", ".MainActivity"]).output == plain)
    let folder = try TemporaryFolder()
    defer { folder.remove() }
    let capture = try String(contentsOf: PackageFolder.viewTrees.appendingPathComponent(resolve[1]), encoding: .utf8)
    try folder.write(resolve[1], capture.replacing(" controller=\"com.example.kiosk.ShopActivity\"", with: ""))
    #expect(try Tool.run(resolve + ["--page", ".ShopActivity"], in: folder.url).output == plain)
  }

  @Test(
    "only what the SDK of the style tracks is listed as trackable",
    arguments: [("sensors-android", ["3"]), ("growingio-android", ["1", "2", "3", "4"])])
  func trackable(style: String, elements: [String]) throws {
    let folder = try TemporaryFolder()
    defer { folder.remove() }
    // Sensors' SDK sends no event for the keys of a keypad. GrowingIO's sends one for a field once somebody has typed into it.
    try folder.write(
      "keys.xml",
      """
      <viewTree os="Android"><view class="android.widget.LinearLayout" controller="com.example.PayActivity">
      <view class="android.widget.TextView" text="1" clickable="true"/><view class="android.widget.TextView" text="2" clickable="true"/>
      <view class="android.widget.Button" text="OK" clickable="true"/><view class="android.widget.EditText" text=""/></view></viewTree>
      """)
    let resolve = ["resolve", "keys.xml", "--style", style, "--format", "ndjson"]
    let all = try Tool.run(resolve, in: folder.url).lines
    let listed = try Tool.run(resolve + ["--only", "trackable"], in: folder.url).lines
    #expect(listed == all.filter { $0.contains(#""trackable":true"#) })
    #expect(listed.compactMap { $0.firstMatch(of: /"element":(\d+)/).map { String($0.1) } } == elements)
  }

  @Test(
    "a selector matches the paths of the requested style",
    arguments: [
      ("sensors", "ProductCell[0][-]/UITableViewCellContentView[0]/UIButton[0]", true),
      ("sensors", "UIWindow(0)/**", false), ("hubbledata", "UIWindow(0)/**/ProductCell(section:0 row:*)", true),
      ("lede", "HomeViewController/UITableView/ProductCell(section:0 row:*)", true),
    ])
  func selectors(style: String, selector: String, isFound: Bool) throws {
    let result = try Tool.run(["select", selector, "home-feed.xml", "--style", style, "--count"])
    #expect(result.status == 0 && (result.text != "0\n") == isFound, "\(result.text) \(result.errors)")
  }

  @Test("a selector that matches nothing in the style of another SDK is explained")
  func hint() throws {
    let result = try Tool.run(["select", "ProductCell[0][-]/UIButton[0]", "home-feed.xml", "--style", "sensors"])
    let reason = "there are other views between ProductCell(section:0) and UIButton(0), which ** stands for"
    #expect(result.errors.hasPrefix("note: no element matches the selector: \(reason)\n"), "\(result.errors)")
    #expect(
      result.errors.contains("\nnote: ProductCell(section:0)/**/UIButton(0) matches 1 element"), "\(result.errors)")
  }

  @Test("the element at a point is listed with its path of the requested style")
  func point() throws {
    let style = ["cart.xml", "--format", "ndjson", "--style", "sensors"]
    let found = try Tool.run(["select", "--at", "300,740"] + style)
    #expect(found.status == 0 && found.lines.count == 1 && found.text.contains(#""element":75,"#), "\(found.errors)")
    #expect(try Tool.run(["resolve"] + style).lines.contains { $0 == found.lines.first })
    let web = try Tool.run(["select", "--at", "300,740", "cart.xml", "--style", "sensors-web"])
    #expect(web.status == 1 && web.output.isEmpty && web.errors.contains("cannot serve this capture"), "\(web.errors)")
  }

  @Test("an element that is found but has no path in the style is not listed, with a note")
  func unlisted() throws {
    let folder = try TemporaryFolder()
    defer { folder.remove() }
    try folder.write(
      "a.xml",
      viewTree(
        """
        <view class="UIWindow" frame="0 0 9 9"><view class="UIButton" frame="0 0 4 4"/>
        <view class="UIView" controller="A"/></view>
        """))
    let listed = try Tool.run(["resolve", "a.xml", "--format", "ndjson"], in: folder.url).lines
    let id = try #require(listed.dropFirst().first?.firstMatch(of: /"event_id":"([0-9a-f]+)"/)?.1)
    try folder.write("e.json", #"{"event":"$AppClick","event_id":"\#(id)"}"#)
    for query in [["--at", "1,1"], ["--event", "e.json"]] {
      let result = try Tool.run(["select", "--style", "lede"] + query + ["a.xml"], in: folder.url)
      #expect(result.status == 0, "\(result.errors)")
      #expect(
        result.errors == "a.xml: note: element 1 has no path in style lede, so it is not listed\n", "\(result.errors)")
    }
  }

  @Test("a style that cannot serve a capture, and a selector that it never writes, are errors")
  func unserved() throws {
    let android = try Tool.run(["select", "Button", "home-feed.xml", "--style", "hubbledata-android"])
    #expect(android.status == 1 && android.errors.contains("cannot serve this capture"))
    #expect(try Tool.run(["select", "A[x]", "home-feed.xml", "--style", "sensors"]).status == 65)
  }

  @Test("suggestions for a style select their element in it, and prefer resource ids")
  func suggestions() throws {
    let android = ["login.uiautomator.xml", "--style", "hubbledata-android", "--page", ".LoginActivity"]
    let listed = try Tool.run(["resolve", "--only", "trackable", "--format", "ndjson"] + android).text
    let line = try #require(listed.split(separator: "\n").first { $0.contains("]#submit\"") })
    let number = try #require(line.firstMatch(of: /"element":([0-9]+)/)?.1)
    let suggested = try Tool.run(["suggest", android[0], String(number), "--format", "json"] + android.dropFirst())
    let selector = try #require(suggested.text.firstMatch(of: /"selector":"([^"]+)"/)?.1)
    #expect(suggested.status == 0 && selector.contains("#"), "\(suggested.errors)")
    #expect(try Tool.run(["select", String(selector), "--count"] + android).text == "1\n")
    let sensors = try Tool.run(["suggest", "home-feed.xml", "17", "--style", "sensors", "--rules-yaml"])
    #expect(sensors.status == 0 && sensors.text.contains("style: sensors\n"), "\(sensors.errors)")
  }

  @Test(
    "rows whose places the capture lacks are rows of one kind in every style",
    arguments: ["hubbledata", "hubbledata-android"])
  func unplacedRows(style: String) throws {
    let result = try Tool.run(["suggest", "login.uiautomator.xml", "13", "--style", style, "--page", ".LoginActivity"])
    #expect(result.status == 0 && !result.errors.contains("no rule can distinguish"), "\(result.errors)")
    #expect(result.text.contains("unique: selects this element in any row, 3 of them here"), "\(result.text)")
  }

  @Test("identities have the title of the page where the arguments or the rules say so")
  func screenTitle() throws {
    let folder = try RulesFolder()
    defer { folder.remove() }
    try folder.write(
      "page.xml",
      """
      <viewTree version="1"><view class="UIWindow"><view class="UIView" controller="Product" controllerTitle="Tea">
      <view class="UIButton"/></view></view></viewTree>
      """)
    let identity = "path(UIWindow(0)_UIView(0)_UIButton(0))&controller(Product)&screenTitle(Tea)"
    let resolved = try folder.run(["resolve", "page.xml", "--identity-screen-title", "--format", "ndjson"])
    #expect(resolved.text.contains("\"identity\":\"\(identity)\""))
    let rule = "rules: [ { id: tea, include: { identity: \"\(identity)\" } } ]\n"
    for (options, isSelected) in [("", false), ("identity: { screenTitle: [Product] }\n", true)] {
      try folder.write("titles.yaml", "version: 1\n\(options)\(rule)")
      let explained = try folder.run(["explain", "--rules", "titles.yaml", "--capture", "page.xml", "--element", "2"])
      #expect(explained.text.hasPrefix("selected as tea") == isSelected, "\(explained.text)")
    }
  }
}
