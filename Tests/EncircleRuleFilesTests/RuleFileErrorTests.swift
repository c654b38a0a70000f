import EncircleRuleFiles
import Testing

private let fileList = keyList(RuleFileKeys.file)
private let ruleList = keyList(RuleFileKeys.rule)

/// Errors in files as a whole and in their rules.
@Suite struct RuleFileErrorTests {
  @Test(
    "errors in the file as a whole have places",
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
    checkProblems(marked, messages)
  }

  @Test(
    "errors in rules have places",
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
        ["expected a date, a time as in 2026-03-01T08:00:00Z, or milliseconds since 1970 with at least 10 digits"]
      ),
      (
        "    include: { event: a }\n    from: ▶2026-02-30",
        ["expected a date, a time as in 2026-03-01T08:00:00Z, or milliseconds since 1970 with at least 10 digits"]
      ),
      (
        "    include: { event: a }\n    to: ▶2026-03-01T25:00:00Z",
        ["expected a date, a time as in 2026-03-01T08:00:00Z, or milliseconds since 1970 with at least 10 digits"]
      ),
      (
        "    include: { event: a }\n    from: ▶20260301",
        [
          "expected a date, a time as in 2026-03-01T08:00:00Z, or milliseconds since 1970 with at least 10 digits; did you mean '2026-03-01'?"
        ]
      ),
      (
        "    include: { event: a }\n    from: ▶20261301",
        [
          "expected a date, a time as in 2026-03-01T08:00:00Z, or milliseconds since 1970 with at least 10 digits"
        ]
      ),
      (
        "    include: { event: a }\n    from: ▶177232320",
        [
          "expected a date, a time as in 2026-03-01T08:00:00Z, or milliseconds since 1970 with at least 10 digits"
        ]
      ),
      (
        "    include: { event: a }\n    from: ▶0",
        [
          "expected a date, a time as in 2026-03-01T08:00:00Z, or milliseconds since 1970 with at least 10 digits"
        ]
      ),
      (
        "    include: { event: a }\n    from: ▶-1",
        [
          "expected a date, a time as in 2026-03-01T08:00:00Z, or milliseconds since 1970 with at least 10 digits"
        ]
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
    checkProblems(marked, messages)
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
  func tolerances(text: String, messages: [String]) { checkProblems(text, messages) }

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
          "the property has no source: expected one of 'value', 'property', 'path', 'element'"
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
  func properties(text: String, messages: [String]) { checkProblems(text, messages) }

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

  @Test("all problems of a file are reported at once, in the order of their places")
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
