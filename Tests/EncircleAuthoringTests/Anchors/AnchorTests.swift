import EncircleAuthoring
import EncircleCapture
import EncircleIdentity
import EncircleRuleFiles
import EncircleTestSupport
import EncircleText
import EncircleTree
import Testing

/// Snapshots of screens beside rules.
@Suite struct AnchorTests {
  private static func written(_ screen: IdentifiedTree, rules: [UTF8String] = ["a"]) -> String {
    AnchorFile([Anchor(of: NamedScreen(name: "some/screen.xml", screen: screen), rules: rules)]).text
  }

  @Test(
    "a shipped capture and its anchor have the same paths, pages and event IDs", arguments: PackageFolder.captureNames)
  func sameIdentities(capture: String) throws {
    let screen = try Screens.named(capture)
    let text = Self.written(screen)
    let file = try AnchorFile(Array(text.utf8))
    let read = try #require(file.anchors.first).screen().screen
    #expect(read.tree.count == screen.tree.count)
    for element in screen.tree.elements {
      #expect(read.identity(of: element) == screen.identity(of: element))
      #expect(read.page(of: element) == screen.page(of: element))
      #expect(read.trackingType(of: element) == screen.trackingType(of: element), "element \(element)")
    }
    #expect(file.text == text, "what was read is written as it was")
  }

  @Test("a view takes less than a hundred bytes", arguments: ["order-v5.1.xml", "cart.xml", "home-feed.xml"])
  func size(capture: String) throws {
    let screen = try Screens.named(capture)
    #expect(Self.written(screen).utf8.count < 100 * screen.tree.count)
  }

  @Test("typed text, values and unknown attributes are left out")
  func privateTexts() throws {
    let text = Self.written(
      try Screens.of(
        """
        <view class="UIWindow"><view class="UIView" controller="LoginViewController">
          <view class="UITextField" text="4929-1111" label="Card 4929-2222" placeholder="Card number" identifier="card">
            <view class="UILabel" text="4929-3333"/></view>
          <view class="UITextView" text="4929-4444" value="4929-5555"/>
          <view class="UISlider" value="4929-6666" note="4929-7777"/>
          <view class="UIButton" title="Pay" secure="true" label="4929-8888"/>
          <view class="UILabel" text="Total"/>
        </view></view>
        """))
    #expect(!text.contains("4929"), "\(text)")
    #expect(text.contains("Card number") && text.contains("Total") && text.contains("card"))
  }

  @Test("a rule has one anchor, equal screens are written once, and screens without rules are removed")
  func merging() throws {
    let screens = try ["order-v5.1.xml", "order-v5.2.xml"].map {
      NamedScreen(name: $0, screen: try Screens.named($0))
    }
    var file = AnchorFile([Anchor(of: screens[0], rules: ["b", "a"])])
    file.set([Anchor(of: screens[0], rules: ["c"])])
    #expect(file.anchors.map(\.rules) == [["a", "b", "c"]])
    file.set([Anchor(of: screens[1], rules: ["a", "b"])])
    #expect(file.anchors.map(\.rules) == [["c"], ["a", "b"]])
    file.set([Anchor(of: screens[1], rules: ["c"])])
    #expect(file.anchors.map(\.rules) == [["a", "b", "c"]])
    file.keepRules(["b"])
    #expect(file.anchors.map(\.rules) == [["b"]])
  }

  @Test("a rule for several platforms has an anchor for each, which can be replaced separately")
  func platforms() throws {
    func android(_ name: String, _ text: String) throws -> NamedScreen {
      let capture = """
        <viewTree version='1' os='Android'><view class='com.android.internal.policy.DecorView' controller='com.example.Cart'>
        <view class='android.widget.FrameLayout' identifier='android:id/content'>
        <view class='android.widget.Button' text='\(text)' clickable='true'/></view></view></viewTree>
        """
      return NamedScreen(name: name, screen: IdentifiedTree(try CaptureReader().read(Array(capture.utf8))))
    }
    let iOS = NamedScreen(
      name: "ios.xml",
      screen: try Screens.of(
        "<view class='UIWindow'><view class='UIView' controller='Cart'><view class='UIButton' title='Pay'/></view></view>"
      ))
    let rules = """
      version: 1
      rules:
        - id: pay
          include: [{ style: sensors, selector: UIButton }, { style: sensors-android, selector: android.widget.Button }]
      """
    let ruleSet = try RuleFiles(text: rules, name: "rules.yaml").ruleSet()
    let found = AnchorFile.anchors(of: ruleSet, on: [iOS, try android("old.xml", "Pay")])
    var file = found.file
    #expect(found.without.isEmpty && file.anchors.map(\.capture) == ["ios.xml", "old.xml"])
    #expect(file.anchors.map(\.rules) == [["pay"], ["pay"]])
    file.set(AnchorFile.anchors(of: ruleSet, on: [try android("new.xml", "Pay now")]).file.anchors)
    #expect(file.anchors.map(\.capture) == ["ios.xml", "new.xml"])
  }

  @Test("rules get the fewest screens on which they select something")
  func selection() throws {
    let screens = try ["cart.xml", "order-v5.1.xml", "order-v5.2.xml"].map {
      NamedScreen(name: $0, screen: try Screens.named($0))
    }
    let rules = """
      version: 1
      rules:
        - { id: submit, include: { page: OrderViewController, selector: OrderBar/PrimaryButton } }
        - { id: none, include: { selector: NoSuchView } }
        - { id: edit, include: { page: OrderViewController, selector: OrderAddressCardView/UIButton(0) } }
      """
    let (file, without) = AnchorFile.anchors(of: try RuleFiles(text: rules, name: "rules.yaml").ruleSet(), on: screens)
    #expect(without == ["none"])
    #expect(file.anchors.map(\.capture) == ["order-v5.1.xml", "order-v5.2.xml"])
    #expect(file.anchors.map(\.rules) == [["submit"], ["edit"]])
  }

  @Test(
    "each mistake is an error with its line",
    arguments: [
      ("", "1:1"), ("[]", "1"), ("{\"encircle_anchors\":\"1\"}", "1"), ("{\"encircle_anchors\":9}", "1"),
      (AnchorTests.screen("[[0,0]]", strings: "7"), "2"), (AnchorTests.screen("[[1,0]]"), "2"),
      (AnchorTests.screen("[[0,9]]"), "2"),
      (AnchorTests.screen("[[-1,0]]"), "2"), (AnchorTests.screen("[[0,0,[1,2,3]]]"), "2"),
      (AnchorTests.screen("[[0,0,[1,2,3,\"4\"]]]"), "2"),
      (AnchorTests.screen("[[0,0,0]]"), "2"), (AnchorTests.screen("[[0,0,0,99]]"), "2"),
      (AnchorTests.screen("[[0,0],[2,0]]"), "2"), (AnchorTests.screen("7"), "2"),
      (AnchorTests.screen("[[0]]"), "2"), (AnchorTests.screen("[[0,0.5]]"), "2"),
      (AnchorTests.screen("[[0,1e99]]"), "2"), (AnchorTests.screen("[{}]"), "2"),
      (AnchorTests.screen("[[0,0,[1e999,0,0,0]]]"), "2"),
    ])
  func broken(text: String, place: String) throws {
    let error = try #require(throws: AnchorError.self) { try AnchorFile(Array(text.utf8)) }
    #expect(error.description.hasPrefix(place + ": error: ") || error.description.hasPrefix(place + ":"), "\(error)")
  }

  static func screen(_ views: String, strings: String = "\"UIView\"") -> String {
    "{\"encircle_anchors\":1}\n{\"capture\":\"a.xml\",\"rules\":[],\"format\":\"view-tree\",\"attributes\":[\"text\"],"
      + "\"strings\":[\(strings)],\"views\":\(views)}\n"
  }

  @Test("nothing is read beyond the budgets")
  func budgets() throws {
    let text = Array(Self.screen("[[0,0],[0,0],[0,0]]").utf8)
    #expect(try AnchorFile(text).anchors.first?.tree.count == 3)
    for path in [\AnchorLimits.bytes, \.screens, \.views, \.depth] as [WritableKeyPath<AnchorLimits, Int>] {
      var limits = AnchorLimits()
      limits[keyPath: path] = path == \.screens ? 0 : 2
      #expect(throws: AnchorError.self) { try AnchorFile(text, limits: limits) }
    }
    // Long names in a deep screen would make paths that no memory holds.
    let deep = "[" + (0..<1000).map { _ in "[0,0]" }.joined(separator: ",") + "]"
    let name = "\"" + String(repeating: "A", count: 100_000) + "\""
    #expect(throws: AnchorError.self) { try AnchorFile(Array(Self.screen(deep, strings: name).utf8)) }
  }

  @Test("a damaged file gives an error or a screen, and never ends the program", arguments: TestSize.scaled(0..<500))
  func damage(seed: Int) throws {
    var random = SeededGenerator(seed: UInt64(seed))
    var bytes = Array(Self.written(try Screens.named("login.xml")).utf8)
    for _ in 0..<Int.random(in: 1...6, using: &random) {
      let place = Int.random(in: bytes.indices, using: &random)
      switch Int.random(in: 0...2, using: &random) {
      case 0: bytes[place] = Array("[]{},0123456789-\"".utf8).randomElement(using: &random)!
      case 1: bytes.remove(at: place)
      default: bytes.insert(bytes[Int.random(in: bytes.indices, using: &random)], at: place)
      }
    }
    if let file = try? AnchorFile(bytes), let anchor = file.anchors.first {
      #expect(anchor.screen().screen.tree.count == anchor.tree.count)
    }
  }
}
