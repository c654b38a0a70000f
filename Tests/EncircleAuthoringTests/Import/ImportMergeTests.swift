import EncircleEvents
import EncircleRuleFiles
import EncircleRules
import EncircleText
import Testing

@testable import EncircleAuthoring

/// Rule files as texts.
enum RuleFileLoading {
  static func ruleSet(_ texts: [(name: String, text: String)]) throws -> RuleSet {
    try RuleFiles(texts: texts).ruleSet()
  }
}

/// An import into a folder that has had one before.
@Suite struct ImportMergeTests {
  private struct Folder {
    var texts: [(name: String, text: String)] = []
    var state = ImportState()

    /// Imports actions; each has a number, a name and the name of an event.
    mutating func add(
      _ actions: [(Int, String, String)], _ resolution: ImportMerge.Resolution = .list
    ) throws -> [String] {
      let list = actions.map { id, name, event in
        EventValue.object([
          "id": .number(DecimalNumber(id)), "name": .string(name), "steps": [["event": .string(event)]],
        ])
      }
      var reading = DefinitionImport(.posthog)
      try reading.add(EventValue.list(list).json, name: "actions.json")
      let report = ImportReport(reading.finish(), ImportReport.Options())
      let merge = try report.merged(into: texts, state, resolution) { $0 }
      for file in merge.files {
        texts.removeAll { $0.name == file.name }
        texts.append((file.name, file.new))
      }
      // The file is what another run reads.
      state = try ImportState(merge.state.text, name: "state")
      _ = try RuleFileLoading.ruleSet(texts)
      return merge.items.map { item in
        "\(item.rule) \(item.change.rawValue)" + (item.keys.isEmpty ? "" : " \(item.keys.joined(separator: " "))")
      }
    }

    mutating func edit(_ old: String, _ new: String) {
      #expect(texts[0].text.contains(old))
      texts[0].text = texts[0].text.replacing(old, with: new)
    }

    var text: String { texts[0].text }
  }

  @Test("repeating an import changes nothing, and changes there are made here")
  func repeated() throws {
    var folder = Folder()
    #expect(try folder.add([(1, "One", "a"), (2, "Two", "b")]) == ["posthog.1 added", "posthog.2 added"])
    let text = folder.text
    #expect(try folder.add([(2, "Two", "b"), (1, "One", "a")]) == ["posthog.2 unchanged", "posthog.1 unchanged"])
    #expect(folder.text == text)
    #expect(try folder.add([(1, "Uno", "a"), (2, "Two", "b")]) == ["posthog.1 updated", "posthog.2 unchanged"])
    #expect(folder.text == text.replacing("One", with: "Uno"))
  }

  @Test("local edits and comments stay, while other parts follow changes there")
  func edited() throws {
    var folder = Folder()
    _ = try folder.add([(1, "One", "a"), (2, "Two", "b")])
    folder.edit("  - id: posthog.1", "  # Ours.\n  - id: posthog.1\n    owner: growth")
    #expect(try folder.add([(1, "One", "a"), (2, "Two", "b")]).first == "posthog.1 kept")
    #expect(try folder.add([(1, "One", "a2"), (2, "Two", "b")]).first == "posthog.1 updated")
    #expect(
      folder.text.contains("# Ours.") && folder.text.contains("owner: growth") && folder.text.contains("event: a2"))
  }

  @Test(
    "a part that changed on both sides stays, and is listed until it is settled",
    arguments: [(.here, "event: mine", "kept"), (.there, "event: theirs", "updated")]
      as [(ImportMerge.Resolution, String, String)])
  func conflict(resolution: ImportMerge.Resolution, expected: String, change: String) throws {
    var folder = Folder()
    _ = try folder.add([(1, "One", "a")])
    folder.edit("event: a", "event: mine")
    for _ in 0..<2 {
      #expect(try folder.add([(1, "One", "theirs")]) == ["posthog.1 conflict include"])
      #expect(folder.text.contains("event: mine"))
    }
    #expect(try folder.add([(1, "One", "theirs")], resolution) == ["posthog.1 \(change)"])
    #expect(folder.text.contains(expected))
    let again = try folder.add([(1, "One", "theirs")])
    #expect(again == [resolution == .here ? "posthog.1 kept" : "posthog.1 unchanged"])
  }

  @Test("both sides making the same change is no conflict")
  func sameChange() throws {
    var folder = Folder()
    _ = try folder.add([(1, "One", "a")])
    folder.edit("event: a", "event: b")
    #expect(try folder.add([(1, "One", "b")]) == ["posthog.1 unchanged"])
  }

  @Test("nothing is deleted, and rules removed here stay removed")
  func removed() throws {
    var folder = Folder()
    _ = try folder.add([(1, "One", "a"), (2, "Two", "b")])
    #expect(try folder.add([(1, "One", "a")]) == ["posthog.1 unchanged", "posthog.2 vanished"])
    #expect(folder.text.contains("posthog.2"))
    let text = try #require(try RuleListEdit.removing("posthog.1", in: folder.text))
    folder.texts[0].text = text
    #expect(try folder.add([(1, "One", "x"), (2, "Two", "b")]) == ["posthog.1 removed", "posthog.2 unchanged"])
    #expect(folder.text == text)
  }

  @Test("a definition of which no rule can be made any more has not vanished; its rule stays")
  func skipped() throws {
    var folder = Folder()
    _ = try folder.add([(1, "One", "a"), (2, "Two", "b")])
    let text = folder.text
    // A step without a condition is skipped.
    #expect(try folder.add([(1, "One", ""), (2, "Two", "b")]) == ["posthog.2 unchanged"])
    #expect(folder.text == text)
    #expect(try folder.add([(1, "One", "c"), (2, "Two", "b")]) == ["posthog.1 updated", "posthog.2 unchanged"])
  }

  @Test("a rule moved to another file is changed in that file")
  func moved() throws {
    var folder = Folder()
    _ = try folder.add([(1, "One", "a"), (2, "Two", "b")])
    folder.texts.append(
      ("shop.yaml", "version: 1\nrules:\n  - { id: posthog.1, name: One, include: { event: a }, emit: One }\n"))
    folder.texts[0].text = try #require(try RuleListEdit.removing("posthog.1", in: folder.texts[0].text))
    #expect(try folder.add([(1, "One", "c"), (2, "Two", "b")]) == ["posthog.1 updated", "posthog.2 unchanged"])
    #expect(folder.texts.first { $0.name == "shop.yaml" }?.text.contains("event: c") ?? false)
  }

  @Test("a rule with another id is found by its origin, and keeps its id; without its origin it counts as removed")
  func renamed() throws {
    var folder = Folder()
    _ = try folder.add([(1, "One", "a"), (2, "Two", "b")])
    folder.edit("id: posthog.1", "id: cart.one")
    #expect(try folder.add([(1, "One", "a"), (2, "Two", "b")]) == ["posthog.1 unchanged", "posthog.2 unchanged"])
    #expect(try folder.add([(1, "One", "c"), (2, "Two", "b")]) == ["posthog.1 updated", "posthog.2 unchanged"])
    #expect(folder.text.contains("id: cart.one") && folder.text.contains("event: c"), "\(folder.text)")
    #expect(!folder.text.contains("id: posthog.1"))
    #expect(try folder.add([(2, "Two", "b")]) == ["posthog.2 unchanged", "posthog.1 vanished"])
    folder.edit("origin: { tool: posthog, id: \"1\" }", "owner: growth")
    #expect(try folder.add([(1, "One", "d"), (2, "Two", "b")]) == ["posthog.1 removed", "posthog.2 unchanged"])
  }

  @Test("an origin that several rules have finds none of them")
  func severalOfOneOrigin() throws {
    var folder = Folder()
    _ = try folder.add([(1, "One", "a")])
    folder.edit("id: posthog.1", "id: cart.one")
    let copy = "{ id: cart.two, origin: { tool: posthog, id: 1 }, include: { event: z } }"
    folder.texts.append(("shop.yaml", "version: 1\nrules:\n  - \(copy)\n"))
    #expect(try folder.add([(1, "One", "c")]) == ["posthog.1 removed"])
  }

  @Test("loaded rules are not loaded again, but other rules of the folder are")
  func loading() throws {
    let one = ImportReport(try Self.definitions(.written(nil)), ImportReport.Options())
    #expect(one.entries.allSatisfy { $0.form?.load == 0 })
    let merge = try one.merged(into: [], ImportState(), .list) { $0 }
    try one.checkLoading(merge, into: [])
    let broken = "version: 1\nrules:\n  - { id: x, include: { selectr: A } }\n"
    #expect(throws: RuleFileErrors.self) { try one.checkLoading(merge, into: [("shop.yaml", broken)]) }
    let twice = "version: 1\nrules:\n  - { id: posthog.1, include: { event: b } }\n"
    #expect(throws: RuleFileErrors.self) { try one.checkLoading(merge, into: [("shop.yaml", twice)]) }
  }

  private static func definitions(_ loading: DefinitionImport.Loading) throws -> [ImportedDefinition] {
    var reading = DefinitionImport(.posthog)
    let actions = #"[{"id":1,"name":"One","steps":[{"event":"a"}]},{"id":2,"name":"Two","steps":[{"event":"b"}]}]"#
    try reading.add(Array(actions.utf8), name: "actions.json")
    return reading.finish(loading)
  }

  @Test(
    "a form that rule files refuse is removed where it is asked for, and another one is written",
    arguments: [(.all, true), (.written(nil), true), (.written(.readable), true), (.written(.literal), false)]
      as [(DefinitionImport.Loading, Bool)])
  func refusedForm(loading: DefinitionImport.Loading, isAsked: Bool) throws {
    var definitions = try Self.definitions(loading)
    for i in definitions.indices { definitions[i].forms[0].load = nil }
    var broken = ImportedForm(.readable)
    broken.clauses = [["selectr": "A"]]
    definitions[1].forms.insert(broken, at: 0)
    ImportLoading.removeRefused(from: &definitions, loading)
    let refused = definitions[1].forms[0]
    #expect(refused.clauses.isEmpty == isAsked)
    #expect(refused.reasons.map(\.code) == (isAsked ? [.unknownForm] : []))
    #expect(definitions[1].form(isAsked ? nil : .literal)?.kind == .literal)
    #expect(definitions.allSatisfy { $0.forms.last?.clauses.isEmpty == false })
  }

  @Test("a rule that shares a part by an alias blocks only itself, until the part is written out")
  func shared() throws {
    var folder = Folder()
    _ = try folder.add([(1, "One", "a"), (2, "Two", "b"), (3, "Three", "c")])
    folder.edit("include: { event: b }", "include: &two { event: b }")
    folder.texts[0].text += "\n  - id: own\n    include: *two\n"
    for change in ["updated", "unchanged"] {
      #expect(
        try folder.add([(1, "Uno", "a2"), (2, "Dos", "b2"), (3, "Three", "c2"), (4, "Four", "d")]) == [
          "posthog.1 \(change)", "posthog.2 conflict name include emit", "posthog.3 \(change)",
          "posthog.4 \(change == "updated" ? "added" : "unchanged")",
        ])
      for event in ["a2", "c2", "d"] { #expect(folder.text.contains("event: \(event)"), "\(folder.text)") }
      #expect(folder.text.contains("name: Two") && folder.text.contains("&two { event: b }"), "\(folder.text)")
    }
    folder.edit("include: *two", "include: { event: b }")
    folder.edit("&two ", "")
    #expect(
      try folder.add([(1, "Uno", "a2"), (2, "Dos", "b2"), (3, "Three", "c2"), (4, "Four", "d")])[1]
        == "posthog.2 updated")
    #expect(folder.text.contains("event: b2") && !folder.text.contains("name: Two"))
  }

  @Test("a damaged side file is an error with its line")
  func damaged() {
    for text in ["x\n", "{}\n", "{\"rule\":{\"id\":\"a\"}}\n{\"rule\":7}\n"] {
      #expect(throws: DefinitionImport.Failure.self) { try ImportState(text, name: "state") }
    }
  }
}
