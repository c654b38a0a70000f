import EncircleEvents
import EncircleIdentity
import EncircleRuleFiles
import EncircleRules
import EncircleText
import EncircleTree

/// Proposes rules for all elements of a capture that no rule takes yet. Elements at the same place in different rows of a list
/// get one rule together.
///
/// ```swift
/// let proposals = ScreenSuggester(screen, ruleSet).proposals(names: try NameTemplate("{page}_{element}"))
/// print(proposals.yaml())
/// ```
///
/// A proposed rule selects the taps on its element in any row, and no taps on other elements of the capture.
public struct ScreenSuggester {
  /// The maximum number of elements that get rules at one time.
  public static let maximumRules = 1_000
  // The suggestions for an element that are tried.
  private static let maximumTried = 8

  /// An element, in all its places.
  private struct Entry {
    let kind: ElementKind
    let type: TrackingType
    var elements: [ElementID] = []
    var text: String?
    var counts = CoverageReport.Counts()
    /// Its number among the elements of its type on the page.
    var number = 0

    var state: CoverageReport.State { counts.state(CoverageReport.Counts()) }
  }

  private let screen: IdentifiedTree
  private let settings: SelectionSettings
  private let style: PathStyleName
  private let known: Set<UTF8String>
  private var entries: [Entry] = []
  // For each element, the number of its entry.
  private var numbers: [ElementID: Int] = [:]

  /// Determines the state of the elements of a capture under the rules.
  ///
  /// - Parameters:
  ///   - screen: A capture that a style of the rules can serve.
  ///   - ruleSet: The existing rules; their settings also apply to the proposed ones.
  ///   - files: The elements that are set aside and so get no rule.
  /// - Complexity: O(elements × depth), plus the decision of one event for each tracked element.
  public init(_ screen: IdentifiedTree, _ ruleSet: RuleSet, setAside files: CoverageFiles = .init()) {
    known = Set(ruleSet.rules.map(\.id))
    let part = ruleSet.part(for: screen)
    settings = SelectionSettings(part)
    style = settings.style(for: screen)
    self.screen = settings.identified(screen)
    var dictionary = ElementDictionary(
      style: part.style, knowsTexts: part.testsKnownTexts, knowsScreens: part.readsScreens)
    dictionary.insert(self.screen)
    var coverage = ScreenCoverage(part, dictionary: dictionary, setAside: files)
    guard style.style.unmetRequirement(for: screen) == nil else { return }
    add(coverage.decided(self.screen, settings))
  }

  private mutating func add(_ decided: [ScreenCoverage.DecidedElement]) {
    // The inexact paths of a dump begin anew in each of its windows.
    struct Place: Hashable {
      let kind: ElementKind
      let window: ElementID?
    }
    let tellsWindows = screen.hasInexactPaths(in: style)
    var byPlace: [Place: Int] = [:]
    var counts: [[UTF8String?]: Int] = [:]
    for found in decided {
      let window = tellsWindows ? screen.tree.ancestors(of: found.element).reversed().first : nil
      let place = Place(kind: found.kind, window: window)
      let number: Int
      if let known = byPlace[place] {
        number = known
        if !sameText(entries[number].text, found.text) { entries[number].text = nil }
      } else {
        number = entries.count
        var entry = Entry(kind: found.kind, type: found.type, text: found.text)
        counts[[found.kind.page, UTF8String(found.type.rawValue)], default: 0] += 1
        entry.number = counts[[found.kind.page, UTF8String(found.type.rawValue)]] ?? 1
        entries.append(entry)
        byPlace[place] = number
      }
      entries[number].elements.append(found.element)
      entries[number].counts.add(found.outcome, 1)
      numbers[found.element] = number
    }
  }

  // MARK: - Proposing

  /// Returns rules for the elements that no rule takes, as ``proposals(names:words:for:prefersIDs:check:)``.
  public func proposals(
    names: NameTemplate = .standard, words: WordList = WordList(), for wanted: [ElementID]? = nil,
    prefersIDs: Bool = true
  ) -> ScreenProposals {
    proposals(names: names, words: words, for: wanted, prefersIDs: prefersIDs, check: {})
  }

  /// Returns rules for the elements that no rule takes.
  ///
  /// - Parameters:
  ///   - names: The template of their ids.
  ///   - words: The words in the ids.
  ///   - wanted: The elements, by any of their places; nil for all of the capture.
  ///   - prefersIDs: True if selectors with ids of developers come before all others.
  ///   - check: Called now and then; an error ends the work.
  /// - Complexity: For each element as for ``TapSuggester``; and O(elements × depth) for each selector of an element that is tried.
  public func proposals(
    names: NameTemplate = .standard, words: WordList = WordList(), for wanted: [ElementID]? = nil,
    prefersIDs: Bool = true, check: () throws -> Void
  ) rethrows -> ScreenProposals {
    var result = ScreenProposals()
    result.style = style
    result.app = screen.tree.header.app.flatMap { $0.isEmpty ? nil : $0 }
    var chosen: [Int] = []
    let meant = wanted.map { Set($0.compactMap { numbers[$0] }) }
    for (number, entry) in entries.enumerated() where meant?.contains(number) ?? true {
      if entry.state != .open {
        result.others.append((entry.elements[0], entry.state))
      } else if chosen.count < Self.maximumRules {
        chosen.append(number)
      } else {
        result.beyondLimit += 1
      }
    }
    let source = SuggestedClause.Source(screen, settings)
    let taps = OwnTap.Source(screen, settings.ruleSet)
    let hierarchy = ClassHierarchy(of: screen, in: style)
    var candidates: [[SuggestedClause]] = []
    for number in chosen {
      try check()
      candidates.append(self.candidates(for: entries[number], source, taps, hierarchy, prefersIDs: prefersIDs))
    }
    let found = try best(of: candidates, for: chosen, check: check)
    var ids = UniqueNames(taken: known)
    let namer = ElementNames(screen, style: style, words: words)
    for (number, best) in zip(chosen, found) {
      let entry = entries[number]
      guard let best else {
        result.impossible.append(entry.elements[0])
        continue
      }
      let subject = subject(entry)
      let id = ids.unique(namer.name(of: subject, by: names))
      result.rules.append(rule(best, entry, id: id, name: subject.text))
    }
    return result
  }

  private func subject(_ entry: Entry) -> ElementNames.Subject {
    let isInRows = entry.type != .alert && screen.cellLocator(of: entry.elements[0]) != nil
    // The text of one row is data and does not name the kind of row.
    let isRow = isInRows && [.tableViewSelect, .collectionViewSelect].contains(entry.type)
    let isName = !isRow && entry.type != .switchControl && !screen.showsState(entry.elements[0])
    let text = isName ? SuggestedRule.name(of: entry.text) : nil
    return ElementNames.Subject(
      elements: entry.elements, page: entry.kind.page?.text, type: entry.type, isInRows: isInRows, text: text,
      number: entry.number)
  }

  private func rule(_ best: Trial, _ entry: Entry, id: String, name: String?) -> ProposedRule {
    var suggestion = best.clause.suggestion
    let count = entry.elements.count
    suggestion.elements = entry.elements
    suggestion.uniqueness =
      best.others > 0 ? .shared(count: count + best.others) : count > 1 ? .kind(count: count) : .element
    var reasons: [ProposedRule.ReviewReason] = []
    if best.others > 0 { reasons.append(.selectsOthers(count: best.others)) }
    if best.missed > 0 { reasons.append(.missesPlaces(count: best.missed)) }
    reasons += ProposedRule.ReviewReason.reasons(of: suggestion.stability)
    return ProposedRule(
      id: id, name: name, elements: entry.elements, type: entry.type, suggestion: suggestion,
      reviewReasons: reasons, clause: best.clause.clause)
  }

  // MARK: - Candidates

  /// Returns clauses that may select an element in all its places and nothing else, the best first.
  private func candidates(
    for entry: Entry, _ source: SuggestedClause.Source, _ taps: OwnTap.Source, _ hierarchy: ClassHierarchy,
    prefersIDs: Bool
  ) -> [SuggestedClause] {
    let element = entry.elements[0]
    let rows = rowsByIndex(entry.kind)
    var result: [SuggestedClause] = []
    for candidate in source.suggestions(for: element, limit: Self.maximumTried, prefersIDs: prefersIDs)
    where !candidate.suggestion.needsCaptures {
      let free = candidate.suggestion.withFreeRows(hierarchy, rowsByIndex: rows).flatMap { free in
        free.selector.isReadAsWritten(in: style) ? SuggestedClause(free, for: element, in: screen, settings) : nil
      }
      // A configuration of the Sensors SDK can express a whole path, but only with its section. An outer list may change its rows.
      let selector = candidate.suggestion.selector
      let staysWhole = style.isSensors && selector.isAnchored && !selector.fixesRow
      let forms: [SuggestedClause?] = staysWhole ? [candidate, free] : [free, candidate]
      result += forms.compactMap { $0 }
    }
    if let whole = whole(entry, hierarchy), taps.tap(on: element).isSelected(by: whole.rule) { result.append(whole) }
    return result
  }

  /// Returns the classes of the rows around an element that paths write with an index alone, as those of `hubbledata-android` do.
  private func rowsByIndex(_ kind: ElementKind) -> Set<UTF8String> {
    guard style == .hubbleDataAndroid, let selector = try? ElementSelector.parsing(kind.selector.text, in: style).first
    else { return [] }
    let names = selector.steps.compactMap { step -> UTF8String? in
      if case .component(.name(let name), .index(.any)?) = step { name } else { nil }
    }
    return Set(names)
  }

  /// Returns the clause that tests the identity of the element: page, whole path with any rows, and the values that distinguish
  /// equal paths; nil if events have other paths than the capture.
  private func whole(_ entry: Entry, _ hierarchy: ClassHierarchy) -> SuggestedClause? {
    guard !screen.hasInexactPaths(in: style),
      let selector = try? ElementSelector.parsing(entry.kind.selector.text, in: style).first,
      entry.kind.selector.text.utf8.count <= ElementSelector.maximumLength, selector.isReadAsWritten(in: style)
    else { return nil }
    var evidence: [Suggestion.Evidence] = []
    var hasNoActions = false
    let texts = entry.kind.distinction
    if texts.count == 3 {
      if let title = texts[0] { evidence.append(.alertTitle(title)) }
      if let message = texts[1] { evidence.append(.alertMessage(message)) }
      if let content = texts[2] { evidence.append(.content(content)) }
    } else if let own = texts.first, own != nil || !screen.showsState(entry.elements[0]) {
      // Texts of items of bars count only if there are no actions.
      hasNoActions =
        !style.eventShape.namesActions || own == nil || screen.sentActions(of: entry.elements[0]) != own
      evidence.append(own.map { hasNoActions ? .content($0) : .actions($0) } ?? .noContent)
    }
    var stability = SelectorStability(of: selector, hierarchy: hierarchy)
    for value in evidence { stability.add(value.reason(in: style)) }
    let suggestion = Suggestion(
      selector: selector, page: entry.kind.page?.text, needsPage: entry.kind.page != nil, evidence: evidence,
      uniqueness: .kind(count: entry.elements.count), elements: entry.elements, stability: stability)
    var clause = ElementClause(
      suggestion, for: entry.elements[0], in: screen, style: settings.style, fields: settings.fields)
    if hasNoActions, style.eventShape.namesActions { clause.addMissing(.actions) }
    return SuggestedClause(suggestion, clause)
  }

  // MARK: - Trials

  /// A clause that was tried, with its mistakes.
  private struct Trial {
    let clause: SuggestedClause
    /// The other elements that it selects.
    var others = 0
    /// The places of the element that it does not select.
    var missed: Int

    var mistakes: (Int, Int) { (missed, others) }
  }

  /// Returns the first candidate of each element that selects exactly its places, else the candidate with the fewest mistakes; nil if
  /// there is none. All elements are tried at once, on the events of the whole capture.
  private func best(
    of candidates: [[SuggestedClause]], for chosen: [Int], check: () throws -> Void
  ) rethrows -> [Trial?] {
    let events = ScreenEvents(screen, settings)
    let entryOfEvent = events.elements.map { numbers[$0] ?? -1 }
    var best: [Trial?] = chosen.map { _ in nil }
    var open = chosen.indices.filter { !candidates[$0].isEmpty }
    var round = 0
    while !open.isEmpty {
      var trials = open.map { Trial(clause: candidates[$0][round], missed: entries[chosen[$0]].elements.count) }
      var finder = RuleSearch(trials.map(\.clause.rule), settings, ElementDictionary()).finder()
      try finder.forEachMatch(in: events, check: check) { event, rule in
        if entryOfEvent[event] == chosen[open[rule]] { trials[rule].missed -= 1 } else { trials[rule].others += 1 }
      }
      for (trial, i) in zip(trials, open) where best[i].map({ trial.mistakes < $0.mistakes }) ?? true {
        best[i] = trial
      }
      round += 1
      open = open.filter { i in
        round < candidates[i].count && best[i].map { $0.mistakes != (0, 0) } ?? true
      }
    }
    return best
  }
}

extension Suggestion {
  /// Returns the suggestion with any rows and sections in all lists; nil if it already has them.
  ///
  /// - Parameter rowsByIndex: The classes of rows that have an index alone.
  fileprivate func withFreeRows(_ hierarchy: ClassHierarchy, rowsByIndex: Set<UTF8String>) -> Suggestion? {
    guard namesPlace else { return nil }
    var free = selector
    for (i, step) in selector.steps.enumerated() {
      switch step {
      case .component(let pattern, .fields(let tests)?):
        let any = tests.map { test in
          [.section, .row, .item].contains(test.field) ? ElementSelector.FieldTest(test.field, .any) : test
        }
        free.steps[i] = .component(pattern, .fields(any))
      case .component(.name(let name), .index?) where rowsByIndex.contains(name):
        free.steps[i] = .component(.name(name), .index(.any))
      default: break
      }
    }
    guard free != selector else { return nil }
    var result = self
    result.selector = free
    var stability = SelectorStability(of: free, hierarchy: hierarchy)
    // Reasons about other tests and about siblings stay as they were.
    for reason in self.stability.reasons where !reason.isAboutSteps { stability.add(reason) }
    if !evidence.isEmpty { stability.removeBreadth() }
    result.stability = stability
    return result
  }
}

extension ElementSelector {
  /// This is true if the row of a list is fixed.
  fileprivate var fixesRow: Bool {
    steps.contains { step in
      guard case .component(_, .fields(let tests)?) = step else { return false }
      return tests.contains { [.row, .item].contains($0.field) && $0.test != .any }
    }
  }
}

extension StabilityReason {
  /// This is true if the reason is due to the selector rather than to other tests of the rule.
  fileprivate var isAboutSteps: Bool {
    switch self {
    case .page, .text, .actions, .barIdentity, .barPlace, .eventID, .developerID, .resourceID, .textAround, .unknownRow:
      false
    default: true
    }
  }
}
