import EncircleIdentity
import EncircleTree
import Testing

@testable import EncircleDictionary

@Suite struct FactsTests {
  @Test(
    "facts are written and read alike, with extreme numbers",
    arguments: [
      .none, .index(0), .index(.max), .row(section: 0, row: .max), .item(section: 1, item: 2),
      .position(x: -1, y: 0), .position(x: -(1 << 53) + 1, y: (1 << 53) - 1),
    ] as [Locator])
  func facts(locator: Locator) throws {
    let roles: [PathNode.Role] = [
      .view, .segmentedControl(selected: nil), .segmentedControl(selected: 3), .segment(1), .sectionHeader(2),
      .sectionFooter(4), .alert, .alertAction(5),
    ]
    for (i, role) in roles.enumerated() {
      var node = PathNode("A", locator, index: i)
      node.role = role
      if i % 2 == 0 { node.controller = PathNode.Controller("C", index: i, kinds: [.alertController]) }
      if i % 3 == 0 { node.baseClass = "B" }
      if i % 4 == 1 { (node.uniqueTag, node.label, node.resourceID) = ("t", "l", "r") }
      var names: [String] = []
      let facts = Facts(node) { name in
        names.append(name)
        return names.count - 1
      }
      #expect(try facts.node { names[$0] } == node)
      #expect(facts.locator == locator)
      for length in 0..<facts.more.count {
        #expect(try Facts(className: 0, more: Array(facts.more.prefix(length))).node { names[$0] } == nil)
      }
    }
  }
}
