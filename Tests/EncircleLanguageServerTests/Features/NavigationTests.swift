import EncircleTestSupport
import Foundation
import Testing

@testable import EncircleLanguageServer

/// Definitions, references, symbols and lenses.
@Suite struct NavigationTests {
  private static let rules = """
    version: 1
    rules:
      - id: cart.buy
        name: 去结算
        include: { selector: CheckoutButton }
        emit: buy
      - id: cart.all
        include: { page: CartViewController }
        origin: { tool: pendo, id: K3 }

    """

  private static let tests = """
    version: 1
    tests:
      - name: a tap
        event: {}
        expect: { includes: [ cart.buy, cart.all ], emit: [ buy, cart.all ] }
      - name: nothing
        event: {}
        expect: { rules: [], excludedBy: [] }

    """

  private func client() throws -> TestClient {
    let client = try TestClient(
      files: ["a.yaml": Self.rules, "a.test.yaml": Self.tests],
      captures: [PackageFolder.viewTrees.appendingPathComponent("cart.xml").path])
    client.open("a.yaml", Self.rules)
    client.open("a.test.yaml", Self.tests)
    return client
  }

  /// Returns `file line:character` of locations.
  private func places(_ result: Any?) -> [String] {
    (result as? [[String: Any]] ?? []).map { location in
      let start = (location["range"] as? [String: [String: Int]])?["start"] ?? [:]
      let file = (location["uri"] as? String)?.split(separator: "/").last ?? ""
      return "\(file) \(start["line"] ?? -1):\(start["character"] ?? -1)"
    }
  }

  @Test("from a test to its rule, and from a rule and an emitted name to all uses") func definitions() throws {
    let client = try client()
    func ask(_ method: String, _ name: String, _ text: String, _ marked: String) throws -> [String] {
      let (params, _) = client.place(
        name, text.replacing(marked.replacing("‸", with: ""), with: marked, maxReplacements: 1))
      return places(try client.request("textDocument/\(method)", params))
    }
    #expect(try ask("definition", "a.test.yaml", Self.tests, "cart‸.buy") == ["a.yaml 2:8"])
    #expect(try ask("definition", "a.test.yaml", Self.tests, "emit: [ b‸uy") == ["a.yaml 5:10"])
    #expect(try ask("references", "a.yaml", Self.rules, "id: cart‸.buy") == ["a.yaml 2:8", "a.test.yaml 4:26"])
    #expect(try ask("references", "a.yaml", Self.rules, "emit: b‸uy") == ["a.yaml 5:10", "a.test.yaml 4:56"])
    // A rule without emit emits its id.
    #expect(
      try ask("references", "a.yaml", Self.rules, "id: cart‸.all") == [
        "a.yaml 6:8", "a.test.yaml 4:36", "a.test.yaml 4:61",
      ])
    #expect(try ask("definition", "a.yaml", Self.rules, "Checkout‸Button").isEmpty)
  }

  @Test("the rule whose properties a test expects leads to the rule") func expectedProperties() throws {
    let client = try client()
    let tests = "version: 1\ntests:\n  - name: a\n    event: {}\n    expect: { properties: { cart‸.buy: { p: 1 } } }\n"
    let (params, text) = client.place("a.test.yaml", tests)
    client.change("a.test.yaml", text)
    #expect(places(try client.request("textDocument/definition", params)) == ["a.yaml 2:8"])
    #expect(places(try client.request("textDocument/references", params)) == ["a.yaml 2:8", "a.test.yaml 4:28"])
    let hover = try client.request("textDocument/hover", params) as? [String: Any]
    #expect(((hover?["contents"] as? [String: Any])?["value"] as? String)?.contains("include rule `去结算`") == true)
  }

  @Test("references lead from a use to its definition, and to one of several names") func defined() throws {
    let rules = """
      version: 1
      define:
        clauses: { testers: { where: { g: t } } }
        values: { fruit: [桃, 李] }
      rules:
        - id: a
          include: { event: x, within: { selector: Cell, says: { not: { use: fruit } } } }
          unless: [ { use: testers } ]
          emit: [ one, two ]
        - id: b
          include: { use: [ testers ], where: { n: { any: { use: fruit } } } }

      """
    let tests = "version: 1\ntests:\n  - { name: t, event: {}, expect: { emit: [ two, a ] } }\n"
    let client = try TestClient(files: ["a.yaml": rules, "a.test.yaml": tests])
    client.open("a.yaml", rules)
    client.open("a.test.yaml", tests)
    func ask(_ method: String, _ name: String, _ text: String, _ marked: String) throws -> [String] {
      let (params, _) = client.place(
        name, text.replacing(marked.replacing("‸", with: ""), with: marked, maxReplacements: 1))
      return places(try client.request("textDocument/\(method)", params))
    }
    #expect(try ask("definition", "a.yaml", rules, "{ use: test‸ers } ]") == ["a.yaml 2:13"])
    #expect(try ask("definition", "a.yaml", rules, "use: fr‸uit } } }") == ["a.yaml 3:12"])
    #expect(
      try ask("references", "a.yaml", rules, "clauses: { test‸ers") == ["a.yaml 2:13", "a.yaml 7:21", "a.yaml 10:22"])
    #expect(
      try ask("references", "a.yaml", rules, "values: { fr‸uit") == ["a.yaml 3:12", "a.yaml 6:71", "a.yaml 10:59"])
    #expect(try ask("references", "a.yaml", rules, "emit: [ one, t‸wo") == ["a.yaml 8:17", "a.test.yaml 2:44"])
    // A rule with names does not emit its id.
    #expect(try ask("references", "a.yaml", rules, "- id: a‸") == ["a.yaml 5:8"])
  }

  @Test("the symbols of a document, and of all documents by their names") func symbols() throws {
    let client = try client()
    func names(_ result: Any?) -> [String] {
      (result as? [[String: Any]] ?? []).map { "\($0["name"] ?? "") \($0["detail"] ?? $0["containerName"] ?? "")" }
    }
    let document = try client.request(
      "textDocument/documentSymbol", #"{"textDocument":{"uri":\#(client.json(client.uri("a.yaml")))}}"#)
    #expect(names(document) == ["cart.buy 去结算", "cart.all "])
    for symbol in document as? [[String: Any]] ?? [] {
      let range = symbol["range"] as? [String: [String: Int]]
      let own = symbol["selectionRange"] as? [String: [String: Int]]
      #expect((range?["start"]?["line"] ?? 9) <= (own?["start"]?["line"] ?? 0))
      #expect((range?["end"]?["line"] ?? 0) >= (own?["end"]?["line"] ?? 9))
    }
    let tests = try client.request(
      "textDocument/documentSymbol", #"{"textDocument":{"uri":\#(client.json(client.uri("a.test.yaml")))}}"#)
    #expect(names(tests) == ["a tap ", "nothing "])
    #expect(names(try client.request("workspace/symbol", #"{"query":"结算"}"#)) == ["cart.buy 去结算"])
    #expect(names(try client.request("workspace/symbol", #"{"query":"CART"}"#)).count == 2)
    #expect(names(try client.request("workspace/symbol", #"{"query":"nowhere"}"#)).isEmpty)
  }

  @Test("a lens counts the tests of a rule and the elements that it matches") func lenses() throws {
    let client = try client()
    func titles() throws -> [String] {
      let result = try client.request(
        "textDocument/codeLens", #"{"textDocument":{"uri":\#(client.json(client.uri("a.yaml")))}}"#)
      return (result as? [[String: Any]] ?? []).compactMap { ($0["command"] as? [String: Any])?["title"] as? String }
    }
    let known = try titles()
    #expect(known.first == "1 test, 1 element")
    #expect(known.count == 2 && known.last?.hasPrefix("1 test, ") == true)
    // An exclude rule is counted, too, and takes nothing away.
    client.change("a.yaml", Self.rules + "  - id: cart.none\n    exclude: { selector: CheckoutButton }\n")
    client.settle()
    #expect(try titles() == known + ["no tests, 1 element"])
    // Taps on captured elements have no time, so the times of a rule do not count.
    client.change("a.yaml", Self.rules.replacing("emit: buy", with: "emit: buy\n    from: 2026-01-01"))
    client.settle()
    #expect(try titles() == known)
    // They are counted anew when the rule is another one.
    client.change("a.yaml", Self.rules.replacing("CheckoutButton", with: "NoSuchButton"))
    client.settle()
    #expect(try titles().contains("1 test, no element"))
    // A rule in another style than its file counts by its own.
    for (style, count) in [("hubbledata", "1 element"), ("sensors", "no element")] {
      client.change(
        "a.yaml",
        Self.rules.replacing(
          "include: { selector: CheckoutButton }",
          with: "style: \(style)\n    include: { selector: UIWindow(0)/**/CheckoutButton(0) }"))
      client.settle()
      #expect(try titles().contains("1 test, \(count)"), "\(style)")
    }
  }

  @Test("while rules do not load, nothing is said about the elements that they match") func unloadedRules() throws {
    let rules = Self.rules.replacing("include: { page: CartViewController }", with: "include: { page: [] }")
    let client = try TestClient(
      files: ["a.yaml": rules], captures: [PackageFolder.viewTrees.appendingPathComponent("cart.xml").path])
    client.open("a.yaml", rules)
    client.settle()
    let lenses = try client.request(
      "textDocument/codeLens", #"{"textDocument":{"uri":\#(client.json(client.uri("a.yaml")))}}"#)
    let titles = (lenses as? [[String: Any]] ?? []).map { ($0["command"] as? [String: Any])?["title"] as? String }
    #expect(titles == ["no tests", "no tests"])
    let (params, _) = client.place("a.yaml", rules.replacing("id: cart.buy", with: "id: cart‸.buy"))
    let hover = try client.request("textDocument/hover", params) as? [String: Any]
    let text = (hover?["contents"] as? [String: Any])?["value"] as? String
    #expect(text == "nothing is known about this rule until the rules load")
  }

  @Test("hovering says what a page and a rule stand for, with counts") func hover() throws {
    let client = try client()
    func hover(_ name: String, _ text: String, _ marked: String) throws -> String {
      let (params, _) = client.place(
        name, text.replacing(marked.replacing("‸", with: ""), with: marked, maxReplacements: 1))
      let result = try client.request("textDocument/hover", params) as? [String: Any]
      return (result?["contents"] as? [String: Any])?["value"] as? String ?? ""
    }
    let page = try hover("a.yaml", Self.rules, "page: Cart‸View")
    #expect(page.contains("elements on this page") && page.contains("`cart.xml`"), "\(page)")
    let rule = try hover("a.test.yaml", Self.tests, "cart‸.buy")
    #expect(rule.contains("include rule `去结算`") && rule.contains("matches 1 element of 1 capture"), "\(rule)")
    #expect(rule.contains("- 1 test") && rule.contains("emits `buy`"))
    let all = try hover("a.yaml", Self.rules, "id: cart.‸all")
    #expect(all.contains("include rule") && all.contains("- from `pendo` `K3`"), "\(all)")
  }

  @Test("an event ID is completed from its beginning, matches first") func prefixes() throws {
    let client = try client()
    let head = "version: 1\nrules:\n  - id: a\n    include:\n      "
    let all = try client.complete("a.yaml", head + "eventID: ‸")
    let first = try #require(all.first)
    let some = try client.complete("a.yaml", head + "eventID: \(first.prefix(2))‸")
    #expect(some.contains(first) && some.allSatisfy { $0.hasPrefix(first.prefix(2)) } && some.count < all.count)
    #expect(try client.complete("a.yaml", head + "selector: UIButton‸").first?.hasPrefix("UIButton") == true)
  }

  @Test("foreign files of an ordinary repository do not change the findings") func ordinaryRepository() throws {
    var files = [
      "Rules/a.yaml": Self.rules.replacing("CheckoutButton", with: "ChekoutButton"), "Rules/a.test.yaml": Self.tests,
      "package.json": #"{"name":"shop","version":"1.0.0","scripts":{"test":"x"}}"#,
      "tsconfig.json":
        "// For the editor.\n{\n  /* strict */\n  \"compilerOptions\": {},\n  \"include\": [\"src\"],\n}\n",
      "codecov.yml": "codecov:\n  notify: {}\nchecks:\n  project: true\n", "eslint.json": #"{"rules":{"no-var":2}}"#,
      "semgrep.yml": "rules:\n  - id: x\n    pattern: p\n    languages: [ swift ]\n",
      "docker-compose.yml": "version: '3'\nservices: {}\n", "empty.yaml": "", "list.json": "[1]",
    ]
    for number in 1...TestSize.scaled(200) {
      files["deploy/\(number)/playbook.yml"] = "- hosts: all\n  tasks: []\n"
      files["deploy/\(number)/values.json"] = #"{"image":"x","version":\#(number)}"#
    }
    let client = try TestClient(
      files: files, captures: [PackageFolder.viewTrees.appendingPathComponent("cart.xml").path])
    client.open("Rules/a.yaml", files["Rules/a.yaml"] ?? "")
    let before = client.diagnostics("Rules/a.yaml")
    #expect(before.contains { $0.contains("unknown-class") })
    for name in ["package.json", "tsconfig.json", "deploy/1/playbook.yml", "Rules/a.test.yaml"] {
      client.open(name, files[name] ?? "")
      client.send(#"{"jsonrpc":"2.0","method":"workspace/didChangeWatchedFiles","params":{"changes":[]}}"#)
      client.settle()
      #expect(client.diagnostics("Rules/a.yaml") == before, "\(name)")
      #expect(client.diagnostics(name).isEmpty, "\(name)")
    }
  }
}
