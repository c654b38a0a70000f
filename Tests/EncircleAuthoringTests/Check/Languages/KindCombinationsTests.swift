import EncircleTestSupport
import EncircleText
import EncircleTree
import Testing

@testable import EncircleAuthoring

@Suite struct KindCombinationsTests {
  @Test("a class put anywhere into a hierarchy has one of the combinations found", arguments: 0..<20)
  func everywhere(seed: Int) throws {
    var random = SeededGenerator(seed: UInt64(seed))
    for _ in 0..<10 {
      var hierarchy = ClassHierarchy.builtIn
      var classes = ["UIView"]
      // Some classes have superclasses that are unknown.
      for i in 0..<8 {
        if !random.oneIn(3) { hierarchy.add("C\(i)", superclass: random.pick(classes)) }
        classes.append("C\(i)")
      }
      let names = (0..<Int.random(in: 1...5, using: &random)).map { _ in random.pick(classes) }
      let distinct = Array(Set(names)).sorted { $0.utf8.lexicographicallyPrecedes($1.utf8) }.map { UTF8String($0) }
      let known = Set(try #require(KindCombinations.all(of: distinct, hierarchy)))
      for _ in 0..<20 {
        // An unknown class may turn out to be anything that makes no cycle.
        var grown = hierarchy
        for name in classes where grown.superclasses(of: name).isEmpty && name != "UIView" && random.oneIn(2) {
          grown.add(name, superclass: random.pick(classes))
        }
        grown.add("New", superclass: random.pick(classes))
        var bits = Bits(count: distinct.count)
        for (i, base) in distinct.enumerated() { bits[i] = grown.isClass("New", kindOf: base.text) }
        #expect(known.contains(bits), "\(distinct) \(bits)")
      }
    }
  }

  @Test("a known hierarchy has one combination for each class, and one for no class")
  func known() throws {
    let names: [UTF8String] = ["UIButton", "UIControl", "UILabel"]
    let all = try #require(KindCombinations.all(of: names, .builtIn))
    #expect(all.map { bits in names.indices.filter { bits[$0] } } == [[], [0, 1], [1], [2]])
  }
}
