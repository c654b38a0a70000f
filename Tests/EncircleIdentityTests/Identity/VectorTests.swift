import EncircleCapture
import EncircleIdentity
import EncircleTestSupport
import EncircleTree
import Foundation
import Testing

/// A line of the expectations beside a capture in `vectors`, a folder of the data that `ENCIRCLE_SHARED` names; they are not part
/// of this repository.
private struct Expected: Decodable {
  let element: Int
  let `class`: String
  let path: String
  let controller: String?
  let identity: String
  let eventID: String

  enum CodingKeys: String, CodingKey {
    case element, `class`, path, controller, identity
    case eventID = "event_id"
  }
}

private let vectors: [URL] = {
  guard let folder = PackageFolder.shared?.appendingPathComponent("vectors") else { return [] }
  let files = (try? FileManager.default.contentsOfDirectory(at: folder, includingPropertiesForKeys: nil)) ?? []
  return files.filter { $0.pathExtension == "xml" }.sorted { $0.path < $1.path }
}()

@Suite struct VectorTests {
  @Test(
    "every field of the shared vectors is reproduced",
    .enabled(if: !vectors.isEmpty, "no shared vectors beside the package; ENCIRCLE_SHARED names their folder"),
    arguments: vectors)
  func vector(file: URL) throws {
    let screen = IdentifiedTree(try CaptureReader().read(contentsOf: file.path))
    let lines = try String(
      contentsOf: file.deletingPathExtension().appendingPathExtension("expected.ndjson"), encoding: .utf8
    ).split(separator: "\n")
    #expect(lines.count == screen.tree.count)
    for line in lines {
      let expected = try JSONDecoder().decode(Expected.self, from: Data(line.utf8))
      let element = ElementID(expected.element)
      #expect(screen.tree.className(of: element) == expected.class || screen.className(of: element) == expected.class)
      #expect(screen.path(of: element).written(.underscores) == expected.path)
      #expect(
        screen.controller(of: element) == expected.controller
          || (screen.isNavigationBarItem(element) && expected.controller == nil))
      #expect(Array(screen.identity(of: element).utf8) == Array(expected.identity.utf8))
      #expect(screen.eventID(of: element).description == expected.eventID)
    }
  }

  @Test(
    "identity strings of every shape have these hashes", .articles("H1", "H16"),
    arguments: [
      ("path(UIWindow(0))", "2a4d5c5b23409eb530bf3add8d70b23000d9fdc96113ccb0ea5d40f7a24ba986"),
      (
        "path(UIWindow(0)_UILayoutContainerView(0)_UINavigationBar(0)_UIButton)&actions(button1Click:)",
        "c0e2732e58c05450c849fac27098bf4f9f349aa57fd0734a7340b8c46d64b025"
      ),
      (
        "path(UIWindow(0)_UILayoutContainerView(0)_UINavigationBar(0)_UIButton)&actions(button2Click:)",
        "be94c4694d5a4b7afea06edb915f17d8f63e679a6cc21ba2ca32198a318fa37e"
      ),
      (
        "path(UIWindow(0)__UIAlertControllerView(0)_UIView(0)_UIView(0)_UIView(0)_UICollectionView(0)__UIAlertControllerCollectionViewCell(section:0 item:1)_UIView(0)__UIAlertControllerActionView(0))&controller(UIAlertController)&message(确认退出群聊吗?)&title(退群)",
        "7579008919f0c153e3675d1f4f210adcb24c49882259b86b284f85a17ae1b42b"
      ),
      (
        "path(UIWindow(0)_UIView(0)_UIScrollView(0)_FeedView(indexx:3 indexy:0)_UIButton(0))&controller(FeedViewController)",
        "a25a7c8fc8f35aedfb100c70c6e6671c19ce1032868e073628feee786673f473"
      ),
      (
        "path(UIWindow(0)_UIView(0)_UIView(0)_CartView_UIButton(0))&controller(CouponViewController)",
        "50860ec3aeabca2210858047733360bed399272951ac0172ca0b04d65b877157"
      ),
    ])
  func hashes(identity: String, expected: String) {
    #expect(EventID(identity: identity).description == expected)
  }

  @Test("an identity string is written from its parts in one order, empty texts included")
  func parts() {
    var identity = IdentityString(path: "UIWindow(0)", controller: "UIAlertController")
    #expect(identity.written == "path(UIWindow(0))&controller(UIAlertController)")
    identity.title = ""
    identity.message = "m"
    identity.actions = ["a:", "b"]
    #expect(identity.written == "path(UIWindow(0))&controller(UIAlertController)&actions(a:,b)&message(m)&title()")
    #expect(identity.eventID == EventID(identity: identity.written))
    #expect(IdentityString(path: "A").written == "path(A)")
  }

  @Test("an event ID is read only from 64 hexadecimal digits of either case")
  func hexadecimal() throws {
    let id = EventID(identity: "path(UIWindow(0))")
    let text = id.description
    #expect(EventID(hexadecimal: text) == id)
    #expect(EventID(hexadecimal: text.uppercased()) == id)
    #expect(EventID(hexadecimal: text.uppercased())?.description == text)
    var bytes: [UInt8] = [0x2A]
    id.write(to: &bytes)
    #expect(bytes == Array(("*" + text).utf8))
    for bad in [
      "", String(text.dropLast()), text + "0", "g" + text.dropFirst(), " " + text.dropFirst(),
      "０" + text.dropFirst(3), String(repeating: "é", count: 32),
    ] {
      #expect(EventID(hexadecimal: bad) == nil)
    }
    let ids = (0..<100).map { EventID(identity: "\($0)") }
    #expect(ids.sorted().map(\.description) == ids.map(\.description).sorted())
    #expect(EventID(identity: "caf\u{E9}") != EventID(identity: "cafe\u{301}"))
  }
}
