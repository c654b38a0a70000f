import EncircleRuleFiles
import EncircleText
import Testing

private func list(_ keys: [String]) -> String { keys.map { "'\($0)'" }.joined(separator: ", ") }

private let fileList = list(RuleFileKeys.file)
private let ruleList = list(RuleFileKeys.rule)
private let clauseList = list(RuleFileKeys.clause)
private let testList = list(RuleFileKeys.test)
private let testListWithoutFold = list(RuleFileKeys.test.filter { $0 != "fold" })

/// What is wrong with rule files. In each row `▶` stands in front of the place of each problem; a text that begins with
/// spaces is the inside of a rule.
@Suite struct RuleFileErrorTests {
  /// Compares all problems of a text with messages at its marks, each as it is shown: place, message, line and caret.
  private func check(_ marked: String, _ messages: [String], _ source: Testing.SourceLocation = #_sourceLocation) {
    let marked = marked.hasPrefix(" ") ? "version: 1\nrules:\n  - id: a\n" + marked : marked
    let text = marked.replacing("▶", with: "")
    var expected: [String] = []
    let lines = text.split(separator: "\n", omittingEmptySubsequences: false)
    for (i, line) in marked.split(separator: "\n", omittingEmptySubsequences: false).enumerated() {
      let parts = line.split(separator: "▶", omittingEmptySubsequences: false)
      for end in 1..<max(1, parts.count) {
        let before = parts[..<end].joined().unicodeScalars
        // Wide characters take two columns.
        let indent = before.map { $0.value >= 0x2E80 ? "\u{3000}" : " " }.joined()
        let message = expected.count < messages.count ? messages[expected.count] : "no problem"
        expected.append(
          "rules.yaml:\(i + 1):\(before.count + 1): error: \(message)\n  \(VisibleText.escaping(String(lines[i])))\n  \(indent)^"
        )
      }
    }
    #expect(expected.count == messages.count, sourceLocation: source)
    #expect(problems(text) == expected.joined(separator: "\n"), sourceLocation: source)
  }

  @Test(
    "a tolerance is a confidence, of include rules",
    arguments: [
      ("    tolerance: ▶0\n    include: { event: a }", ["expected a confidence above 0, up to 1, such as 0.8"]),
      ("    tolerance: ▶1.01\n    include: { event: a }", ["expected a confidence above 0, up to 1, such as 0.8"]),
      ("    tolerance: ▶high\n    include: { event: a }", ["expected a confidence above 0, up to 1, such as 0.8"]),
      ("    tolerance: ▶[0.8]\n    include: { event: a }", ["expected a confidence above 0, up to 1, such as 0.8"]),
      ("    tolerance: 8e-1\n    include: { event: a }", []), ("    tolerance: 1\n    include: { event: a }", []),
      (
        "    tolerance: ▶0.8\n    exclude: { event: a }",
        ["an exclude rule cannot have a 'tolerance': only certain matches may be excluded"]
      ),
      (
        "    ▶similarity: 0.8\n    include: { event: a }",
        ["unknown key 'similarity' in a rule; did you mean 'tolerance'?"]
      ),
    ] as [(String, [String])])
  func tolerances(text: String, messages: [String]) { check(text, messages) }

  @Test(
    "a property says what it is read from, once, and in an include rule",
    arguments: [
      ("    include: { event: a }\n    properties: { ok: feed, n: 1, row: { path: item } }", []),
      ("    include: { event: a }\n    properties: ▶{}", ["'properties' is empty"]),
      (
        "    exclude: { event: a }\n    properties: ▶{ a: 1 }",
        ["an exclude rule cannot have 'properties': the events that it excludes are not selected"]
      ),
      (
        "    include: { event: a }\n    properties: { ▶$element_content: 加入 }",
        [
          "names that begin with '$' are the SDK's own: a condition on '$element_content' stands under 'where' in a clause"
        ]
      ),
      (
        "    include: { event: a }\n    properties: { p: ▶{ path: row, value: 1 } }",
        ["a property is read from one thing, not from 'value', 'path'"]
      ),
      (
        "    include: { event: a }\n    properties: { p: ▶{ type: text } }",
        [
          "the property says not what it is read from: expected one of 'value', 'property', 'path', 'element'"
        ]
      ),
      (
        "    include: { event: a }\n    properties: { p: { path: row, extract: ▶a } }",
        ["'extract' goes with 'property' and 'element', not with 'path'"]
      ),
      (
        "    include: { event: a }\n    properties: { p: { property: a, ▶regex: b } }",
        ["unknown key 'regex' in a property; did you mean 'extract'?"]
      ),
      (
        "    include: { event: a }\n    properties: { p: { property: a, extract: ▶'(' } }",
        ["in the regular expression (RE2 syntax): missing ): ("]
      ),
      (
        "    include: { event: a }\n    properties: { p: { element: '../▶/UILabel' } }",
        ["in the selector: expected a step after '/': a class name, '*', ':Class' or '**'"]
      ),
      (
        "    include: { event: a }\n    properties: { p: { path: ▶rwo } }",
        ["unknown number 'rwo' of a path: expected 'row', 'section' or 'index'; did you mean 'row'?"]
      ),
      (
        "    include: { event: a }\n    properties: { p: ▶[1, 2] }",
        ["a property has one value: expected a text, a number, true or false"]
      ),
      (
        "    include: { event: a }\n    emit: ▶'add_{name}'",
        [
          "'emit' is one name, not a template: what varies is a property of the event, as in properties: { price: { element: ../UILabel(1) } }"
        ]
      ),
    ] as [(String, [String])])
  func properties(text: String, messages: [String]) { check(text, messages) }

  @Test(
    "what the file as a whole may say",
    arguments: [
      ("▶rules: []", ["the file has no 'version': expected 'version: 1'"]),
      ("version: ▶2", ["unknown version: expected 1"]),
      ("version: ▶1.0", ["unknown version: expected 1"]),
      (
        "version: 1\nrules: [{ id: a, include: { event: e }, origin: { ▶product: x, id: 1 } }]",
        ["unknown key 'product' in an origin; did you mean 'tool'?"]
      ),
      ("version: 1\nrules: [{ id: a, include: { event: e }, origin: ▶{ id: 1 } }]", ["the origin has no 'tool'"]),
      (
        "version: 1\nrules: [{ id: a, include: { event: e }, origin: { tool: ▶Post Hog, id: 1 } }]",
        ["expected a tool in lower-case letters, digits and hyphens, such as 'posthog'"]
      ),
      (
        "version: 1\nrules: [{ include: { event: e }, id: a,\n  origin: { tool: x, id: 1, url: ▶\"javascript:a\" } }]",
        ["expected an address that begins with https:// or http://"]
      ),
      ("version: 1\n▶rulez: []", ["unknown key 'rulez' in a rule file; did you mean 'rules'?"]),
      (
        "version: 1\n▶trak: all\n▶zzz: 1",
        [
          "unknown key 'trak' in a rule file; did you mean 'track'?",
          "unknown key 'zzz' in a rule file: expected \(fileList)",
        ]
      ),
      (
        "version: 1\ntrack: ▶al",
        ["unknown value 'al' of 'track': expected 'selected' or 'all'; did you mean 'all'?"]
      ),
      ("version: 1\ntrack: ▶[all]", ["expected 'selected' or 'all'"]),
      ("version: 1\napp:▶", ["expected the identifier of an app"]),
      ("version: 1\nrules: ▶{}", ["expected a list of rules, each with '- ' in front of its first key"]),
      (
        "version: 1\nrules: [ ▶5 ]",
        ["expected a rule, a mapping with \(ruleList)"]
      ),
      (
        "▶- 1",
        ["expected a rule file, a mapping with \(fileList)"]
      ),
      (
        "▶hello",
        ["expected a rule file, a mapping with \(fileList)"]
      ),
      ("version: 1\nclasses: { A: B, ▶B: A }", ["B cannot be a subclass of A, which is a kind of it"]),
      (
        "version: 1\nclasses: { ▶UIView: UIButton }",
        ["UIView is a class of the system, whose superclass is UIResponder: rules cannot give it another one"]
      ),
      ("version: 1\nclasses: ▶[A]", ["expected a mapping from class names to superclasses"]),
      ("version: 1\nclasses: { A: ▶[B] }", ["expected the name of a superclass"]),
      ("version: 1\nclasses: { A: ▶}", ["expected the name of a superclass"]),
      ("version: 1\npages: { ▶exclud: [A] }", ["unknown key 'exclud' in pages; did you mean 'exclude'?"]),
      ("version: 1\nidentity: { screenTitle: ▶[] }", ["the list of pages is empty"]),
      (
        "version: 1\nidentity: { ▶screentitle: true }",
        ["unknown key 'screentitle' in identity; did you mean 'screenTitle'?"]
      ),
      ("version: 1\npages: { defaults: ▶no }", ["expected true or false"]),
      ("version: 1\npages: { exclude: ▶[] }", ["the list of pages is empty"]),
      (
        "version: 1\npages: { exclude: { ▶pag: A, unless: { event: a } } }",
        ["unknown key 'pag' in an excluded page; did you mean 'page'?"]
      ),
      ("version: 1\npages: ▶[A]", ["expected pages, a mapping with 'exclude', 'defaults'"]),
      ("version: 1\nfields: { ▶evnt: /name }", ["unknown field 'evnt'; did you mean 'event'?"]),
      (
        "version: 1\nfields: { event: ▶/a~b }",
        ["expected a JSON Pointer (RFC 6901): '~' is written '~0' and '/' in a name '~1'"]
      ),
      ("version: 1\nfields: { event: ▶[] }", ["the list of properties is empty"]),
      ("version: 1\nfields: ▶[event]", ["expected a mapping from fields to properties"]),
    ] as [(String, [String])])
  func fileErrors(marked: String, messages: [String]) {
    check(marked, messages)
  }

  @Test(
    "what a rule may say",
    arguments: [
      ("version: 1\nrules:\n  - ▶include: { event: a }", ["the rule has no 'id'"]),
      ("version: 1\nrules:\n  - ▶id: a", ["the rule has neither 'include' nor 'exclude'"]),
      (
        "    include: { event: a }\n    exclude: ▶{ event: b }",
        ["a rule has either 'include' or 'exclude', not both"]
      ),
      (
        "version: 1\nrules:\n  - id: a\n    ▶inclde: { event: a }",
        ["unknown key 'inclde' in a rule; did you mean 'include'?"]
      ),
      ("    include: { event: a }\n    enabled: ▶yes", ["expected true or false"]),
      ("    include: { event: a }\n    sameKind: ▶1", ["expected true or false"]),
      (
        "    include: { event: a }\n    from: ▶tomorrow",
        ["expected a date, a time as in 2026-03-01T08:00:00Z, or milliseconds since 1970"]
      ),
      (
        "    include: { event: a }\n    from: ▶2026-02-30",
        ["expected a date, a time as in 2026-03-01T08:00:00Z, or milliseconds since 1970"]
      ),
      (
        "    include: { event: a }\n    to: ▶2026-03-01T25:00:00Z",
        ["expected a date, a time as in 2026-03-01T08:00:00Z, or milliseconds since 1970"]
      ),
      ("    include: { event: a }\n    from: 2026-03-02\n    to: ▶2026-03-01", ["'to' is before 'from'"]),
      ("    include: { event: a }\n    emit: ▶''", ["expected a name"]),
      (
        "    include: { event: a }\n    emit: ▶{ template: x }",
        ["expected a name, or a list of names: a name is a constant"]
      ),
      ("    include: { event: a }\n    emit: [x, ▶x]", ["the rule has the name 'x' twice"]),
      ("    include: { event: a }\n    emit: ▶[]", ["the list of names is empty"]),
      (
        "    include: { event: a }\n    from: ▶2026-03-01\n    during: { to: 2026-03-02 }",
        ["a rule has either 'during' or 'from' and 'to': add this span to the list"]
      ),
      ("    include: { event: a }\n    during: [{ from: 2026-03-02, to: ▶2026-03-01 }]", ["'to' is before 'from'"]),
      ("    include: { event: a }\n    during: [▶{}]", ["the span has no bound: expected 'from', 'to' or both"]),
      ("    include: { event: a }\n    during: ▶[]", ["the list of spans of time is empty"]),
      ("    include: { event: a }\n    name: ▶[]", ["expected a text"]),
      ("    include: { event: a }\n    tags: ▶{}", ["expected a word"]),
      ("version: 1\nrules:\n  - id:▶\n    include: { event: a }", ["expected an id"]),
    ] as [(String, [String])])
  func ruleErrors(marked: String, messages: [String]) {
    check(marked, messages)
  }

  @Test(
    "what a clause may say",
    arguments: [
      (
        "    include: ▶{}",
        ["the clause is empty and would match every event: expected \(clauseList)"]
      ),
      ("    include: ▶[]", ["the list of clauses is empty"]),
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
          "expected what is around the element and what it says, as in within: { selector: ProductCell, says: … }; an element that only has to be inside another one is a selector, as in ProductCell/**/UIButton(0)"
        ]
      ),
      (
        "    include: { within: ▶{ selector: Cell } }",
        [
          "'within' has no 'says': it says which element is around the event's one and what is said there, as in { selector: ProductCell, says: … }"
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
    check(marked, messages)
  }

  @Test(
    "an error in a selector is where it is in the file",
    arguments: [
      (
        "    include: { selector: 'A/B▶ C' }",
        ["in the selector: expected '/' or the end of the selector, found a space"]
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
        ["in the selector: expected '/' or the end of the selector, found a space"]
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
    check(marked, messages)
  }

  @Test(
    "what a test may say",
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
        ["unknown test 'prefix': expected \(list(RuleFileKeys.numberTest))"]
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
    check(marked, messages)
  }

  @Test(
    "YAML's traps are errors that say what to do",
    arguments: [
      (
        "    include: { where: { p: ▶yes } }",
        ["'yes' is a truth value in YAML: quote it if the text is meant, else write true or false"]
      ),
      (
        "    include: { where: { p: { in: [▶on, ▶Off] } } }",
        [
          "'on' is a truth value in YAML: quote it if the text is meant, else write true or false",
          "'Off' is a truth value in YAML: quote it if the text is meant, else write true or false",
        ]
      ),
      (
        "    include: { where: { p: ▶0x1F } }",
        ["'0x1F' is a number in YAML, but not in JSON: quote it if the text is meant"]
      ),
      (
        "    include: { where: { p: ▶1_000 } }",
        ["'1_000' is a number in YAML, but not in JSON: quote it if the text is meant"]
      ),
      (
        "    include: { where: { p: ▶.inf } }",
        ["'.inf' is a number in YAML, but not in JSON: quote it if the text is meant"]
      ),
      (
        "    include: { where: { p: ▶12:30 } }",
        ["'12:30' is a number in YAML, but not in JSON: quote it if the text is meant"]
      ),
      ("▶version: 1\nversion: 1", ["the key 'version' occurs twice in one mapping"]),
      (
        "version: 1\nrules:\n  - ▶id: a\n    id: b\n    include: { event: a }",
        ["the key 'id' occurs twice in one mapping; in a list, each item begins with '- '"]
      ),
      ("version: 1\nrules: [\n▶", ["expected a value, or the bracket that ends this"]),
      ("version: 1\nrules: ▶'a\n", ["this quote is never closed"]),
      (
        "version: 1\nrules: []\n▶---\nversion: 1\nrules: []",
        ["a file is one document: what is behind '---' belongs into a file of its own"]
      ),
      ("version: 1\n? ▶[a]\n: b", ["expected a key of a rule file"]),
      (
        "    include: { ▶<<: { event: a } }",
        ["merge keys are not read: what several rules share has a name under 'define', by which 'use' takes it"]
      ),
      (
        "    include: { selector: ▶*/UIButton }",
        ["'*' refers to an anchor in YAML, and no anchor above has this name: quote the text, as in '*/UIButton'"]
      ),
      (
        "    include: { event: ▶*undefined }",
        ["'*' refers to an anchor in YAML, and no anchor above has this name: quote the text, as in '*undefined'"]
      ),
      (
        "   ▶include: { event: a }",
        ["expected '- ' and the next item of the list, indented as those above it"]
      ),
      (
        "version: 1\nrules: &a [▶*a]",
        ["'*' refers to an anchor in YAML, and no anchor above has this name: quote the text, as in '*a'"]
      ),
      (
        "version: 1\n▶\u{FEFF}rules: []",
        ["a byte order mark (U+FEFF, which is not seen) within the file: remove it"]
      ),
    ] as [(String, [String])])
  func yamlErrors(marked: String, messages: [String]) {
    check(marked, messages)
  }

  @Test("an empty file is one", arguments: ["", "\n\n", "# a comment\n", "\u{FEFF}"])
  func empty(text: String) {
    #expect(
      problems(text) == "rules.yaml: error: the file is empty: expected at least 'version: 1' and 'rules'")
  }

  @Test("tabs do not indent")
  func tabs() {
    #expect(
      problems("version: 1\nrules:\n\t- id: a\n")
        == "rules.yaml:3:1: error: YAML is indented with spaces: replace this tab\n  \t- id: a\n  ^"
    )
  }

  @Test("a control character is refused where it is", arguments: ["\0", "\u{1}", "\u{1B}"])
  func controlCharacters(character: String) {
    let shown = VisibleText.escaping(character)
    let code = String(character.unicodeScalars.map(\.value).reduce(0, +), radix: 16, uppercase: true)
    let name = String(repeating: "0", count: 4 - code.count) + code
    #expect(
      problems("version: 1\r\nrules:\r\n  - id: 中\(character)b\r\n")
        == "rules.yaml:3:10: error: not valid YAML: control characters are not allowed; U+\(name) is written \"\\u\(name)\"\n    - id: 中\(shown)b\n          \u{3000}^"
    )
  }

  @Test("duplicate ids name both places")
  func duplicateIDs() {
    let rules = """
      version: 1
      rules:
        - id: a
          include: { event: a }
        - { include: { event: b }, id: a }
        - id: "a"
          exclude: { event: c }
      """
    #expect(
      problems(rules) == """
        rules.yaml:5:34: error: there are two rules with the id 'a'
            - { include: { event: b }, id: a }
                                           ^
        rules.yaml:3:9: note: the first rule with the id 'a'
        rules.yaml:6:9: error: there are two rules with the id 'a'
            - id: "a"
                  ^
        rules.yaml:3:9: note: the first rule with the id 'a'
        """)
  }

  @Test("all problems of a file are told at once, in the order of their places")
  func allAtOnce() {
    let rules = """
      version: 2
      trak: all
      rules:
        - id: a
          include: { evnt: x, where: { p: { equal: 1 } } }
        - include: { selector: [ "A(", B//C ] }
          emitt: b
        - id: a
          include: { event: x }
          enabled: no
      """
    #expect(
      problems(rules) == """
        rules.yaml:1:10: error: unknown version: expected 1
          version: 2
                   ^
        rules.yaml:2:1: error: unknown key 'trak' in a rule file; did you mean 'track'?
          trak: all
          ^
        rules.yaml:5:16: error: unknown key 'evnt' in a clause; did you mean 'event'?
              include: { evnt: x, where: { p: { equal: 1 } } }
                         ^
        rules.yaml:5:39: error: unknown test 'equal'; did you mean 'equals'?
              include: { evnt: x, where: { p: { equal: 1 } } }
                                                ^
        rules.yaml:6:5: error: the rule has no 'id'
            - include: { selector: [ "A(", B//C ] }
              ^
        rules.yaml:6:31: error: in the selector: expected a locator: a number, '*', N...M, N,M or fields such as section:0 row:*, found the end
            - include: { selector: [ "A(", B//C ] }
                                        ^
        rules.yaml:6:36: error: in the selector: expected a class name, '*', ':Class' or '**', found '/'; a name with special characters is quoted: 'My View'
            - include: { selector: [ "A(", B//C ] }
                                             ^
        rules.yaml:7:5: error: unknown key 'emitt' in a rule; did you mean 'emit'?
              emitt: b
              ^
        rules.yaml:8:9: error: there are two rules with the id 'a'
            - id: a
                  ^
        rules.yaml:4:9: note: the first rule with the id 'a'
        rules.yaml:10:14: error: expected true or false
              enabled: no
                       ^
        """)
  }

  @Test(
    "hostile files are errors, not crashes",
    arguments: [
      ("rules: " + String(repeating: "[", count: 100_000), "more than 1000 levels of lists and mappings"),
      ("rules: " + String(repeating: "{a: ", count: 100_000), "more than 1000 levels of lists and mappings"),
      ("rules:\n  " + String(repeating: "- ", count: 100_000), "more than 1000 levels of lists and mappings"),
      (
        "rules: " + String(repeating: "[", count: 900) + String(repeating: "]", count: 900),
        "expected a rule, a mapping"
      ),
      (
        "rules: [ { id: a, include: { where: { p: " + String(repeating: "{ not: ", count: 40) + "a"
          + String(repeating: " }", count: 40) + " } } } ]", "tests are nested deeper than 32 levels"
      ),
      (
        "rules:\n  - &a0 [x, x]\n" + (1...30).map { "  - &a\($0) [*a\($0 - 1), *a\($0 - 1)]\n" }.joined(),
        "more than 16 YAML aliases"
      ),
      (
        "rules: [ { id: a, include: { selector: " + String(repeating: "a", count: 70_000) + " } } ]",
        "a selector is at most 65536 bytes long"
      ),
    ])
  func hostile(rules: String, message: String) {
    #expect(problems("version: 1\n" + rules).contains(message))
  }

  @Test("the line of a huge scalar is shown in part")
  func hugeScalar() {
    let problem = problems("version: 1\nrules: [ { id: \(String(repeating: "a", count: 100_000)), zzz: 1 } ]")
    #expect(problem.contains("unknown key 'zzz' in a rule"))
    #expect(problem.utf8.count < 2_000)
  }
}

/// All that is wrong with a rule file, as it is shown.
func problems(_ text: String) -> String {
  do throws(RuleFileErrors) {
    _ = try RuleFiles(text: text, name: "rules.yaml").ruleSet()
    return ""
  } catch {
    return error.description
  }
}
