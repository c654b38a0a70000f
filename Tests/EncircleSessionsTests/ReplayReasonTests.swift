import EncircleSessions
import EncircleTestSupport
import Testing

@Suite struct ReplayReasonTests {
  @Test("Every signal has a reason, with the name of a rule, for each SDK", arguments: SessionSDK.allCases)
  func everySignalIsExplained(_ sdk: SessionSDK) throws {
    try explainAll(with: sdk.model)
  }

  private func explainAll<Model: SDKModel>(with _: Model.Type) throws {
    let folder = PackageFolder.viewTrees.appending(path: "sessions")
    for session in SessionFiles.all(in: folder, suffix: ".sensors.ndjson") {
      var replay = try SessionReplay<Model>(try SessionReader(path: session.path), explains: true)
      while let step = try replay.next() {
        #expect(!step.output.reasons.isEmpty, "\(session.name):\(step.signal.line)")
        #expect(step.output.reasons.allSatisfy { $0.rule != "none" && !$0.rule.isEmpty })
        let events = step.output.records.count { $0.isEvent }
        #expect(step.output.reasons.count { $0.isSent } == events, "\(session.name):\(step.signal.line)")
      }
    }
  }

  @Test("The reason for an event that an SDK lacks refers to the statements on that SDK")
  func missingEventsAreExplained() throws {
    let path = PackageFolder.viewTrees.appending(path: "sessions/left.session.ndjson").path
    var replay = try SessionReplay<HubbleDataModel>(try SessionReader(path: path), explains: true)
    var texts: Set<String> = []
    while let step = try replay.next() { texts.formUnion(step.output.reasons.map(\.text)) }
    #expect(texts.contains("The statements on this SDK in docs/articles.md mention no events of starts and ends."))
  }

  @Test("A click within 0.1 s names the rule of the interval")
  func intervalIsNamed() throws {
    let path = PackageFolder.viewTrees.appending(path: "sessions/clicks-controls.session.ndjson").path
    var replay = try SessionReplay<SensorsModel>(try SessionReader(path: path), explains: true)
    var rules: [Int: [String]] = [:]
    while let step = try replay.next() { rules[step.signal.line] = step.output.reasons.map(\.rule) }
    #expect(rules[8] == ["click.interval"])
    #expect(rules[13] == ["click.slider-tracking"])
    #expect(rules[18] == ["click.ignored-view"])
  }
}
