import EncircleIdentity
import EncircleRules
import EncircleText
import EncircleTree

extension AnchorFile {
  /// Makes anchors of screens on which rules select something. On each platform, each rule gets the first such screen that is
  /// already the anchor of another rule, or else the first such screen. Web pages are left out.
  ///
  /// - Parameter screens: The captures.
  /// - Returns: The anchors, and the rules that select nothing on any screen, in the order of the set.
  /// - Complexity: O(elements + rules × screens).
  public static func anchors(
    of ruleSet: RuleSet, on screens: [NamedScreen]
  ) -> (file: AnchorFile, without: [UTF8String]) {
    let selections = RuleSelections(of: ruleSet, on: screens.map(\.screen))
    var places: [Int: [UTF8String]] = [:]
    var without: [UTF8String] = []
    for rule in ruleSet.rules {
      let found = Set((selections.elements[rule.id] ?? []).map(\.pair)).filter { Anchor.canHold(screens[$0].screen) }
        .sorted()
      if found.isEmpty { without.append(rule.id) }
      for own in Dictionary(grouping: found, by: { screens[$0].screen.tree.isAndroid }).values {
        let place = own.first { places[$0] != nil } ?? own[0]
        places[place, default: []].append(rule.id)
      }
    }
    let anchors = places.sorted { $0.key < $1.key }.map { Anchor(of: screens[$0.key], rules: $0.value) }
    return (AnchorFile(anchors), without)
  }
}
