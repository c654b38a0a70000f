import EncircleCapture
import EncircleTestSupport
import EncircleText
import EncircleTree
import Foundation
import Testing

@Suite struct FormatTests {
  private static let samples: [(format: CaptureFormat, text: String, root: String)] = [
    (.viewTree, "<viewTree version=\"1\"><view class=\"A\"/></viewTree>", "viewTree"),
    (.webDriverAgent, "<AppiumAUT><XCUIElementTypeWindow/></AppiumAUT>", "AppiumAUT"),
    (.webDriverAgent, "<XCUIElementTypeApplication/>", "XCUIElementTypeApplication"),
    (.webDriverAgent, "<UIAApplication/>", "UIAApplication"),
    (.uiautomator, "<hierarchy><node class=\"a.B\"/></hierarchy>", "node"),
    (.uiautomator, "<hierarchy><a.B/></hierarchy>", "a.B"),
    (.uiautomator, "<node class=\"a.B\"/>", "node"),
    (.recursiveDescription, "<UIWindow: 0x1; frame = (0 0; 1 1)>", "recursiveDescription text"),
    (.recursiveDescription, "  | <UIWindow; frame = (0 0; 1 1)>", "recursiveDescription text"),
    (.webDriverAgent, "<hierarchy><XCUIElementTypeApplication/></hierarchy>", "XCUIElementTypeApplication"),
    (.xcuiDescription, "Application, 0x1, pid: 2, label: 'A'", "debugDescription text"),
    (.xcuiDescription, "Element subtree:\n →Application 0x1: {{0, 0}, {1, 1}}", "debugDescription text"),
    (.xcuiDescription, #"{"value":"Element subtree:\n Application, 0x1, label: 'A'"}"#, "JSON"),
    (.detox, "<ViewHierarchy><A class='A'/></ViewHierarchy>", "ViewHierarchy"),
    (.sentry, #"{"rendering_system":"UIKIT","windows":[{"type":"UIWindow"}]}"#, "JSON of sentry"),
    (.sentry, #"{"type":"UIView","x":1,"y":2,"width":3,"height":4}"#, "JSON of sentry"),
    (.calabash, #"{"type":"CalabashRootView","children":[{"type":"UIWindow","frame":{}}]}"#, "JSON of calabash"),
    (.deviceAgent, #"{"type":"Application","test_id":1,"children":[]}"#, "JSON of deviceagent"),
    (.maestro, #"{"attributes":{},"children":[{"attributes":{"class":"a.B"}}]}"#, "JSON of maestro"),
    (.axe, #"{"axeContext":{"axeView":{"className":"a.B"}}}"#, "JSON of axe"),
    (.webDriverAgent, #"{"value":{"type":"Application"},"sessionId":null}"#, "JSON of webdriveragent"),
  ]

  @Test("the format shows in the content, whatever stands around it", arguments: samples.indices)
  func detection(sample: Int) throws {
    let (format, text, _) = Self.samples[sample]
    var texts = [text, "\n \t\n" + text, "\u{FEFF}" + text]
    if text.first == "<", format != .recursiveDescription {
      texts += ["<?xml version=\"1.0\"?>\n" + text, "\n<?xml version='1.0'?><!-- a -->\n" + text]
    }
    for text in texts { #expect(try CaptureReader().read(Array(text.utf8)).format == format) }
  }

  @Test(
    "a named format is read, and any other format is an error", arguments: samples.indices,
    CaptureFormat.allCases)
  func named(sample: Int, format: CaptureFormat) throws {
    let (actual, text, root) = Self.samples[sample]
    if actual == format {
      #expect(try CaptureReader(format: format).read(Array(text.utf8)).format == format)
    } else {
      let error = try #require(readingError(Array(text.utf8), format: format))
      guard case .wrongFormat(format, let found) = error.kind else {
        Issue.record("\(error)")
        return
      }
      #expect(
        [
          root, "element '\(root)'", "element 'hierarchy'", "XML", "JSON", "other text", "elements of WebDriverAgent",
          "elements of UiAutomator2",
        ].contains(found), "\(found)")
    }
  }

  @Test(
    "data that is not a capture is refused with a named format, too",
    arguments: [CaptureFormat.viewTree, .webDriverAgent, .uiautomator])
  func noCapture(format: CaptureFormat) {
    let expected = CaptureError(.wrongFormat(expected: format, found: "JSON"), at: SourceLocation(line: 1, column: 1))
    #expect(readingError(Array("{}".utf8), format: format) == expected)
    #expect(readingError([], format: format) == CaptureError(.empty))
  }

  @Test(
    "XML is recognised whatever its values hold",
    arguments: [
      "Wallet: 0xAb58", "&lt;A: 0x1; frame = (0 0; 1 1)>", "a; frame = (", "> (layer)", "; ",
      "&lt;A: 0x1>&#10; | &lt;B: 0x2>",
    ])
  func values(text: String) throws {
    let field = #"<node class="android.widget.EditText" password="true" text="hunter2" bounds="[0,0][1,1]"/>"#
    let capture =
      #"<hierarchy rotation="0">\#(field)<node class="android.widget.TextView" text="\#(text)" bounds="[0,1][1,2]"/></hierarchy>"#
    for capture in [capture, "\n" + capture, "<!-- \(text.replacing("&lt;", with: "<")) -->" + capture] {
      let tree = try CaptureReader().read(Array(capture.utf8))
      #expect(tree.format == .uiautomator && tree.count == 2)
      #expect(readingError(Array(capture.utf8), format: .recursiveDescription) != nil)
    }
  }

  @Test(
    "only the description names an option, as clients of the service see the message",
    arguments: [.unknownFormat("JSON"), .badEncoding("GBK"), .unknownEncoding, .onlyControllers] as [CaptureError.Kind])
  func option(kind: CaptureError.Kind) {
    let error = CaptureError(kind)
    #expect(!error.message.contains("--") && error.description.contains("\(error.message); "))
    #expect(error.description.contains("--"))
  }

  @Test("if a file holds trees of two formats, the named one is read")
  func both() throws {
    let views = "<UIWindow: 0x1; frame = (0 0; 1 1)>\n"
    let xml = "<hierarchy><node class='a.B'/></hierarchy>\n"
    #expect(dump(Array((views + xml).utf8), format: .uiautomator) == "a.B")
    #expect(dump(Array((xml + views).utf8), format: .recursiveDescription) == "UIWindow (0 0 1 1)")
    #expect(dump(Array(("log\n" + views + xml).utf8), format: .uiautomator) == "a.B")
    #expect(dump(Array("<UIView>\n | <UIView>".utf8), format: .recursiveDescription) == "UIView\n  UIView")
  }

  @Test("every shipped capture is read, in the format of its name", arguments: PackageFolder.captureNames)
  func shipped(name: String) throws {
    let file = PackageFolder.viewTrees.appendingPathComponent(name)
    let tree = try CaptureReader().read(contentsOf: file.path)
    let expected: CaptureFormat =
      if name.hasSuffix(".wda.xml") || name.hasSuffix(".uia.xml") {
        .webDriverAgent
      } else if name.contains(".uiautomator") {
        .uiautomator
      } else if let format = CaptureFormat.allCases.first(where: { name.contains(".\($0.rawValue).") }) {
        format
      } else {
        .viewTree
      }
    #expect(tree.format == expected)
    #expect(tree.count > 10)
    #expect(try CaptureReader().read(gzip(try PackageFolder.bytes(file))).dump == tree.dump)
  }

  @Test("uiautomator and Appium give the same tree of the same screen")
  func sameScreen() throws {
    let trees = try ["login.uiautomator.xml", "login.uiautomator2.xml"].map {
      try CaptureReader().read(contentsOf: PackageFolder.viewTrees.appendingPathComponent($0).path)
    }
    #expect(trees[0].count == trees[1].count)
    for element in trees[0].elements {
      #expect(trees[0].className(of: element) == trees[1].className(of: element))
      #expect(trees[0].frame(of: element) == trees[1].frame(of: element))
      #expect(trees[0].parent(of: element) == trees[1].parent(of: element))
    }
  }

  @Test("a missing file and a directory have different errors")
  func files() {
    let reader = CaptureReader()
    let missing = PackageFolder.viewTrees.appendingPathComponent("no such capture.xml").path
    #expect(throws: CaptureError(.noSuchFile, file: missing)) { try reader.read(contentsOf: missing) }
    #expect(throws: CaptureError(.noSuchFile, file: "home\0feed.xml")) { try reader.read(contentsOf: "home\0feed.xml") }
    let folder = PackageFolder.viewTrees.path
    #expect(throws: CaptureError(.isDirectory, file: folder)) { try reader.read(contentsOf: folder) }
  }
}
