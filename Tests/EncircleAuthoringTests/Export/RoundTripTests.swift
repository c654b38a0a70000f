import EncircleEvents
import EncircleRuleFiles
import EncircleRules
import EncircleTestSupport
import EncircleText
import Testing

@testable import EncircleAuthoring

/// Rules that were exported, and imported again from what was written: on 20,000 random events.
@Suite struct RoundTripTests {
  /// The numbers of events that rules of both sides were asked about, and that they took.
  private struct Tally {
    var compared = 0
    var taken = 0
  }

  /// The rules that an import makes of files, as they would be written.
  private static func imported(_ files: [ExportReport.File], _ tool: ImportTool) throws -> (ImportReport, RuleSet) {
    var reading = DefinitionImport(tool)
    for file in files where file.name != "metadata.json" { try reading.add(file.bytes, name: file.name) }
    let report = ImportReport(reading.finish(), ImportReport.Options())
    let texts = try report.newFiles()
    return (report, texts.isEmpty ? RuleSet() : try RuleFiles(texts: texts).ruleSet())
  }

  /// Compares rules with those that came back, by the ids that an import gives them.
  ///
  /// - Returns: Whether they decide alike.
  private static func compare(
    _ report: ExportReport, _ text: String, prefix: String, _ tally: inout Tally, events: [String]
  ) throws -> Bool {
    let (back, rules) = try imported(report.files, report.tool == .posthog ? .posthog : .sensors)
    let written = report.rows.filter(\.isWritten).map(\.rule)
    for rule in written {
      let entry = try #require(back.entries.first { $0.definition.ruleID == prefix + rule.text }, "\(rule)\n\(text)")
      #expect(entry.isTaken && entry.grade <= .unverified, "\(rule): \(entry.reasons)\n\(text)")
    }
    var first = Decider(Matcher(try RuleFiles(text: text, name: "rules.yaml").ruleSet()))
    var second = Decider(Matcher(rules))
    for json in events {
      let own = Set(try first.decide(json: Array(json.utf8)).rules)
      let other = Set(try second.decide(json: Array(json.utf8)).rules)
      for rule in written {
        let isTaken = own.contains(rule)
        tally.compared += 1
        tally.taken += isTaken ? 1 : 0
        let isAlike = isTaken == other.contains(UTF8String(prefix + rule.text))
        let files = report.files.map { String(decoding: $0.bytes, as: UTF8.self) }.joined()
        #expect(isAlike, "\(rule) takes it: \(isTaken)\n\(json)\n\(text)\n\(files)")
        guard isAlike else { return false }
      }
    }
    return true
  }

  @Test("exactly exported actions are imported as rules that decide alike", arguments: [false, true])
  func posthog(isWeb: Bool) throws {
    var tally = Tally()
    for seed in TestSize.scaled(0..<100) {
      var random = SeededGenerator(seed: UInt64(seed) * 2 + (isWeb ? 1 : 0))
      let rules = (0..<12).map { PostHogAlikeTests.rule($0, isWeb: isWeb, &random) }.joined()
      let text =
        "version: 1\nstyle: \(isWeb ? "posthog-web" : "posthog")\npages: { defaults: false }\nrules:\n" + rules
        + (isWeb ? "" : "  - { id: tap, include: { event: $autocapture, selector: RecoCell/** } }\n")
      let sourced = try RuleFiles(text: text, name: "rules.yaml").ruleSetWithSources()
      let report = PostHogExport.report(sourced, ExportAllowance())
      let events = (0..<200).map { _ in PostHogAlikeTests.event(isWeb: isWeb, &random).json }
      guard try Self.compare(report, text, prefix: "posthog.", &tally, events: events) else { return }
    }
    #expect(tally.compared > TestSize.scaled(20_000) && tally.taken * 30 > tally.compared)
  }

  @Test(
    "several tests of one property survive a round trip",
    arguments: [
      ("plan: { not: { equals: pro, fold: true } }", "plan: pro"),
      ("plan: { not: { equals: pro, fold: true } }", "plan: [12, '12']"),
      ("plan: { prefix: p, not: { suffix: o } }", "plan: [12, '12']"),
      ("plan: { not: { contains: ro } }", "plan: [true, 'true', pro]"), ("plan: { not: [team, x] }", "plan: [pro]"),
    ])
  func joined(test: String, unless: String) throws {
    let text = """
      version: 1
      style: posthog
      pages: { defaults: false }
      rules:
        - { id: r, include: { event: a, where: { \(test) } }, unless: { where: { \(unless) } } }

      """
    let sourced = try RuleFiles(text: text, name: "rules.yaml").ruleSetWithSources()
    let report = PostHogExport.report(sourced, ExportAllowance())
    #expect(report.files.count == 1)
    let values = ["pro", "PRO", "p", "po", "team", "x", "12", "true", ""].map { "\"\($0)\"" } + ["12", "true", "null"]
    let events = values.map { "{\"event\":\"a\",\"properties\":{\"plan\":\($0)}}" } + ["{\"event\":\"a\"}"]
    var tally = Tally()
    #expect(try Self.compare(report, text, prefix: "posthog.", &tally, events: events))
    #expect(tally.compared == events.count && tally.taken > 0 && tally.taken < tally.compared)
  }

  @Test(
    "selectors of apps survive a round trip with names and ids of many kinds",
    arguments: [
      "UILabel(id:buy)/**", "UILabel(id:'b > y')/**", "RecoCell(id:'a b')/UILabel/**", "RecoCell/**/UILabel(id:buy)/**",
      "X-Y/UILabel/**",
    ])
  func posthogSelector(selector: String) throws {
    let text = """
      version: 1
      style: posthog
      pages: { defaults: false }
      rules:
        - { id: r, include: { event: $autocapture, selector: "\(selector)" } }

      """
    let sourced = try RuleFiles(text: text, name: "rules.yaml").ruleSetWithSources()
    let report = PostHogExport.report(sourced, ExportAllowance(wider: true))
    let back = try Self.imported(report.files, .posthog).1
    let clauses = try #require(back.rules.first).clauses
    #expect(clauses.flatMap(\.selectors).map(\.description) == [selector])
  }

  @Test(
    "configurations of SDKs are imported as rules that decide alike",
    arguments: [("sensors", "sensors."), ("sensors-android", "sensors.android."), ("sensors-web", "sensors.web.")])
  func sensors(style: String, prefix: String) throws {
    var tally = Tally()
    for seed in TestSize.scaled(0..<200) {
      var random = SeededGenerator(seed: UInt64(seed))
      let rules = (0..<6).map { "  - { id: r\($0), include: \(SensorsAlikeTests.clause(style, &random)) }\n" }.joined()
      let text = "version: 1\nstyle: \(style)\napp: a.b\npages: { defaults: false }\nrules:\n" + rules
      let sourced = try RuleFiles(text: text, name: "rules.yaml").ruleSetWithSources()
      let report = SensorsExport(sourced, .init(), .init()).report()
      let events = (0..<100).map { _ in SensorsAlikeTests.event(style, &random) }
      guard try Self.compare(report, text, prefix: prefix, &tally, events: events) else { return }
    }
    #expect(tally.compared > TestSize.scaled(20_000) && tally.taken * 100 > tally.compared)
  }
}
