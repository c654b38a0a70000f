import EncircleEvents
import EncircleRuleFiles
import EncircleRules
import EncircleTestSupport
import EncircleText
import Foundation
import Testing

@testable import EncircleAuthoring

/// Definitions of each tool with the result, and events that they take and leave, decided by hand from what is documented of the tool:
/// `Golden/*.cases.json`. The rules that become of them are in `Golden/*.yaml`; `UPDATE_GOLDEN=1` writes these anew.
@Suite struct ImportCaseTests {
  private static let isUpdating = ProcessInfo.processInfo.environment["UPDATE_GOLDEN"] == "1"
  private static let golden = PackageFolder.root.appendingPathComponent("Tests/EncircleAuthoringTests/Import/Golden")

  /// A definition and what must become of it.
  struct Case {
    let definition: DefinitionNode
    let system: String?
    let result: String
    let codes: [String]
    let takes: [AnalyticsEvent]
    let leaves: [AnalyticsEvent]

    init(_ node: DefinitionNode) throws {
      definition = try #require(node["definition"])
      system = node["os"]?.text
      result = try #require(node["result"]?.text)
      codes = try #require(node["codes"]).items.compactMap(\.text)
      func events(_ name: String) throws -> [AnalyticsEvent] {
        try #require(node[name]).items.map { item in
          guard case .object(let members) = item.value else { throw CocoaError(.coderInvalidValue) }
          return AnalyticsEvent(members)
        }
      }
      takes = try events("takes")
      leaves = try events("leaves")
    }
  }

  static func cases(_ tool: ImportTool) throws -> [Case] {
    let bytes = try Data(contentsOf: golden.appendingPathComponent("\(tool.rawValue).cases.json"))
    return try DefinitionNode(EventValue(json: bytes)).items.map { try Case($0) }
  }

  /// The definitions of cases, read as files in the tool's shape; one for each system.
  static func imported(_ cases: [Case], _ tool: ImportTool) throws -> [ImportedDefinition] {
    var reading = DefinitionImport()
    var systems: [String?] = []
    for own in cases where !systems.contains(own.system) { systems.append(own.system) }
    for system in systems {
      let list = EventValue.list(cases.filter { $0.system == system }.map(\.definition.value))
      let file: EventValue =
        switch tool {
        case .sensors: ["version": "1", "project": "p", "os": .string(system ?? ""), "app_id": "shop", "events": list]
        case .posthog: ["count": 1, "next": nil, "results": list]
        case .growingio, .pendo: list
        }
      try reading.add(file.json, name: "\(system ?? tool.rawValue).json")
    }
    return reading.finish()
  }

  private static func matcher(_ report: ImportReport) throws -> Matcher {
    Matcher(try RuleFiles(texts: try report.newFiles()).ruleSet())
  }

  @Test(
    "each definition has the result that its tool's documents give, with all reasons", arguments: ImportTool.allCases)
  func results(tool: ImportTool) throws {
    let cases = try Self.cases(tool)
    #expect(cases.count >= 30)
    let report = ImportReport(try Self.imported(cases, tool), ImportReport.Options())
    #expect(report.entries.count == cases.count)
    for (own, entry) in zip(cases, report.entries) {
      let found = Set(entry.reasons.filter { $0.effect != .exact }.map(\.code.rawValue)).sorted()
      #expect(entry.grade.rawValue == own.result, "\(entry.definition.ruleID): \(entry.reasons)")
      #expect(found == own.codes, "\(entry.definition.ruleID)")
      #expect(entry.grade != .skipped || (own.takes.isEmpty && own.leaves.isEmpty))
    }
  }

  @Test(
    "the rules take the events that the definitions took, and no others, in both forms", arguments: ImportTool.allCases)
  func decisions(tool: ImportTool) throws {
    let cases = try Self.cases(tool)
    let definitions = try Self.imported(cases, tool)
    for form in [nil, ImportedForm.Kind.readable, .literal] {
      var options = ImportReport.Options()
      options.form = form
      let report = ImportReport(definitions, options)
      var decider = Decider(try Self.matcher(report))
      for (own, entry) in zip(cases, report.entries) {
        // Which generation of the other tool decides is not known then: only the form that is written is compared.
        if form != nil, entry.grade != .exact { continue }
        let id = UTF8String(entry.definition.ruleID)
        for (events, isTaken) in [(own.takes, true), (own.leaves, false)] {
          for event in events {
            let decision = decider.decide(event)
            let text = String(decoding: EventValue.object(event.members).json, as: UTF8.self)
            #expect(decision.rules.contains(id) == isTaken, "\(id), \(entry.form?.kind.rawValue ?? ""): \(text)")
            #expect(decision.rules.contains(id) == decision.isSelected || !isTaken)
          }
        }
      }
    }
  }

  @Test("the rules are as expected, formatted as by fmt, and load", arguments: ImportTool.allCases)
  func rules(tool: ImportTool) throws {
    let report = ImportReport(try Self.imported(try Self.cases(tool), tool), ImportReport.Options())
    for (name, text) in try report.newFiles() {
      let url = Self.golden.appendingPathComponent(name)
      if Self.isUpdating { try Data(text.utf8).write(to: url) }
      let expected = String(decoding: try Data(contentsOf: url), as: UTF8.self)
      #expect(text == expected)
      #expect(try RuleFileFormatter.format(text, name: name) == text)
    }
  }
}
