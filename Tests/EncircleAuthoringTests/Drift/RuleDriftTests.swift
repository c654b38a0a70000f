import EncircleAuthoring
import EncircleCapture
import EncircleDrift
import EncircleEvents
import EncircleIdentity
import EncircleRuleFiles
import EncircleRules
import EncircleTestSupport
import EncircleTree
import Testing

/// The fate of elements and rules between two versions of a screen.
@Suite struct RuleDriftTests {
  /// A bar with the buttons of the given titles.
  private static func bar(_ titles: [String], inStack: Bool = false, version: String? = nil) throws -> NamedScreen {
    let buttons = titles.map { "<view class='UIButton' title='\($0)' frame='0 0 80 40'/>" }.joined()
    let inner = inStack ? "<view class='UIStackView' frame='0 0 300 40'>\(buttons)</view>" : buttons
    return NamedScreen(
      name: "bar",
      screen: try Screens.of(
        """
        <view class='UIWindow' frame='0 0 390 844'><view class='UIView' controller='OrderController' frame='0 0 390 844'>
        <view class='UILabel' text='Your order' frame='0 0 390 40'/><view class='OrderBar' frame='0 700 390 80'>\(inner)</view>
        </view></view>
        """, appVersion: version))
  }

  private static func rules(_ include: String) throws -> RuleFiles {
    RuleFiles(text: "version: 1\nrules:\n  - id: pay # circled\n    include: \(include)\n", name: "rules.yaml")
  }

  @Test("if the first of two buttons is removed, the second is another element under the old ID")
  func reusedID() throws {
    let (old, new) = (try Self.bar(["Cancel", "Pay"]), try Self.bar(["Pay"]))
    let drift = ScreenDrift(from: old, to: new)
    #expect(drift.gone == [ElementID(4)])
    #expect(drift.changes.map(\.match.new) == [ElementID(4)])
    #expect(drift.changes.first?.kinds == [.moved])
    let reuse = try #require(drift.reusedIDs.first)
    #expect(drift.reusedIDs.count == 1)
    #expect(reuse.old == ElementID(4) && reuse.new == ElementID(4) && reuse.movedTo == nil)
    #expect(reuse.eventID == old.screen.eventID(of: ElementID(4)))
  }

  @Test("a rule on the path of a removed element selects another one")
  func anotherElement() throws {
    let screens = [ScreenDrift(from: try Self.bar(["Cancel", "Pay"]), to: try Self.bar(["Pay"]))]
    let ruleSet = try Self.rules("{ selector: OrderBar/UIButton(0) }").ruleSet()
    let drift = try #require(RuleDrift.find(ruleSet, screens).first)
    #expect(drift.kind == .another && drift.wrong.map(\.element) == [ElementID(4)])
    #expect(drift.missed.isEmpty && drift.gone.map(\.element) == [ElementID(4)])
  }

  @Test(
    "buttons of a web page that change places are found by their texts and ids, and rules that name these do not break")
  func webPage() throws {
    func page(_ buttons: String) throws -> NamedScreen {
      let html = "<!doctype html><html><head><title>Order</title></head><body><div>\(buttons)</div></body></html>"
      return NamedScreen(name: "order.html", screen: IdentifiedTree(try CaptureReader().read(Array(html.utf8))))
    }
    let old = try page("<button id='cancel'>Cancel order</button><button id='pay'>Pay now</button>")
    let new = try page("<button id='pay'>Pay at once</button><button id='cancel'>Cancel order</button>")
    let drift = ScreenDrift(from: old, to: new)
    #expect(drift.mapping.match(for: ElementID(5))?.new == ElementID(6))
    let pay = try #require(drift.changes.first { $0.match.old == ElementID(6) })
    #expect(pay.match.new == ElementID(5) && pay.kinds == [.moved, .changed])
    let ruleSet = try RuleFiles(
      text: "version: 1\nstyle: sensors-web\nrules:\n  - { id: pay, include: { selector: '#pay' } }\n"
    ).ruleSet()
    #expect(RuleDrift.find(ruleSet, [drift]).isEmpty)
  }

  @Test(
    "a broken rule is repaired by selector, event ID or identity, and keeps the old one",
    arguments: ["selector", "eventID", "identity"])
  func repair(key: String) throws {
    let (old, new) = (try Self.bar(["Cancel", "Pay"]), try Self.bar(["Cancel", "Pay"], inStack: true))
    let screens = [ScreenDrift(from: old, to: new)]
    let value =
      switch key {
      case "selector": "OrderBar/UIButton(1)"
      case "eventID": old.screen.eventID(of: ElementID(5)).description
      default: "\"\(old.screen.identity(of: ElementID(5)))\""
      }
    let files = try Self.rules("{ \(key): \(value) }")
    let ruleSet = try files.ruleSet()
    let drift = try #require(RuleDrift.find(ruleSet, screens).first)
    #expect(drift.kind == .nothing && drift.missed.map(\.place.element) == [ElementID(6)])
    var repairer = RuleRepairer(files, ruleSet, screens)
    let proposed = repairer.repair(drift)
    let repair = try #require(proposed)
    #expect(repair.key == key && !repair.isReplacing && repair.confidence > 0.5)
    let edited = try #require(try repairer.applying([repair]).first)
    #expect(edited.after.contains("- id: pay # circled"))
    #expect(RuleDrift.find(try RuleFiles(text: edited.after).ruleSet(), screens).isEmpty, "\(edited.after)")
  }

  @Test(
    "a rule with times breaks, unless it may have ended when the new screen was captured",
    arguments: [
      ("from: 2026-01-01", nil, true), ("to: 2026-06-30", "2026-06-30T08:00:00Z", true),
      ("to: 2026-06-30", "2026-07-01T08:00:00Z", false), ("to: 2026-06-30", nil, false),
      ("during: [{ from: 2026-02-01, to: 2026-02-28 }, { from: 2026-09-01 }]", nil, true),
    ] as [(String, String?, Bool)])
  func times(times: String, captured: String?, breaks: Bool) throws {
    func screen(_ buttons: String) throws -> NamedScreen {
      let text = """
        <viewTree version='1'\(captured.map { " capturedAt='\($0)'" } ?? "")>
        <view class='UIWindow' frame='0 0 390 844'>
        <view class='OrderBar' controller='OrderController' frame='0 0 390 844'>
        <view class='UILabel' text='Your order' frame='0 0 390 40'/>\(buttons)</view></view></viewTree>
        """
      return NamedScreen(name: "bar", screen: IdentifiedTree(try CaptureReader().read(Array(text.utf8))))
    }
    let button = "<view class='UIButton' title='Pay' frame='0 0 80 40'/>"
    let screens = [
      ScreenDrift(from: try screen(button), to: try screen("<view class='UIStackView'>\(button)</view>"))
    ]
    let files = try Self.rules("{ selector: OrderBar/UIButton(0) }\n    \(times)")
    let kinds = RuleDrift.find(try files.ruleSet(), screens).map(\.kind)
    #expect(breaks ? kinds == [.nothing] : kinds.isEmpty)
  }

  @Test("a rule that asks for a text around the element breaks, and is repaired, like any other")
  func textAround() throws {
    let screens = [
      ScreenDrift(from: try Self.bar(["Cancel", "Pay"]), to: try Self.bar(["Cancel", "Pay"], inStack: true))
    ]
    let files = try Self.rules("{ selector: OrderBar/UIButton(1), within: { selector: OrderBar, says: Cancel } }")
    let ruleSet = try files.ruleSet()
    let drift = try #require(RuleDrift.find(ruleSet, screens).first)
    #expect(drift.kind == .nothing && drift.missed.map(\.place.element) == [ElementID(6)])
    var repairer = RuleRepairer(files, ruleSet, screens)
    let proposed = repairer.repair(drift)
    let repair = try #require(proposed)
    let edited = try #require(try repairer.applying([repair]).first)
    #expect(RuleDrift.find(try RuleFiles(text: edited.after).ruleSet(), screens).isEmpty, "\(edited.after)")
    let other = try Self.rules("{ selector: OrderBar/UIButton(1), within: { selector: OrderBar, says: Refund } }")
    #expect(RuleDrift.find(try other.ruleSet(), screens).isEmpty)
  }

  @Test(
    "a rule by the id that developers gave an element gets the new id, in the form of its test",
    arguments: [
      ("pay", ["pay", "checkout"]), ("[pay, buy]", ["pay", "buy", "checkout"]),
      ("{ equals: pay }", ["in": ["pay", "checkout"]]), ("{ in: [pay] }", ["in": ["pay", "checkout"]]),
      ("{ prefix: pay }", nil),
    ] as [(String, EventValue?)])
  func developerID(test: String, expected: EventValue?) throws {
    let screens = [ScreenDrift(from: try Self.androidBar(payID: "pay"), to: try Self.androidBar(payID: "checkout"))]
    let files = try Self.rules("{ style: sensors-android, where: { $element_id: \(test) } }")
    let ruleSet = try files.ruleSet()
    let drift = try #require(RuleDrift.find(ruleSet, screens).first)
    #expect(drift.kind == .nothing && drift.missed.map(\.place.element) == [ElementID(4)])
    var repairer = RuleRepairer(files, ruleSet, screens)
    let proposed = repairer.repair(drift)
    guard let expected else {
      #expect(proposed == nil, "a test that is not one for equality is for its author to change")
      return
    }
    let repair = try #require(proposed)
    #expect(repair.key == "$element_id" && repair.values == ["checkout"] && !repair.isReplacing)
    let include: EventObject = ["style": "sensors-android", "where": .object(["$element_id": expected])]
    #expect(repair.rule["include"] == EventValue.object(include))
    let edited = try #require(try repairer.applying([repair]).first)
    #expect(RuleDrift.find(try RuleFiles(text: edited.after).ruleSet(), screens).isEmpty, "\(edited.after)")
  }

  @Test("an id that a build tool gave all resources repairs no rule")
  func collapsedID() throws {
    let new = try Self.androidBar(payID: "0_resource_name_obfuscated")
    let screens = [ScreenDrift(from: try Self.androidBar(payID: "pay"), to: new)]
    let files = try Self.rules("{ style: sensors-android, where: { $element_id: pay } }")
    let ruleSet = try files.ruleSet()
    let drift = try #require(RuleDrift.find(ruleSet, screens).first)
    #expect(drift.missed.map(\.place.element) == [ElementID(4)])
    var repairer = RuleRepairer(files, ruleSet, screens)
    let repair = repairer.repair(drift)
    #expect(repair == nil)
  }

  @Test("if only the class of the page has changed, the new page is added")
  func page() throws {
    let old = try Self.bar(["Cancel", "Pay"])
    let tree = try Screens.of(
      """
      <view class='UIWindow' frame='0 0 390 844'><view class='UIView' controller='OrderPage' frame='0 0 390 844'>
      <view class='UILabel' text='Your order' frame='0 0 390 40'/><view class='OrderBar' frame='0 700 390 80'>
      <view class='UIButton' title='Cancel' frame='0 0 80 40'/><view class='UIButton' title='Pay' frame='0 0 80 40'/>
      </view></view></view>
      """)
    let screens = [ScreenDrift(from: old, to: NamedScreen(name: "bar", screen: tree))]
    let files = try Self.rules("{ page: OrderController, selector: OrderBar/UIButton(1) }")
    let ruleSet = try files.ruleSet()
    let drift = try #require(RuleDrift.find(ruleSet, screens).first)
    var repairer = RuleRepairer(files, ruleSet, screens)
    let proposed = repairer.repair(drift)
    let repair = try #require(proposed)
    #expect(repair.key == "page" && repair.values == ["OrderPage"] && !repair.isReplacing)
    let edited = try #require(try repairer.applying([repair]).first)
    #expect(edited.after.contains("page: [OrderController, OrderPage]"), "\(edited.after)")
    #expect(RuleDrift.find(try RuleFiles(text: edited.after).ruleSet(), screens).isEmpty, "\(edited.after)")
  }

  @Test("a place that belonged to another element before is added from the new version on")
  func sinceVersion() throws {
    let old = try Self.bar(["Cancel", "Share", "Pay"], version: "5.1")
    let screens = [ScreenDrift(from: old, to: try Self.bar(["Share", "Pay"], version: "5.2"))]
    let files = try Self.rules("{ selector: OrderBar/UIButton(2) }")
    let ruleSet = try files.ruleSet()
    let drift = try #require(RuleDrift.find(ruleSet, screens).first)
    #expect(drift.kind == .nothing)
    var repairer = RuleRepairer(files, ruleSet, screens)
    let proposed = repairer.repair(drift)
    let repair = try #require(proposed)
    #expect(repair.since == "5.2" && !repair.isReplacing)
    let edited = try #require(try repairer.applying([repair]).first)
    #expect(RuleDrift.find(try RuleFiles(text: edited.after).ruleSet(), screens).isEmpty, "\(edited.after)")
  }

  @Test("a rule is repaired release after release, and keeps what it selected in each")
  func manyReleases() throws {
    let releases = try [
      ("5.1", ["Pay", "Cancel", "Help"]), ("5.2", ["Cancel", "Pay", "Help"]),
      ("5.3-beta.1", ["Cancel", "Help", "Pay"]),
      ("5.3", ["Cancel", "Pay", "Help"]), ("5.10", ["Pay", "Cancel", "Help"]),
    ].map { try Self.bar($1, version: $0) }
    var text = "version: 1\nrules:\n  - id: pay\n    include: { selector: OrderBar/UIButton(0) }\n"
    for (old, new) in zip(releases, releases.dropFirst()) {
      let files = RuleFiles(text: text, name: "rules.yaml")
      let (ruleSet, screens) = (try files.ruleSet(), [ScreenDrift(from: old, to: new)])
      let drift = try #require(RuleDrift.find(ruleSet, screens).first)
      var repairer = RuleRepairer(files, ruleSet, screens)
      let proposed = repairer.repair(drift)
      let repair = try #require(proposed, "\(text)")
      #expect(!repair.isReplacing)
      text = try #require(try repairer.applying([repair]).first).after
    }
    let ruleSet = try RuleFiles(text: text, name: "rules.yaml").ruleSet()
    for new in releases.dropFirst() {
      #expect(RuleDrift.find(ruleSet, [ScreenDrift(from: releases[0], to: new)]).isEmpty, "\(new.name) \(text)")
    }
    #expect(text.contains("\">=5.2 <5.3-beta.1\"") && text.contains("\">=5.10\""), "\(text)")
  }

  @Test("a rule that breaks on two platforms at once is repaired for both")
  func bothPlatforms() throws {
    let button = "<view class='android.widget.Button' frame='0 0 300 100' text='Pay' clickable='true'/>"
    let stack = "<view class='android.widget.LinearLayout' frame='0 0 1080 100'>\(button)</view>"
    let screens = [
      ScreenDrift(from: try Self.bar(["Cancel", "Pay"]), to: try Self.bar(["Cancel", "Pay"], inStack: true)),
      ScreenDrift(from: try Self.androidBar(button), to: try Self.androidBar(stack)),
    ]
    let android = "{ style: sensors-android, selector: com.example.CartBar/android.widget.Button }"
    let files = try Self.rules("[{ style: sensors, selector: OrderBar/UIButton(1) }, \(android)]")
    let ruleSet = try files.ruleSet()
    let drift = try #require(RuleDrift.find(ruleSet, screens).first)
    #expect(drift.missed.map(\.place.pair) == [0, 1])
    var repairer = RuleRepairer(files, ruleSet, screens)
    let repair = repairer.repair(drift)
    let proposed = try #require(repair)
    let edited = try #require(try repairer.applying([proposed]).first)
    #expect(RuleDrift.find(try RuleFiles(text: edited.after).ruleSet(), screens).isEmpty, "\(edited.after)")
  }

  @Test(
    "a rule for two platforms is divided by the version of each platform on which it breaks",
    arguments: [false, true])
  func versionsOfPlatforms(breaksOnBoth: Bool) throws {
    func buttons(_ titles: [String]) -> String {
      titles.enumerated().map { number, title in
        "<view class='android.widget.Button' frame='\(300 * number) 0 300 100' text='\(title)' clickable='true'/>"
      }.joined()
    }
    let (old, new) = (["Pay", "Cancel"], ["Cancel", "Pay"])
    let screens = [
      ScreenDrift(from: try Self.bar(old, version: "5.1"), to: try Self.bar(new, version: "5.2")),
      ScreenDrift(
        from: try Self.androidBar(buttons(old), version: "8.0"),
        to: try Self.androidBar(buttons(breaksOnBoth ? new : old), version: "8.1")),
    ]
    let android = "{ style: sensors-android, selector: com.example.CartBar/android.widget.Button(0) }"
    let files = try Self.rules("[{ style: sensors, selector: OrderBar/UIButton(0) }, \(android)]")
    let ruleSet = try files.ruleSet()
    let drift = try #require(RuleDrift.find(ruleSet, screens).first)
    #expect(drift.kind == .another)
    var repairer = RuleRepairer(files, ruleSet, screens)
    let proposed = repairer.repair(drift)
    let repair = try #require(proposed)
    #expect(!repair.isReplacing && repair.since == (breaksOnBoth ? "5.2, 8.1" : "5.2"))
    let edited = try #require(try repairer.applying([repair]).first)
    #expect(RuleDrift.find(try RuleFiles(text: edited.after).ruleSet(), screens).isEmpty, "\(edited.after)")
    #expect(edited.after.contains("\">=8.1\"") == breaksOnBoth, "\(edited.after)")
  }

  /// A screen of Android with a bar.
  private static func androidBar(_ inner: String, version: String? = nil) throws -> NamedScreen {
    let header = version.map { " appVersion='\($0)'" } ?? ""
    let capture = """
      <viewTree version='1' os='Android'\(header)>
      <view class='com.android.internal.policy.DecorView' frame='0 0 1080 2340' controller='com.example.CartActivity'>
      <view class='android.widget.FrameLayout' identifier='android:id/content' frame='0 0 1080 2000'>
      <view class='com.example.CartBar' frame='0 1800 1080 200'>\(inner)</view></view></view></viewTree>
      """
    return NamedScreen(name: "bar", screen: IdentifiedTree(try CaptureReader().read(Array(capture.utf8))))
  }

  /// A screen of Android with a bar with two buttons, of which the one to pay has an id.
  private static func androidBar(payID id: String) throws -> NamedScreen {
    try androidBar(
      """
      <view class='android.widget.Button' identifier='com.example:id/back' frame='0 0 300 100' text='Back' clickable='true'/>
      <view class='android.widget.Button' identifier='com.example:id/\(id)' frame='300 0 300 100' text='Pay' clickable='true'/>
      """)
  }

  @Test("with rules in several styles, each screen tests the clauses for its platform, which are repaired")
  func severalStyles() throws {
    let button = "<view class='android.widget.Button' frame='0 0 300 100' text='Pay' clickable='true'/>"
    let old = try Self.androidBar(button)
    let new = try Self.androidBar("<view class='android.widget.LinearLayout' frame='0 0 1080 100'>\(button)</view>")
    let screens = [ScreenDrift(from: old, to: new)]
    let android = "{ style: sensors-android, selector: com.example.CartBar/android.widget.Button }"
    let files = try Self.rules("[{ style: sensors, selector: CartBar/PayButton }, \(android)]")
    let ruleSet = try files.ruleSet()
    #expect(AnchorFile.anchors(of: ruleSet, on: [old]).without.isEmpty)
    let drift = try #require(RuleDrift.find(ruleSet, screens).first)
    #expect(drift.kind == .nothing && drift.missed.map(\.place.element) == [ElementID(4)])
    var repairer = RuleRepairer(files, ruleSet, screens)
    let repair = repairer.repair(drift)
    let proposed = try #require(repair)
    let edited = try #require(try repairer.applying([proposed]).first)
    #expect(!edited.after.contains("[CartBar/PayButton"), "the clause for iOS stays: \(edited.after)")
    #expect(RuleDrift.find(try RuleFiles(text: edited.after).ruleSet(), screens).isEmpty, "\(edited.after)")
  }

  @Test("repairs of several rules in several files are the same as one by one, and hold together")
  func severalRepairs() throws {
    let (old, new) = (try Self.bar(["Cancel", "Pay"]), try Self.bar(["Cancel", "Pay"], inStack: true))
    let screens = [ScreenDrift(from: old, to: new)]
    func text(_ id: String, _ button: Int) -> String {
      "version: 1\nrules:\n  - id: \(id)\n    include: { selector: OrderBar/UIButton(\(button)) }\n"
    }
    let files = RuleFiles(texts: [("a.yaml", text("cancel", 0)), ("b.yaml", text("pay", 1))])
    let ruleSet = try files.ruleSet()
    let drifts = RuleDrift.find(ruleSet, screens)
    #expect(drifts.map(\.id.text) == ["cancel", "pay"])
    var repairer = RuleRepairer(files, ruleSet, screens)
    let repairs = repairer.repairs(of: drifts).compactMap { $0 }
    #expect(repairs.map(\.file) == ["a.yaml", "b.yaml"])
    for (drift, repair) in zip(drifts, repairs) {
      var other = RuleRepairer(files, ruleSet, screens)
      let alone = other.repair(drift)
      #expect(alone?.rule == repair.rule)
    }
    let edited = try repairer.applying(repairs).map { (name: $0.file, text: $0.after) }
    #expect(RuleDrift.find(try RuleFiles(texts: edited).ruleSet(), screens).isEmpty)
  }

  @Test("a further row of a list is not another element")
  func rows() throws {
    func list(_ rows: Int) throws -> NamedScreen {
      let cells = (0..<rows).map {
        "<view class='Cell' superclasses='UITableViewCell' indexPath='0 \($0)' frame='0 \($0 * 44) 390 44'>"
          + "<view class='UIButton' title='Buy \($0)' frame='300 0 80 44'/></view>"
      }.joined()
      return NamedScreen(
        name: "list",
        screen: try Screens.of(
          "<view class='UIWindow' frame='0 0 390 844'><view class='UITableView' frame='0 0 390 844'>\(cells)</view></view>"
        ))
    }
    let screens = [ScreenDrift(from: try list(2), to: try list(3))]
    let ruleSet = try Self.rules("{ selector: 'Cell(section:0 row:*)/UIButton' }").ruleSet()
    #expect(RuleDrift.find(ruleSet, screens).isEmpty)
  }

  @Test("a further row is not another element where captures have only its index, either")
  func indexedRows() throws {
    func android(_ rows: Int) throws -> NamedScreen {
      let row = """
        <view class='android.widget.LinearLayout' frame='0 0 1080 200'>
        <view class='android.widget.Button' frame='0 0 300 100' text='Buy' clickable='true'/></view>
        """
      let cells = String(repeating: row, count: rows)
      return try Self.androidBar(
        "<view class='androidx.recyclerview.widget.RecyclerView' frame='0 0 1080 800'>\(cells)</view>")
    }
    func page(_ rows: Int) throws -> NamedScreen {
      let cells = String(repeating: "<li><a href='/tea'>Tea</a><button>Buy</button></li>", count: rows)
      let html = """
        <!doctype html><html><head><title>Tea</title><link rel=canonical href='https://shop.example/tea'></head>
        <body><ul>\(cells)</ul></body></html>
        """
      return NamedScreen(name: "page", screen: IdentifiedTree(try CaptureReader().read(Array(html.utf8))))
    }
    let button = "android.widget.LinearLayout/android.widget.Button"
    let lists = [
      ("{ style: sensors-android, selector: \(button) }", try android(2), try android(3)),
      ("{ style: posthog-web, selector: 'li > button' }", try page(2), try page(3)),
    ]
    for (rule, old, new) in lists {
      let ruleSet = try Self.rules(rule).ruleSet()
      let screens = [ScreenDrift(from: old, to: new)]
      #expect(RuleDrift.selecting(ruleSet, on: [new.screen]).count == 1, "\(rule)")
      #expect(RuleDrift.find(ruleSet, screens).isEmpty, "\(rule)")
    }
  }

  @Test("a rule about one row is repaired for that row, one about all rows for all", arguments: ["1", "*"])
  func repairedRows(row: String) throws {
    func list(_ cell: String) throws -> NamedScreen {
      let cells = ["Apple", "Pear", "Plum"].enumerated().map { row, name in
        "<view class='\(cell)' superclasses='UITableViewCell' indexPath='0 \(row)' frame='0 \(row * 100) 390 100'>"
          + "<view class='UILabel' text='\(name)'/><view class='UIButton' title='Buy \(name)' frame='0 0 80 40'/></view>"
      }
      return NamedScreen(
        name: "list",
        screen: try Screens.of(
          "<view class='UIWindow'><view class='UITableView' controller='Fruit' frame='0 0 390 844'>"
            + "\(cells.joined())</view></view>"))
    }
    let screens = [ScreenDrift(from: try list("FruitCell"), to: try list("FruitRowCell"))]
    let files = try Self.rules("{ page: Fruit, selector: \"FruitCell(section:0 row:\(row))/UIButton(0)\" }")
    let ruleSet = try files.ruleSet()
    let drift = try #require(RuleDrift.find(ruleSet, screens).first)
    var repairer = RuleRepairer(files, ruleSet, screens)
    let proposed = repairer.repair(drift)
    let repair = try #require(proposed)
    #expect(repair.values.count == 1 && repair.values[0].contains("row:\(row))"), "\(repair.values)")
  }

  @Test("captures of one page are paired, the most alike first")
  func pairing() throws {
    let old = [try Self.bar(["Cancel", "Pay"]), try Self.bar(["Edit", "Share", "Help"])]
    let new = [try Self.bar(["Edit", "Share", "Help", "More"]), try Self.bar(["Pay"]), try Self.bar(["Other"])]
    let pairing = ScreenPairing(old, new)
    #expect(pairing.pairs.map { [$0.old, $0.new] } == [[0, 1], [1, 0]])
    #expect(pairing.onlyOld.isEmpty && pairing.onlyNew == [2])
  }

  /// A page before and after its button to pay is removed.
  private static func withoutPay() throws -> [ScreenDrift] {
    func named(_ titles: [String], _ version: String) throws -> NamedScreen {
      let buttons = titles.map { "<view class='UIButton' title='\($0)' actions='tap:' frame='0 0 80 40'/>" }.joined()
      let views =
        "<view class='UIWindow'><view class='UIView' controller='A'><view class='OrderBar'>\(buttons)</view></view></view>"
      return NamedScreen(name: version, screen: try Screens.of(views, appVersion: version))
    }
    return [ScreenDrift(from: try named(["Cancel", "Pay"], "5.1"), to: try named(["Cancel"], "5.2"))]
  }

  private static func kinds(_ rule: EventObject, _ screens: [ScreenDrift]) throws -> [RuleDrift.Kind] {
    let json = String(
      decoding: EventValue.object(["version": .number(1), "rules": .list([.object(rule)])]).json, as: UTF8.self)
    return RuleDrift.find(try RuleFiles(text: json, name: "rules.json").ruleSet(), screens).map(\.kind)
  }

  @Test("a rule that ends before the new version does not break, whatever happened to its element")
  func retired() throws {
    let screens = try Self.withoutPay()
    let ruleSet = try Self.rules("{ selector: OrderBar/UIButton(1) }").ruleSet()
    #expect(RuleDrift.find(ruleSet, screens).map(\.kind) == [.gone])
    for (version, kinds) in [("5.2", []), ("5.3", [.gone])] as [(String, [RuleDrift.Kind])] {
      let rule = try #require(
        RetiredRule.retiring(
          ["id": "pay", "include": ["selector": "OrderBar/UIButton(1)"], "unless": ["event": "other"]],
          read: ruleSet.rules[0], in: ruleSet, from: version))
      #expect(try Self.kinds(rule, screens) == kinds)
    }
    #expect(RetiredRule.retiring(["id": "pay"], read: ruleSet.rules[0], in: ruleSet, from: "next") == nil)
  }

  @Test("a rule in several styles ends separately in each, where its events have the version")
  func retiredInSeveralStyles() throws {
    func clause(_ style: String, _ place: String) -> EventValue {
      ["style": .string(style), "where": [place: ["version": ">=5.2"]]]
    }
    let (sensors, growingIO) = (clause("sensors", "$app_version"), clause("growingio", "/appVersion"))
    let screens = try Self.withoutPay()
    let include: EventValue = [
      ["style": "sensors", "selector": "OrderBar/UIButton(1)"],
      ["style": "growingio", "selector": "OrderBar/UIButton(1)"],
    ]
    let ruleSet = try Self.rules(String(decoding: include.json, as: UTF8.self)).ruleSet()
    let rule = try #require(
      RetiredRule.retiring(["id": "pay", "include": include], read: ruleSet.rules[0], in: ruleSet, from: "5.2"))
    #expect(rule["unless"] == EventValue.list([sensors, growingIO]))
    #expect(try Self.kinds(rule, screens).isEmpty)
    // Versions of Android are others.
    let all: EventValue = [
      ["style": "sensors", "selector": "OrderBar/UIButton(1)"],
      ["style": "growingio", "selector": "OrderBar/UIButton(1)"],
      ["style": "sensors-android", "selector": "Bar/Button"],
    ]
    let both = try Self.rules(String(decoding: all.json, as: UTF8.self)).ruleSet()
    let ended = try #require(
      RetiredRule.retiring(
        ["id": "pay", "include": all], read: both.rules[0], in: both, from: "5.2", on: screens.map(\.new.screen)))
    #expect(ended["unless"] == EventValue.list([sensors, growingIO]))
    #expect(try Self.kinds(ended, screens).isEmpty)
    let other: EventObject = ["id": "pay", "include": include, "unless": growingIO]
    #expect(try Self.kinds(other, screens) == [.gone], "the capture is one of an app with Sensors")
  }
}
