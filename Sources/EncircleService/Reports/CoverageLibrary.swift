import EncircleAuthoring
import EncircleEvents
import EncircleIdentity
import EncircleRuleFiles
import EncircleRules
import EncircleText

/// The elements of the stored captures, with and without rules, to which each question adds the counters of events.
///
/// Results from captures are cached until the rules or the captures change, so a question costs only its counters.
final class CoverageLibrary: Sendable {
  private let captures: CaptureLibrary
  private let ruleSets: RuleSetLibrary
  private let events: EventLibrary
  private let analysis: Analysis
  /// The elements that are deliberately left without a rule.
  let setAside: SetAsideStore
  // This is enough for the rule sets that people work on, each in force and as a draft.
  private let known = RuleValueCache<Known>(capacity: 8)

  /// The cached results for a rule set.
  private struct Known {
    let tally: CoverageTally
    /// The reasons why elements are set aside.
    let reasons: [UTF8String: String]
  }

  init(_ analysis: Analysis, _ store: Store) {
    setAside = SetAsideStore(store)
    captures = analysis.captures
    ruleSets = analysis.ruleSets
    events = analysis.events
    self.analysis = analysis
  }

  /// - Parameters:
  ///   - isDraft: True if the rules of the draft count, if the draft exists and has no errors.
  ///   - time: The time from which events count, in milliseconds since 1970.
  ///   - project: The project of the events; nil for all.
  /// - Throws: ``ServiceError`` with 404 for an unknown rule set.
  /// - Complexity: O(counters), and O(elements of all captures) after the rules or the captures have changed.
  func report(of name: String, draft isDraft: Bool, since time: Int64, project: String?) throws -> CoverageReport {
    let rules = try ruleSets.rules(of: name, draft: isDraft)
    let known = try known(rules, setAside: try setAside.items(of: name))
    var tally = known.tally
    // If a rule set selects all events except excluded ones, the stored decisions do not show which events include rules took.
    let countsSelected = rules.ruleSet.track == .selected
    var numbers: [Int64: Int] = [:]
    for (number, use) in try events.store.elementUses(since: time, of: project).enumerated() {
      if number % 1_024 == 0 { try WorkBudget.check() }
      guard let id = use.element.withUnsafeBytes({ EventID(bytes: $0) }) else { continue }
      var taps = CoverageReport.Counts()
      taps.taken = countsSelected ? use.selected : 0
      (taps.excluded, taps.excludedPage) = (use.excludedByRule, use.excludedPage)
      taps.open = max(0, use.events - taps.total)
      numbers[ElementPeopleCounts.number(of: use.element)] = tally.add(taps, id: id, page: use.page)
    }
    try addPeople(to: &tally, numbers, countsSelected: countsSelected, since: time, project: project)
    return tally.finish(reasons: known.reasons)
  }

  /// The number of elements, most tapped first, whose people are counted. A report lists fewer.
  private static let maximumWithPeople = 2_000
  /// The maximum number of versions of one element that are read.
  private static let maximumVersions = 50

  /// Adds the people and versions of the most tapped elements.
  ///
  /// - Parameters:
  ///   - numbers: The number of each element's kind.
  ///   - countsSelected: True if include rules took exactly the selected events.
  private func addPeople(
    to tally: inout CoverageTally, _ numbers: [Int64: Int], countsSelected: Bool, since time: Int64, project: String?
  ) throws {
    let most = tally.mostTapped(Self.maximumWithPeople)
    let places = Dictionary(uniqueKeysWithValues: most.keys.enumerated().map { ($1, $0) })
    var found = most.keys.map {
      (kind: $0, people: PeopleSketch(exactTo: PeopleSketch.maximumStored), versions: Set<UTF8String>(), rows: 0)
    }
    let wanted = numbers.compactMapValues { number in
      places[number].map { (place: $0, onlyUnselected: countsSelected && most[number] == true) }
    }
    var read = 0
    try events.store.forEachElementPeople(of: wanted, since: time, project: project) { element, row in
      read += 1
      if read % 1_024 == 0 { try WorkBudget.check() }
      if element.onlyUnselected, row.isSelected { return }
      found[element.place].rows += 1
      found[element.place].people.join(stored: row.people)
      if !row.version.isEmpty, found[element.place].versions.count < Self.maximumVersions {
        found[element.place].versions.insert(UTF8String(row.version))
      }
    }
    // The people of an element without rows are unknown: rows of the least used elements are deleted on crowded days.
    for use in found where use.rows > 0 {
      tally.set(people: use.people.count, versions: use.versions.sorted(), of: use.kind)
    }
  }

  /// Returns items as the text of a file of elements that are set aside.
  static func text(_ items: [SetAsideRecord]) -> String {
    let members = items.map { item -> EventValue in
      var object: EventObject =
        (try? EventValue(json: Array(item.clause.utf8))).flatMap {
          if case .object(let object) = $0 { object } else { nil }
        } ?? EventObject()
      object["reason"] = .string(item.reason)
      return .object(object)
    }
    return String(decoding: EventValue.object(["version": 1, "setAside": .list(members)]).json, as: UTF8.self)
  }

  /// Parses items for rules, all together.
  static func files(of items: [SetAsideRecord], for rules: RuleSet) throws(RuleFileErrors) -> CoverageFiles {
    try CoverageFiles(texts: [("clause", text(items))], for: rules)
  }

  /// Parses the items that the rules can read. An item for another style, for example, cannot be read.
  ///
  /// - Returns: The elements that are set aside, and for each other item, by id, the reason why it cannot be read. If each item
  ///   can be read but their regular expressions together are too large, all items get that reason.
  /// - Throws: ``ServiceError`` when the request has used up its budget.
  /// - Complexity: O(length of the items).
  static func readable(
    _ items: [SetAsideRecord], for rules: RuleSet
  ) throws -> (files: CoverageFiles, problems: [Int64: RuleFileErrors]) {
    if let all = try? files(of: items, for: rules) { return (all, [:]) }
    var problems: [Int64: RuleFileErrors] = [:]
    for item in items {
      try WorkBudget.check()
      do throws(RuleFileErrors) { _ = try files(of: [item], for: rules) } catch { problems[item.id] = error }
    }
    let others = items.filter { problems[$0.id] == nil }
    do throws(RuleFileErrors) {
      return (try files(of: others, for: rules), problems)
    } catch {
      for item in others { problems[item.id] = error }
      return (CoverageFiles(), problems)
    }
  }

  private func known(_ rules: RuleSetLibrary.NamedRules, setAside items: [SetAsideRecord]) throws -> Known {
    try known.value(of: rules.key, rules.text + "\n" + Self.text(items), captures: captures.revision) {
      // Items that cannot be read are left out; the list of items shows what is wrong with them.
      let files = try Self.readable(items, for: rules.ruleSet).files
      let dictionary = try analysis.snapshot(SelectionSettings(rules.ruleSet)).dictionary
      var coverage = ScreenCoverage(rules.ruleSet, dictionary: dictionary, setAside: files)
      // The newest capture comes first, so that an element is shown where people know it.
      for id in try captures.captureIDs() {
        try WorkBudget.check()
        if let screen = try captures.screen(id) { coverage.add(screen.identified, name: id) }
      }
      return Known(tally: coverage.elements(), reasons: files.reasons.mapValues(\.text))
    }
  }
}
