import EncircleTestSupport
import Foundation
import Testing

@testable import EncircleLanguageServer

@Suite struct DiagnosticTests {
  static let home = PackageFolder.viewTrees.appendingPathComponent("home-feed.xml").path

  @Test("errors of loading are shown at once at their places, and go when they are corrected") func loading()
    throws
  {
    let client = try TestClient()
    client.open("a.yaml", "version: 1\nrules:\n  - { id: 加, inclde: { page: A } }\n")
    #expect(client.diagnostics("a.yaml").contains { $0.hasPrefix("2:13 - unknown key 'inclde'") })
    client.change("a.yaml", "version: 1\nrules:\n  - { id: 加, include: { page: A } }\n")
    client.settle()
    #expect(client.diagnostics("a.yaml") == [])
  }

  @Test("findings are shown with their codes, for the texts in the editor rather than on disk")
  func findings() throws {
    let wrong = "version: 1\nrules:\n  - { id: a, include: { page: HomeViewController, selector: ProductCel } }\n"
    let client = try TestClient(files: ["a.yaml": wrong], captures: [Self.home])
    client.settle()
    #expect(client.diagnostics("a.yaml").contains { $0.contains("unknown-class") })
    client.open("a.yaml", wrong.replacing("ProductCel", with: "ProductCell"))
    #expect(!client.diagnostics("a.yaml").contains { $0.contains("unknown-class") })
  }

  @Test("all files of a workspace are one rule set, without other YAML") func workspace() throws {
    let client = try TestClient(files: [
      "rules/b.yaml": "version: 1\nrules:\n  - { id: same, include: { page: A } }\n",
      "docker-compose.yaml": "version: '3'\nservices: { a: {} }\n", "node_modules/c.yaml": "version: 1\nrules: 7\n",
    ])
    client.open("rules/a.yaml", "version: 1\nrules:\n  - { id: same, include: { page: B } }\n")
    let shown = client.diagnostics("rules/a.yaml") + client.diagnostics("rules/b.yaml")
    #expect(shown.count == 1 && shown[0].contains("two rules with the id 'same'"))
    #expect(client.diagnostics("docker-compose.yaml") == [])
  }

  @Test(
    "the rules of the options are all there is",
    arguments: [#"{"rules":["one"]}"#, #"{"rules":"one","captures":7,"other":{}}"#])
  func rulesOption(options: String) throws {
    let client = try TestClient(
      files: ["one/a.yaml": "version: 1\nruls: []\n", "two/b.yaml": "version: 1\nruls: []\n"],
      options: options)
    client.settle()
    #expect(client.diagnostics("one/a.yaml").contains { $0.contains("unknown key 'ruls'") })
    #expect(client.diagnostics("two/b.yaml") == [])
  }

  @Test("captures named by the editor are read, and read again when they change") func captures() throws {
    let views = #"<viewTree version="1"><view class="UIWindow"><view class="%"/></view></viewTree>"#
    let client = try TestClient(
      files: ["captures/a.xml": views.replacing("%", with: "OldCell")], options: #"{"captures":["captures"]}"#)
    client.open("a.yaml", "version: 1\nrules:\n  - { id: a, include: { selector: NewCell } }\n")
    #expect(client.diagnostics("a.yaml").contains { $0.contains("unknown-class") })
    try Data(views.replacing("%", with: "NewCell ").utf8).write(
      to: client.folder.appendingPathComponent("captures/a.xml"))
    client.send(#"{"jsonrpc":"2.0","method":"workspace/didChangeWatchedFiles","params":{"changes":[]}}"#)
    client.settle()
    try Data(views.replacing("%", with: "NewCell").utf8).write(
      to: client.folder.appendingPathComponent("captures/a.xml"))
    client.send(#"{"jsonrpc":"2.0","method":"textDocument/didSave","params":{"textDocument":{"uri":"file:///x"}}}"#)
    client.settle()
    #expect(!client.diagnostics("a.yaml").contains { $0.contains("unknown-class") })
  }

  @Test("tests are validated against the rules as they are in the editor") func tests() throws {
    let client = try TestClient(files: [
      "a.test.yaml": "version: 1\ntests:\n  - { name: t, event: {}, expect: { includes: [shop.by] } }\n"
    ])
    client.open("a.yaml", "version: 1\nrules:\n  - { id: shop.buy, include: { page: A } }\n")
    #expect(client.diagnostics("a.test.yaml").contains { $0.contains("there is no rule 'shop.by'") })
    client.change("a.yaml", "version: 1\nrules:\n  - { id: shop.by, include: { page: A } }\n")
    client.settle()
    #expect(client.diagnostics("a.test.yaml") == [])
  }

  @Test("plan and rules are compared as in the editor, and another tool's plan is ignored") func plan()
    throws
  {
    let plan = "version: 1\nevents:\n  - { event: buy, tracking: circled }\n"
    let client = try TestClient(files: ["a.plan.yaml": plan, "b/plan.yaml": "version: 1\nstages: [build]\n"])
    client.open("a.yaml", "version: 1\nrules:\n  - { id: by, include: { page: A } }\n")
    #expect(client.diagnostics("a.plan.yaml").contains { $0.hasPrefix("2:13 planned-without-rule") })
    #expect(client.diagnostics("a.yaml").contains { $0.contains("emitted-without-plan") })
    #expect(client.diagnostics("b/plan.yaml") == [])
    client.open("a.plan.yaml", plan.replacing("buy", with: "by"))
    #expect(client.diagnostics("a.plan.yaml") == [] && client.diagnostics("a.yaml") == [])
    client.change("a.plan.yaml", plan.replacing("tracking", with: "trackng"))
    client.settle()
    #expect(client.diagnostics("a.plan.yaml").contains { $0.contains("unknown key 'trackng'") })
    #expect(client.diagnostics("a.yaml") == [])
  }

  @Test(
    "a file outside the workspace, or outside the rules of the options, is a separate rule set until it is closed",
    arguments: ["null", #"{"rules":["one/a.yaml"]}"#])
  func outside(options: String) throws {
    let client = try TestClient(files: ["one/a.yaml": "version: 1\nrules: []\n"], options: options)
    client.open("one/a.yaml", "version: 1\nrules: []\n")
    let uri = "file:///nowhere/else/a.yaml"
    client.send(
      #"{"jsonrpc":"2.0","method":"textDocument/didOpen","params":{"textDocument":{"uri":"\#(uri)","version":1,"text":"version: 1\nrules: 7\n"}}}"#
    )
    client.settle()
    func last() -> Int? {
      let params = client.messages.last { $0["method"] as? String == "textDocument/publishDiagnostics" }?["params"]
      return ((params as? [String: Any])?["diagnostics"] as? [Any])?.count
    }
    #expect(last() ?? 0 > 0)
    client.close(uri: uri)
    #expect(last() == 0)
    #expect(client.server.projects.count == 1)
    // The rules themselves stay.
    client.close(uri: client.uri("one/a.yaml"))
    #expect(client.server.projects.count == 1)
  }

  @Test("tests outside the workspace belong to the rules beside them") func testsOutside() throws {
    let other = try TestClient(files: ["a.yaml": "version: 1\nrules:\n  - { id: a, include: { page: A } }\n"])
    let client = try TestClient()
    let tests = "version: 1\ntests:\n  - { name: t, event: {}, expect: { rules: [a, b] } }\n"
    let uri = other.uri("a.test.yaml")
    client.send(
      #"{"jsonrpc":"2.0","method":"textDocument/didOpen","params":{"textDocument":{"uri":"\#(uri)","version":1,"text":\#(client.json(tests))}}}"#
    )
    client.settle()
    func found() -> [String?] {
      let params = client.messages.compactMap { $0["params"] as? [String: Any] }.last { $0["uri"] as? String == uri }
      return (params?["diagnostics"] as? [[String: Any]] ?? []).map { $0["message"] as? String }
    }
    #expect(found() == ["there is no rule 'b'"])
    client.close(uri: uri)
    #expect(found().isEmpty && client.server.projects.count == 1)
    withExtendedLifetime(other) {}
  }

  @Test(
    "a fix makes its finding go",
    arguments: [
      "version: 1\nrules:\n  - { id: a, include: { page: HomeViewController, selector: \"ProductCel/**\" } }\n",
      "version: 1\nrules:\n  - id: a\n    include:\n      page: HomeViewControler\n      selector: ProductCell\n",
      "version: 1\nrules:\n  - { id: a, inclde: { page: HomeViewController } }\n",
      "version: 1\nrules:\n  - { id: a, include: { where: { x: { gte: 5 } } } }\n",
      "version: 1\nrules:\n  - { id: a, include: { selector: 'ProductCell(sectoin:0 row:1)' } }\n",
    ])
  func fixes(text: String) throws {
    let client = try TestClient(captures: [Self.home])
    client.open("a.yaml", text)
    let before = client.diagnostics("a.yaml")
    let actions = try client.request(
      "textDocument/codeAction",
      #"{"textDocument":{"uri":\#(client.json(client.uri("a.yaml")))},"range":{"start":{"line":0,"character":0},"end":{"line":99,"character":0}},"context":{"diagnostics":[]}}"#
    )
    let action = try #require((actions as? [[String: Any]])?.first, "\(before)")
    let message = try #require((action["diagnostics"] as? [[String: Any]])?.first?["message"] as? String)
    let changes = (action["edit"] as? [String: [String: [[String: Any]]]])?["changes"]?[client.uri("a.yaml")] ?? []
    #expect(before.contains { $0.hasSuffix(message) })
    client.change("a.yaml", client.applying(changes, to: text))
    client.settle()
    #expect(!client.diagnostics("a.yaml").contains { $0.hasSuffix(message) }, "\(client.applying(changes, to: text))")
  }

  @Test(
    "a fix that check --fix would not make is not preferred",
    arguments: [("ProductCel(section:1 row:*)", true), ("ProductCell(section:1 row:1)", false)])
  func preferredFixes(selector: String, isPreferred: Bool) throws {
    let client = try TestClient(captures: [Self.home])
    client.open("a.yaml", "version: 1\nrules:\n  - { id: a, include: { selector: '\(selector)' } }\n")
    let actions = try client.request(
      "textDocument/codeAction",
      #"{"textDocument":{"uri":\#(client.json(client.uri("a.yaml")))},"range":{"start":{"line":0,"character":0},"end":{"line":99,"character":0}},"context":{"diagnostics":[]}}"#
    )
    let preferred = try #require(actions as? [[String: Any]]).map { $0["isPreferred"] as? Bool ?? false }
    #expect(preferred.contains(true) == isPreferred && !preferred.isEmpty, "\(preferred)")
  }

  @Test("a fix for text that has since gone is not offered") func oldFix() throws {
    let client = try TestClient(captures: [Self.home])
    client.open("a.yaml", "version: 1\nrules:\n  - { id: a, include: { selector: ProductCel } }\n")
    client.change("a.yaml", "version: 1\nrules:\n  - { id: abc, include: { selector: ProductCel } }\n")
    let actions = try client.request(
      "textDocument/codeAction",
      #"{"textDocument":{"uri":\#(client.json(client.uri("a.yaml")))},"range":{"start":{"line":0,"character":0},"end":{"line":99,"character":0}},"context":{"diagnostics":[]}}"#
    )
    #expect((actions as? [Any])?.isEmpty == true)
  }

  @Test("only the first of very many fixes are offered, and each corrects something") func manyFixes() throws {
    let client = try TestClient()
    let rules = (0..<150).map { "  - { id: a\($0), inclde: { page: P } }\n" }.joined()
    let text = "version: 1\nrules:\n" + rules
    client.open("a.yaml", text)
    let actions = try client.request(
      "textDocument/codeAction",
      #"{"textDocument":{"uri":\#(client.json(client.uri("a.yaml")))},"range":{"start":{"line":0,"character":0},"end":{"line":999,"character":0}},"context":{"diagnostics":[]}}"#
    )
    let offered = try #require(actions as? [[String: Any]])
    #expect(offered.count == LanguageServer.maximumActions)
    #expect(offered.allSatisfy { $0["title"] as? String == "Write include" })
  }

  @Test("a folder is not a document, so files below it are not read") func folderAsDocument() throws {
    let client = try TestClient(files: ["b/rules.yaml": "version: 1\nrules: [wrong]\n"])
    let projects = client.server.projects.count
    for uri in [FileURI.uri(client.folder.path), "file:///", client.uri("b"), client.uri("b/../b/.")] {
      client.send(
        #"{"jsonrpc":"2.0","method":"textDocument/didOpen","params":{"textDocument":{"uri":\#(client.json(uri)),"languageId":"yaml","version":1,"text":""}}}"#
      )
      #expect(client.messages.last?["method"] as? String == "window/logMessage", "\(uri)")
    }
    #expect(client.server.projects.count == projects && client.server.documents.isEmpty)
  }
}
