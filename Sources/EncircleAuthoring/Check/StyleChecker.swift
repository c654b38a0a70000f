import EncircleEvents
import EncircleIdentity
import EncircleRuleFiles
import EncircleRules
import EncircleTree

/// Finds probable mistakes in rules of one style; see ``RuleChecker``.
struct StyleChecker {
  private var rules: SourcedRuleSet
  private var hierarchy: ClassHierarchy
  private var dictionary: ElementDictionary
  // The dictionary without the elements of captures.
  private let givenDictionary: ElementDictionary
  private var survey: CaptureSurvey
  private var names: KnownNames
  private var values: KnownValues
  private var together: CooccurrenceSurvey
  private var paths = ElementPaths()
  // The number of elements that may still be visited to find better selectors, so that no rule set takes forever.
  private var adviceVisits = maximumAdviceVisits
  private static let maximumAdviceVisits = 200_000_000
  // The relevant major releases of iOS: the ones that apps support today, and the releases of the captures.
  private var releases = 15...26
  // This is true if some rule with sameKind names an event ID, so that the elements of captures must be known.
  private var needsElements: Bool
  // The event IDs that enabled rules name, and the captures that can show that one of them means another element in a later
  // version.
  private var namedIDs: Set<EventID>
  // The texts that elements of captures show; nil unless rules read properties off them.
  private var screens: ElementDictionary?
  private var versionedScreens: [NamedScreen] = []
  private var versionedElements = 0
  private static let maximumVersionedElements = 500_000
  // The data that an earlier check has read from captures, so that it need not be read again.
  private var known = Known()
  // The plan beside the rules.
  private let plan: PlanChecks
  private(set) var hasCaptures = false
  private var hasEvents = false
  /// The work that comparisons of rules may do, in steps of about a tenth of a microsecond.
  var stepLimit: Int

  /// Creates a checker for rules, without captures.
  ///
  /// - Parameter dictionary: The elements that are known by event ID.
  init(_ rules: SourcedRuleSet, dictionary: ElementDictionary? = nil, plan: PlanChecks) {
    self.rules = rules
    self.plan = plan
    let ruleSet = rules.ruleSet
    self.dictionary = dictionary ?? ElementDictionary(style: ruleSet.style)
    givenDictionary = self.dictionary
    hierarchy = self.dictionary.hierarchy
    hierarchy.add(ruleSet.classes)
    survey = CaptureSurvey(ruleSet, hierarchy: hierarchy)
    names = KnownNames(ruleSet)
    values = KnownValues(ruleSet)
    together = CooccurrenceSurvey(ruleSet, hierarchy: hierarchy)
    stepLimit = MeaningChecks.stepLimit(of: ruleSet)
    needsElements = Self.needsElements(ruleSet)
    namedIDs = Self.namedIDs(ruleSet)
    if Self.readsElements(ruleSet) { screens = Self.screens(self.dictionary, ruleSet.style) }
    survey.add(self.dictionary)
    names.add(self.dictionary)
    if ElementPaths.giveReasons(in: ruleSet.style) { paths.add(self.dictionary) }
  }

  /// Creates a checker from an earlier one with mostly the same rules and no added events.
  ///
  /// The counts of the earlier checker stay. If `isRepeated`, its captures must be added again, in the same order; they are
  /// only searched for the rules that differ. Otherwise only new captures may be added.
  ///
  /// - Returns: nil if everything must be counted again.
  init?(_ rules: SourcedRuleSet, after earlier: StyleChecker, isRepeated: Bool) {
    let ruleSet = rules.ruleSet
    guard !earlier.hasEvents, earlier.survey.skippedCount == 0,
      let common = CommonRules(of: ruleSet, in: earlier.rules.ruleSet, isRepeated: isRepeated),
      isRepeated || common.areAll
    else { return nil }
    self = earlier
    self.rules = rules
    survey = CaptureSurvey(ruleSet, hierarchy: hierarchy, after: (earlier.survey, common))
    values = KnownValues(ruleSet, after: (earlier.values, common))
    together = CooccurrenceSurvey(ruleSet, hierarchy: hierarchy, after: (earlier.together, common))
    stepLimit = MeaningChecks.stepLimit(of: ruleSet)
    adviceVisits = Self.maximumAdviceVisits
    needsElements = earlier.needsElements || Self.needsElements(ruleSet)
    namedIDs = Self.namedIDs(ruleSet)
    known = Known()
    guard isRepeated else { return }
    known.names = true
    known.elements = earlier.needsElements
    known.screens = screens != nil
    known.versions = namedIDs == earlier.namedIDs
    if !known.screens, Self.readsElements(ruleSet) { screens = Self.screens(givenDictionary, ruleSet.style) }
    if !known.versions { (versionedScreens, versionedElements) = ([], 0) }
    survey.add(givenDictionary)
  }

  /// The kinds of data that an earlier check has read from the captures.
  private struct Known {
    /// The names and paths of elements.
    var names = false
    /// The elements by event ID.
    var elements = false
    /// The texts of elements.
    var screens = false
    /// The captures of versions.
    var versions = false
  }

  /// This is true if the captures of an earlier check must be read again.
  var needsCaptures: Bool {
    survey.looksForRules || together.hasQuestions || values.needsCaptures || needsElements && !known.elements
      || screens != nil && !known.screens || !namedIDs.isEmpty && !known.versions
  }

  private static func needsElements(_ ruleSet: RuleSet) -> Bool {
    ruleSet.rules.contains { rule in rule.sameKind && rule.clauses.contains { !$0.eventIDs.isEmpty } }
  }

  private static func namedIDs(_ ruleSet: RuleSet) -> Set<EventID> {
    Set(ruleSet.rules.filter(\.isEnabled).flatMap { $0.clauses.flatMap { $0.eventIDs.map(\.eventID) } })
  }

  private static func readsElements(_ ruleSet: RuleSet) -> Bool {
    ruleSet.rules.contains { $0.isEnabled && $0.readsElements }
  }

  private static func screens(_ dictionary: ElementDictionary, _ style: PathStyleName) -> ElementDictionary {
    dictionary.count > 0 && dictionary.knowsScreens
      ? dictionary : ElementDictionary(style: style, knowsTexts: false, knowsScreens: true)
  }

  /// Adds a capture, which the style must be able to serve.
  ///
  /// - Parameter name: The name of the capture in findings.
  /// - Complexity: O(elements × selectors that each is tried on), and a few times O(elements) once for each selector
  ///   that may not last.
  mutating func add(_ screen: IdentifiedTree, name: String) {
    hasCaptures = true
    // Most captures of an app have no new classes.
    if hierarchy.insertClasses(of: screen) {
      survey.set(hierarchy)
      together.set(hierarchy)
    }
    if needsElements, !known.elements { dictionary.insert(screen) }
    if !known.screens { screens?.insert(screen) }
    let header = screen.tree.header
    if header.os == "iOS", let version = header.osVersion, let major = Int(String(version.prefix { $0 != "." })) {
      releases = min(releases.lowerBound, major)...max(releases.upperBound, major)
    }
    if !known.versions { keepVersion(screen, name) }
    if !known.names {
      names.add(screen)
      let style = rules.ruleSet.style
      if ElementPaths.giveReasons(in: style) { paths.add(screen, name: name, style: style) }
    }
    values.addTexts(of: screen)
    addTaps(on: screen, name: name)
    var adviser = SelectorAdviser(screen, name: name, hierarchy: hierarchy)
    var visits = adviceVisits
    survey.add(screen, name: name) { selector, _, element in
      guard visits > 0 else { return nil }
      visits -= screen.tree.count
      return adviser.advice(on: selector, element)
    }
    adviceVisits = visits
  }

  /// Adds the events that taps on a capture's elements would send; each event is made once.
  private mutating func addTaps(on screen: IdentifiedTree, name: String) {
    let (style, fields) = (rules.ruleSet.style, rules.ruleSet.fields)
    guard values.takesTaps || together.takesTaps else { return }
    let events = ElementEvents(of: screen, style: style, fields: fields)
    var finder = together.finder()
    for element in screen.tree.elements where events.trackingType(of: element) != nil {
      guard values.takesTaps || together.takesTaps else { return }
      let event = events.event(of: element)
      values.addTap(event)
      together.addTap(event, &finder) { "\(name) element \(element)" }
    }
  }

  private mutating func keepVersion(_ screen: IdentifiedTree, _ name: String) {
    guard !namedIDs.isEmpty, screen.tree.header.appVersion != nil,
      versionedElements + screen.tree.count <= Self.maximumVersionedElements
    else { return }
    let named = NamedScreen(name: name, screen: screen)
    guard named.hasElement(withAny: namedIDs) else { return }
    versionedScreens.append(named)
    versionedElements += screen.tree.count
  }

  /// Adds an event.
  mutating func add(_ event: AnalyticsEvent) {
    hasEvents = true
    names.add(event, rules.ruleSet.fields)
    values.add(event)
    together.add(event)
  }

  /// A part of a check that is independent of the others.
  private enum Part {
    /// Compares the rules with captures and events, and adds findings to the list.
    case observations(FindingList)
    /// Compares the rules with each other.
    case meaning
  }

  /// Returns the findings of a part, and the number of rules that were not compared with all others.
  private func check(_ part: Part) -> (list: FindingList, undecided: Int) {
    switch part {
    case .observations(var list):
      list.checkCooccurrence(together)
      list.checkReusedIDs(versionedScreens)
      if let screens { list.checkProperties(survey, screens, names) }
      var nameChecks = NameChecks(names, hierarchy)
      nameChecks.check(&list)
      var valueChecks = ValueChecks(values, names, rules.ruleSet.fields)
      valueChecks.check(&list)
      return (list, 0)
    case .meaning:
      var list = FindingList(rules)
      let undecided = MeaningChecks(rules.ruleSet, dictionary, hierarchy, stepLimit: stepLimit).check(&list)
      return (list, undecided)
    }
  }

  /// Checks the rules.
  ///
  /// - Parameters:
  ///   - now: The time, in milliseconds since 1970.
  ///   - goOn: Called now and then; an error ends the check.
  func check(at now: Int64, _ goOn: () throws -> Void) rethrows -> RuleChecker.Result {
    var list = FindingList(rules)
    var loosener = SelectorLoosener(paths, hierarchy: hierarchy)
    list.checkSelection(survey, &loosener)
    try goOn()
    // Comparing rules takes about as long as all other checks together, and is independent of them.
    let found = [Part.observations(list), .meaning].concurrentMap(atLeast: 1) { check($0) }
    list = found[0].list
    list.join(found[1].list)
    let undecided = found[1].undecided
    try goOn()
    list.checkPlan(plan)
    list.checkTimes(now)
    list.checkTolerances()
    list.checkSameKind()
    list.checkStability(survey, hierarchy, releases: releases)
    list.checkSuppressions(
      Suppressions.Scope(
        hasCaptures: hasCaptures && survey.skippedCount == 0, hasEvents: hasEvents, hasPlan: plan.hasPlan,
        isDecided: undecided == 0))
    return RuleChecker.Result(
      findings: list.findings.sorted(by: Finding.areInOrder), undecided: undecided,
      skippedElements: survey.skippedCount)
  }
}
