import EncircleIdentity
import EncircleTestSupport
import EncircleTree
import Testing

/// A path in slashes, or the error.
private func read(
  _ text: String, _ notation: PathNotation? = nil, _ classes: [String]? = nil
) -> String {
  var vocabulary: ClassVocabulary?
  if let classes {
    var known = ClassVocabulary(ClassHierarchy())
    classes.forEach { known.insert($0) }
    vocabulary = known
  }
  do throws(PathError) {
    return try ElementPath(parsing: text, notation: notation, vocabulary: vocabulary).written(.slashes)
  } catch {
    switch error {
    case .empty: return "empty"
    case .tooLong: return "too long"
    case .emptyComponent(let offset): return "empty component at \(offset)"
    case .badLocator(let text, let offset): return "bad locator '\(text)' at \(offset)"
    case .unclosedQuote(let offset): return "unclosed quote at \(offset)"
    case .ambiguous(let candidates, let count):
      let number = count == .max ? "many" : "\(count)"
      return "\(number): " + candidates.map { $0.written(.slashes) }.joined(separator: " | ")
    }
  }
}

@Suite struct PathTests {
  @Test(
    "a written path is read back",
    arguments: [
      ("UIWindow(0)", "UIWindow(0)"), ("UIWindow", "UIWindow"),
      ("UIWindow(0)_UIView(12)", "UIWindow(0)/UIView(12)"),
      (
        "UIWindow(0)_UITableView(0)_ProductCell(section:0 row:7)_UIButton(0)",
        "UIWindow(0)/UITableView(0)/ProductCell(section:0 row:7)/UIButton(0)"
      ),
      ("A(section:1 item:2)", "A(section:1 item:2)"), ("A(indexx:-1 indexy:3)", "A(indexx:-1 indexy:3)"),
      ("A(0)_UIButton", "A(0)/UIButton"),
      ("Shop.Box<Swift.Int>(0)_确定(1)", "Shop.Box<Swift.Int>(0)/确定(1)"),
      ("A(0)_B (x)(1)", "A(0)/B (x)(1)"), ("A()(0)_B(1)", "A()(0)/B(1)"),
      ("A(0)_e\u{301}(1)", "A(0)/e\u{301}(1)"), ("A(0)_\u{301}B(1)", "A(0)/\u{301}B(1)"),
    ])
  func unambiguous(text: String, expected: String) throws {
    #expect(Array(read(text, .underscores).utf8) == Array(expected.utf8))
    let path = try ElementPath(parsing: text, notation: .underscores)
    #expect(Array(path.written(.underscores).utf8) == Array(text.utf8))
  }

  @Test(
    "a path that can be read in several ways is reported with its readings, longest names first", .articles("H3"),
    arguments: [
      ("A_B", "2: A_B | A/B"), ("A(0)_B_C(1)", "2: A(0)/B_C(1) | A(0)/B/C(1)"),
      ("UIWindow(0)__UIAlertControllerView(0)", "UIWindow(0)/_UIAlertControllerView(0)"),
      ("A_B_C", "4: A_B_C | A_B/C | A/B_C | A/B/C"),
      ("A__B", "3: A__B | A_/B | A/_B"), ("A_B_", "2: A_B_ | A/B_"), ("_A", "_A"), ("A_", "A_"),
      ("A_B(0)_C_D(1)", "4: A_B(0)/C_D(1) | A_B(0)/C/D(1) | A/B(0)/C_D(1) | A/B(0)/C/D(1)"),
    ])
  func ambiguous(text: String, expected: String) {
    #expect(read(text) == expected)
  }

  @Test(
    "known classes decide between readings, and only between them",
    arguments: [
      ("A_B", ["A", "B"], "A/B"), ("A_B", ["A_B"], "A_B"), ("A_B", ["A", "B", "A_B"], "2: A_B | A/B"),
      ("A_B", ["X"], "2: A_B | A/B"), ("A_B", ["A"], "2: A_B | A/B"), ("X(0)", ["A"], "X(0)"),
      ("W(0)__UIBar_UIButton", ["_UIBar", "UIButton"], "W(0)/_UIBar/UIButton"),
      ("A_B_C_D", ["A_B", "C_D", "A"], "A_B/C_D"), ("e\u{301}_B", ["\u{E9}", "B"], "2: e\u{301}_B | e\u{301}/B"),
    ])
  func vocabulary(text: String, classes: [String], expected: String) {
    #expect(Array(read(text, nil, classes).utf8) == Array(expected.utf8))
  }

  @Test("UIKit's classes are in the vocabulary")
  func builtIn() throws {
    let text = "UIWindow(0)_UINavigationBar(0)__UIButtonBarStackView_UIButton"
    let path = try ElementPath(parsing: text, vocabulary: ClassVocabulary())
    #expect(path.written(.slashes) == "UIWindow(0)/UINavigationBar(0)/_UIButtonBarStackView/UIButton")
  }

  @Test(
    "the paths of shipped captures are read back with the capture's classes",
    arguments: PackageFolder.smallCaptureNames)
  func shippedPaths(name: String) throws {
    let screen = try Screens.named(name)
    var vocabulary = ClassVocabulary(ClassHierarchy())
    vocabulary.insertClasses(of: screen.tree)
    for element in screen.tree.elements {
      let path = screen.path(of: element)
      #expect(try ElementPath(parsing: path.written(.slashes), notation: .slashes) == path)
      let written = path.written(.underscores)
      do throws(PathError) {
        #expect(try ElementPath(parsing: written, notation: .underscores, vocabulary: vocabulary) == path)
      } catch {
        guard case .ambiguous(let candidates, _) = error else {
          Issue.record("\(written): \(error)")
          continue
        }
        #expect(candidates.contains(path), "\(written)")
      }
    }
  }

  @Test(
    "slashes are never ambiguous", .articles("H27"),
    arguments: [
      ("A_B/C", "A_B/C"), ("/A/B", "A/B"), ("'A/B'(0)", "'A/B'(0)"), ("'A'/B", "A/B"), ("'it''s'/'''a'", "it's/'''a'"),
      ("'A(0)'", "'A(0)'"), ("'A(0)'(1)/B", "A(0)(1)/B"), ("'A()'/B", "'A()'/B"), ("A(x)/B", "'A(x)'/B"),
      ("'A B'/C", "A B/C"), ("A/\u{301}B", "A/\u{301}B"), ("A/B(section:1 row:2)", "A/B(section:1 row:2)"),
    ])
  func slashes(text: String, expected: String) throws {
    #expect(Array(read(text, .slashes).utf8) == Array(expected.utf8))
  }

  @Test(
    "an invalid path is an error at its offset",
    arguments: [
      ("", "empty"), ("/", "empty component at 1"), ("A//B", "empty component at 2"), ("A/", "empty component at 2"),
      ("确/", "empty component at 4"), ("A(0)_", "empty component at 5"), ("A(0)_(1)", "empty component at 5"),
      ("(0)", "empty component at 0"), ("A(x:1)/B(01)", "bad locator '01' at 9"), ("A(+1)", "bad locator '+1' at 2"),
      ("A()/B", "bad locator '' at 2"), ("A(-1)", "bad locator '-1' at 2"), ("A(row:1)", "bad locator 'row:1' at 2"),
      ("A(section:0 row:-1)", "bad locator 'section:0 row:-1' at 2"),
      ("A(section:0  row:1)", "bad locator 'section:0  row:1' at 2"),
      ("A(99999999999999999999)", "bad locator '99999999999999999999' at 2"),
      ("A(0)_B(1 )_C(2)", "bad locator '1 ' at 7"), ("A/'B", "unclosed quote at 2"), ("A/'B''", "unclosed quote at 2"),
      ("A/''", "empty component at 2"), ("'A'x/B", "bad locator 'x' at 3"), ("'A'(x)/B", "bad locator '(x)' at 3"),
      ("A/(0)", "empty component at 2"),
    ])
  func errors(text: String, expected: String) {
    #expect(read(text) == expected)
  }

  private static func randomPath(_ random: inout SeededGenerator) -> ElementPath {
    let pieces = [
      "UIView", "_", "__", "(", ")", "'", "/", " ", "<", ">", "确定", "\u{301}", "e\u{301}", ".", "0", "(0)", "(x)",
      "section:", "A", "👍", "''", "\u{E9}",
    ]
    func number() -> Int { random.pick([0, 1, 7, 12, 2_000_000, .max]) }
    return ElementPath(
      (0..<Int.random(in: 1...6, using: &random)).map { _ in
        let name = (0..<Int.random(in: 1...5, using: &random)).map { _ in random.pick(pieces) }.joined()
        let locators: [Locator] = [
          .none, .index(number()), .row(section: number(), row: number()), .item(section: number(), item: number()),
          .position(x: -number(), y: number()),
        ]
        return PathComponent(name, random.pick(locators))
      })
  }

  @Test(
    "a path written with slashes is read back with any class names",
    arguments: TestSize.scaled(1...40 as ClosedRange<UInt64>))
  func slashesRoundTrip(seed: UInt64) throws {
    var random = SeededGenerator(seed: seed)
    for _ in 0..<100 {
      let path = Self.randomPath(&random)
      let written = path.written(.slashes)
      #expect(try ElementPath(parsing: written, notation: .slashes) == path, "seed \(seed): \(written)")
    }
  }

  @Test(
    "a path written with underscores is read back to the same bytes or is an error",
    arguments: TestSize.scaled(1...40 as ClosedRange<UInt64>))
  func underscoresRoundTrip(seed: UInt64) {
    var random = SeededGenerator(seed: seed)
    for _ in 0..<100 {
      let written = Self.randomPath(&random).written(.underscores)
      do throws(PathError) {
        let read = try ElementPath(parsing: written, notation: .underscores)
        #expect(Array(read.written(.underscores).utf8) == Array(written.utf8), "seed \(seed): \(written)")
      } catch {
        guard case .ambiguous(let candidates, let count) = error else { continue }
        #expect(count > 1 && candidates.count <= ElementPath.maximumCandidates, "seed \(seed): \(written)")
        #expect(Set(candidates).count == candidates.count, "seed \(seed): \(written)")
        for candidate in candidates {
          #expect(Array(candidate.written(.underscores).utf8) == Array(written.utf8), "seed \(seed): \(written)")
        }
      }
    }
  }

  @Test(
    "ordinary components with locators are read back from underscores",
    arguments: TestSize.scaled(1...20 as ClosedRange<UInt64>))
  func ordinaryRoundTrip(seed: UInt64) throws {
    var random = SeededGenerator(seed: seed)
    for _ in 0..<100 {
      let path = ElementPath(
        (0..<Int.random(in: 1...8, using: &random)).map { _ in
          PathComponent(
            random.pick(["UIView", "_UIBar", "Shop.Cell", "确定", "e\u{301}", "A<B>"]),
            .index(Int.random(in: 0...20, using: &random)))
        })
      // The underscore of a name that begins with one may belong to the name before it, but for the locator.
      #expect(try ElementPath(parsing: path.written(.underscores)) == path, "seed \(seed)")
    }
  }

  @Test(
    "the readings of random texts equal all ways to split them",
    arguments: TestSize.scaled(1...30 as ClosedRange<UInt64>))
  func readings(seed: UInt64) {
    var random = SeededGenerator(seed: seed)
    for _ in 0..<30 {
      let text = (0..<Int.random(in: 1...9, using: &random)).map { _ in random.pick(["_", "a", "b"]) }.joined()
      let expected = Self.splits(Array(text.utf8))
      let result = read(text)
      switch expected.count {
      case 0: #expect(result.hasPrefix("0:") || result.hasPrefix("empty component"), "seed \(seed): \(text): \(result)")
      case 1: #expect(result == expected[0], "seed \(seed): \(text)")
      default:
        #expect(result.hasPrefix("\(expected.count): "), "seed \(seed): \(text): \(result)")
        if expected.count <= ElementPath.maximumCandidates {
          #expect(
            Set(result.drop { $0 != " " }.dropFirst().split(separator: " | ").map(String.init)) == Set(expected),
            "seed \(seed)")
        }
      }
    }
  }

  /// All ways to split at underscores with something on both sides, joined by slashes.
  private static func splits(_ text: [UInt8]) -> [String] {
    var result = [String(decoding: text, as: UTF8.self)]
    for i in text.indices where text[i] == UInt8(ascii: "_") && i > 0 && i + 1 < text.count {
      let head = String(decoding: text[..<i], as: UTF8.self)
      result += splits(Array(text[(i + 1)...])).map { head + "/" + $0 }
    }
    return result
  }

  @Test("hostile texts end with an error or a path")
  func hostile() {
    let most = ElementPath.maximumLength - 1
    let many = most / 2
    let some = most / 5
    #expect(read(String(repeating: "_", count: most)).hasPrefix("many: "))
    #expect(read(String(repeating: "A_", count: many)).hasPrefix("many: "))
    #expect(read(String(repeating: "A_", count: 400) + "A").hasPrefix("many: "))
    #expect(read(String(repeating: "A(0)_", count: some) + "B") == String(repeating: "A(0)/", count: some) + "B")
    #expect(read(String(repeating: "A/", count: some) + "B") == String(repeating: "A/", count: some) + "B")
    #expect(read(String(repeating: "(", count: most)).utf8.count == most)
    #expect(read(String(repeating: ")", count: most)).utf8.count >= most)
    #expect(read(String(repeating: "A)_", count: many)).utf8.count > 0)
    #expect(read(String(repeating: "'", count: most) + "/").utf8.count > 0)
    #expect(read(String(repeating: "/", count: most)) == "empty component at 1")
    #expect(read(String(repeating: "A", count: ElementPath.maximumLength + 1)) == "too long")
    #expect(read(String(repeating: "A_B(0)_", count: 9_000) + "C").hasPrefix("many: "))
    #expect(read("A(x" + String(repeating: ")_", count: many)).utf8.count > 0)
    let longNames = String(repeating: String(repeating: "A", count: 120) + "_", count: 500) + "A"
    #expect(read(longNames).hasPrefix("many: "))
    #expect(read(longNames, nil, ["A"]).hasPrefix("many: "))
    #expect(read(String(repeating: "A_", count: 30_000) + "A", nil, ["A", "A_A", "A_A_A"]).hasPrefix("many: "))
    let pairs = (0..<4).map { _ in Array(repeating: "UIView", count: 513).joined(separator: "_") + "(0)" }
    #expect(read(pairs.joined(separator: "_"), nil, ["UIView"]).hasPrefix("UIView/"))
  }

  @Test("equal components are equal bytes")
  func bytes() {
    #expect(PathComponent("caf\u{E9}") != PathComponent("cafe\u{301}"))
    #expect(Set([PathComponent("caf\u{E9}"), PathComponent("cafe\u{301}"), PathComponent("caf\u{E9}")]).count == 2)
  }
}
