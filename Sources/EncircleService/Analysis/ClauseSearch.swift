import EncircleIdentity
import EncircleRules
import EncircleText

/// What rules select of the elements of all stored captures.
struct ClauseSearch {
  /// The elements of one capture that one rule selects.
  struct Match {
    let screen: ScreenTaps
    /// Entries of the capture's elements, in pre-order; not empty.
    var entries: [Int]

    var elements: [Int] { entries.map { Int(screen.elements[$0]) } }
  }

  /// For each rule, what it selects; captures with the newest first.
  private(set) var matches: [[Match]]
  private let matcher: Matcher
  private let snapshot: TapIndex.Snapshot

  /// - Parameter rules: At most 10,000. Their ids are not used.
  /// - Throws: ``ServiceError`` when the request has had its share of work.
  /// - Complexity: O(elements of all captures), for what events cost the matcher.
  init(
    _ rules: [SelectionRule], _ settings: RuleSettings, _ snapshot: TapIndex.Snapshot
  ) throws {
    let matcher = ClauseSearch.matcher(rules, settings, snapshot.dictionary)
    let numbers = ClauseSearch.numbers(matcher, count: rules.count)
    self.matcher = matcher
    self.snapshot = snapshot
    var matches = Array(repeating: [Match](), count: rules.count)
    var decider = Decider(matcher)
    for screen in snapshot.screens {
      try WorkBudget.check()
      try screen.forEach { entry, json in
        if entry % 256 == 255 { try WorkBudget.check() }
        // It is our own JSON.
        guard (try? decider.selects(json: json)) ?? false else { return }
        for number in decider.matchedRules {
          let rule = numbers[number]
          if matches[rule].last?.screen.id == screen.id {
            matches[rule][matches[rule].count - 1].entries.append(entry)
          } else {
            matches[rule].append(Match(screen: screen, entries: [entry]))
          }
        }
      }
    }
    self.matches = matches
  }

  /// The number of elements that a rule selects.
  func total(_ rule: Int) -> Int { matches[rule].reduce(0) { $0 + $1.entries.count } }

  /// The elements of one capture that a rule selects, in pre-order.
  func elements(_ rule: Int, of capture: String) -> [Int] {
    matches[rule].first { $0.screen.id == capture }?.elements ?? []
  }

  /// The elements of one capture that each rule selects.
  static func elements(
    of screen: ScreenTaps, _ rules: [SelectionRule], _ settings: RuleSettings, _ dictionary: ElementDictionary
  ) throws -> [[Int]] {
    let one = TapIndex.Snapshot(screens: [screen], dictionary: dictionary)
    let search = try ClauseSearch(rules, settings, one)
    return rules.indices.map { search.elements($0, of: screen.id) }
  }

  private static func matcher(
    _ rules: [SelectionRule], _ settings: RuleSettings, _ dictionary: ElementDictionary
  ) -> Matcher {
    settings.matcher(
      of: rules.enumerated().map { i, rule in
        var rule = rule
        rule.id = Self.id(i)
        return rule
      }, dictionary)
  }

  private static func id(_ number: Int) -> UTF8String { UTF8String(String(10_000 + number)) }

  /// For each number of a rule in the matcher, the index of the rule.
  private static func numbers(_ matcher: Matcher, count: Int) -> [Int] {
    (0..<count).map { Int(matcher.ruleID($0).text).map { $0 - 10_000 } ?? 0 }
  }
}
