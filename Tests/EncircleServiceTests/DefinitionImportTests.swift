import EncircleTestSupport
import Foundation
import Testing

@testable import EncircleService

/// Definitions of other tools in the service: what rules become of them, and those that are kept in the draft.
@Suite struct DefinitionImportTests {
  private static let path = "/v1/rulesets/default/import"
  private static let actions = """
    [{"id":1,"name":"paid","steps":[{"event":"order_paid"}]},{"id":2,"name":"seen","steps":[{"event":"seen"}]},
     {"id":3,"name":"vip","steps":[{"event":"v","properties":[{"key":"email","type":"person","value":"x"}]}]}]
    """
  private static let settings =
    "version: 1\npages: { defaults: false }\nfields: { time: /timestamp, path: [$elements_chain, /elements_chain] }\n"

  private static func service(_ rules: String) async throws -> RunningService {
    let service = try RunningService()
    let put = try await service.send(
      "PUT", "/v1/rulesets/default?reason=x", headers: ["If-Match": "*"], body: Data(rules.utf8))
    #expect(put.status == 200, "\(put.text)")
    return service
  }

  private static func keep(_ ids: [String], of file: String = actions) -> Data {
    Data("{\"file\":\(file),\"keep\":[\(ids.map { "\"\($0)\"" }.joined(separator: ","))]}".utf8)
  }

  private static func code(_ answer: HTTPAnswer) -> String? {
    (answer.object["error"] as? [String: Any])?["code"] as? String
  }

  @Test func `previewing a file stores nothing`() async throws {
    let service = try await Self.service("version: 1\nrules:\n  - { id: a, include: { event: a } }\n")
    let answer = try await service.send("POST", Self.path, body: Data(Self.actions.utf8))
    #expect(answer.status == 200, "\(answer.text)")
    let definitions = try #require(answer.object["definitions"] as? [[String: Any]])
    #expect(definitions.map { $0["result"] as? String } == ["exact", "exact", "skipped"])
    #expect(definitions.map { $0["taken"] as? Bool } == [true, true, false])
    #expect(definitions.map { $0["change"] as? String } == ["added", "added", nil])
    let settings = try #require(answer.object["settings"] as? [String: Any])
    #expect(settings["fit"] as? Bool == false && settings["differing"] as? [String] == ["pages", "fields"])
    #expect(settings["text"] as? String == Self.settings)
    #expect(try await service.get("/v1/rulesets/default/draft").status == 404)
    let wider = try await service.send("POST", Self.path + "?allow=wider", body: Data(Self.actions.utf8))
    #expect((wider.object["counts"] as? [String: Int])?["wider"] == 1, "\(wider.text)")
    let strict = try await service.send("POST", Self.path + "?allow=wider&strict=true", body: Data())
    #expect(strict.status == 400 && Self.code(strict) == "bad-parameter")
  }

  @Test func `chosen rules become one change of a draft whose other settings are equal`() async throws {
    // Times decide no imported rule, and earlier imports did not say where they are.
    let earlier = Self.settings.replacingOccurrences(of: "time: /timestamp, ", with: "")
    let service = try await Self.service("# ours\n" + earlier)
    let kept = try await service.send("POST", Self.path + "/draft", body: Self.keep(["posthog.1"]))
    #expect(kept.status == 200, "\(kept.text)")
    #expect(kept.object["revision"] as? Int == 1 && (kept.object["errors"] as? [Any])?.isEmpty == true)
    #expect((kept.object["rules"] as? [[String: Any]])?.map { $0["change"] as? String } == ["added"])
    let draft = try await service.get("/v1/rulesets/default/draft").text
    #expect(draft.hasPrefix("# ours\n") && draft.contains("id: posthog.1") && !draft.contains("posthog.2"))
    // Once more, nothing changes.
    let again = try await service.send("POST", Self.path + "/draft", body: Self.keep(["posthog.1"]))
    #expect(again.object["revision"] as? Int == 1)
    // Local edits are not overwritten unless requested.
    let edited = draft.replacingOccurrences(of: "order_paid", with: "order_paid_2")
    let put = try await service.send(
      "PUT", "/v1/rulesets/default/draft", headers: ["If-Match": "\"1\""], body: Data(edited.utf8))
    #expect(put.status == 200, "\(put.text)")
    let held = try await service.send("POST", Self.path + "/draft", body: Self.keep(["posthog.1", "posthog.2"]))
    #expect(Self.changes(held) == ["kept", "added"], "\(held.text)")
    #expect(try await service.get("/v1/rulesets/default/draft").text.contains("order_paid_2"))
    // A further change there is a conflict.
    let changed = Self.actions.replacing("order_paid", with: "order_paid_3")
    let conflict = try await service.send("POST", Self.path + "/draft", body: Self.keep(["posthog.1"], of: changed))
    #expect(Self.changes(conflict) == ["conflict"], "\(conflict.text)")
    let taken = try await service.send(
      "POST", Self.path + "/draft?conflicts=there", body: Self.keep(["posthog.1"], of: changed))
    #expect(Self.changes(taken) == ["updated"])
    #expect(try await service.get("/v1/rulesets/default/draft").text.contains("order_paid_3"))
    let stale = try await service.send(
      "POST", Self.path + "/draft", headers: ["If-Match": "\"1\""], body: Self.keep(["posthog.2"]))
    #expect(stale.status == 412)
  }

  private static func changes(_ answer: HTTPAnswer) -> [String?]? {
    (answer.object["rules"] as? [[String: Any]])?.map { $0["change"] as? String }
  }

  private static func shown(_ file: String, _ service: RunningService) async throws -> [String?] {
    let answer = try await service.send("POST", path, body: Data(file.utf8))
    return ((answer.object["definitions"] as? [[String: Any]]) ?? []).map { $0["change"] as? String }
  }

  @Test func `another import merges three ways, also after a restart`() async throws {
    let directory = try RunningService.newDirectory()
    defer { try? FileManager.default.removeItem(at: directory) }
    var service = try RunningService(directory: directory)
    #expect(
      try await service.send(
        "PUT", "/v1/rulesets/default?reason=x", headers: ["If-Match": "*"], body: Data(Self.settings.utf8)
      ).status == 200)
    let kept = try await service.send("POST", Self.path + "/draft", body: Self.keep(["posthog.1", "posthog.2"]))
    #expect(Self.changes(kept) == ["added", "added"], "\(kept.text)")
    // A draft that is discarded was no import: nothing was removed here.
    #expect(
      try await service.send("DELETE", "/v1/rulesets/default/draft", headers: ["If-Match": "*"]).status == 204)
    #expect(try await Self.shown(Self.actions, service) == ["added", "added", nil])
    _ = try await service.send("POST", Self.path + "/draft", body: Self.keep(["posthog.1", "posthog.2"]))
    let published = try await service.send(
      "POST", "/v1/rulesets/default/draft/publish", body: Data(#"{"reason":"moved in"}"#.utf8))
    #expect(published.status == 200, "\(published.text)")
    service.stop()
    service = try RunningService(directory: directory)
    defer { service.stop() }
    // One is edited here, the other removed.
    let rules = try await service.get("/v1/rulesets/default").text
    let edited = rules.replacing("order_paid", with: "order_paid_2").replacing("id: posthog.2", with: "id: other")
      .replacing(#"origin: { tool: posthog, id: "2" }"#, with: "owner: growth")
    #expect(!edited.contains(#"id: "2""#))
    #expect(
      try await service.send(
        "PUT", "/v1/rulesets/default?reason=x", headers: ["If-Match": "*"], body: Data(edited.utf8)
      ).status == 200)
    #expect(try await Self.shown(Self.actions, service) == ["kept", "removed", nil])
    let renamed = Self.actions.replacing("\"paid\"", with: "\"bought\"")
    #expect(try await Self.shown(renamed, service) == ["updated", "removed", nil])
    let again = try await service.send(
      "POST", Self.path + "/draft", body: Self.keep(["posthog.1", "posthog.2"], of: renamed))
    #expect(Self.changes(again) == ["updated", "added"], "\(again.text)")
    let draft = try await service.get("/v1/rulesets/default/draft").text
    #expect(draft.contains("order_paid_2") && draft.contains("bought") && draft.contains("id: posthog.2"))
  }

  @Test func `an import is recorded with its draft, or not at all`() throws {
    let directory = try RunningService.newDirectory()
    defer { try? FileManager.default.removeItem(at: directory) }
    let store = try Store(directory: directory.path)
    let library = try RuleSetLibrary(store: store)
    _ = try library.publish(
      RuleSetLibrary.emptyText, to: "default", RuleSetPublication(by: "lin", reason: "new"))
    let record = ImportRecord(tool: "posthog", rules: "{}")
    let draft = NewDraft(text: "version: 1\nrules: []\n# more\n", base: 1, changes: [:], importRecord: record)
    #expect(throws: RuleSetConflict.stale(current: 0)) {
      try library.store.setDraft(of: "default", to: draft, expecting: 7, by: "lin")
    }
    #expect(try library.imports.rules(of: "default", from: "posthog") == nil)
    _ = try library.store.setDraft(of: "default", to: draft, expecting: 0, by: "lin")
    #expect(try library.imports.rules(of: "default", from: "posthog") == "{}")
    try library.removeDraft(of: "default", expecting: nil, by: "lin")
    #expect(try library.imports.rules(of: "default", from: "posthog") == nil)
    try store.close()
  }

  @Test func `an import that changes no text keeps the record of another one at the same time`() throws {
    let directory = try RunningService.newDirectory()
    defer { try? FileManager.default.removeItem(at: directory) }
    let store = try Store(directory: directory.path)
    let library = try RuleSetLibrary(store: store)
    _ = try library.publish(
      RuleSetLibrary.emptyText, to: "default", RuleSetPublication(by: "lin", reason: "new"))
    func record() throws -> String? { try library.imports.rules(of: "default", from: "posthog") }
    var attempts = 0
    var before: String?
    _ = try library.changeDraft(
      of: "default", expecting: nil, by: "wu",
      importRecord: { ImportRecord(tool: "posthog", rules: (before ?? "") + "wu", before: before) }
    ) { old in
      attempts += 1
      before = try record()
      if attempts == 1 {
        _ = try library.changeDraft(
          of: "default", expecting: nil, by: "lin",
          importRecord: { ImportRecord(tool: "posthog", rules: "lin+", before: nil) }
        ) { $0 + "# more\n" }
      }
      return old
    }
    #expect(try attempts == 2 && record() == "lin+wu")
    try store.close()
  }

  @Test func `a rule set with other settings gets no rules and no draft`() async throws {
    let service = try await Self.service("version: 1\napp: com.example\nrules:\n  - { id: a, include: { event: a } }\n")
    let answer = try await service.send("POST", Self.path + "/draft", body: Self.keep(["posthog.1"]))
    #expect(answer.status == 422 && Self.code(answer) == "other-settings", "\(answer.text)")
    #expect(answer.text.contains("app, pages, fields"))
    #expect(try await service.get("/v1/rulesets/default/draft").status == 404)
  }

  @Test(arguments: [
    (#"{"file":[],"keep":["a"]}"#, 422, "bad-definitions"), (#"{"keep":["a"]}"#, 422, "bad-value"),
    (#"{"file":\#(actions),"keep":[]}"#, 422, "bad-value"),
    (#"{"file":\#(actions),"keep":["posthog.3"]}"#, 422, "bad-value"),
    (#"{"file":\#(actions),"keep":["posthog.1"],"kep":1}"#, 422, "unknown-member"), ("{", 400, "bad-json"),
    ("[]", 422, "bad-value"), (#"{"file":{"events":1},"keep":["a"]}"#, 422, "bad-definitions"),
  ])
  func `definitions that cannot be kept are refused`(_ body: String, _ status: Int, _ code: String) async throws {
    let service = try await Self.service(Self.settings)
    let answer = try await service.send("POST", Self.path + "/draft", body: Data(body.utf8))
    #expect(answer.status == status && Self.code(answer) == code, "\(answer.text)")
  }

  @Test(arguments: ["", "{", "[]", "{\"a\":1}", "[[[[1]]]]", "\u{0}"])
  func `a body that is not a file of definitions is refused`(_ body: String) async throws {
    let service = try await Self.service(Self.settings)
    let answer = try await service.send("POST", Self.path, body: Data(body.utf8))
    #expect(answer.status == 422 && Self.code(answer) == "bad-definitions", "\(answer.text)")
    #expect(try await service.send("POST", "/v1/rulesets/none/import", body: Data(Self.actions.utf8)).status == 404)
  }
}
