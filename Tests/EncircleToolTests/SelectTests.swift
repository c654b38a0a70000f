import EncircleTestSupport
import Foundation
import Testing

@Suite struct SelectTests {
  @Test(
    "select lists the elements that resolve lists, those that match", arguments: ["table", "ndjson", "json", "csv"])
  func formats(format: String) throws {
    let selected = try Tool.run(["select", "--format", format, "UISwitch", "cart.xml"])
    #expect(selected.status == 0)
    #expect(selected.errors.isEmpty)
    switch format {
    case "json":
      let array = try #require(try JSONSerialization.jsonObject(with: Data(selected.output)) as? [[String: Any]])
      #expect(array.map { $0["class"] as? String } == ["UISwitch", "UISwitch", "UISwitch"])
    case "table":
      #expect(selected.lines.count == 5)
      #expect(selected.text.hasPrefix("cart.xml  "))
    default:
      let all = try Tool.run(["resolve", "--format", format, "cart.xml"]).output.split(separator: 0x0A)
      let lines = selected.output.split(separator: 0x0A)
      #expect(lines.allSatisfy { all.contains($0) })
      #expect(lines.count == (format == "csv" ? 4 : 3))
    }
  }

  @Test(
    "--count is the number of elements in all captures",
    arguments: [
      (["**", "cart.xml"], "105"), (["UISwitch", "cart.xml"], "3"), (["UISwitch", "cart.xml", "cart.xml"], "6"),
      (["CartRowCell(section:0 row:*)", "cart.xml"], "3"), (["CartRowCell(section:0 row:1)", "cart.xml"], "1"),
      (["/UISwitch", "cart.xml"], "0"), (["/UIWindow(0)", "cart.xml"], "1"), (["Nothing", "cart.xml"], "0"),
      ([":UIStepper/**/*Button", "cart.xml"], "6"), ([":ShopBaseViewController", "cart.xml"], "0"),
      ([":UILabel", "cart.xml"], "17"), (["UILabel", "cart.xml"], "9"),
    ])
  func count(arguments: [String], expected: String) throws {
    let result = try Tool.run(["select", "--count"] + arguments)
    #expect(result.text == expected + "\n")
    #expect(result.status == 0)
  }

  @Test(
    "the exit status says how it went",
    arguments: [
      (["UISwitch", "cart.xml"], 0), (["Nothing", "cart.xml"], 0), (["A(", "cart.xml"], 65), (["", "cart.xml"], 65),
      (["UISwitch"], 64), ([], 64), (["UISwitch", "missing.xml"], 66), (["UISwitch", "README.md"], 65),
      (["--format", "xml", "UISwitch", "cart.xml"], 64),
    ] as [([String], Int32)])
  func status(arguments: [String], expected: Int32) throws {
    let result = try Tool.run(["select"] + arguments)
    #expect(result.status == expected, "\(result.errors)")
    // A selector that matches nothing is reported.
    #expect(result.errors.isEmpty == (expected == 0 && arguments[0] != "Nothing"))
  }

  @Test(
    "a selector that matches nothing is explained on standard error, with what may be meant",
    arguments: [
      (
        "CartRowCell(section:0 item:*)/**/UISwitch(0)",
        """
        note: no element matches the selector: CartRowCell has a row rather than an item
        note: CartRowCell(section:0 row:*)/**/UISwitch(0) matches
        """
      ),
      (
        "CartRowCel/**/UISwitch",
        """
        note: no element matches the selector: there is no CartRowCel, but CartRowCell
        note: CartRowCell/**/UISwitch matches
        """
      ),
      (
        "GoneView/UIMissingThing",
        """
        note: no element matches the selector
        note: there is no class GoneView in the captures
        note: there is no class UIMissingThing in the captures

        """
      ),
      (
        "UISwitchVisual/UIStepperViewX",
        """
        note: no element matches the selector
        note: there is no class UISwitchVisual; the nearest is UISwitch
        note: there is no class UIStepperViewX; the nearest is UIStepper

        """
      ),
    ])
  func hints(selector: String, expected: String) throws {
    let result = try Tool.run(["select", selector, "cart.xml"])
    #expect(result.errors.hasPrefix(expected), "\(result.errors)")
    #expect(result.status == 0)
  }

  @Test(
    "a directory without files is reported", arguments: [["resolve"], ["select", "UIButton"], ["index", "-o", "d"]])
  func emptyDirectory(command: [String]) throws {
    let folder = try TemporaryFolder()
    defer { folder.remove() }
    try FileManager.default.createDirectory(
      at: folder.url.appendingPathComponent("empty"), withIntermediateDirectories: true)
    let result = try Tool.run(command + ["empty"], in: folder.url)
    #expect(result.errors.hasPrefix("note: the directory empty has no files, and so no captures\n"), "\(result.errors)")
  }

  @Test("an error in the selector is shown with its place")
  func selectorErrors() throws {
    let result = try Tool.run(["select", "视图/A(rwo:1)", "cart.xml"])
    #expect(
      result.errors == """
        1:6: error: expected one of the fields section, row, item, indexx, indexy, text and id, found 'rwo'; did you mean 'row'?
          视图/A(rwo:1)
          \u{3000}\u{3000}   ^

        """)
    #expect(result.output.isEmpty)
  }

  @Test(
    "a capture before the selector is reported, with the command that was meant",
    arguments: [("UISwitch", "UISwitch"), ("'My View'/A(0)", #"''\''My View'\''/A(0)'"#)])
  func order(selector: String, quoted: String) throws {
    let result = try Tool.run(["select", "cart.xml", selector])
    #expect(result.status == 64)
    #expect(result.errors.hasPrefix("Error: The selector comes first: encircle select \(quoted) cart.xml\n"))
  }

  @Test(
    "matches come first, also with --same-kind",
    arguments: [
      (["--same-kind", "35", "home-feed.xml"], 0, "3\n", ""),
      (["--same-kind", "19fcd72be0e5", "home-feed.xml"], 0, "3\n", ""),
      (["--same-kind", "再买", "order-v5.1.xml", "order-v5.2.xml"], 0, "4\n", ""),
      (["--same-kind", "home-feed.xml", "35"], 64, "", "encircle select --same-kind 35 home-feed.xml"),
      (["--same-kind", "999", "home-feed.xml"], 1, "", "there is no element 999: the capture has 0 to"),
      (["--same-kind", "deadbeef", "home-feed.xml"], 1, "", "no element has event ID deadbeef"),
      (["--same-kind", "35", "home-feed.xml", "cart.xml"], 64, "", "a number names an element of one capture"),
      (["--same-kind", "35"], 64, "", "Name at least one capture"),
      (["--same-kind", "--at", "1,1", "cart.xml"], 64, "", "Only one of"),
    ] as [([String], Int32, String, String)])
  func sameKind(arguments: [String], status: Int32, output: String, errors: String) throws {
    let result = try Tool.run(["select", "--count"] + arguments)
    #expect(result.status == status, "\(result.errors)")
    #expect(result.text == output, "\(result.errors)")
    #expect(errors.isEmpty ? result.errors.isEmpty : result.errors.contains(errors), "\(result.errors)")
  }

  @Test("the elements of an event are listed, by its ID or path")
  func events() throws {
    let events = PackageFolder.root.appendingPathComponent("Rules/events/shop.ndjson").path
    let result = try Tool.run(["select", "--event", events + ":9", "home-feed.xml", "--format", "ndjson"])
    #expect(result.status == 0, "\(result.errors)")
    #expect(result.lines.count == 1 && result.text.contains(#""element":35,"#), "\(result.text)")
    let other = try Tool.run(["select", "--event", events + ":9", "cart.xml"])
    #expect(other.status == 1 && other.output.isEmpty)
    #expect(other.errors.contains("no element of the captures has the event's ID, or its path on its page"))
    let start = try Tool.run(["select", "--event", events + ":1", "cart.xml"])
    #expect(start.status == 1 && start.errors.contains("neither an event ID nor a path"))
  }

  @Test(
    "an event may name a cell without an index path as resolve does",
    arguments: [
      ("hubbledata", "UIWindow(0)_UITableView(0)_Cell(1)_UIButton(0)"), ("sensors", "UITableView/Cell[1]/UIButton[0]"),
      ("sensors-exact", "UITableView/Cell[1]/UIButton[0]"),
    ])
  func cellWithoutIndexPath(style: String, path: String) throws {
    let folder = try TemporaryFolder()
    defer { folder.remove() }
    let cell = "<view class='Cell' superclasses='UITableViewCell'><view class='UIButton'/></view>"
    try folder.write(
      "a.xml",
      viewTree("<view class='UIWindow'><view class='UITableView' controller='A'>\(cell)\(cell)</view></view>"))
    let resolved = try Tool.run(["resolve", "a.xml", "--style", style, "--format", "ndjson"], in: folder.url)
    #expect(resolved.text.contains("\"path\":\"\(path)\""), "\(resolved.text)")
    try folder.write(
      "e.json",
      "{\"event\":\"$AppClick\",\"properties\":{\"$element_path\":\"\(path)\",\"$screen_name\":\"A\"}}\n")
    let result = try Tool.run(
      ["select", "--event", "e.json", "a.xml", "--style", style, "--format", "ndjson"], in: folder.url)
    #expect(result.lines.count == 1 && result.text.contains(#""element":5,"#), "\(result.text)\(result.errors)")
  }

  @Test(
    "if only an event's page differs, the message names it, or says that the capture does not",
    arguments: [
      (
        "a.xml", #"{"$element_path":"UIWindow(0)_UIView(0)_UIButton(0)","$screen_name":"B"}"#,
        "a.xml: note: element 2 has its path, on page A\n"
      ),
      (
        "b.html", ##"{"$element_selector":"#buy","$element_path":"button#buy","$url_path":"/shop"}"##,
        "b.html: note: element 3 has its path, on a page that the capture does not name; --page names it\n"
      ),
      ("a.xml", #"{"$element_path":"UIWindow(0)_UIView(0)_UISwitch(0)","$screen_name":"A"}"#, ""),
    ])
  func otherPage(capture: String, properties: String, note: String) throws {
    let folder = try TemporaryFolder()
    defer { folder.remove() }
    try folder.write(
      "a.xml",
      viewTree("<view class='UIWindow'><view class='UIView' controller='A'><view class='UIButton'/></view></view>"))
    try folder.write("b.html", "<!DOCTYPE html><html><head></head><body><button id='buy'>Buy</button></body></html>")
    let name = capture == "a.xml" ? "$AppClick" : "$WebClick"
    try folder.write("e.json", "{\"event\":\"\(name)\",\"properties\":\(properties)}\n")
    let result = try Tool.run(["select", "--event", "e.json", capture], in: folder.url)
    #expect(
      result.errors == "e.json:1: error: no element of the captures has the event's ID, or its path on its page\n"
        + note)
    #expect(result.status == 1 && result.output.isEmpty)
  }

  @Test("an event of PostHog denotes a control whose state is another one in the capture, with a note")
  func otherState() throws {
    let folder = try TemporaryFolder()
    defer { folder.remove() }
    try folder.write(
      "a.xml",
      viewTree(
        "<view class='UIWindow'><view class='UIView' controller='A'><view class='UISwitch' on='true'/></view></view>"))
    for state in ["true", "false"] {
      try folder.write(
        "e.json",
        #"{"event":"$autocapture","properties":{"$screen_name":"A","$elements_chain":"UISwitch:text=\"\#(state)\";UIView;UIWindow"}}"#
      )
      let result = try Tool.run(["select", "--event", "e.json", "a.xml", "--count"], in: folder.url)
      #expect(result.text == "1\n" && result.status == 0, "\(result.errors)")
      #expect(
        result.errors
          == (state == "true"
            ? "" : "a.xml: note: no element has the texts of the event's path; these have its path with other texts\n"))
    }
  }

  @Test("standard input and compressed captures are captures")
  func inputs() throws {
    let capture = try PackageFolder.bytes(PackageFolder.viewTrees.appendingPathComponent("cart.xml"))
    for input in [capture, gzip(capture)] {
      #expect(try Tool.run(["select", "--count", "UISwitch", "-"], input: input).text == "3\n")
    }
  }
}
