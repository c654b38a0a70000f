import EncircleCapture
import EncircleIdentity
import EncircleTestSupport
import EncircleTree
import Testing

@Suite struct MissingInformationTests {
  @Test(
    "missing parts of identities are named, whatever wrote the capture",
    arguments: [
      ("Application, 0x1\n    Window, 0x2", [MissingInformation.classes, .controllers]),
      (#"{"type":"Application","test_id":1}"#, [.classes, .controllers]),
      (#"{"attributes":{"bounds":"[0,0][1,1]"},"children":[]}"#, [.classes, .controllers]),
      (#"{"attributes":{"class":"a.B"},"children":[]}"#, [.controllers]),
      (#"{"axeContext":{"axeView":{"className":"a.B"}}}"#, [.controllers]),
      (#"{"windows":[{"type":"UIWindow","children":[{"type":"A","view_controller":"B"}]}]}"#, []),
      (#"{"windows":[{"type":"UIView"}]}"#, [.controllers, .superviews([ElementID(0)])]),
      (#"{"windows":[{"type":"com.a.View"}]}"#, [.controllers, .superviews([ElementID(0)])]),
      (#"{"type":"CalabashRootView","children":[{"type":"UIWindow","frame":{}}]}"#, [.controllers]),
      (
        "<ViewHierarchy><A class='UIWindow'><B class='UITableViewCell'/></A></ViewHierarchy>",
        [
          .controllers, .indexPaths(cells: 1),
        ]
      ),
      ("<UIWindow: 0x1>\n<A 0x9>, state: appeared, view: <UIWindow: 0x1>", []),
      (
        "<UIWindow: 0x1>\n   | <UIAlertView: 0x2>\n   |    | <UILabel: 0x3>\n<A 0x9>, state: appeared, view: <UIWindow: 0x1>",
        [.alertTexts(alerts: 1)]
      ),
      (
        "<UIWindow: 0x1>\n<A 0x9>, state: appeared, view: <UIView: 0x2>",
        [
          .controllers, .controllerViews(controllers: 1),
        ]
      ),
    ])
  func missingInformation(text: String, expected: [MissingInformation]) throws {
    #expect(IdentifiedTree(try CaptureReader().read(Array(text.utf8))).missingInformation == expected)
  }

  @Test("HTML that is not UTF-8 and names no encoding lacks it, also if it names UTF-8")
  func pageEncoding() throws {
    func missing(_ head: String, _ encoding: String? = nil) throws -> [MissingInformation] {
      let page = Array("<html><head>\(head)<title>".utf8) + [0xC9, 0xCC, 0xB3, 0xC7]
      let reader = CaptureReader(encoding: encoding.flatMap { CaptureEncoding($0) })
      return IdentifiedTree(try reader.read(page)).missingInformation
    }
    #expect(try missing("") == [.pageDetails, .pageEncoding, .pageAddress])
    #expect(try missing("<meta charset=utf-8>") == [.pageDetails, .pageEncoding, .pageAddress])
    #expect(try missing("<meta charset=gbk>") == [.pageDetails, .pageAddress])
    #expect(try missing("", "GB18030") == [.pageDetails, .pageAddress])
  }

  @Test("a note names the first elements alone, as a large capture has thousands")
  func longLists() {
    let elements = (0..<1_000).map { ElementID($0) }
    #expect(
      MissingInformation.pagePositions(elements).description
        == "positions of child pages with zero or missing sizes (elements 0, 1, 2, 3, 4, …)")
  }

  @Test("windows of UIKit are numbered 0, other windows are counted", .articles("H29"))
  func windows() throws {
    func paths(_ text: String) throws -> [String] {
      let screen = IdentifiedTree(try CaptureReader().read(Array(text.utf8)))
      return screen.tree.elements.map { screen.path(of: $0).written(.slashes) }
    }
    #expect(
      try paths(#"{"rendering_system":"UIKIT","windows":[{"type":"UIWindow"},{"type":"UIWindow"}]}"#)
        == ["UIWindow(0)", "UIWindow(0)"])
    #expect(
      try paths("<ViewHierarchy><A class='UIWindow'/><A class='UIWindow'/></ViewHierarchy>")
        == ["UIWindow(0)", "UIWindow(0)"])
    let decor = "com.android.internal.policy.DecorView"
    #expect(
      try paths("<ViewHierarchy><A class='\(decor)'/><A class='\(decor)'/></ViewHierarchy>")
        == ["\(decor)(0)", "\(decor)(1)"])
  }
}
