import EncircleRules
import EncircleText

/// Counts events by their decisions. Each record counts as exactly one of selected, excluded, unresolved, not selected and
/// rejected.
struct MatchSummary: Sendable {
  private(set) var selected = 0
  /// The number of events that are not selected because an exclude rule or an excluded page matches.
  private(set) var excluded = 0
  /// The number of other events that are not selected, and that have an unknown event ID or an unreadable path.
  private(set) var unresolved = 0
  /// This is true if some of these have an event ID, rather than an unreadable path.
  private var hasUnknownIDs = false
  /// The number of other events that are not selected.
  private(set) var notSelected = 0
  private(set) var rejected = 0
  /// The number of events whose path has several readings.
  private(set) var ambiguous = 0
  /// The number of events that a rule would probably select, by the rule's id.
  private(set) var approximate: [UTF8String: Int] = [:]
  // For each rule, the number of its matches, and the number of events selected under its name. If several rules emit the same
  // name, only one of them counts its events.
  private var matched: [Int]
  private var emitted: [Int]
  /// The number of events on each excluded page.
  private(set) var byPage: [UTF8String: Int] = [:]
  /// The numbers of events whose element was and was not in the element cache.
  var cacheHits = 0
  var cacheMisses = 0
  /// This is true if events had paths of web pages, which the style of the rules does not read.
  var hasPagePaths = false
  /// This is true if events had their properties in a text, where rules do not find them.
  var hasTextProperties = false
  /// The number of items of grouped events that were not decided.
  var itemsLeftOut = 0
  /// Counts by page, version and hour; nil if they are not requested.
  var counts: SelectionCounts?
  /// The rules that name elements by unknown event IDs, in byte order.
  var unresolvedRules: [UTF8String] = []

  /// The number of events for each name of a rule after its first.
  private var otherNames: [OtherName: Int] = [:]

  private struct OtherName: Hashable {
    let rule: Int
    let number: Int
  }

  /// - Parameter ruleCount: The exclusive upper bound of the matcher's rule numbers.
  init(ruleCount: Int) {
    matched = [Int](repeating: 0, count: ruleCount)
    emitted = matched
  }

  /// The number of records that were read.
  var read: Int { selected + excluded + unresolved + notSelected + rejected }

  /// Counts an event by its decision.
  mutating func count(_ decision: borrowing DecisionRecord, _ matcher: borrowing Matcher) {
    var isExcluded = !decision.pages.isEmpty
    for rule in decision.rules {
      matched[Int(rule)] += 1
      if !decision.isSelected, !isExcluded, matcher.isExclude(Int(rule)) { isExcluded = true }
    }
    for name in decision.names {
      if name.number == 0 {
        emitted[Int(name.rule)] += 1
      } else {
        otherNames[OtherName(rule: Int(name.rule), number: name.number), default: 0] += 1
      }
    }
    if decision.isSelected {
      selected += 1
    } else if isExcluded {
      excluded += 1
    } else if decision.resolution == .unresolved {
      unresolved += 1
      if decision.eventID != nil { hasUnknownIDs = true }
    } else {
      notSelected += 1
    }
    if decision.resolution == .ambiguous { ambiguous += 1 }
    if let found = decision.approximate { approximate[found.rule, default: 0] += 1 }
    if !decision.pages.isEmpty {
      for page in matcher.excludedPageNames(decision.pages) { byPage[page, default: 0] += 1 }
    }
  }

  mutating func countRejection() { rejected += 1 }

  /// Adds the counts of another summary for the same rules.
  mutating func add(_ other: MatchSummary) {
    selected += other.selected
    excluded += other.excluded
    unresolved += other.unresolved
    hasUnknownIDs = hasUnknownIDs || other.hasUnknownIDs
    notSelected += other.notSelected
    rejected += other.rejected
    ambiguous += other.ambiguous
    approximate.merge(other.approximate, uniquingKeysWith: +)
    for i in matched.indices {
      matched[i] += other.matched[i]
      emitted[i] += other.emitted[i]
    }
    otherNames.merge(other.otherNames, uniquingKeysWith: +)
    byPage.merge(other.byPage, uniquingKeysWith: +)
    cacheHits += other.cacheHits
    cacheMisses += other.cacheMisses
    hasPagePaths = hasPagePaths || other.hasPagePaths
    hasTextProperties = hasTextProperties || other.hasTextProperties
    itemsLeftOut += other.itemsLeftOut
    if let others = other.counts {
      if counts == nil { counts = others } else { counts?.add(others) }
    }
  }

  /// Returns the counts as lines.
  func text(_ matcher: borrowing Matcher) -> String {
    var lines = [
      "read \(read) = selected \(selected) + excluded \(excluded) + unresolved \(unresolved) "
        + "+ not selected \(notSelected) + rejected \(rejected)"
    ]
    if ambiguous > 0 { lines.append("\(ambiguous) with an ambiguous path") }
    if hasUnknownIDs, matcher.dictionary.count == 0 {
      lines.append("note: --captures or --dictionary says which elements event IDs stand for")
    }
    if hasPagePaths {
      lines.append(
        "note: some events have paths of web pages, which are read in the styles sensors-web and posthog-web alone")
    }
    if hasTextProperties {
      lines.append("note: some events have properties as a text, in which rules find none: they must be an object")
    }
    if let note = Self.note(ofItemsLeftOut: itemsLeftOut) { lines.append(note) }
    let rules = read > 0 ? ruleCounts(matcher) : []
    func counts(isExclude: Bool) -> [UTF8String: Int] {
      let counted = rules.filter { $0.count > 0 && matcher.isExclude($0.rule) == isExclude }
      return Dictionary(counted.map { (matcher.ruleID($0.rule), $0.count) }) { $1 }
    }
    func add(_ title: String, _ counts: [UTF8String: Int]) {
      guard !counts.isEmpty else { return }
      lines.append("\(title):")
      for (name, count) in counts.sorted(by: { $0.key < $1.key }) { lines.append("  \(name)  \(count)") }
    }
    add("matched by include rules", counts(isExclude: false))
    add("matched by exclude rules", counts(isExclude: true))
    add("on excluded pages", byPage)
    add("selected as", nameCounts(matcher))
    add("approximately, by tolerance", approximate)
    var idle = 0
    var first: [UTF8String] = []
    for rule in rules where rule.count == 0 {
      idle += 1
      if idle <= Self.maximumListed { first.append(matcher.ruleID(rule.rule)) }
    }
    if idle > 0 {
      lines.append("matched nothing (\(idle) of \(rules.count) rules): \(Self.list(first, of: idle))")
    }
    if !unresolvedRules.isEmpty {
      lines.append(
        "never resolved, as nothing known has their event IDs: \(Self.list(unresolvedRules, of: unresolvedRules.count))"
      )
    }
    // Each line is escaped separately, so that no name can add a line.
    return lines.map { VisibleText.escaping($0) }.joined(separator: "\n")
  }

  /// Returns the note that items of grouped events were left out; nil if none was.
  static func note(ofItemsLeftOut count: Int) -> String? {
    guard count > 0 else { return nil }
    let items = counted(count, "item")
    return "note: left out \(items) of grouped events: they must be objects, and their number is limited"
  }

  /// Returns one number for each rule id, with the number of events that the rule matches, in byte order of the ids.
  ///
  /// - Complexity: O(rules) in one style, whose rules are in this order already.
  func ruleCounts(_ matcher: borrowing Matcher) -> [(rule: Int, count: Int)] {
    var rules: [(rule: Int, count: Int)] = []
    rules.reserveCapacity(matched.count)
    for rule in matched.indices { rules.append((rule, matched[rule])) }
    rules.sort { matcher.idBytes(ofRule: $0.rule).lexicographicallyPrecedes(matcher.idBytes(ofRule: $1.rule)) }
    // A rule in several styles has a number for each style.
    var kept = 0
    for (rule, count) in rules {
      if kept > 0, sameBytes(matcher.idBytes(ofRule: rules[kept - 1].rule), matcher.idBytes(ofRule: rule)) {
        rules[kept - 1].count += count
      } else {
        rules[kept] = (rule, count)
        kept += 1
      }
    }
    rules.removeLast(rules.count - kept)
    return rules
  }

  /// Returns the number of events that are selected under each name; names without events are omitted.
  func nameCounts(_ matcher: borrowing Matcher) -> [UTF8String: Int] {
    var names: [UTF8String: Int] = [:]
    for rule in emitted.indices where emitted[rule] > 0 {
      names[matcher.emitNames(ofRule: rule)[0], default: 0] += emitted[rule]
    }
    for (name, count) in otherNames { names[matcher.emitNames(ofRule: name.rule)[name.number], default: 0] += count }
    return names
  }

  // The maximum number of listed ids; --summary has all.
  private static let maximumListed = 10

  static func list(_ ids: [UTF8String], of count: Int) -> String {
    NameList.text(ids.map(\.text), atMost: maximumListed, of: count)
  }
}
