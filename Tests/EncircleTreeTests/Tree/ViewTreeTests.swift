import EncircleTestSupport
import EncircleTree
import Testing

/// A view with its subviews, with which a ``ViewTree`` is compared.
private final class Node {
  let className: String
  let attributes: [(name: String, value: String)]
  let frame: Frame?
  var children: [Node] = []
  weak var parent: Node?
  var number = 0

  init(className: String, attributes: [(name: String, value: String)], frame: Frame?) {
    self.className = className
    self.attributes = attributes
    self.frame = frame
  }
}

@Suite struct ViewTreeTests {
  @Test(
    "windows of a dump of uiautomator are drawn from the last to the first, those of other captures as they come",
    arguments: [(CaptureFormat.uiautomator, [3, 1, 2, 0]), (CaptureFormat.viewTree, [0, 1, 2, 3])])
  func drawingOrder(format: CaptureFormat, expected: [Int]) {
    var builder = ViewTree.Builder(format: format)
    for inner in [0, 1, 0] {
      builder.beginElement(class: "Window")
      for _ in 0..<inner {
        builder.beginElement(class: "View")
        builder.endElement()
      }
      builder.endElement()
    }
    let tree = builder.finish()
    #expect(tree.elementsInDrawingOrder.map(\.index) == expected)
    let empty = ViewTree.Builder(format: format).finish()
    #expect(empty.elementsInDrawingOrder.isEmpty)
  }

  private static func randomForest(_ random: inout SeededGenerator) -> [Node] {
    let classes = ["UIView", "UILabel", "UIButton", "caf\u{E9}", "cafe\u{301}", "", "确定"]
    let names = ["title", "text", "custom", "Title", "data-x", "actions"]
    var all: [Node] = []
    var roots: [Node] = []
    for _ in 0..<Int.random(in: 0...60, using: &random) {
      let attributes = names.filter { _ in random.oneIn(3) }.map { name in
        (name: name, value: random.pick(["", "1", "YES", "取消", "x y"]))
      }
      let frame =
        random.oneIn(2)
        ? Frame(x: Double.random(in: -9...9, using: &random), y: 0, width: -1, height: 2) : nil
      let node = Node(className: random.pick(classes), attributes: attributes, frame: frame)
      if let parent = all.last, !random.oneIn(8) {
        // The last one or some ancestor of it, so that the numbers stay in pre-order.
        var place = parent
        while let above = place.parent, random.oneIn(2) { place = above }
        node.parent = place
        place.children.append(node)
      } else {
        roots.append(node)
      }
      node.number = all.count
      all.append(node)
    }
    return roots
  }

  private static func build(_ roots: [Node]) -> ViewTree {
    var builder = ViewTree.Builder(format: .viewTree)
    func add(_ node: Node) {
      builder.beginElement(class: node.className)
      if let frame = node.frame { builder.setFrame(frame) }
      for (name, value) in node.attributes { builder.addAttribute(builder.attributeName(name), value) }
      node.children.forEach(add)
      builder.endElement()
    }
    roots.forEach(add)
    return builder.finish()
  }

  @Test("a random tree can be walked like nested views", arguments: TestSize.scaled(1...60 as ClosedRange<UInt64>))
  func walk(seed: UInt64) {
    var random = SeededGenerator(seed: seed)
    let roots = Self.randomForest(&random)
    let tree = Self.build(roots)
    var count = 0
    func size(_ node: Node) -> Int { node.children.reduce(1) { $0 + size($1) } }
    func check(_ siblings: [Node]) {
      for (i, node) in siblings.enumerated() {
        let element = ElementID(node.number)
        count += 1
        #expect(Array(tree.className(of: element).utf8) == Array(node.className.utf8))
        #expect(tree.parent(of: element) == node.parent.map { ElementID($0.number) })
        #expect(tree.firstChild(of: element) == node.children.first.map { ElementID($0.number) })
        #expect(tree.nextSibling(of: element) == (i + 1 < siblings.count ? ElementID(siblings[i + 1].number) : nil))
        #expect(Array(tree.children(of: element)) == node.children.map { ElementID($0.number) })
        let around = sequence(first: node) { $0.parent }.map { ElementID($0.number) }
        #expect(Array(tree.inclusiveAncestors(of: element)) == around)
        #expect(Array(tree.ancestors(of: element)) == Array(around.dropFirst()))
        #expect(tree.subtreeEnd(of: element).index == node.number + size(node))
        #expect(tree.frame(of: element) == node.frame)
        #expect(tree.attributes(of: element).map(\.name) == node.attributes.map(\.name))
        #expect(tree.attributes(of: element).map(\.value) == node.attributes.map(\.value))
        #expect(tree.value(.title, of: element) == node.attributes.first { $0.name == "title" }?.value)
        check(node.children)
      }
    }
    check(roots)
    #expect(Array(tree.windows) == roots.map { ElementID($0.number) })
    #expect(tree.count == count)
    #expect(tree.elements.map(\.index) == Array(0..<count))
  }

  @Test("an empty tree has no elements")
  func empty() {
    let tree = ViewTree.Builder(format: .viewTree).finish()
    #expect(tree.count == 0)
    #expect(tree.elements.isEmpty)
  }

  @Test("elements still open are ended")
  func openElements() {
    var builder = ViewTree.Builder(format: .viewTree)
    builder.beginElement(class: "UIWindow")
    builder.beginElement(class: "UIView")
    #expect(builder.openElement == ElementID(1))
    #expect(builder.parent(of: ElementID(1)) == ElementID(0))
    let tree = builder.finish()
    #expect(tree.dump == "UIWindow\n  UIView")
    #expect(tree.subtreeEnd(of: ElementID(0)) == ElementID(2))
  }

  @Test("a tree 200,000 levels deep is built, walked and released")
  func deep() {
    var builder = ViewTree.Builder(format: .viewTree)
    for _ in 0..<200_000 { builder.beginElement(class: "UIView") }
    let tree = builder.finish()
    #expect(tree.count == 200_000)
    #expect(tree.parent(of: ElementID(199_999)) == ElementID(199_998))
    #expect(tree.subtreeEnd(of: ElementID(0)) == ElementID(200_000))
  }

  @Test(
    "a state is on when it says so",
    arguments: [
      ("true", true), ("YES", true), ("yes", true), ("1", true), ("false", false), ("NO", false), ("0", false),
      ("", false), ("TRUE!", false), ("10", false),
    ])
  func isTrue(value: String, expected: Bool) {
    var builder = ViewTree.Builder(format: .viewTree)
    builder.beginElement(class: "UISwitch")
    builder.addAttribute(.on, value)
    let tree = builder.finish()
    #expect(tree.isTrue(.on, of: ElementID(0)) == expected)
    #expect(!tree.isTrue(.secure, of: ElementID(0)))
  }

  @Test("an empty value is not an absent one")
  func emptyValue() {
    var builder = ViewTree.Builder(format: .viewTree)
    builder.beginElement(class: "UIView")
    builder.addAttribute(.title, "")
    let tree = builder.finish()
    #expect(tree.value(.title, of: ElementID(0)) == "")
    #expect(tree.value(.message, of: ElementID(0)) == nil)
  }

  @Test("an alert's texts found inside it do not replace its own")
  func alertTexts() {
    var builder = ViewTree.Builder(format: .webDriverAgent)
    let alert = builder.beginElement(class: "XCUIElementTypeAlert")
    builder.addAttribute(.title, "own")
    builder.beginElement(class: "XCUIElementTypeStaticText")
    let found = Array("found".utf8)
    found.withUnsafeBufferPointer { builder.setAlertText(title: $0, message: $0, of: alert) }
    let tree = builder.finish()
    #expect(tree.value(.title, of: alert) == "own")
    #expect(tree.value(.message, of: alert) == "found")
    #expect(tree.value(.message, of: ElementID(1)) == nil)
  }
}
