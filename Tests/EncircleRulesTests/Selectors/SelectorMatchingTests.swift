import EncircleIdentity
import EncircleRules
import EncircleTestSupport
import EncircleTree
import Testing

@Suite struct SelectorMatchingTests {
  /// Returns whether a selector matches a path in the notation with slashes, by the engine and by the reference
  /// meaning, which must agree.
  private func matches(_ selector: String, _ path: String, _ hierarchy: ClassHierarchy = .builtIn) throws -> Bool {
    let selector = try ElementSelector(parsing: selector)
    let path = try ElementPath(parsing: path, notation: .slashes)
    let result = SelectorMatcher(selector, hierarchy: hierarchy).matches(path)
    #expect(selector.matches(path, hierarchy: hierarchy) == result, "\(selector) on \(path.written(.slashes))")
    return result
  }

  @Test(
    "a selector matches what it says and nothing else", .articles("H5"),
    arguments: [
      // Anchors.
      ("/UIWindow(0)/UIView(0)", "UIWindow(0)/UIView(0)", true),
      ("/UIView(0)", "UIWindow(0)/UIView(0)", false),
      ("UIView(0)", "UIWindow(0)/UIView(0)", true),
      ("UIWindow(0)", "UIWindow(0)/UIView(0)", false),
      ("UIWindow(0)/UIButton(0)", "UIWindow(0)/UIView(0)/UIButton(0)", false),
      ("/UIWindow(0)/UIView(0)/UIButton(0)", "UIWindow(0)/UIView(0)", false),
      ("UIView(0)/UIView(0)", "UIWindow(0)/UIView(0)", false),
      ("UIView(0)/UIView(0)", "UIWindow(0)/UIView(0)/UIView(0)/UIView(0)", true),
      // Any number of steps.
      ("UIWindow(0)/**/UIButton(0)", "UIWindow(0)/UIButton(0)", true),
      ("UIWindow(0)/**/UIButton(0)", "UIWindow(0)/A(0)/B(0)/UIButton(0)", true),
      ("/**/B(0)/**/B(0)", "A(0)/B(0)", false),
      ("/**/B(0)/**/B(0)", "B(0)/A(0)/B(0)", true),
      ("A(0)/**", "A(0)", true), ("A(0)/**", "A(0)/B(0)/C(0)", true), ("B(0)/**", "A(0)", false),
      ("**", "A(0)", true), ("/**", "A(0)/B", true),
      // * is one run within one class name.
      ("*", "A(0)/B(0)", true), ("/*", "A(0)/B(0)", false), ("/*/*", "A(0)/B(0)", true),
      ("ab*ba", "abba", true), ("ab*ba", "abXba", true), ("ab*ba", "aba", false), ("ab*ba", "abbaX", false),
      ("A*B", "A/B", false), ("A*B", "A(0)/B(0)", false), ("A*B", "AxB(0)", true),
      ("UITable*Cell", "UITableView(0)/UITableViewCell(0)", true), ("*Cell*", "UITableViewCellContentView(0)", true),
      ("*a*a*", "xaxax", true), ("*a*a*", "xax", false),
      // Characters that are special in other pattern languages.
      ("[0]", "[0]", true), ("[0]", "0", false), ("a?b", "a?b", true), ("a?b", "aXb", false), ("a?b", "b", false),
      ("a.b", "aXb", false), ("a,b", "a,b", true), ("a,b", "a", false), ("a,b", "b", false), ("a|b", "a", false),
      ("{a}", "{a}", true), ("a\\b", "a\\b", true), ("a+", "aa", false), ("^a$", "a", false),
      // Names with and without need of quotes.
      ("M.V<A,B>(0)", "M.V<A,B>(0)", true),
      (
        "'_UIHostingView<ModifiedContent<AnyView, RootModifier>>'(0)",
        "_UIHostingView<ModifiedContent<AnyView, RootModifier>>(0)", true
      ),
      ("_UIHostingView<*>", "_UIHostingView<ModifiedContent<AnyView, RootModifier>>(0)", true),
      ("'(unknown context at $1).V'", "(unknown context at $1).V", true),
      ("'a(0)'", "'a(0)'", true), ("'a(0)'", "a(0)", false), ("a(0)", "'a(0)'", false),
      ("'a(0)'(1)", "'a(0)'(1)", true), ("'it''s'(0)", "it's(0)", true), ("''''", "''''", true),
      ("'a/b'", "'a/b'", true), ("'a/b'", "a/b", false), ("'a*b'", "a*b", true), ("'a*b'", "aXb", false),
      ("视图(0)", "视图(0)", true), ("视*", "视图(0)", true), ("*图", "视图(0)", true),
      ("\u{E9}", "\u{E9}", true), ("\u{E9}", "e\u{301}", false), ("e*", "e\u{301}", true),
      // Locators.
      ("A", "A", true), ("A", "A(3)", true), ("A", "A(section:0 row:1)", true), ("A()", "A", true),
      ("A()", "A(0)", false),
      ("*()", "A(indexx:0 indexy:0)", false), ("A(0)", "A", false), ("A(*)", "A(7)", true), ("A(*)", "A", false),
      ("A(*)", "A(section:0 row:0)", false), ("A(1...3)", "A(1)", true), ("A(1...3)", "A(3)", true),
      ("A(1...3)", "A(4)", false), ("A(2...)", "A(1)", false), ("A(2...)", "A(9999999999)", true),
      ("A(...2)", "A(2)", true), ("A(...2)", "A(3)", false), ("A(1,3)", "A(3)", true), ("A(1,3)", "A(2)", false),
      ("A(01)", "A(1)", true),
      ("C(section:0 row:*)", "C(section:0 row:5)", true), ("C(section:0 row:*)", "C(section:1 row:5)", false),
      ("C(section:0 row:*)", "C(section:0 item:5)", false), ("C(row:5)", "C(section:3 row:5)", true),
      ("C(row:5 section:3)", "C(section:3 row:5)", true), ("C(section:*)", "C(section:1 item:2)", true),
      ("C(item:2...)", "C(section:1 item:2)", true), ("C(section:0)", "C(0)", false),
      ("P(indexx:-1 indexy:0)", "P(indexx:-1 indexy:0)", true), ("P(indexx:...0)", "P(indexx:-1 indexy:0)", true),
      ("P(indexx:0)", "P(indexx:-1 indexy:0)", false),
      // Lists within lists: each level is free or fixed independently.
      ("C(section:0 row:2)/**/D(section:0 item:*)", "C(section:0 row:2)/V(0)/D(section:0 item:9)", true),
      ("C(section:0 row:2)/**/D(section:0 item:*)", "C(section:0 row:1)/V(0)/D(section:0 item:9)", false),
      // Kinds.
      (":UIView", "UIButton(0)", true), (":UIControl(1)", "UIButton(1)", true), (":UIControl(1)", "UIButton(0)", false),
      (":UIControl", "UILabel(0)", false), (":UIButton", "UIControl(0)", false), (":UIButton", "UIButton(0)", true),
      (":Unheard", "Unheard(0)", true), (":Unheard", "UIView(0)", false), (":'Un heard'", "Un heard(0)", true),
      (":UIScrollView/:UIView", "UITableView(0)/UIButton(0)", true),
      // Without the type, the compiler takes 20 seconds to find it.
    ] as [(String, String, Bool)])
  func rows(selector: String, path: String, expected: Bool) throws {
    #expect(try matches(selector, path) == expected)
  }

  @Test("a kind-of test uses the caller's hierarchy")
  func kinds() throws {
    var hierarchy = ClassHierarchy.builtIn
    hierarchy.add("ProductCell", superclass: "UITableViewCell")
    hierarchy.add("BigProductCell", superclass: "ProductCell")
    #expect(try matches(":UITableViewCell", "BigProductCell(0)", hierarchy))
    #expect(try matches(":ProductCell", "BigProductCell(0)", hierarchy))
    #expect(try matches(":BigProductCell", "ProductCell(0)", hierarchy) == false)
    #expect(try matches(":UITableViewCell", "BigProductCell(0)") == false)
  }

  @Test(
    "the engine, the reference meaning and the direct reading of the grammar agree",
    arguments: TestSize.scaled(0..<10 as Range<UInt64>))
  func agreement(seed: UInt64) throws {
    var random = RandomSelectors(random: SeededGenerator(seed: seed))
    var matched = 0
    for round in 0..<500 {
      let path = random.path()
      let text = random.selector(near: path)
      let selector = try ElementSelector(parsing: text)
      let reference = ReferenceSelector(text, superclasses: RandomSelectors.superclasses)
      let hierarchy = RandomSelectors.hierarchy
      let matcher = SelectorMatcher(selector, hierarchy: hierarchy)
      let canonical = SelectorMatcher(selector.canonical, hierarchy: hierarchy)
      for i in 0..<20 {
        let path = i == 0 ? path : i < 16 ? random.variation(of: path) : random.path()
        let expected = reference.matches(path)
        matched += expected ? 1 : 0
        let results = [
          matcher.matches(path), canonical.matches(path), selector.matches(path, hierarchy: hierarchy),
          selector.canonical.matches(path, hierarchy: hierarchy),
        ]
        guard results != Array(repeating: expected, count: 4) else { continue }
        Issue.record(
          """
          seed \(seed), round \(round): \(text) on \(path.written(.slashes)): expected \(expected), found \(results) for \
          the engine on the selector and on its canonical form \(selector.canonical), and the reference meaning of both
          """)
        return
      }
    }
    // Both results must occur often.
    #expect((1_500...8_500).contains(matched), "seed \(seed): \(matched) of 10,000 match")
  }

  @Test(
    "the elements of a tree are those whose paths match", arguments: ["cart", "home-feed", "alert-ios10", "swiftui"])
  func trees(capture: String) throws {
    let screen = try Screens.named(capture + ".xml")
    let hierarchy = Screens.hierarchy(of: screen)
    for text in [
      "**", "*", "UIButton", ":UIControl", "/UIWindow(0)", "*Cell(section:0 row:*)/**", "UILabel(0)", "**/UIView(0)/*",
      "UINavigationBar/**/UIButton()", ":UIView()", "'no such class'",
    ] {
      let matcher = SelectorMatcher(try ElementSelector(parsing: text), hierarchy: hierarchy)
      let expected = screen.tree.elements.filter { matcher.matches(screen.path(of: $0)) }
      #expect(matcher.elements(of: screen) == expected, "\(text)")
    }
  }

  private static func repeated(_ step: String, _ count: Int, _ separator: String = "/") -> String {
    Array(repeating: step, count: count).joined(separator: separator)
  }

  private static let hostileSelectors: [String] = [
    repeated("**/*", 8_000) + "/b",
    repeated("**/a", 8_000) + "/b",
    repeated("**/:a(0...)", 4_000),
    repeated("*a", 32_000, "") + "b",
    repeated(repeated("a*", 100, "") + "b", 300, "/**/"),
    repeated("*", 65_536, ""),
    repeated("**", 20_000),
  ]

  @Test("hostile selectors finish", arguments: hostileSelectors)
  func hostile(selector: String) throws {
    let name = Self.repeated("a", 200, "")
    let path = ElementPath((0..<300).map { PathComponent($0 % 2 == 0 ? name : "a", .index(0)) })
    let selector = try ElementSelector(parsing: selector)
    // Selectors that come down to one step of stars match any path, the others none that is so long.
    let isOpen = selector.canonical.steps.count == 1 && !selector.canonical.description.contains("a")
    #expect(SelectorMatcher(selector, hierarchy: ClassHierarchy()).matches(path) == isOpen)
    #expect(selector.matches(path, hierarchy: ClassHierarchy()) == isOpen)
    #expect(try ElementSelector(parsing: selector.description) == selector)
  }
}
