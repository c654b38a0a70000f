import EncircleTestSupport
import EncircleTree
import Testing

@Suite struct AncestorStackTests {
  @Test("In pre-order, the stack has the same ancestors of each element as going up", arguments: 1...20)
  func agreesWithParents(seed: UInt64) {
    var random = SeededGenerator(seed: seed)
    var builder = ViewTree.Builder(format: .viewTree)
    for _ in 0..<60 {
      builder.beginElement(class: "View")
      while builder.openElement != nil, random.oneIn(2) { builder.endElement() }
    }
    let tree = builder.finish()
    var stack = AncestorStack<ElementID>()
    for element in tree.elements {
      stack.removeNonAncestors(of: element)
      var ancestors: [ElementID] = []
      while let parent = tree.parent(of: ancestors.last ?? element) { ancestors.append(parent) }
      #expect(stack.values == ancestors.reversed(), "element \(element)")
      stack.push(element, for: element, of: tree)
    }
  }
}
