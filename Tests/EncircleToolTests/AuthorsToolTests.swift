import EncircleTestSupport
import EncircleText
import Foundation
import Testing

/// Help for the authors of rules on the command line.
@Suite struct AuthorsToolTests {
  private static func capture(_ name: String) -> String {
    PackageFolder.viewTrees.appendingPathComponent(name).path
  }

  @Test("files that are not captures are named only if no captures are found") func skippedFiles() throws {
    let folder = try TemporaryFolder()
    defer { folder.remove() }
    for name in ["a/notes.json", "b/notes.json"] { try folder.write(name, "{}") }
    try folder.write("a/capture.xml", #"<viewTree version="1"><view class="UIWindow"/></viewTree>"#)
    #expect(!(try Tool.run(["resolve", "a"], in: folder.url).errors.contains("skipped")))
    #expect(try Tool.run(["resolve", "b"], in: folder.url).errors.contains("skipped 1 file that is not a capture: "))
  }

  @Test("explain takes an element as suggest does", arguments: ["17", "x,y", "去结算(3)", "98,12"])
  func element(_ element: String) throws {
    let result = try Tool.run(
      ["explain", "--rules", "Rules/shop.yaml", "--capture", "ViewTrees/cart.xml", "--element", element],
      in: PackageFolder.root)
    switch element {
    case "x,y": #expect(result.status == 1 && result.errors.contains("no element says 'x,y'"))
    case "98,12": #expect(result.status == 0 || result.errors.contains("no trackable element"))
    default: #expect(result.status == 0 && result.text.contains("rule"), "\(result.errors)")
    }
  }

  @Test("a table fits into 40 columns, into fewer, and into any number", arguments: [40, 60, 30, Int.max])
  func narrow(_ columns: Int) throws {
    let tool = try #require(Tool.executable).path
    let result = try Tool.run(
      URL(fileURLWithPath: "/usr/bin/env"), ["COLUMNS=\(columns)", tool, "resolve", "ViewTrees/cart.xml"],
      in: PackageFolder.root)
    #expect(result.status == 0)
    // The heading has the capture's name and format.
    for line in result.text.split(separator: "\n").dropFirst() {
      #expect(VisibleText.width(String(line)) <= columns, "\(line)")
    }
  }

  @Test("problems of rule files are coloured on request, and usage errors name the command") func colors() throws {
    let folder = try TemporaryFolder()
    defer { folder.remove() }
    try folder.write("rules.yaml", "version: 1\nrules:\n  - { id: a, enabled: \"false\", include: { page: A } }\n")
    let plain = try Tool.run(["check", "rules.yaml"], in: folder.url)
    #expect(plain.status == 65 && plain.errors.contains("3:23: error: expected true or false without quotes"))
    let colored = try Tool.run(["check", "rules.yaml", "--color", "always"], in: folder.url)
    #expect(colored.errors.contains("3:23: \u{1B}[31merror\u{1B}[0m: expected true or false"))
    for command in ["check", "select", "suggest", "explain", "match", "test"] {
      #expect(try Tool.run([command, "--no-such-option"], in: folder.url).errors.contains("encircle \(command)"))
    }
  }

  @Test("select says if no SDK sends events of the matched elements") func untracked() throws {
    let cart = Self.capture("cart.xml")
    let label = try Tool.run(["select", "CheckoutButton(0)/UIButtonLabel(0)", cart])
    let note = "note: no SDK sends events for UIButtonLabel; a tap on it is one on the CheckoutButton around it\n"
    #expect(label.errors == note)
    #expect(try Tool.run(["select", "CheckoutButton(0)", cart]).errors.isEmpty)
    #expect(try Tool.run(["select", "CheckoutButton(0)/**", cart]).errors.isEmpty)
  }

  @Test(
    "suggest invents no identity for a bar item without actions, names menu rows by text, and gives unique ids")
  func suggestions() throws {
    func rule(_ capture: String, _ element: Int) throws -> ToolResult {
      try Tool.run(["suggest", Self.capture(capture), "\(element)", "--rules-yaml"])
    }
    let bar = try rule("cart.recursive-description.txt", 41)
    #expect(bar.errors.contains("note: the capture lacks the actions of bar items"))
    #expect(!bar.text.contains("identity:") && bar.text.contains("_UIButtonBarButton"))
    #expect(!(try rule("cart.xml", 86).errors.contains("actions of bar items")))
    let row = try rule("tab-bar.xml", 25)
    #expect(row.text.contains("$element_content: { equals: 优惠券 }") && !row.text.contains("row:*"), "\(row.text)")
    let order = try rule("tab-bar.xml", 54)
    #expect(order.text.contains("$element_content: { equals: 待发货 }"), "\(order.text)")
    let ids = try [51, 54, 57].map { element in
      try rule("tab-bar.xml", element).text.split(separator: "\n").first { $0.contains("- id:") }
    }
    #expect(Set(ids).count == 3, "\(ids)")
  }

  @Test("suggest reads properties off other elements, and offers the texts around the element") func around() throws {
    let folder = try TemporaryFolder()
    defer { folder.remove() }
    // One text in parts takes the compiler seconds.
    var feed = #"<viewTree version="1"><view class="UIWindow"><view class="UITableView" controller="FeedController">"#
    for (row, texts) in [("桃", "¥168.50"), ("李", "¥9")].enumerated() {
      feed += #"<view class="ProductCell" superclasses="UITableViewCell" indexPath="0 \#(row)">"#
      feed += #"<view class="UILabel" text="\#(texts.0)"/><view class="UILabel" text="\#(texts.1)"/>"#
      feed += #"<view class="UIButton" title="加入" actions="a:"/><view class="UITextField" text="2"/></view>"#
    }
    try folder.write("feed.xml", feed + "</view></view></viewTree>")
    func suggest(_ arguments: String...) throws -> ToolResult {
      try Tool.run(["suggest", "feed.xml", "5"] + arguments, in: folder.url)
    }
    let text = try suggest("--property", "price=¥168.50", "--property", "row=2")
    #expect(text.text.contains("property price: ../UILabel(1), which says '¥168.50'\n"), "\(text.text)\(text.errors)")
    #expect(text.text.contains("where a text within ProductCell is '桃', which is localised\n"))
    let json = try suggest("--property", "price=4", "--format", "json").text
    #expect(json.contains(#""properties":[{"name":"price","element":"../UILabel(1)","text":"¥168.50"}]"#), "\(json)")
    #expect(json.contains(#""within":{"selector":"ProductCell","says":"桃"}"#))
    let yaml = try suggest("--property", "price=¥168.50", "--rules-yaml").text
    #expect(yaml.contains("    properties: { price: { element: \"../UILabel(1)\" } }\n"), "\(yaml)")
    let typed = try suggest("--property", "count=6")
    #expect(typed.errors.contains("element 6 is one in which people type, which is never read"), "\(typed.errors)")
    #expect(try suggest("--property", "x=nothing").status == 1)
    #expect(try suggest("--property", "$x=3").errors.contains("the SDK's own"))
    #expect(try suggest("--property", "price").status == 64)
    #expect(try suggest("--property", "price=4", "--property", "price=6").errors.contains("'price' twice"))
  }
}
