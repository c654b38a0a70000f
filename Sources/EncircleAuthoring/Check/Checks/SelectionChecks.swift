import EncircleRuleFiles
import EncircleRules
import EncircleText

extension FindingList {
  /// The maximum number of elements of one capture that a rule may match, unless the rule sets another limit.
  static let usualLimit = 50

  /// Reports rules that match nothing in captures, too much, or elements of other pages than they seem to mean.
  ///
  /// - Parameter loosener: Finds out why selectors match nothing.
  mutating func checkSelection(_ survey: CaptureSurvey, _ loosener: inout SelectorLoosener) {
    guard survey.captureCount > 0 else { return }
    let all = rules.ruleSet.rules
    for (i, rule) in all.enumerated() where rule.isEnabled {
      let items = survey.items(of: i)
      guard !items.isEmpty, survey.counts[i].captures > 0 || rule.apps.isEmpty else { continue }
      // A rule may match elements that were skipped.
      if survey.skippedCount == 0 { checkNothing(rule, items, survey.counts[i], survey, &loosener) }
      checkMany(rule, survey.counts[i])
      checkTracking(rule, items)
      checkPages(rule, items)
      checkCollisions(rule, items, survey)
    }
  }

  /// Returns the part of a rule that an item is.
  private func part(_ item: CaptureSurvey.Item) -> RuleSource.Part {
    item.isSelector ? .selector(.clauses, item.clause, item.number) : .element(.clauses, item.clause, item.number)
  }

  private mutating func checkNothing(
    _ rule: SelectionRule, _ items: ArraySlice<CaptureSurvey.Item>, _ count: CaptureSurvey.RuleCount,
    _ survey: CaptureSurvey,
    _ loosener: inout SelectorLoosener
  ) {
    // Items at one place are judged together: if a style reads a selector in two ways, it is enough that one reading matches, and
    // only the first is reported.
    let source = rules.sources[rule.id]
    var places = Set(items.filter { $0.count > 0 }.compactMap { source?[part($0)].location })
    let others = !places.isEmpty
    let empty = items.filter { item in source.map { places.insert($0[part(item)].location).inserted } ?? true }
    for item in empty {
      let what = item.isSelector ? "the selector" : "the event ID"
      let repair = item.isSelector ? repair(item, rule, survey, &loosener) : nil
      let reason = repair?.sentence ?? repair?.matchingEnd.map { "of it, only \($0) matches" }
      // This selector may have named the element in another version of the app, as another selector of the rule does now.
      let better = repair?.selector.map { "\($0)" }
      add(
        .matchesNothing, rule, part(item),
        "\(what) matches no element of the captures" + (others ? "; others of this rule do" : "")
          + (reason.map { ": \($0)" } ?? ""), severity: others ? .note : nil, example: repair?.example,
        suggestion: better, replacement: others ? nil : better,
        isGuess: !(repair?.isCertain(for: selector(item, rule)) ?? true))
    }
    guard others, count.total == 0 else { return }
    // Elements match, but they are on other pages.
    guard let item = items.first(where: { $0.count > 0 }) else { return }
    let pages = item.pages.keys.compactMap { $0?.text }.sorted()
    // Only one page of all is what the rule may mean.
    let page = item.pages.count == 1 ? pages.first : nil
    let named = pages.count < item.pages.count ? pages + ["no page"] : pages
    add(
      .matchesNothing, rule, .page(.clauses, item.clause),
      pages.isEmpty
        ? "the selector matches only elements whose page the captures do not name"
        : "the selector matches only elements of other pages than the rule asks for: \(NameList.text(named))",
      example: item.example?.text, suggestion: page.map { "page: \($0)" }, replacement: page, isGuess: true)
  }

  private func selector(_ item: CaptureSurvey.Item, _ rule: SelectionRule) -> ElementSelector? {
    item.isSelector ? rule.clauses[item.clause].selectors[item.number] : nil
  }

  /// Reports selectors that match only elements for which no SDK sends events.
  private mutating func checkTracking(_ rule: SelectionRule, _ items: ArraySlice<CaptureSurvey.Item>) {
    for item in items where item.isSelector && item.count > 0 && !item.isTracked {
      let clause = rule.clauses[item.clause]
      guard let (occurrence, around) = item.untracked, EventNames.withoutElement(clause.event).isEmpty else { continue }
      let selector = clause.selectors[item.number]
      let better = around.flatMap { selector.endingHigher(by: $0.distance) }
      let place = around.map { "; a tap on it is one on the \($0.className) around it" } ?? ""
      add(
        .untrackedElement, rule, part(item),
        "no SDK sends events for \(occurrence.path.components.last?.className ?? "this element")\(place)",
        example: occurrence.text,
        suggestion: better.map { "\($0)" }, replacement: better.map { "\($0)" }, isGuess: true)
    }
  }

  /// Returns why a selector matches nothing.
  private func repair(
    _ item: CaptureSurvey.Item, _ rule: SelectionRule, _ survey: CaptureSurvey, _ loosener: inout SelectorLoosener
  ) -> SelectorRepair? {
    let style = rules.ruleSet.style
    guard ElementPaths.giveReasons(in: style) else { return nil }
    return loosener.repair(rule.clauses[item.clause].selectors[item.number], in: style) {
      rule.asMatched($0)
    } isWanted: { page in
      survey.isAskedFor(page, rule: item.rule, clause: item.clause)
    }
  }

  private mutating func checkMany(_ rule: SelectionRule, _ count: CaptureSurvey.RuleCount) {
    let limit = setting(.matchesMany, of: rule.id)?.limit ?? Self.usualLimit
    guard count.most > limit, let place = count.mostIn else { return }
    add(
      .matchesMany, rule, .id, "the rule matches \(count.most) elements of \(place.capture), more than \(limit)",
      example: place.text)
  }

  /// Reports clauses without a page that match elements on pages other than the page in the rule's id or name.
  private mutating func checkPages(_ rule: SelectionRule, _ items: ArraySlice<CaptureSurvey.Item>) {
    let words = PageWords(of: rule)
    for item in items where item.isSelector && rule.clauses[item.clause].page == nil && item.pages.count > 1 {
      let known = item.pages.keys.compactMap { $0 }
      let meant = known.filter { words.speak(of: $0) }.sorted()
      guard meant.count == 1 else { continue }
      let others = known.filter { !words.speak(of: $0) }.map(\.text).sorted()
      guard !others.isEmpty else { continue }
      add(
        .otherPages, rule, part(item),
        "the rule is named after \(meant[0]), but the selector also matches elements of other pages: \(NameList.text(others))",
        example: item.example?.text, suggestion: "page: \(meant[0])")
    }
  }

  private mutating func checkCollisions(
    _ rule: SelectionRule, _ items: ArraySlice<CaptureSurvey.Item>, _ survey: CaptureSurvey
  ) {
    for item in items where !item.isSelector {
      let reference = rule.clauses[item.clause].eventIDs[item.number]
      guard let collision = survey.collisions[reference.eventID] else { continue }
      add(
        .sharedIdentity, rule, part(item),
        "\(collision.count) elements of \(collision.capture) have this identity: \(collision.reason)",
        example: item.example?.text)
    }
  }

  /// Reports event IDs that identify another element in captures of a later version of the app.
  mutating func checkReusedIDs(_ screens: [NamedScreen]) {
    let clauses = rules.ruleSet.rules.filter(\.isEnabled).map { rule in (rule, rule.clauses) }
    let ids = Set(clauses.flatMap { $1.flatMap { $0.eventIDs.map(\.eventID) } })
    guard !ids.isEmpty else { return }
    let reused = Dictionary(grouping: ReusedID.find(in: screens, ids: ids), by: \.eventID)
    for (rule, clauses) in clauses {
      for (i, clause) in clauses.enumerated() {
        for (j, reference) in clause.eventIDs.enumerated() {
          guard let first = reused[reference.eventID]?.first else { continue }
          let fate = first.movedTo.map { "which is element \($0) there" } ?? "which is gone there"
          add(
            .reusedID, rule, .element(.clauses, i, j),
            "in version \(first.now.version) the event ID means another element, \(first.now.title); in "
              + "\(first.before.version) it was \(first.before.title), \(fate)",
            example: "\(first.now.capture) element \(first.now.element)")
        }
      }
    }
  }
}

/// The words of a rule's id and name.
private struct PageWords {
  private let words: Set<String>

  init(of rule: SelectionRule) { words = Set(Self.split(rule.id.text) + Self.split(rule.name ?? "")) }

  /// Returns whether the words name a page: all words of its class, except words that are common in class names of
  /// pages.
  func speak(of page: UTF8String) -> Bool {
    let all = Self.split(page.text)
    let own = all.filter { !Self.common.contains($0) }
    return !own.isEmpty && own.allSatisfy { words.contains($0) }
  }

  private static let common: Set<String> = [
    "view", "controller", "vc", "page", "screen", "activity", "fragment", "base", "ui",
  ]

  /// Returns the words of a text in lower case; a capital after a small letter begins a word.
  private static func split(_ text: String) -> [String] {
    var result: [String] = []
    var word = ""
    var wasLower = false
    for scalar in text.unicodeScalars {
      let isLetter = scalar.isASCII && scalar.properties.isAlphabetic
      let isUpper = isLetter && scalar.properties.isUppercase
      if !isLetter || (isUpper && wasLower) {
        if !word.isEmpty { result.append(word) }
        word = ""
      }
      if isLetter { word += scalar.properties.lowercaseMapping }
      wasLower = isLetter && !isUpper
    }
    if !word.isEmpty { result.append(word) }
    return result
  }
}

extension SelectorRepair {
  /// Returns whether the selector differs from `other` only in the notation of its locators, so that the correction is certain. A
  /// selector with other classes, steps or numbers may be meant for a screen, or rows of a list, that no capture shows.
  fileprivate func isCertain(for other: ElementSelector?) -> Bool {
    guard let selector, let other, !changesNumber else { return false }
    // Other SDKs write locators in brackets.
    if "\(other)".utf8.contains(UInt8(ascii: "[")) { return true }
    guard selector.steps.count == other.steps.count, selector.isAnchored == other.isAnchored else { return false }
    return zip(selector.steps, other.steps).allSatisfy { a, b in
      switch (a, b) {
      case (.recursiveWildcard, .recursiveWildcard): true
      case (.component(let a, _), .component(let b, _)): a == b
      default: false
      }
    }
  }
}
