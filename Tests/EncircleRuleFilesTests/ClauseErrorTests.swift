import EncircleRuleFiles
import Testing

private let clauseList = keyList(RuleFileKeys.clause)
private let testListWithoutFold = keyList(RuleFileKeys.test.filter { $0 != "fold" })

/// Errors in clauses, and in their selectors and tests.
@Suite struct ClauseErrorTests {
  @Test(
    "errors in clauses have places",
    arguments: [
      (
        "    include: ▶{}",
        ["the clause is empty and would match every event: expected \(clauseList)"]
      ),
      ("    include: ▶[]", ["the list of clauses is empty"]),
      (
        "    include: { page: A, ▶B, where: { p: 满100, ▶减20 } }",
        [
          "'B' has no value: quote a text that contains a comma, and write several values in brackets",
          "'减20' has no value: quote a text that contains a comma, and write several values in brackets",
        ]
      ),
      (
        "    include: { where: { p: { contains: a, ▶b } } }",
        ["'b' has no value: quote a text that contains a comma, and write several values in brackets"]
      ),
      (
        "    include: { where: { p: \"a\", ▶\"b\", ▶'c', 'd' : 1 } }",
        [
          "'b' has no value: quote a text that contains a comma, and write several values in brackets",
          "'c' has no value: quote a text that contains a comma, and write several values in brackets",
        ]
      ),
      (
        "    include: { ▶page:A, selector: A, ▶row:1) }",
        [
          "a space is missing after 'page:'",
          "'row:1)' has no value: quote a text that contains a comma, and write several values in brackets",
        ]
      ),
      ("    include: { where: { ▶p:1 } }", ["a space is missing after 'p:'"]),
      ("    include: { where: { p: , q: ~ } }", []),
      (
        "    include:▶",
        ["expected a clause: its keys are indented deeper than the key above them"]
      ),
      (
        "    include: [ { event: a }, ▶{} ]",
        ["the clause is empty and would match every event: expected \(clauseList)"]
      ),
      (
        "    include: { event: a }\n    unless: ▶{ }",
        ["the clause is empty and would match every event: expected \(clauseList)"]
      ),
      ("    include: { within: { selector: Cell, says: { prefix: 桃, not: [售罄] } } }", []),
      (
        "    include: { ▶inside: { selector: Cell, says: 桃 } }",
        ["unknown key 'inside' in a clause; did you mean 'within'?"]
      ),
      (
        "    include: { within: { selector: Cell, ▶text: 桃 } }",
        ["unknown key 'text' in 'within'; did you mean 'says'?"]
      ),
      (
        "    include: { within: ▶Cell }",
        [
          "expected an element around the element and its text, as in within: { selector: ProductCell, says: … }; an element that only has to be inside another one is a selector, as in ProductCell/**/UIButton(0)"
        ]
      ),
      (
        "    include: { within: ▶{ selector: Cell } }",
        [
          "'within' has no 'says': it names an element around the event's element and a text in it, as in { selector: ProductCell, says: … }"
        ]
      ),
      (
        "    include: { within: { selector: ▶[A, B], says: 桃 } }",
        ["'within' has one selector; write alternatives as a list of clauses"]
      ),
      (
        "    include: { style: any, within: ▶{ selector: Cell, says: 桃 } }",
        [
          "paths and event IDs belong to one style, so a clause with 'style: any' cannot name an element: state the style, in a list of clauses one for each"
        ]
      ),
      ("version: 1\npages: { exclude: [A, { page: B, unless: { event: b } }] }", []),
      (
        "version: 1\npages: { exclude: [▶{ page: A }] }",
        ["expected 'unless' with the clauses for which the page is not excluded, or the class name of the page alone"]
      ),
      (
        "version: 1\npages: { exclude: [▶{ unless: { event: b } }] }",
        ["the page that is excluded is missing: expected 'page: CLASS' beside 'unless'"]
      ),
      ("version: 1\npages: { exclude: [{ page: A, unless: ▶[] }] }", ["the list of clauses is empty"]),
      ("    include: { ▶evnt: a }", ["unknown key 'evnt' in a clause; did you mean 'event'?"]),
      (
        "    include: { event: a, ▶unless: b }",
        [
          "unknown key 'unless' in a clause: it belongs to the rule: write it beside 'include' or 'exclude', one level higher"
        ]
      ),
      ("    include: { event: ▶}", ["expected a name"]),
      ("    include: { event: ▶[] }", ["the list of names is empty"]),
      (
        "    include: { event: { ▶kindOf: a } }",
        ["only 'page' has the test 'kindOf'"]
      ),
      ("    include: { page: { ▶kindof: a } }", ["unknown test 'kindof'; did you mean 'kindOf'?"]),
      ("    include: { page: { kindOf: ▶[] } }", ["the list of classes is empty"]),
      (
        "    include: { eventID: ▶6bd8 }",
        ["expected an event ID of 64 hexadecimal digits: this may be the beginning of one, as tables show it"]
      ),
      (
        "    include: { identity: ▶'UIWindow(0)' }",
        ["expected an identity string of the form path(…)&controller(…); a path alone is a 'selector'"]
      ),
      (
        "    include: { ▶选择器: a }",
        ["unknown key '选择器' in a clause: expected \(clauseList)"]
      ),
    ] as [(String, [String])])
  func clauseErrors(marked: String, messages: [String]) {
    checkProblems(marked, messages)
  }

  @Test(
    "an error in a selector is where it is in the file",
    arguments: [
      (
        "    include: { selector: 'A/B▶ C' }",
        [
          "in the selector: expected '/' or the end of the selector, found a space; a name with special characters is quoted: 'My View'"
        ]
      ),
      (
        "    include:\n      selector: A(▶rwo:1)",
        [
          "in the selector: expected one of the fields section, row, item, indexx, indexy, text and id, found 'rwo'; did you mean 'row'?"
        ]
      ),
      (
        "    include:\n      selector: A(▶sektion:1)",
        [
          "in the selector: expected one of the fields section, row, item, indexx, indexy, text and id, found 'sektion'; did you mean 'section'?"
        ]
      ),
      (
        "    include:\n      selector: [ A, \"视图/B(▶5...2)\" ]",
        ["in the selector: the range 5...2 is empty: expected the lower number first"]
      ),
      (
        "    include:\n      selector:\n        - A/B\n        - UITableView/ProductCell(section:0 row:▶x)/UIButton(1)",
        ["in the selector: expected a number, found 'x'"]
      ),
      (
        "    include:\n      selector: ▶>-\n        A/B C",
        [
          "in the selector: expected '/' or the end of the selector, found a space; a name with special characters is quoted: 'My View'"
        ]
      ),
      (
        "    include: { selector: ▶'it''''s B' }",
        ["in the selector: expected '/' or the end of the selector, found '''"]
      ),
      ("    include: { selector: ▶}", ["expected a selector"]),
      ("    include: { selector: ▶[] }", ["the list of selectors is empty"]),
      ("    include: { selector: ▶{ A: B } }", ["expected a selector"]),
    ] as [(String, [String])])
  func selectorErrors(marked: String, messages: [String]) {
    checkProblems(marked, messages)
  }

  @Test(
    "errors in tests of values have places",
    arguments: [
      ("    include: { where: ▶[] }", ["expected a mapping from properties to tests"]),
      ("    include: { where: ▶{} }", ["'where' is empty"]),
      (
        "    include: { where: { ▶/a~: x } }",
        ["expected a JSON Pointer (RFC 6901): '~' is written '~0' and '/' in a name '~1'"]
      ),
      ("    include: { where: { p: { ▶equal: x } } }", ["unknown test 'equal'; did you mean 'equals'?"]),
      (
        "    include: { where: { p: { ▶startsWith: x } } }",
        ["unknown test 'startsWith'; did you mean 'prefix'?"]
      ),
      (
        "    include: { where: { p: ▶{} } }",
        ["expected at least one test: \(testListWithoutFold)"]
      ),
      (
        "    include: { where: { p: ▶{ fold: true } } }",
        ["expected at least one test: \(testListWithoutFold)"]
      ),
      (
        "    include: { where: { p: { equals: ▶[a] } } }",
        ["'equals' takes one value: write a list of alternatives under 'in'"]
      ),
      ("    include: { where: { p: { in: ▶a } } }", ["expected a list of values"]),
      ("    include: { where: { p: ▶[] } }", ["the list of values is empty"]),
      ("    include: { where: { p: [ ▶[a] ] } }", ["expected a text, a number, true, false or null"]),
      ("    include: { where: { p: { exists: ▶yes } } }", ["expected true or false"]),
      ("    include: { where: { p: { equals: a, fold: ▶1 } } }", ["expected true or false"]),
      ("    include: { where: { p: { '<': ▶five } } }", ["expected a number"]),
      ("    include: { where: { p: { '<': ▶'5' } } }", ["expected a number: 5 without quotes"]),
      (
        "    include: { where: { p: { '>=': ▶'5.10' } } }",
        ["expected a number: 5.10 without quotes; versions are compared by version: \">=5.10\""]
      ),
      ("    include: { where: { p: { ▶'=<': 5 } } }", ["unknown test '=<'; did you mean '<='?"]),
      (
        "    include: { where: { p: { version: ▶'>=5.2, <6' } } }",
        ["expected comparisons of versions separated by spaces, such as '>=5.2 <6'; did you mean '>=5.2 <6'?"]
      ),
      (
        "    include: { where: { p: { version: ▶'~5.2' } } }",
        ["expected comparisons of versions separated by spaces, such as '>=5.2 <6'; did you mean '>=5.2 <5.3'?"]
      ),
      (
        "    include: { where: { p: { matches: ▶'a(b' } } }",
        ["in the regular expression (RE2 syntax): missing ): a(b"]
      ),
      (
        "    include: { where: { p: { matches: ▶'(?=a)' } } }",
        ["in the regular expression (RE2 syntax): invalid perl operator: (?="]
      ),
      ("    include: { where: { p: { prefix: ▶[a] } } }", ["expected one text: only 'in' takes a list"]),
      ("    include: { where: { p: { prefix: ▶} } }", ["expected a text"]),
      (
        "    include: { where: { p: { number: ▶{ '>': 1, equals: a } } } }",
        ["the number in a text is compared with numbers, as in number: { \">=\": 100 }"]
      ),
      (
        "    include: { where: { p: { number: { ▶prefix: a } } } }",
        ["unknown test 'prefix': expected \(keyList(RuleFileKeys.numberTest))"]
      ),
      (
        "    include: { where: { p: { sample: ▶0.1 } } }",
        [
          "expected a share in percent above 0, up to 100%, with at most four digits after the point, such as 10% or 0.25%"
        ]
      ),
      ("    include: { where: { p: { sample: ▶{ salt: a } } } }", ["the sample has no 'share', such as 10%"]),
      ("    include: { where: { p: { any: ▶[] } } }", ["the list of values is empty"]),
      ("    include: { where: { p: { ▶every: a } } }", ["unknown test 'every'; did you mean 'all'?"]),
      ("    include: { where: { p: { not: { ▶eqals: a } } } }", ["unknown test 'eqals'; did you mean 'equals'?"]),
      (
        "    include: { where: { p: { ▶kindOf: A } } }",
        ["only 'page' has the test 'kindOf'"]
      ),
    ] as [(String, [String])])
  func testErrors(marked: String, messages: [String]) {
    checkProblems(marked, messages)
  }
}
