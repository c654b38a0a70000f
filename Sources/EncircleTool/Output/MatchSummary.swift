import EncircleRules
import EncircleText

/// Counts events by their decision. Each record that was read is exactly one of selected, excluded, unresolved, not
/// selected and rejected.
struct MatchSummary: Sendable {
  private(set) var selected = 0
  /// The number of events that are not selected because an exclude rule or an excluded page matches.
  private(set) var excluded = 0
  /// The number of other events that are not selected and whose event ID is unknown or whose path cannot be read.
  private(set) var unresolved = 0
  /// The number of other events that are not selected.
  private(set) var notSelected = 0
  private(set) var rejected = 0
  private var ambiguous = 0
  // For each rule, by its number, how often it matched, and how often events were selected under its name. If several
  // rules have a name, it is counted at one of them.
  private var matched: [Int]
  private var emitted: [Int]
  private var byPage: [UTF8String: Int] = [:]

  init(ruleCount: Int) {
    matched = [Int](repeating: 0, count: ruleCount)
    emitted = matched
  }

  /// The number of records that were read.
  var read: Int { selected + excluded + unresolved + notSelected + rejected }

  /// Counts an event.
  ///
  /// - Parameters:
  ///   - rules: The numbers of the rules that match.
  ///   - pages: The numbers of the excluded pages that the event is on.
  mutating func count(
    isSelected: Bool, _ rules: UnsafeBufferPointer<UInt32>, pages: [Int], _ names: [DecisionText.EmitName],
    resolution: Decision.Resolution, _ matcher: borrowing Matcher
  ) {
    var isExcluded = !pages.isEmpty
    for rule in rules {
      matched[Int(rule)] += 1
      if !isSelected, !isExcluded, matcher.isExclude(Int(rule)) { isExcluded = true }
    }
    for name in names { emitted[Int(name.rule)] += 1 }
    if isSelected {
      selected += 1
    } else if isExcluded {
      excluded += 1
    } else if resolution == .unresolved {
      unresolved += 1
    } else {
      notSelected += 1
    }
    if resolution == .ambiguous { ambiguous += 1 }
    if !pages.isEmpty { for page in matcher.excludedPageNames(pages) { byPage[page, default: 0] += 1 } }
  }

  mutating func countRejection() { rejected += 1 }

  /// Adds the counts of another summary for the same rules.
  mutating func add(_ other: MatchSummary) {
    selected += other.selected
    excluded += other.excluded
    unresolved += other.unresolved
    notSelected += other.notSelected
    rejected += other.rejected
    ambiguous += other.ambiguous
    for i in matched.indices {
      matched[i] += other.matched[i]
      emitted[i] += other.emitted[i]
    }
    byPage.merge(other.byPage, uniquingKeysWith: +)
  }

  /// The counts as lines.
  func text(_ matcher: borrowing Matcher) -> String {
    var lines = [
      "read \(read) = selected \(selected) + excluded \(excluded) + unresolved \(unresolved) "
        + "+ not selected \(notSelected) + rejected \(rejected)"
    ]
    if ambiguous > 0 { lines.append("\(ambiguous) with an ambiguous path") }
    var includes: [UTF8String: Int] = [:]
    var excludes: [UTF8String: Int] = [:]
    var names: [UTF8String: Int] = [:]
    for rule in matched.indices where matched[rule] > 0 {
      if matcher.isExclude(rule) {
        excludes[matcher.ruleID(rule)] = matched[rule]
      } else {
        includes[matcher.ruleID(rule)] = matched[rule]
      }
    }
    for rule in emitted.indices where emitted[rule] > 0 {
      names[UTF8String(String(decoding: matcher.emitBytes(ofRule: rule), as: UTF8.self)), default: 0] += emitted[rule]
    }
    func add(_ title: String, _ counts: [UTF8String: Int]) {
      guard !counts.isEmpty else { return }
      lines.append("\(title):")
      for (name, count) in counts.sorted(by: { $0.key < $1.key }) { lines.append("  \(name)  \(count)") }
    }
    add("matched by include rules", includes)
    add("matched by exclude rules", excludes)
    add("on excluded pages", byPage)
    add("selected as", names)
    // Lines are escaped one by one, so that no name can add a line.
    return lines.map { VisibleText.escaping($0) }.joined(separator: "\n")
  }
}
