import EncircleAuthoring
import EncircleEvents
import EncircleIdentity
import EncircleRuleFiles
import EncircleRules
import EncircleText
import EncircleTree
import Hummingbird

/// Routes for questions about whole rule sets: their probable mistakes, the reasons for decisions, and the changes between two.
struct RuleAnalysisRoutes: RouteGroup {
  let state: ServiceState

  /// The maximum number of rules whose tests are explained one by one; rules that are far from matching are left out.
  private static let maximumExplained = 100
  private static let testsAtATime = 64

  var routes: [Route] {
    [
      state.question("/v1/rules/check", "checkRules", on: state.analysts, isSole: true, check),
      state.question("/v1/rules/explain", "explainRules", explain),
      state.question("/v1/rules/test", "testRules", on: state.analysts, test),
      state.question("/v1/rules/diff", "diffRules", on: state.analysts, diff),
    ]
  }

  // MARK: - Checking

  private func check(_ body: JSONBody) throws -> [UInt8] {
    try body.allow(RequestedRules.members)
    let rules = try RequestedRules(body, state.ruleSets).rules
    return try state.analysis.checks.answer(to: rules, captures: state.captures.revision) { checker in
      try RuleFindingsAnswer(rules, state.analysis, with: &checker).json
    }
  }

  // MARK: - Explaining

  private func explain(_ body: JSONBody) throws -> [UInt8] {
    try body.allow(RequestedRules.members + ["rule", "event", "capture", "element"])
    let event = try body.member("event")
    let capture = try body.member("capture")
    if let event, capture != nil { throw event.error("An explanation is of an event or of an element, not both.") }
    if let event { _ = try event.object }
    var rules = try RequestedRules(body, state.ruleSets)
    if let rule = try body.member("rule") { rules = try rules.setting(rule) }
    let ruleSet = try rules.ruleSet()
    var settings = SelectionSettings(ruleSet)
    let subject: AnalyticsEvent
    if let event {
      if let element = try body.member("element") { throw element.error("This goes with a capture.") }
      subject = AnalyticsEvent(try event.object)
    } else if let capture {
      // If the rules have several styles, the event is one of the style that serves the capture.
      let screen = try state.analysis.screen(capture.text)
      let part = ruleSet.part(for: screen.identified)
      settings = SelectionSettings(part)
      let named = try state.analysis.element(body, settings, exactly: true)
      subject = ElementEvents(
        of: named.identified, style: settings.style(for: named.identified), fields: part.fields
      )
      .event(of: named.element)
    } else {
      throw body.error("This needs an event, or a capture and an element.", code: "nothing-to-explain")
    }
    let snapshot = try state.analysis.snapshot(settings)
    try WorkBudget.check()
    let explanation = Explainer(ruleSet, dictionary: snapshot.dictionary).explain(subject)
    let (shown, left) = explanation.rules.mostInteresting
    let ordered = explanation.rules.inOrderOfInterest
    var json = JSONBuilder()
    json.object {
      $0.member("event", .object(subject.members))
      $0.object("decision") { $0.members(of: explanation.decision) }
      let tree = ExplanationText.json(explanation, Array(ordered.prefix(Self.maximumExplained)))
      $0.member("explanation", json: tree.utf8.dropLast())
      $0.member("rules_left_out", max(0, ordered.count - Self.maximumExplained))
      $0.member("text", ExplanationText.text(explanation, shown, left: left))
    }
    return json.bytes
  }

  // MARK: - Testing

  private func test(_ body: JSONBody) throws -> [UInt8] {
    try body.allow(RequestedRules.members + ["tests"])
    let ruleSet = try RequestedRules(body, state.ruleSets).ruleSet()
    let tests = try body.required("tests").text
    let file: RuleTestFile
    do throws(RuleFileErrors) {
      file = try RuleTestFiles.read(tests, name: "tests.yaml", for: ruleSet) { name in
        // A capture that cannot be read counts as missing.
        (try? capture(name))??.identified.tree
      }
    } catch {
      var problem = ServiceError(error, code: "broken-tests")
      if error.count > 1 { problem.message = "The tests have \(error.count) errors." }
      throw problem
    }
    var runner = RuleTestRunner(ruleSet)
    var results: [TestResult] = []
    // Only a few tests run at a time, so that the budget is checked in between.
    for start in stride(from: 0, to: file.tests.count, by: Self.testsAtATime) {
      try WorkBudget.check()
      let wanted = Set(file.tests[start...].prefix(Self.testsAtATime).map(\.number))
      results += runner.run(file) { wanted.contains($0.number) }
    }
    let coverage = RuleCoverage(uncovered: runner.uncoveredRules, count: runner.ruleCount)
    return Array(TestReport.json(results, coverage).utf8.dropLast())
  }

  /// Returns the newest capture with a name, or the capture with that ID.
  private func capture(_ name: String) throws -> StoredScreen? {
    if let screen = try state.captures.screen(name) { return screen }
    let named = try state.captures.records(CaptureTable.Filter()).records.first {
      $0.name.hasSameBytes(as: name)
    }
    return try named.flatMap { try state.captures.screen($0.id) }
  }

  // MARK: - Comparing

  private func diff(_ body: JSONBody) throws -> [UInt8] {
    try body.allow("old", "new", "days")
    let days = try body.member("days")?.number(in: 1...3_650) ?? 7
    func rules(_ name: String) throws -> RequestedRules {
      let side = try body.required(name)
      try side.allow(RequestedRules.members)
      return try RequestedRules(side, state.ruleSets)
    }
    return try RuleDifferenceAnswer(from: rules("old"), to: rules("new"), days: days, state.analysis).json
  }
}
