import EncircleIdentity
import EncircleRules
import EncircleTree

/// The elements that rules select in all stored captures.
package struct ScreenSearch {
  /// The elements of one capture that one rule selects.
  package struct Match {
    package let screen: IndexedScreen
    /// Entries of the capture's elements, in pre-order; not empty.
    package fileprivate(set) var entries: [Int]

    package var elements: [ElementID] { entries.map { screen.events.elements[$0] } }
  }

  /// For each rule, its matches, newest captures first.
  package private(set) var matches: [[Match]]

  /// - Parameter check: Called now and then; an error ends the search.
  /// - Complexity: O(elements of all captures), with the decision of one event for each.
  package init(
    _ rules: [SelectionRule], _ settings: SelectionSettings, _ snapshot: ScreenIndex.Snapshot,
    check: () throws -> Void
  ) throws {
    var matches = Array(repeating: [Match](), count: rules.count)
    var finder = RuleSearch(rules, settings, snapshot.dictionary).finder()
    for screen in snapshot.screens {
      try check()
      try finder.forEachMatch(in: screen.events, check: check) { entry, rule in
        if matches[rule].last?.screen.id == screen.id {
          matches[rule][matches[rule].count - 1].entries.append(entry)
        } else {
          matches[rule].append(Match(screen: screen, entries: [entry]))
        }
      }
    }
    self.matches = matches
  }

  /// Returns the number of elements that a rule selects.
  package func total(_ rule: Int) -> Int { matches[rule].reduce(0) { $0 + $1.entries.count } }

  /// Returns the elements of one capture that a rule selects, in pre-order.
  package func elements(_ rule: Int, of capture: String) -> [ElementID] {
    matches[rule].first { $0.screen.id == capture }?.elements ?? []
  }
}
