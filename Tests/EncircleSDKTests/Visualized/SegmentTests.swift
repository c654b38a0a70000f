import EncircleIdentity
import Foundation
import Testing

@testable import EncircleSDK

@Suite struct SegmentTests {
  /// A segmented control as UIKit has it: separators, segments, and on top of them the picture of the selected one.
  private var objects: [[String: Any]] {
    let path = "UIView/UISegmentedControl[0]/UISegment[-]"
    func segment(_ id: String, _ number: Int, _ title: String) -> [String: Any] {
      MadeMessage.view(
        id, ["UISegment", "UIImageView"], path: path, level: number + 6, content: title, position: "\(number)",
        ["enableAppClick": true])
    }
    return MadeMessage.page([
      MadeMessage.view(
        "$4", ["UISegmentedControl", "UIControl"], path: path, level: 4, content: "Dark", position: "1",
        subelements: ["$5", "$6", "$7", "$8"], ["enableAppClick": false]),
      MadeMessage.view("$5", ["UIImageView"], path: "\(path)/UIImageView[0]", level: 5, position: "1"),
      segment("$6", 0, "Light"), segment("$7", 1, "Dark"),
      MadeMessage.view("$8", ["UIImageView"], path: "\(path)/UIImageView[1]", level: 8, position: "1"),
    ])
  }

  @Test func `the parts of a segmented control are in the order of drawing`() throws {
    let screen = try #require(try MadeMessage.read(MadeMessage.body(objects: objects))?.screen)
    #expect(screen.differences == [])
    let levels = screen.facts.compactMap(\.level)
    #expect(levels == levels.sorted() && levels.contains(8))
  }

  @Test func `a segment is tappable`() throws {
    let screen = try #require(try MadeMessage.read(MadeMessage.body(objects: objects))?.screen)
    let tracked = screen.identified.tree.elements.filter { screen.identified.trackingType(of: $0, in: .sensors) != nil }
    #expect(tracked.map { screen.facts[$0.index].position } == ["0", "1"])
  }
}
