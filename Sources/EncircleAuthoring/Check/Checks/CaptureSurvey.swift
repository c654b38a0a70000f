import EncircleEvents
import EncircleIdentity
import EncircleRules
import EncircleText
import EncircleTree

/// Counts the elements of captures that the selectors and event IDs of rules match, capture by capture.
///
/// Every selector is a rule of a ``RuleSearch``, so that all are tried on an element at once.
struct CaptureSurvey {
  /// A selector or an event ID of a clause.
  struct Item {
    fileprivate(set) var rule: Int
    let clause: Int
    /// The index in the clause's `selectors` or `eventIDs`.
    let number: Int
    let isSelector: Bool
    /// The number of elements that it matched, on any page.
    var count = 0
    /// The number of matched elements on each page; nil is an unknown page.
    var pages: [UTF8String?: Int] = [:]
    /// The first matched element.
    var example: Occurrence?
    /// This is true if an SDK may send events of at least one matched element.
    var isTracked = false
    /// The first matched element for which no SDK sends events, and its nearest ancestor with events.
    var untracked: (occurrence: Occurrence, around: ElementTracking.Ancestor?)?
    /// The advice on the selector, if there is any.
    var advice: SelectorAdvice?
  }

  /// An element in a capture.
  struct Occurrence {
    let capture: String
    let element: ElementID?
    let path: ElementPath
    let page: String?

    var text: String {
      let element = element.map { " element \($0)" } ?? ""
      return "\(capture)\(element): \(path.written(.slashes))"
    }
  }

  /// The number of elements that a rule matches on its own pages.
  struct RuleCount {
    /// The number in all captures.
    var total = 0
    /// The number in the capture that has the most.
    var most = 0
    var mostIn: Occurrence?
    // The element that was counted last: two selectors may match it, but it counts once.
    fileprivate var last: Int?
    fileprivate var inCapture = 0
    /// The number of captures of the rule's app.
    var captures = 0
  }

  private let rules: [SelectionRule]
  private let settings: SelectionSettings
  // Selectors with kind-of patterns are kept apart, because they are compiled again when a capture has new classes.
  private var plain = Selectors()
  private var ofKinds = Selectors()
  private var plainSearch: RuleSearch
  private var kindSearch: RuleSearch
  private var hierarchy: ClassHierarchy
  /// The counts of each rule.
  private(set) var counts: [RuleCount]
  /// The selectors and event IDs of all enabled rules.
  private(set) var items: [Item] = []
  // For each rule, where its items begin.
  private var starts: [Int] = []
  private var itemsOfEventID: [EventID: [Int]] = [:]
  // The condition on the page, by rule and clause.
  private var pageProbes: [[ConditionProbe?]] = []
  /// Maps each event ID of the rules that several elements of one capture share to the first such capture.
  private(set) var collisions: [EventID: (capture: String, count: Int, reason: String)] = [:]
  /// For rules with properties, elements that they match on their own pages.
  private(set) var matches: [Int: Set<EventID>] = [:]
  private static let maximumMatches = 200
  /// The number of captures and dictionaries.
  private(set) var captureCount = 0
  /// The number of elements that were skipped, because their paths are too long or the work would take too long.
  private(set) var skippedCount = 0
  // For each rule, whether this survey counts its elements; otherwise the counts come from the earlier survey.
  private let isLookedFor: [Bool]
  // The classes of the elements that the selectors can match in a capture; nil for any class.
  private var lastClasses: Set<UTF8String>? = []
  // This is true if the earlier survey has already counted the captures that follow.
  private let isRepeated: Bool
  // This is true if a rule to be counted names elements by event ID, or reads properties off the elements that it matches.
  private var needsEventIDs = false
  // The work that is left: bytes of paths, and selectors that match an element.
  private var steps = 500_000_000
  private static let stepsPerMatch = 50
  private static let longestPath = 1 << 16

  /// - Parameter earlier: An earlier survey, whose counts are reused, and the rules that both have in common.
  init(_ ruleSet: RuleSet, hierarchy: ClassHierarchy, after earlier: (survey: CaptureSurvey, rules: CommonRules)? = nil)
  {
    rules = ruleSet.rules
    settings = SelectionSettings(ruleSet)
    counts = Array(repeating: RuleCount(), count: rules.count)
    isLookedFor = rules.indices.map { !(earlier?.rules.isSettled($0) ?? false) }
    isRepeated = earlier?.rules.isRepeated ?? false
    self.hierarchy = hierarchy
    plainSearch = RuleSearch([], settings, ElementDictionary())
    kindSearch = plainSearch
    if let known = earlier?.survey {
      (captureCount, collisions) = (known.captureCount, known.collisions)
      if !isRepeated { steps = known.steps }
    }
    for (i, rule) in rules.enumerated() {
      starts.append(items.count)
      guard rule.isEnabled else { continue }
      if isLookedFor[i], rule.readsElements { needsEventIDs = true }
      for (j, clause) in rule.clauses.enumerated() {
        for (k, selector) in clause.selectors.enumerated() {
          if isLookedFor[i] { lookFor(rule.asMatched(selector)) }
          items.append(Item(rule: i, clause: j, number: k, isSelector: true))
        }
        for (k, reference) in clause.eventIDs.enumerated() {
          if isLookedFor[i] {
            itemsOfEventID[reference.eventID, default: []].append(items.count)
            needsEventIDs = true
          }
          items.append(Item(rule: i, clause: j, number: k, isSelector: false))
        }
      }
      if let earlier, let number = earlier.rules.numbers[i] { take(i, from: earlier.survey, number) }
    }
    plainSearch = RuleSearch(plain.rules, settings, ElementDictionary())
    let classes = ElementDictionary(hierarchy: hierarchy, style: settings.style)
    kindSearch = RuleSearch(ofKinds.rules, settings, classes)
    preparePages()
  }

  /// Looks for the selector of the next item.
  private mutating func lookFor(_ selector: ElementSelector) {
    var asked = RuleClause()
    asked.selectors = [selector]
    let tried = SelectionRule("selector", .include, [asked])
    if settings.style == .hubbleData, let name = selector.lastClass {
      lastClasses?.insert(name)
    } else {
      lastClasses = nil
    }
    if selector.needsKind { ofKinds.add(tried, items.count) } else { plain.add(tried, items.count) }
  }

  /// Copies the counts of an earlier survey for the rule whose items were added last.
  private mutating func take(_ rule: Int, from earlier: CaptureSurvey, _ number: Int) {
    counts[rule] = earlier.counts[number]
    matches[rule] = earlier.matches[number]
    items.removeSubrange(starts[rule]...)
    items += earlier.items(of: number).map { item in
      var item = item
      item.rule = rule
      return item
    }
  }

  /// Returns the selectors and event IDs of a rule.
  func items(of rule: Int) -> ArraySlice<Item> {
    items[starts[rule]..<(rule + 1 < starts.count ? starts[rule + 1] : items.count)]
  }

  private mutating func preparePages() {
    pageProbes = rules.map { rule in
      rule.clauses.map { clause in clause.page.map { ConditionProbe($0, hierarchy: hierarchy) } }
    }
  }

  /// Sets the class hierarchy, when a capture has added to it.
  mutating func set(_ hierarchy: ClassHierarchy) {
    self.hierarchy = hierarchy
    preparePages()
    if !kindSearch.isEmpty {
      let classes = ElementDictionary(hierarchy: hierarchy, style: settings.style)
      kindSearch = RuleSearch(ofKinds.rules, settings, classes)
    }
  }

  /// This is true if the survey reads elements. A repeated survey reads them only for rules that the earlier one did not have.
  var looksForRules: Bool { !isRepeated || isLookedFor.contains(true) }

  /// Returns whether the page test of a clause holds for a page; nil means an event without a page. A clause without a page test
  /// takes every page.
  func isAskedFor(_ page: UTF8String?, rule: Int, clause: Int) -> Bool {
    pageProbes[rule][clause]?.holds(page.map { .string($0.text) }) ?? true
  }

  /// Counts the elements of a capture.
  ///
  /// - Parameter advise: Returns advice on a selector; called for elements that it matches until it returns some.
  mutating func add(
    _ screen: IdentifiedTree, name: String, advise: (ElementSelector, SelectionRule, ElementID) -> SelectorAdvice?
  ) {
    guard looksForRules else { return }
    if !isRepeated { captureCount += 1 }
    let app = screen.tree.header.app.map { UTF8String($0) }
    let rules = rules
    let (style, fields) = (settings.style, settings.fields)
    let hierarchy = hierarchy
    // In other styles events carry a path and a position that completes it; a selector is matched against both.
    let sent = style == .hubbleData ? nil : ElementEvents(of: screen, style: style, fields: fields)
    begin(app)
    var finders = Finders(plain: plainSearch, ofKinds: kindSearch)
    var eventIDs: [EventID] = []
    if needsEventIDs {
      screen.forEachIdentity { element, _, _, eventID in eventIDs.append(eventID) }
    }
    // The approximate lengths of the written paths of an element and its ancestors.
    var lengths = AncestorStack<Int>()
    for element in screen.tree.elements {
      lengths.removeNonAncestors(of: element)
      let length = (lengths.values.last ?? 0) + screen.className(of: element).utf8.count + 8
      lengths.push(length, for: element, of: screen.tree)
      guard length <= Self.longestPath, steps > 0 else {
        skippedCount += 1
        continue
      }
      let eventID = eventIDs.isEmpty ? nil : eventIDs[element.index]
      // Elements of other classes cannot match, and making their paths would take most of the time.
      if let lastClasses, !lastClasses.contains(UTF8String(screen.className(of: element))),
        eventID.flatMap({ itemsOfEventID[$0] }) == nil
      {
        continue
      }
      steps -= length
      let path = screen.path(of: element)
      let events: [AnalyticsEvent]
      if let sent {
        events = sent.sentEvents(of: element)
      } else {
        var event = AnalyticsEvent(EventObject())
        event.set(.string(path.written(.slashes)), at: Dimension.path.place(fields))
        events = [event]
      }
      let seen = {
        let page = sent == nil ? screen.page(of: element) : events.first?.text(.page, fields)
        return Occurrence(capture: name, element: element, path: path, page: page)
      }
      look(events, eventID, app, element.index, &finders, occurrence: seen) { item in
        switch ElementTracking(of: element, in: screen, style, sent, hierarchy) {
        case .possible: item.isTracked = true
        case .none(let around): if item.untracked == nil { item.untracked = (seen(), around) }
        }
      } advise: { item in
        let rule = rules[item.rule]
        return advise(rule.asMatched(rule.clauses[item.clause].selectors[item.number]), rule, element)
      }
    }
    guard !itemsOfEventID.isEmpty else { return }
    for collision in screen.collisions(among: eventIDs) where itemsOfEventID[collision.eventID] != nil {
      if collisions[collision.eventID] == nil {
        collisions[collision.eventID] = (name, collision.elements.count, collision.reason.rawValue)
      }
    }
  }

  /// Counts the elements of a dictionary.
  mutating func add(_ dictionary: ElementDictionary) {
    guard dictionary.count > 0 else { return }
    if !isRepeated { captureCount += 1 }
    begin(nil)
    // These events carry nothing but an event ID, so the matcher takes their paths from the dictionary, in the style of the
    // rules.
    var finders = Finders(
      plain: RuleSearch(plain.rules, settings, dictionary), ofKinds: RuleSearch(ofKinds.rules, settings, dictionary))
    var entries: [(EventID, ElementDictionary.Entry)] = []
    dictionary.forEachEntry { entries.append(($0, $1)) }
    for (number, (eventID, entry)) in entries.enumerated() {
      guard steps > 0 else {
        skippedCount += 1
        continue
      }
      var event = AnalyticsEvent(EventObject())
      event.set(.string(eventID.description), at: Dimension.eventID.place(settings.fields))
      look([event], eventID, nil, number, &finders) {
        Occurrence(capture: "the dictionary", element: nil, path: entry.path, page: entry.page)
      } track: { item in
        item.isTracked = true
      } advise: { _ in
        nil
      }
    }
    // A dictionary is not one screen, so it does not count when the capture with the most elements is sought.
    for i in counts.indices where counts[i].mostIn?.element == nil { counts[i].most = 0 }
  }

  /// Selectors as rules, each with the number of its item.
  private struct Selectors {
    var rules: [SelectionRule] = []
    var items: [Int] = []

    mutating func add(_ rule: SelectionRule, _ item: Int) {
      rules.append(rule)
      items.append(item)
    }
  }

  /// Finds the selectors, without kind-of patterns and with them.
  private struct Finders: ~Copyable {
    var plain: RuleSearch.Finder
    var ofKinds: RuleSearch.Finder

    init(plain: RuleSearch, ofKinds: RuleSearch) {
      self.plain = plain.finder()
      self.ofKinds = ofKinds.finder()
    }
  }

  private mutating func begin(_ app: UTF8String?) {
    for i in counts.indices where isLookedFor[i] {
      counts[i].last = nil
      counts[i].inCapture = 0
      if Self.isOf(rules[i].apps, app) { counts[i].captures += 1 }
    }
  }

  private static func isOf(_ apps: [UTF8String], _ app: UTF8String?) -> Bool {
    apps.isEmpty || app.map { apps.contains($0) } ?? true
  }

  /// - Parameter events: The events as which a tap on the element may arrive.
  private mutating func look(
    _ events: [AnalyticsEvent], _ eventID: EventID?, _ app: UTF8String?, _ number: Int, _ finders: inout Finders,
    occurrence: () -> Occurrence, track: (inout Item) -> Void, advise: (Item) -> SelectorAdvice?
  ) {
    var matching: [Int] = []
    var known: Set<Int> = []
    for event in events {
      var found = finders.plain.rules(selecting: event).map { plain.items[$0] }
      if !kindSearch.isEmpty { found += finders.ofKinds.rules(selecting: event).map { ofKinds.items[$0] } }
      // Most elements have one event, which selects no item twice.
      if events.count > 1 { found.removeAll { !known.insert($0).inserted } }
      matching += found
    }
    matching += eventID.flatMap { itemsOfEventID[$0] } ?? []
    guard !matching.isEmpty else { return }
    steps -= matching.count * Self.stepsPerMatch
    let seen = occurrence()
    let page = seen.page.map { UTF8String($0) }
    for i in matching {
      let rule = items[i].rule
      guard Self.isOf(rules[rule].apps, app) else { continue }
      items[i].count += 1
      if !items[i].isTracked { track(&items[i]) }
      items[i].pages[page, default: 0] += 1
      if items[i].example == nil { items[i].example = seen }
      guard isAskedFor(page, rule: rule, clause: items[i].clause) else { continue }
      if items[i].isSelector, items[i].advice == nil { items[i].advice = advise(items[i]) }
      if let eventID, rules[rule].readsElements, matches[rule, default: []].count < Self.maximumMatches {
        matches[rule, default: []].insert(eventID)
      }
      guard counts[rule].last != number else { continue }
      counts[rule].last = number
      counts[rule].total += 1
      counts[rule].inCapture += 1
      if counts[rule].inCapture > counts[rule].most {
        counts[rule].most = counts[rule].inCapture
        counts[rule].mostIn = seen
      }
    }
  }
}

extension ElementSelector {
  /// The class of every element that the selector matches; nil if they may be of several.
  fileprivate var lastClass: UTF8String? {
    if case .component(.name(let name), _) = steps.last { name } else { nil }
  }

  /// This is true if some step has a kind-of pattern.
  fileprivate var needsKind: Bool {
    steps.contains { step in
      if case .component(.kindOf, _) = step { true } else { false }
    }
  }
}
