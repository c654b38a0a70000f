import EncircleIdentity
import EncircleRules
import EncircleTestSupport
import EncircleText
import Testing

@Suite struct SelectorParsingTests {
  /// Describes a selector: whether it is anchored, then one line for each step with its text.
  private func dump(_ text: String) throws -> String {
    let syntax = try SelectorSyntax(parsing: text)
    let bytes = Array(text.utf8)
    var lines = [syntax.selector.isAnchored ? "from the window" : "at any depth"]
    for (step, span) in zip(syntax.selector.steps, syntax.stepSpans) {
      lines.append("\(String(decoding: bytes[span], as: UTF8.self)) = \(describe(step))")
    }
    #expect(syntax.text == text)
    #expect(syntax.stepSpans.count == syntax.selector.steps.count)
    #expect(syntax.classSpans.count == syntax.selector.steps.count)
    for (step, span) in zip(syntax.selector.steps, syntax.classSpans) {
      let written = String(decoding: bytes[span], as: UTF8.self)
      switch step {
      case .recursiveWildcard: #expect(written == "**")
      case .component(.any, _): #expect(written.utf8.allSatisfy { $0 == UInt8(ascii: "*") })
      case .component(.kindOf(let name), _):
        #expect(ElementSelector.ClassPattern.name(name).description == written || written == "'\(name)'")
      case .component(let pattern, _): #expect(pattern.description == written || "'\(pattern)'" == written)
      }
    }
    return lines.joined(separator: "\n")
  }

  private func describe(_ step: ElementSelector.Step) -> String {
    guard case .component(let pattern, let locator) = step else { return "any number of components" }
    let name =
      switch pattern {
      case .any: "any class"
      case .name(let name): "class [\(name)]"
      case .glob(let glob): "classes like [\(glob)]"
      case .kindOf(let name): "kinds of [\(name)]"
      }
    switch locator {
    case nil: return name
    case LocatorPattern.none?: return name + " without locator"
    case .index(let test)?: return name + " with index " + describe(test)
    case .texts(let tests)?: return name + tests.map { " with \($0.field.rawValue) [\($0.text)]" }.joined()
    case .fields(let tests)?: return name + tests.map { " with \($0.field.rawValue) \(describe($0.test))" }.joined()
    case .conditions(let conditions)?: return name + " with \(conditions)"
    }
  }

  private typealias LocatorPattern = ElementSelector.LocatorPattern

  private func describe(_ test: ElementSelector.NumberTest) -> String {
    switch test {
    case .any: "any"
    case .range(let lower, let upper): "from \(lower.map(String.init) ?? "-") to \(upper.map(String.init) ?? "-")"
    case .oneOf(let numbers): "one of \(numbers)"
    }
  }

  @Test(
    "every production of the grammar, with the text of each step",
    arguments: [
      ("UIButton", "at any depth\nUIButton = class [UIButton]"),
      (
        "/UIWindow(0)/UIView",
        "from the window\nUIWindow(0) = class [UIWindow] with index from 0 to 0\nUIView = class [UIView]"
      ),
      ("/**/A", "from the window\n** = any number of components\nA = class [A]"),
      ("*/A*/***", "at any depth\n* = any class\nA* = classes like [A*]\n*** = any class"),
      ("**", "at any depth\n** = any number of components"),
      ("*()", "at any depth\n*() = any class without locator"),
      (":UIControl(*)", "at any depth\n:UIControl(*) = kinds of [UIControl] with index any"),
      (":'My View'()", "at any depth\n:'My View'() = kinds of [My View] without locator"),
      ("'A/B'/C", "at any depth\n'A/B' = class [A/B]\nC = class [C]"),
      ("'it''s'(1)", "at any depth\n'it''s'(1) = class [it's] with index from 1 to 1"),
      ("'*'", "at any depth\n'*' = class [*]"), ("'**'/'***'", "at any depth\n'**' = class [**]\n'***' = class [***]"),
      ("':A'", "at any depth\n':A' = class [:A]"),
      ("'A(0)'(0)", "at any depth\n'A(0)'(0) = class [A(0)] with index from 0 to 0"),
      ("A(2...5)", "at any depth\nA(2...5) = class [A] with index from 2 to 5"),
      ("A(2...)", "at any depth\nA(2...) = class [A] with index from 2 to -"),
      ("A(...5)", "at any depth\nA(...5) = class [A] with index from - to 5"),
      ("A(indexx:-3...-1)", "at any depth\nA(indexx:-3...-1) = class [A] with indexx from -3 to -1"),
      ("A(1,3,1)", "at any depth\nA(1,3,1) = class [A] with index one of [1, 3, 1]"),
      ("A(section:0 row:*)", "at any depth\nA(section:0 row:*) = class [A] with section from 0 to 0 with row any"),
      ("A(item:1,2)", "at any depth\nA(item:1,2) = class [A] with item one of [1, 2]"),
      (
        "A(indexy:...0 indexx:-1)",
        "at any depth\nA(indexy:...0 indexx:-1) = class [A] with indexy from - to 0 with indexx from -1 to -1"
      ),
      ("视图/首页(0)", "at any depth\n视图 = class [视图]\n首页(0) = class [首页] with index from 0 to 0"),
      (
        "M.V<A,B>/[0]/a?b/$x#1",
        "at any depth\nM.V<A,B> = class [M.V<A,B>]\n[0] = class [[0]]\na?b = class [a?b]\n$x#1 = class [$x#1]"
      ),
      (
        "A(9223372036854775807)",
        "at any depth\nA(9223372036854775807) = class [A] with index from 9223372036854775807 to 9223372036854775807"
      ),
      (
        "A(indexx:-9223372036854775808)",
        "at any depth\nA(indexx:-9223372036854775808) = class [A] with indexx from -9223372036854775808 to -9223372036854775808"
      ),
      ("B(text:Pay id:'a b')", "at any depth\nB(text:Pay id:'a b') = class [B] with text [Pay] with id [a b]"),
      ("*(id:x#1)", "at any depth\n*(id:x#1) = any class with id [x#1]"),
      (":B(text:'')", "at any depth\n:B(text:'') = kinds of [B] with text []"),
      (
        "B(text:'it''s / (1)')/C",
        "at any depth\nB(text:'it''s / (1)') = class [B] with text [it's / (1)]\nC = class [C]"
      ),
      ("A(007)", "at any depth\nA(007) = class [A] with index from 7 to 7"),
    ] as [(String, String)])
  func productions(selector: String, expected: String) throws {
    #expect(try dump(selector) == expected)
  }

  @Test(
    "an error says where, what was expected, and shows the place",
    arguments: [
      ("", "1:1: error: expected a selector, such as UITableView/ProductCell(section:0 row:*)/UIButton(1)\n  \n  ^"),
      (
        "B(text:)",
        "1:8: error: expected a text after 'text:', found ')'; one with spaces or other signs is quoted: text:'Pay now'\n  B(text:)\n         ^"
      ),
      ("B(id:a id:b)", "1:8: error: the field id is named twice\n  B(id:a id:b)\n         ^"),
      ("B(id:a row:1)", "1:8: error: no component has both id and row\n  B(id:a row:1)\n         ^"),
      ("B(row:1 id:a)", "1:9: error: no component has both row and id\n  B(row:1 id:a)\n          ^"),
      ("B(text:'a)", "1:8: error: expected a closing ' after the class name\n  B(text:'a)\n         ^"),
      ("/", "1:2: error: expected a step after '/': a class name, '*', ':Class' or '**'\n  /\n   ^"),
      ("A/", "1:3: error: expected a step after '/': a class name, '*', ':Class' or '**'\n  A/\n    ^"),
      (
        "A//B",
        "1:3: error: expected a class name, '*', ':Class' or '**', found '/'; a name with special characters is quoted: 'My View'\n  A//B\n    ^"
      ),
      (
        "A/(0)",
        "1:3: error: expected a class name, '*', ':Class' or '**', found '('; a name with special characters is quoted: 'My View'\n  A/(0)\n    ^"
      ),
      (
        " A",
        "1:1: error: expected a class name, '*', ':Class' or '**', found a space; a name with special characters is quoted: 'My View'\n   A\n  ^"
      ),
      (
        ":",
        "1:2: error: expected a class name, '*', ':Class' or '**', found the end; a name with special characters is quoted: 'My View'\n  :\n   ^"
      ),
      (
        ":*",
        "1:2: error: expected a class name, '*', ':Class' or '**', found '*'; a name with special characters is quoted: 'My View'\n  :*\n   ^"
      ),
      (
        "My View",
        "1:3: error: expected '/' or the end of the selector, found a space; a name with special characters is quoted: 'My View'\n  My View\n    ^"
      ),
      ("A ", "1:2: error: expected '/' or the end of the selector, found a space\n  A \n   ^"),
      ("A(0) B", "1:5: error: expected '/' or the end of the selector, found a space\n  A(0) B\n      ^"),
      ("A(0)B", "1:5: error: expected '/' or the end of the selector, found 'B'\n  A(0)B\n      ^"),
      ("**(0)", "1:3: error: expected '/' or the end of the selector, found '('\n  **(0)\n    ^"),
      ("A:B", "1:2: error: expected '/' or the end of the selector, found ':'\n  A:B\n   ^"),
      ("A)", "1:2: error: expected '/' or the end of the selector, found ')'\n  A)\n   ^"),
      (
        "视图 B",
        "1:3: error: expected '/' or the end of the selector, found a space; a name with special characters is quoted: 'My View'\n  视图 B\n  \u{3000}\u{3000}^"
      ),
      ("A/'B", "1:3: error: expected a closing ' after the class name\n  A/'B\n    ^"),
      ("'it's'", "1:5: error: expected '/' or the end of the selector, found 's'\n  'it's'\n      ^"),
      ("A/''", "1:3: error: expected a class name between the quotes\n  A/''\n    ^"),
      (
        "A(",
        "1:3: error: expected a locator: a number, '*', N...M, N,M or fields such as section:0 row:*, found the end\n  A(\n    ^"
      ),
      (
        "A(?)",
        "1:3: error: expected a locator: a number, '*', N...M, N,M or fields such as section:0 row:*, found '?'\n  A(?)\n    ^"
      ),
      (
        "A(section:0  row:1)",
        "1:13: error: expected a locator: a number, '*', N...M, N,M or fields such as section:0 row:*, found a space\n  A(section:0  row:1)\n              ^"
      ),
      ("A(-)", "1:3: error: expected a number, found '-'\n  A(-)\n    ^"),
      ("A(1,)", "1:5: error: expected a number, found ')'\n  A(1,)\n      ^"),
      ("A(...)", "1:6: error: expected a number, found ')'\n  A(...)\n       ^"),
      ("A(.5)", "1:3: error: expected a number, found '.'\n  A(.5)\n    ^"),
      ("A(row:)", "1:7: error: expected a number, found ')'\n  A(row:)\n        ^"),
      ("A(9223372036854775808)", "1:3: error: the number is too large\n  A(9223372036854775808)\n    ^"),
      ("A(-9223372036854775809)", "1:3: error: the number is too large\n  A(-9223372036854775809)\n    ^"),
      (
        "A(-1)",
        "1:3: error: an index, section, row or item is never negative: expected 0 for the first one, or '*' for any\n  A(-1)\n    ^"
      ),
      (
        "A(section:0 row:1,-2)",
        "1:19: error: an index, section, row or item is never negative: expected 0 for the first one, or '*' for any\n  A(section:0 row:1,-2)\n                    ^"
      ),
      (
        "A(...-1)",
        "1:6: error: an index, section, row or item is never negative: expected 0 for the first one, or '*' for any\n  A(...-1)\n       ^"
      ),
      ("A(99999999999999999999)", "1:3: error: the number is too large\n  A(99999999999999999999)\n    ^"),
      ("A(5...2)", "1:3: error: the range 5...2 is empty: expected the lower number first\n  A(5...2)\n    ^"),
      (
        "A(sektion:0)",
        "1:3: error: expected one of the fields section, row, item, indexx, indexy, text and id, found 'sektion'; did you mean 'section'?\n  A(sektion:0)\n    ^"
      ),
      (
        "A(section:0 column:1)",
        "1:13: error: expected one of the fields section, row, item, indexx, indexy, text and id, found 'column'\n  A(section:0 column:1)\n              ^"
      ),
      (
        "A(Row:1)",
        "1:3: error: expected one of the fields section, row, item, indexx, indexy, text and id, found 'Row'; did you mean 'row'?\n  A(Row:1)\n    ^"
      ),
      ("A(row=1)", "1:6: error: expected ':' after 'row', found '='\n  A(row=1)\n       ^"),
      ("A(row", "1:6: error: expected ':' after 'row', found the end\n  A(row\n       ^"),
      ("A(row:1 row:2)", "1:9: error: the field row is named twice\n  A(row:1 row:2)\n          ^"),
      ("A(row:1 item:2)", "1:9: error: no locator has both row and item\n  A(row:1 item:2)\n          ^"),
      (
        "A(section:1 indexx:2)",
        "1:13: error: no locator has both section and indexx\n  A(section:1 indexx:2)\n              ^"
      ),
      ("A(1", "1:4: error: expected ')' after the locator, found the end\n  A(1\n     ^"),
      ("A(1 2)", "1:4: error: expected ')' after the locator, found a space\n  A(1 2)\n     ^"),
      ("A(1;2)", "1:4: error: expected ')' after the locator, found ';'\n  A(1;2)\n     ^"),
      ("A(*1)", "1:4: error: expected ')' after the locator, found '1'\n  A(*1)\n     ^"),
      (
        "A/\nB C",
        "1:3: error: expected a class name, '*', ':Class' or '**', found '\\u{a}'; a name with special characters is quoted: 'My View'\n  A/\n    ^"
      ),
    ] as [(String, String)])
  func errors(selector: String, expected: String) {
    #expect(problem(selector) == expected)
  }

  @Test(
    "names from a pool are the names that are written: é composed and decomposed are two, short and long ones are kept")
  func pooled() throws {
    let names = UTF8StringPool()
    let texts = [
      "/UIWindow(0)/UILayoutContainerView(0)/*", "UILayoutContainerView/UILayoutContainerCafé()",
      "UILayoutContainerCafe\u{301}()/:UILayoutContainerView", "UILayoutContainer*/'UILayout View'(1,2)",
    ]
    for text in texts + texts {
      let pooled = try ElementSelector(parsing: text, names: names)
      #expect(pooled == (try ElementSelector(parsing: text)))
      #expect(Array(pooled.description.utf8) == Array(text.utf8))
    }
    #expect(throws: SelectorError.self) { try ElementSelector(parsing: "UILayoutContainerView/", names: names) }
  }

  @Test("a selector that is too long is refused, not cut")
  func tooLong() {
    let longest = String(repeating: "a", count: ElementSelector.maximumLength)
    #expect(problem(longest) == nil)
    #expect(problem(longest + "a")?.hasPrefix("1:1: error: a selector is at most 65536 bytes long\n") == true)
  }

  private func problem(_ selector: String) -> String? {
    do throws(SelectorError) {
      _ = try ElementSelector(parsing: selector)
      return nil
    } catch {
      return error.description
    }
  }

  // MARK: - Printing

  @Test(
    "a selector prints as itself",
    arguments: [
      "UIButton", "/UIWindow(0)/**/UIButton(1)", "*Cell(section:0 row:*)/UIButton()", ":UIControl", ":'My View'(0)",
      "'it''s'", "''''", "A(2...5)", "A(2...)", "A(...5)", "A(1,3)", "A(indexx:-1)", "A(section:* row:1,2)",
      "A(row:1 section:0)",
      "'a*b'", "'a:b'", "视图(0)", "**/**", "A/**", "_UIHostingView<*>", "M.V<A,B>",
    ])
  func printing(selector: String) throws {
    #expect(try ElementSelector(parsing: selector).description == selector)
  }

  @Test("parsing a printed selector gives the same selector", arguments: 0..<5 as Range<UInt64>)
  func roundTrip(seed: UInt64) throws {
    var random = RandomSelectors(random: SeededGenerator(seed: seed))
    for round in 0..<TestSize.scaled(2_000) {
      let text = random.selector(near: random.path())
      let selector = try ElementSelector(parsing: text)
      let printed = selector.description
      let canonical = selector.canonical
      let again = try ElementSelector(parsing: printed)
      let canonicalAgain = try ElementSelector(parsing: canonical.description)
      guard
        again != selector || again.description != printed || canonicalAgain != canonical
          || canonical.canonical != canonical
      else { continue }
      Issue.record("seed \(seed), round \(round): \(text) prints as \(printed), canonical \(canonical)")
      return
    }
  }

  @Test("the selector of one path matches it and prints as the path does", arguments: 0..<2 as Range<UInt64>)
  func exactly(seed: UInt64) throws {
    var random = RandomSelectors(random: SeededGenerator(seed: seed))
    for round in 0..<TestSize.scaled(500) {
      let path = random.path()
      let selector = ElementSelector(exactly: path)
      let other = random.variation(of: path)
      let matcher = SelectorMatcher(selector)
      let again = try ElementSelector(parsing: selector.description)
      guard !matcher.matches(path) || matcher.matches(other) != (other == path) || again != selector else { continue }
      Issue.record(
        "seed \(seed), round \(round): \(selector) of \(path.written(.slashes)) on \(other.written(.slashes))")
      return
    }
  }

  @Test(
    "the canonical form is the one way to write what a selector means",
    arguments: [
      ("**/A", "A"), ("/**/A", "A"), ("**/**/A", "A"), ("/**", "**"), ("/**/**", "**"), ("A/**/**/B", "A/**/B"),
      ("A**B", "A*B"), ("***", "*"), ("A(3,1,2,1)", "A(1,2,3)"), ("A(1,1)", "A(1)"), ("A(2...2)", "A(2)"),
      ("A(007)", "A(7)"), ("A(-0)", "A(0)"), ("A(row:1 section:*)", "A(section:* row:1)"),
      ("A(indexy:1 indexx:2)", "A(indexx:2 indexy:1)"), ("'A'", "A"), ("'A''B'", "'A''B'"), (":'A'", ":A"),
      ("'A B'/'C'(0)", "'A B'/C(0)"), ("/A/B", "/A/B"), ("A/**", "A/**"), ("A(*)", "A(*)"), ("*()", "*()"),
    ] as [(String, String)])
  func canonical(selector: String, expected: String) throws {
    let canonical = try ElementSelector(parsing: selector).canonical
    #expect(canonical.description == expected)
    #expect(canonical.canonical == canonical)
    #expect(try ElementSelector(parsing: expected) == canonical)
  }

  @Test(
    "any row frees section, row and item of the innermost cell, and leaves outer ones", .articles("H9"),
    arguments: [
      ("T/C(section:0 row:7)/B(1)", "T/C(section:* row:*)/B(1)"),
      ("C(section:0 item:7)", "C(section:* item:*)"),
      ("C(row:7)/D(section:1 item:2)/E(0)", "C(row:7)/D(section:* item:*)/E(0)"),
      ("C(section:0)/D(row:1,2)", "C(section:0)/D(row:*)"), ("C(row:1)/D(section:0)", "C(row:1)/D(section:*)"),
      ("C(section:2)/D/E(0)", "C(section:*)/D/E(0)"),
      ("A(0)/B", "A(0)/B"), ("P(indexx:1 indexy:0)", "P(indexx:1 indexy:0)"),
    ] as [(String, String)])
  func inAnyRow(selector: String, expected: String) throws {
    #expect(try ElementSelector(parsing: selector).inAnyRow.description == expected)
  }
}
