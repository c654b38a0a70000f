import EncircleIdentity
import EncircleTestSupport
import EncircleTree
import Foundation
import Testing

@testable import EncircleSDK

@Suite(.enabled(if: !SharedMessages.names.isEmpty, "there is no folder with messages of a real SDK"))
struct RealMessageTests {
  @Test(arguments: SharedMessages.names)
  func `every message is read without any typed text`(name: String) throws {
    let message = try SnapshotMessage(SharedMessages.body(name))
    #expect(message.appID == "com.example.shop")
    #expect(message.pageName != nil)
    #expect(message.isUnchanged == name.hasSuffix("-2"))
    guard let snapshot = try message.snapshot(), let screen = snapshot.screen else {
      #expect(message.isUnchanged)
      return
    }
    #expect(screen.defects == SnapshotScreen.Defects())
    let capture = String(decoding: screen.capture, as: UTF8.self)
    #expect(!capture.contains("do-not-leak"))
    #expect(!"\(screen.facts)\(screen.contents)\(snapshot.events)".contains("do-not-leak"))
    #expect(snapshot.picture?.starts(with: [0xFF, 0xD8]) == true)
    #expect(screen.width > 0 && screen.height > screen.width)
  }

  @Test(arguments: SharedMessages.names.filter { $0.hasSuffix("-1") })
  func `elements have the paths, positions and pages that the SDK gives`(name: String) throws {
    let screen = try #require(try SnapshotMessage(SharedMessages.body(name)).snapshot()?.screen)
    #expect(screen.differences == [])
    #expect(screen.facts.count { $0.isListed } > 10)
  }

  @Test(arguments: SharedMessages.names.filter { $0.hasSuffix("-1") })
  func `tappable elements without typed text have the SDK's content`(name: String) throws {
    let message = try SnapshotMessage(SharedMessages.body(name))
    let limits = SnapshotLimits()
    let payload = try SnapshotPayload(try #require(try message.openPayload(limits)), limits)
    let screen = try #require(try message.snapshot()?.screen)
    let contents = ElementContents(of: screen.identified)
    var sent: [String: String] = [:]
    for object in payload.objects where object.isTappable == true && object.path != "UIView" {
      sent["\(object.path ?? "") \(object.position ?? "")"] = object.content
    }
    var differences: [String] = []
    for element in screen.identified.tree.elements {
      let fact = screen.facts[element.index]
      guard let path = fact.path, let content = sent["\(path) \(fact.position ?? "")"] else { continue }
      let own = contents.content(of: element) ?? ""
      // Cells that are not visible are part of what the SDK sends, and not in its list.
      if own != content, !content.hasPrefix(own + "-") { differences.append("\(path): \(content) is \(own)") }
    }
    #expect(differences == [])
  }
}
