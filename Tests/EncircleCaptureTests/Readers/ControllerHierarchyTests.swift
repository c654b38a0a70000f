import EncircleCapture
import EncircleTestSupport
import EncircleText
import EncircleTree
import Foundation
import Testing

@Suite struct ControllerHierarchyTests {
  private static let views = """
    <UIWindow: 0x10; frame = (0 0; 9 9)>
       | <UILayoutContainerView: 0x11; frame = (0 0; 9 9)>
       |    | <UIView: 0x7F12; frame = (0 0; 9 9)>
       |    |    | <UIButton: 0x13; frame = (0 0; 9 9)>

    """
  private static let controllers = """
    <UINavigationController 0x1>, state: appeared, view: <UILayoutContainerView: 0x11>
       | <Shop.Home 0x2>, state: appeared, view: <UIView: 0x7f12>
       | <Shop.Away 0x3>, state: disappeared, view: <UIView: 0x98> not in the window
       | <Shop.Later 0x4>, state: disappeared, view: (view not loaded)
       + <Shop.Gone 0x5>, state: appeared, view: <UIView 0x99>, presented with: <UIPresentationController: 0x12>

    """

  private static func tree(_ text: String, _ controllers: String? = nil) throws -> ViewTree {
    var reader = CaptureReader()
    reader.controllers = try controllers.map { try ControllerHierarchy(Array($0.utf8)) }
    return try reader.read(Array(text.utf8))
  }

  @Test("controllers join their views by address, from a text of their own or from the same one")
  func join() throws {
    let expected = """
      UIWindow (0 0 9 9)
        UILayoutContainerView (0 0 9 9) controller='UINavigationController'
          UIView (0 0 9 9) controller='Shop.Home'
            UIButton (0 0 9 9)
      """
    for tree in [
      try Self.tree(Self.views, Self.controllers), try Self.tree(Self.views + Self.controllers),
      try Self.tree(Self.controllers + Self.views),
      try Self.tree("(lldb) po x\n" + Self.controllers + "\n" + Self.views),
      try Self.tree(Self.views + "(lldb) po y\n" + Self.controllers + "(lldb) "),
    ] {
      #expect(tree.dump == expected)
      #expect(tree.controllersWithoutView == 1, "Shop.Gone, but not those that are not in the window")
    }
  }

  @Test("a controller may have generic arguments with spaces between them")
  func genericController() throws {
    let hosting = "UIHostingController<ModifiedContent<AnyView, RootModifier>>"
    let tree = try Self.tree(
      "<\(hosting) 0x1>, state: appeared, view: <_UIHostingView<ModifiedContent<AnyView, RootModifier>>: 0x10>\n"
        + Self.views)
    #expect(tree.value(.controller, of: ElementID(0)) == hosting)
  }

  @Test("Calabash gives the addresses, too; formats that do not are an error")
  func formats() throws {
    let calabash =
      #"{"type":"CalabashRootView","children":[{"type":"UIView","frame":{},"description":"<UIView: 0x11; frame = (0 0; 1 1)>"}]}"#
    #expect(try Self.tree(calabash, Self.controllers).dump == "UIView controller='UINavigationController'")
    for text in [
      "<viewTree><view class='A'/></viewTree>", "Button, 0x11", #"{"windows":[{"type":"A"}]}"#,
      #"{"value":"<UIAWindow/>"}"#,
    ] {
      var reader = CaptureReader()
      reader.controllers = try ControllerHierarchy(Array(Self.controllers.utf8))
      #expect(throws: CaptureError.self) { try reader.read(Array(text.utf8)) }
    }
  }

  @Test(
    "controllers alone are one error that says so",
    arguments: [
      controllers, "`" + controllers, "(lldb) po [UIViewController _printHierarchy]\n" + controllers,
      "<A 0x1>, state: appeared, view: <UIView 0x2>",
    ])
  func alone(text: String) {
    #expect(readingError(Array(text.utf8))?.kind == .onlyControllers)
    #expect(readingError(Array(text.utf8), format: .recursiveDescription)?.kind == .onlyControllers)
  }

  @Test("controllers between views of one tree are an error, as views could be lost")
  func between() {
    let text = Self.views.replacing("   |    |    |", with: Self.controllers + "   |    |    |")
    #expect(readingError(Array(text.utf8))?.kind == .unexpectedLine)
  }

  @Test("text without controllers is not a list of controllers")
  func none() {
    for text in [
      "", "a", Self.views, "<A 0xg>, state: appeared, view: <B 0x1>", "<A>, state: appeared, view: <B 0x1>",
      "<a log of 0x1>, state: appeared, view: <B 0x1>",
    ] {
      #expect(throws: CaptureError(.noControllers, at: SourceLocation(line: 1, column: 1))) {
        try ControllerHierarchy(Array(text.utf8))
      }
    }
  }

  @Test("a byte order mark does no harm")
  func encodings() throws {
    let line = "<确 0x1>, state: appeared, view: <UIView 0x2>"
    var utf16: [UInt8] = [0xFF, 0xFE]
    for unit in line.utf16 { utf16 += [UInt8(unit & 0xFF), UInt8(unit >> 8)] }
    #expect(try ControllerHierarchy(Array("\u{FEFF}\(line)".utf8)).count == 1)
    #expect(try ControllerHierarchy(utf16).count == 1)
  }

  @Test("text inside views is not taken for a controller")
  func texts() throws {
    let line = "<S3CR3T 0x1>, state: appeared, view: <UIView 0x10>"
    let tree = try Self.tree("<UITextView: 0x10; text = 'a\n\(line)\nb'>\n   | <A: 0x2>")
    #expect(tree.value(.controller, of: ElementID(0)) == nil)
  }

  @Test(
    "every real list of controllers is read",
    .enabled(if: PackageFolder.shared != nil, "there is no folder with real dumps"))
  func real() throws {
    let folder = try #require(PackageFolder.shared).appendingPathComponent("dumps/ios_vchierarchy_txt")
    let counts = try FileManager.default.contentsOfDirectory(atPath: folder.path).sorted().map {
      try ControllerHierarchy(contentsOf: folder.appendingPathComponent($0).path).count
    }
    #expect(counts.allSatisfy { $0 > 0 } && counts.count == 7, "\(counts)")
  }
}
