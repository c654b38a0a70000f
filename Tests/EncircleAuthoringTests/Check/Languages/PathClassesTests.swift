import EncircleIdentity
import EncircleRules
import EncircleTestSupport
import EncircleTree
import Testing

@testable import EncircleAuthoring

@Suite struct PathClassesTests {
  static let superclasses = ["ab": "a"]

  static let hierarchy: ClassHierarchy = {
    var hierarchy = ClassHierarchy()
    hierarchy.add("ab", superclass: "a")
    return hierarchy
  }()

  /// All paths over three components, up to six of them, or up to five where tests are not run at full size.
  static let paths: [ElementPath] = {
    let components = [
      PathComponent("a", .index(0)), PathComponent("ab", .row(section: 0, row: 1)), PathComponent("b"),
    ]
    var paths: [[PathComponent]] = []
    var last: [[PathComponent]] = [[]]
    for _ in 0..<(TestSize.isFull ? 6 : 5) {
      last = last.flatMap { path in components.map { path + [$0] } }
      paths += last
    }
    return paths.map { ElementPath($0) }
  }()

  static func randomSelector(_ random: inout SeededGenerator) -> String {
    let classes = ["a", "a", "b", "ab", "*", ":a", "a*", "*b", "*a*"]
    let locators = [
      "", "", "", "", "()", "(0)", "(*)", "(0,1)", "(1...)", "(row:*)", "(section:0 row:1)", "(section:0)",
      "(row:0...1)",
    ]
    var steps: [String] = []
    for _ in 0..<Int.random(in: 1...4, using: &random) {
      steps.append(random.oneIn(4) ? "**" : random.pick(classes) + random.pick(locators))
    }
    return (random.oneIn(3) ? "/" : "") + steps.joined(separator: "/")
  }

  /// Selectors with the paths that they match, by the slow matcher.
  static let pool: [(text: String, selector: ElementSelector, matching: Bits)] = {
    var random = SeededGenerator(seed: 6)
    return (0..<150).compactMap { _ in
      let text = randomSelector(&random)
      let reference = ReferenceSelector(text, superclasses: superclasses)
      var bits = Bits(count: paths.count)
      for (i, path) in paths.enumerated() where reference.matches(path) { bits[i] = true }
      return (try? ElementSelector(parsing: text)).map { (text, $0, bits) }
    }
  }()

  @Test(
    "overlap and cover of selectors agree with trying all short paths",
    arguments: TestSize.scaled(0..<8))
  func bruteForce(seed: Int) throws {
    var random = SeededGenerator(seed: UInt64(seed))
    let pool = Self.pool
    #expect(pool.count == 150)
    var counts = [0, 0]
    let rounds = TestSize.isFull ? 1_300 : 400
    // Each pair is decided in both directions.
    for round in 0..<rounds {
      let (a, b) = (Int.random(in: 0..<pool.count, using: &random), Int.random(in: 0..<pool.count, using: &random))
      // Some pairs with a third one.
      let c = round % 10 == 0 ? Int.random(in: 0..<pool.count, using: &random) : nil
      let group = [a, b] + (c.map { [$0] } ?? [])
      let classes = try #require(PathClasses(of: group.map { pool[$0].selector }, hierarchy: Self.hierarchy)).classes
      let shown = group.map { pool[$0].text }.joined(separator: "   ")
      // The paths of each selector are cached, as the matcher is slow.
      let shownBySlowMatcher = round % 4 == 0 ? classes : []
      for part in shownBySlowMatcher where !Self.isMatched(part, group.map { pool[$0].text }) {
        Issue.record("\(part.path.written(.slashes)) is not in the class it is shown for, of \(shown)")
        return
      }
      // Every path is in one of the classes.
      var isFound = Array(repeating: false, count: 1 << group.count)
      for word in pool[a].matching.words.indices {
        // The last word has bits behind the last path.
        let isLast = word == pool[a].matching.words.count - 1 && Self.paths.count % 64 != 0
        for choice in isFound.indices where !isFound[choice] {
          var all = isLast ? 1 << UInt64(Self.paths.count % 64) - 1 : UInt64.max
          for (i, member) in group.enumerated() {
            let word = pool[member].matching.words[word]
            all &= choice >> i & 1 == 1 ? word : ~word
          }
          isFound[choice] = all != 0
        }
      }
      for choice in isFound.indices where isFound[choice] {
        let isKnown = classes.contains { part in
          group.indices.allSatisfy { part.matching[$0] == (choice >> $0 & 1 == 1) }
        }
        if !isKnown {
          Issue.record("a path has no class: \(shown)")
          return
        }
      }
      for (x, y) in [(0, 1), (1, 0)] {
        let isCovered = !classes.contains { $0.matching[x] && !$0.matching[y] }
        counts[isCovered ? 0 : 1] += 1
      }
    }
    // Both answers must occur often.
    #expect(counts[0] > rounds / 13 && counts[1] > rounds * 10 / 13, "\(counts)")
  }

  /// Returns whether exactly the selectors of a class match its path.
  static func isMatched(_ part: PathClasses.PathClass, _ selectors: [String]) -> Bool {
    // An unknown class may be a subclass of a known one.
    let unknown = Set(part.path.components.map(\.className)).subtracting(["a", "ab"]).sorted()
    return (0..<(1 << unknown.count)).contains { choice in
      var superclasses = Self.superclasses
      for (i, name) in unknown.enumerated() where choice >> i & 1 == 1 { superclasses[name] = "a" }
      return selectors.enumerated().allSatisfy { i, selector in
        ReferenceSelector(selector, superclasses: superclasses).matches(part.path) == part.matching[i]
      }
    }
  }

  @Test("the division of selectors is given up when it takes too long")
  func limit() throws {
    let entangled = try ElementSelector(parsing: "A" + String(repeating: "/*", count: 40))
    #expect(PathClasses(of: [entangled]) == nil)
    let simple = try ElementSelector(parsing: "A/**/B/**/C(section:0 row:*)/**/D")
    #expect(PathClasses(of: [simple]) != nil)
    // The work for all of them together is bounded, too.
    let budget = WordClasses.Budget(1_000)
    var decided = 0
    while decided < 1_000, PathClasses(of: [simple], budget: budget) != nil { decided += 1 }
    #expect(budget.isSpent && decided < 1_000)
  }

  @Test(
    "the shortest path is shown",
    arguments: [
      ("/A/B(section:0 row:2...)/**/C(1)", "A(0)/B(section:0 row:2)/C(1)"),
      ("Product*Cell", "ProductCell(0)"),
      (":UIButton", "UIButton(0)"),
      ("'My View'()", "My View"),
    ])
  func witness(selector: String, path: String) throws {
    let classes = try #require(PathClasses(of: [try ElementSelector(parsing: selector)])).classes
    let part = try #require(classes.first { $0.matching[0] })
    #expect(part.path.written(.slashes) == path)
  }
}
