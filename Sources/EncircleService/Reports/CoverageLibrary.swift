import EncircleAuthoring
import EncircleIdentity
import EncircleRules
import EncircleText

/// What rule sets are about on the stored captures, to which each question adds the counters of events.
///
/// What rules do with the elements of captures is kept until either changes, so that a question costs only its counters.
final class CoverageLibrary: Sendable {
  private let captures: CaptureLibrary
  private let ruleSets: RuleSetLibrary
  private let events: EventLibrary
  private let analysis: Analysis
  // For the rule sets that people work on, each in force and as a draft.
  private let tallies = RuleValueCache<CoverageTally>(capacity: 8)

  init(_ analysis: Analysis) {
    captures = analysis.captures
    ruleSets = analysis.ruleSets
    events = analysis.events
    self.analysis = analysis
  }

  /// - Parameters:
  ///   - isDraft: Whether the rules of the draft count, if there is one without errors.
  ///   - time: Since when events count, in milliseconds since 1970.
  ///   - project: The project of the events; nil for all.
  /// - Throws: ``ServiceError`` with 404 for an unknown rule set.
  /// - Complexity: O(counters), and O(elements of all captures) after the rules or the captures have changed.
  func report(of name: String, draft isDraft: Bool, since time: Int64, project: String?) throws -> CoverageReport {
    let rules = try ruleSets.rules(of: name, draft: isDraft)
    var tally = try tally(rules)
    // Of a rule set that selects all but what it excludes, the stored decisions do not say what an include rule took.
    let countsSelected = rules.ruleSet.track == .selected
    for (number, use) in try events.store.elementUses(since: time, of: project).enumerated() {
      if number % 1_024 == 0 { try WorkBudget.check() }
      guard let id = use.element.withUnsafeBytes({ EventID(bytes: $0) }) else { continue }
      tally.add(taps: use.events, selected: countsSelected ? use.selected : 0, id: id, page: use.page)
    }
    return tally.finish(reasons: [:])
  }

  private func tally(_ rules: RuleSetLibrary.NamedRules) throws -> CoverageTally {
    try tallies.value(of: rules.key, rules.text, captures: captures.revision) {
      let dictionary = try analysis.snapshot(SelectionSettings(rules.ruleSet)).dictionary
      var coverage = ScreenCoverage(rules.ruleSet, dictionary: dictionary, knowsPeople: false)
      // The newest first, so that an element is shown where people know it.
      for id in try captures.captureIDs() {
        try WorkBudget.check()
        if let screen = try captures.screen(id) { coverage.add(screen.identified, name: id) }
      }
      return coverage.elements()
    }
  }
}
