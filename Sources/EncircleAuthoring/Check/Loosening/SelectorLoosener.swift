import EncircleIdentity
import EncircleRules
import EncircleText
import EncircleTree

/// Finds out why selectors match nothing, by changing one thing at a time.
package struct SelectorLoosener {
  var search: PathSearch
  private var pageVocabulary: PageVocabulary
  let hierarchy: ClassHierarchy
  let known: Set<UTF8String>
  var nearest: NearestNames
  // A subclass of each class that was asked for.
  var subclasses: [UTF8String: UTF8String?] = [:]
  // The work that is left for all selectors, and the most for one of them, in components that are visited.
  private static let maximumSteps = 50_000_000
  private static let maximumOfOne = 3_000_000
  // A selector with more mistakes is not mistyped; it is meant for another screen.
  private static let maximumChanges = 3

  /// Prepares a search.
  ///
  /// - Parameter paths: The paths of the elements that selectors are to match.
  package init(_ paths: ElementPaths, hierarchy: ClassHierarchy) {
    search = PathSearch(paths, hierarchy: hierarchy, steps: Self.maximumSteps)
    pageVocabulary = paths.pageVocabulary
    self.hierarchy = hierarchy
    known = Set(paths.classes)
    nearest = NearestNames(among: known, isComplete: true)
  }

  /// Returns the classes that a selector names and no path has, each with the classes that are most like it, at most three.
  ///
  /// - Complexity: O(classes × length²) for each of a few classes.
  package func unknownClasses(of selector: ElementSelector) -> [(name: String, near: [String])] {
    var result: [(name: String, near: [String])] = []
    for case .component(let pattern, _) in selector.steps where result.count < 3 {
      guard case .name(let name) = pattern, !known.contains(name) else { continue }
      let word = name.text.lowercased()
      func contains(_ other: String) -> Bool {
        let other = other.lowercased()
        return word.utf8.count > 2
          && (other.containsBytes(of: word) || (other.utf8.count > 4 && word.containsBytes(of: other)))
      }
      var near = search.paths.classes.map(\.text).filter(contains).sorted { $0.utf8.count < $1.utf8.count }
      if let first = Diagnostic.nearest(to: name.text, among: known.sorted().map(\.text)) {
        near = [first] + near.filter { !$0.hasSameBytes(as: first) }
      }
      result.append((name.text, Array(near.prefix(3))))
    }
    return result
  }

  /// A selector that is better than the one before it, and why.
  struct Correction {
    let selector: ElementSelector
    let reason: String
    var isVague = false
    var changesNumber = false
  }

  /// Returns why a selector matches nothing.
  ///
  /// - Parameters:
  ///   - style: The style of the paths. The repaired selector is one that a rule of this style can contain as it is printed.
  ///   - reading: Returns the selector in the form to try, for example with any row.
  ///   - isWanted: Returns whether the rule may match on a page; nil is an unknown page.
  /// - Complexity: bounded, whatever the selector and the paths.
  package mutating func repair(
    _ selector: ElementSelector, in style: PathStyleName, reading: (ElementSelector) -> ElementSelector = { $0 },
    isWanted: (UTF8String?) -> Bool = { _ in true }
  ) -> SelectorRepair {
    if style.isWeb { return SelectorRepair(reasons: pageVocabulary.reason(selector).map { [$0] } ?? []) }
    var result = SelectorRepair(reasons: [])
    guard selector.steps.count <= PathSearch.maximumSteps, search.steps > 0 else { return result }
    let end = search.steps - Self.maximumOfOne
    func isSpent() -> Bool { search.steps < max(0, end) }
    func score(_ selector: ElementSelector, _ reach: Int) -> Int {
      selector.steps.suffix(reach).count { $0 != .recursiveWildcard }
    }
    let first = search.find(reading(selector), isTrial: true)
    if first.reach > 0, first.reach < selector.steps.count {
      result.matchingEnd = ElementSelector(isAnchored: false, steps: Array(selector.steps.suffix(first.reach)))
      result.endExample = first.nearest.map { search.paths.text(of: $0) }
    }
    // Signs and classes that no path has are corrected before anything else is tried.
    var current = selector
    if let plain = withOtherSigns(current, style) {
      current = plain.selector
      result.reasons.append(plain.reason)
    }
    if let spelt = withKnownClasses(current) {
      current = spelt.selector
      result.reasons.append(spelt.reason)
    }
    var isVague = false
    var reach = score(
      current, result.reasons.isEmpty ? first.reach : search.find(reading(current), isTrial: true).reach)
    while !isSpent() {
      if !result.reasons.isEmpty {
        let found = search.find(reading(current))
        if !found.nodes.isEmpty {
          result.count = found.count
          let node = found.nodes.first { search.paths.pages(of: $0).contains(where: isWanted) } ?? found.nodes[0]
          result.example = search.paths.text(of: node)
          if !isVague, style == .hubbleData || current.isReadAsWritten(in: style) { result.selector = current }
          return result
        }
      }
      // A change repairs at most one step.
      guard result.reasons.count + max(1, impossibleSteps(of: current)) <= Self.maximumChanges else { break }
      var best: (correction: Correction, score: Int)?
      var matching: Correction?
      func look(_ changes: [Change], of base: ElementSelector, besides gap: Change? = nil) {
        var base = base
        for change in changes where !isSpent() {
          let isOnWantedPage = change.trying(on: &base) { selector in
            func correction() -> Correction {
              let reason = change.reason() + (gap.map { "; \($0.reason())" } ?? "")
              return Correction(
                selector: selector, reason: reason, isVague: change.isVague, changesNumber: change.changesNumber)
            }
            let tried = search.find(reading(selector), isTrial: true)
            if tried.nodes.isEmpty {
              let score = score(selector, tried.reach)
              if score > max(reach, best?.score ?? 0) { best = (correction(), score) }
              return false
            }
            let isOnWantedPage = tried.nodes.contains { search.paths.pages(of: $0).contains(where: isWanted) }
            if isOnWantedPage || matching == nil { matching = correction() }
            return isOnWantedPage
          }
          if isOnWantedPage { return }
        }
      }
      look(changes(of: current, reading), of: current)
      if matching == nil, best == nil {
        // The selector may also leave out a view in between.
        for gap in gapChanges(of: current) where matching == nil && !isSpent() {
          let wider = gap.trying(on: &current) { $0 }
          look(changes(of: wider, reading).filter { !$0.isVague }, of: wider, besides: gap)
        }
      }
      if matching == nil, best == nil { look(removals(of: current), of: current) }
      guard let correction = matching ?? best?.correction else { break }
      current = correction.selector
      isVague = isVague || correction.isVague
      result.changesNumber = result.changesNumber || correction.changesNumber
      result.reasons.append(correction.reason)
      reach = best?.score ?? reach
    }
    // The repair is incomplete, so its reasons would explain nothing.
    result.reasons = []
    return result
  }
}
