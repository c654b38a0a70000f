import EncircleEvents
import EncircleRuleFiles
import EncircleRules
import EncircleText
import Foundation
import Testing

/// Clauses and values that have a name under `define`.
@Suite struct DefinitionTests {
  /// The conditions of rules, clause by clause.
  private static func text(_ ruleSet: RuleSet) -> [String] {
    ruleSet.rules.map { rule in
      func text(_ clauses: [RuleClause]) -> String {
        clauses.map { clause in
          ([
            clause.event.map { "event \($0)" }, clause.page.map { "page \($0)" },
            clause.selectors.isEmpty ? nil : clause.selectors.map(\.description).joined(separator: " | "),
          ].compactMap { $0 } + clause.properties.map { "\($0.property) \($0.condition)" }).joined(separator: ", ")
        }.joined(separator: "; ")
      }
      return "\(rule.id): \(text(rule.clauses))" + (rule.unless.isEmpty ? "" : " unless \(text(rule.unless))")
    }
  }

  private static let define = """
    version: 1
    define:
      clauses:
        testers: { where: { $user_group: testers } }
        buy: { event: $AppClick, page: [Cart, 7], selector: BuyButton, where: { $os: iOS } }
      values:
        cities: [北京, 上海]
        supported: { version: ">=5.2" }
        pages: { kindOf: Cart, not: 5 }
        numbers: [1, 2]
        cased: { in: [a, 1], prefix: b, not: { glob: c, any: d }, matches: e, number: 5 }

    """

  private func load(_ rules: String) throws -> RuleSet { try RuleFiles(text: Self.define + rules).ruleSet() }

  @Test(
    "a rule means the same as one with everything written out",
    arguments: [
      ("{ id: a, include: { use: testers } }", "{ id: a, include: { where: { $user_group: testers } } }"),
      (
        "{ id: a, include: { event: e }, unless: { use: [testers, buy] } }",
        "{ id: a, include: { event: e }, unless: { event: $AppClick, page: [Cart, 7], selector: BuyButton, where: { $user_group: testers, $os: iOS } } }"
      ),
      (
        "{ id: a, include: [{ use: buy, page: { prefix: C }, where: { $city: { use: cities } } }, { event: e }] }",
        "{ id: a, include: [{ event: $AppClick, page: { prefix: C, in: [Cart, 7] }, selector: BuyButton, where: { $city: [北京, 上海], $os: iOS } }, { event: e }] }"
      ),
      (
        "{ id: a, include: { where: { v: { use: supported, not: { use: cities } }, w: { any: { use: numbers } } } } }",
        "{ id: a, include: { where: { v: { version: '>=5.2', not: [北京, 上海] }, w: { any: [1, 2] } } } }"
      ),
      (
        "{ id: a, include: { where: { v: { use: cased, fold: true }, w: { not: { any: { use: cased } }, fold: true } } } }",
        "{ id: a, include: { where: { v: { in: [a, 1], prefix: b, not: { glob: c, any: d }, matches: e, number: 5, fold: true }, w: { not: { any: { in: [a, 1], prefix: b, not: { glob: c, any: d }, matches: e, number: 5 } }, fold: true } } } }"
      ),
      (
        "{ id: a, include: { event: { use: numbers, fold: true }, where: { v: { use: cities, fold: false } } } }",
        "{ id: a, include: { event: { in: ['1', '2'], fold: true }, where: { v: [北京, 上海] } } }"
      ),
      ("{ id: a, include: { page: { use: pages } } }", "{ id: a, include: { page: { kindOf: Cart, not: '5' } } }"),
      ("{ id: a, include: { event: { use: numbers } } }", "{ id: a, include: { event: ['1', '2'] } }"),
    ])
  func meanings(short: String, long: String) throws {
    #expect(
      Self.text(try load("rules: [ \(short) ]"))
        == Self.text(try RuleFiles(text: "version: 1\nrules: [ \(long) ]").ruleSet()))
  }

  @Test(
    "unusable values are refused at their places, with the cure",
    arguments: [
      ("include: { use: tester }", "no clause is defined as 'tester'; did you mean 'testers'?"),
      ("include: { where: { p: { use: city } } }", "no value is defined as 'city'"),
      (
        "include: { use: cities }",
        "no clause is defined as 'cities': there is a value with this name, which is used in a test"
      ),
      (
        "include: { where: { p: { use: buy } } }",
        "no value is defined as 'buy': there is a clause with this name, which is used in a clause"
      ),
      (
        "include: { use: buy, selector: A }",
        "the clause and 'buy' both say which element: a clause says it once; write alternatives as a list of clauses"
      ),
      (
        "include: { where: { p: { use: pages } } }",
        "the value 'pages' has the test 'kindOf', which cannot be used here"
      ),
      ("include: { use: [] }", "the list of names is empty"),
      (
        "include: { <<: { event: a } }",
        "merge keys are not read: what several rules share has a name under 'define', by which 'use' takes it"
      ),
      (
        "include: { where: { <<: { p: a } } }",
        "merge keys are not read: what several rules share has a name under 'define', by which 'use' takes it"
      ),
    ])
  func refused(rule: String, expected: String) throws {
    let error = #expect(throws: RuleFileErrors.self) { try load("rules: [ { id: a, \(rule) } ]") }
    let found = error?.diagnostics.map { "\($0.location?.description ?? ""): \($0.messageWithSuggestion)" } ?? []
    #expect(found.contains { $0.hasPrefix("12:") && $0.hasSuffix(": " + expected) }, "\(found)")
  }

  @Test(
    "definitions have their own problems, once, whether or not they are used",
    arguments: [
      ("define: { clauses: { a: {} } }", "the clause is empty"),
      ("define: { values: { a: [] } }", "the list of values is empty"),
      ("define: { values: { a: { prefx: b } } }", "unknown test 'prefx'"),
      ("define: { clauses: { a: { use: b }, b: { event: e } } }", "a definition cannot use another one"),
      ("define: { claus: {} }", "unknown key 'claus' in define"),
      ("define: { clauses: [] }", "a mapping from names to clauses"),
      ("define: { clauses: { a: { selector: 'A(' } } }", "in the selector"),
    ])
  func ownProblems(text: String, message: String) throws {
    let error = #expect(throws: RuleFileErrors.self) {
      try RuleFiles(text: "version: 1\n\(text)\nrules: [ { id: x, include: { event: e } } ]").ruleSet()
    }
    #expect(
      error?.diagnostics.count == 1 && error?.diagnostics[0].message.contains(message) == true,
      "\(String(describing: error))")
  }

  @Test("definitions hold for all files, have one place each, and say where the parts of a rule are written")
  func files() throws {
    let shared = "version: 1\ndefine:\n  clauses:\n    buy:\n      selector: BuyButton\n      where: { p: shared }\n"
    let rules = "version: 1\nrules:\n  - id: a\n    include:\n      use: buy\n      where: { q: own }\n"
    var cache = RuleFileCache()
    // Twice, the second time with another rule in front, so that parts are read again and places move.
    for before in ["", "  - id: b\n    include: { event: e }\n"] {
      let moved = rules.replacing("rules:\n", with: "rules:\n" + before)
      let sourced = try cache.load([("rules.yaml", moved), ("shared.yaml", shared)])
      let source = try #require(sourced.sources["a"])
      let line = before.isEmpty ? 0 : 2
      #expect(
        source[.selector(.clauses, 0, 0)].location.line == 5 && source[.selector(.clauses, 0, 0)].file == "shared.yaml")
      #expect(
        source[.property(.clauses, 0, 0)].location.line == 6 + line && source[.property(.clauses, 0, 0)].file == nil)
      #expect(
        source[.property(.clauses, 0, 1)].location.line == 6 && source[.property(.clauses, 0, 1)].file == "shared.yaml")
      #expect(sourced.ruleSet.definedClauses == ["buy"])
    }
    // A changed definition changes the rules that use it.
    let other = try cache.load([
      ("rules.yaml", rules), ("shared.yaml", shared.replacing("shared }", with: "changed }")),
    ])
    #expect(Self.text(other.ruleSet) == ["a: BuyButton, q is \"own\", p is \"changed\""])
    let error = #expect(throws: RuleFileErrors.self) {
      try cache.load([("a.yaml", shared), ("b.yaml", shared), ("rules.yaml", rules)])
    }
    #expect(error?.diagnostics.map(\.message) == ["there are two clauses with the name 'buy'"])
    #expect(error?.diagnostics.first?.notes.first?.file == "a.yaml")
  }

  @Test("the text 'define' in other places defines nothing")
  func elsewhere() throws {
    let text = "version: 1\n# define: this\nrules: [ { id: define, include: { event: define } } ]\n"
    #expect(try RuleFiles(text: text).ruleSet().rules.count == 1)
  }

  @Test("a formatted file keeps its definitions in order")
  func formatted() throws {
    let text =
      "rules:\n- include: { page: P, use: a }\n  id: x\ndefine:\n  clauses:\n    a: { where: { p: 1 }, event: e }\nversion: 1\n"
    let result = try RuleFileFormatter.format(text, name: "a.yaml")
    #expect(
      result == """
        version: 1
        define:
          clauses:
            a: { event: e, where: { p: 1 } }
        rules:
          - id: x
            include: { use: a, page: P }

        """)
  }
}
