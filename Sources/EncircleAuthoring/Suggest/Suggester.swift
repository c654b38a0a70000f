import EncircleIdentity
import EncircleRules
import EncircleText
import EncircleTree

/// Suggests selectors for elements of a capture.
///
/// ```swift
/// let suggester = Suggester(screen)
/// for suggestion in suggester.suggestions(for: ElementID(17)) { print(suggestion.selector, suggestion.stability.score) }
/// ```
///
/// A selector with a free row selects the element in every row of its list. It counts as unique if all elements that it
/// selects have the element's path except for that row: they are of the *same kind*. If another element has the same
/// path and page, only other values of its events can distinguish the two.
public final class Suggester: Sendable {
  let index: ElementIndex
  let contents: ElementContents
  // The origin of each class, by its number.
  let origins: [ClassOrigin]
  private let originsByName: [UTF8String: ClassOrigin]
  // For each class, whether its elements are places that people would name, such as a bar or a list.
  let isRegion: [Bool]
  /// This is true if the capture has actions of controls, so that identities of bar items agree with events.
  let hasActions: Bool

  /// Prepares a capture.
  ///
  /// - Complexity: O(elements).
  public init(_ screen: IdentifiedTree) {
    let hierarchy = ClassHierarchy(of: screen)
    index = ElementIndex(screen, hierarchy: hierarchy)
    contents = ElementContents(of: screen)
    hasActions = screen.hasActions
    var origins: [ClassOrigin] = []
    var originsByName: [UTF8String: ClassOrigin] = [:]
    var isRegion: [Bool] = []
    let classCount = (index.classes.max() ?? -1) + 1
    for number in 0..<classCount {
      // The classes of controllers have no elements.
      guard let element = index.elements(ofClass: number).first.map({ ElementID(rawValue: $0) }) else {
        origins.append(.app)
        isRegion.append(false)
        continue
      }
      let name = UTF8String(screen.className(of: element))
      let origin = ClassOrigin(of: name, in: hierarchy)
      origins.append(origin)
      originsByName[name] = origin
      isRegion.append(origin == .app || (origin == .framework && !ClassOrigin.isPlain(name)))
    }
    self.origins = origins
    self.originsByName = originsByName
    self.isRegion = isRegion
  }

  /// Returns the origin of a class, which need not be in the capture.
  func origin(of name: UTF8String) -> ClassOrigin {
    originsByName[name] ?? ClassOrigin(of: name, in: index.hierarchy)
  }

  /// Returns selectors for an element, the best first.
  ///
  /// Suggestions that are unique in the capture come first, and among these the more stable ones. An option of an alert is named by
  /// the texts of alert and option, an item of a bar by its actions, text or identity rather than by its place. If the best has a
  /// free row, the second has the row of the element. If the best is not unique, no rule can distinguish the element from others.
  ///
  /// - Parameters:
  ///   - element: An element of the capture.
  ///   - limit: The maximum number of suggestions.
  ///   - withTexts: True if a button is also named by its text if its place is enough, for trials in other captures.
  /// - Returns: At least one suggestion, unless the path is too long for a selector.
  /// - Complexity: O(elements of the class × depth) at worst; in practice a few times O(elements of the class).
  public func suggestions(for element: ElementID, limit: Int = 5, withTexts: Bool = false) -> [Suggestion] {
    let target = Target(element, in: self)
    var found = suggestions(for: target, target.proofs)
    // Two options of one alert may have the same text.
    if found.isEmpty { found = suggestions(for: target, Proof.byPlace(element, Array(target.twins).sorted(), self)) }
    if target.cellLevel == nil,
      found.allSatisfy({ $0.isUnique && $0.evidence.isEmpty && (withTexts || $0.stability.isBroad) })
    {
      let name = nameOfButton(element)
      if !name.isEmpty {
        found += suggestions(
          for: target, [Proof(needsPage: false, evidence: name, rest: [element.rawValue], isDistinctive: true)])
      }
    }
    let sorted = found.stablySorted {
      [$0.isUnique ? 0 : 1, $0.stability.penalty, namesApp($0.selector) ? 0 : 1, $0.selector.steps.count]
    }
    return Array(Self.order(sorted).map { sorted[$0] }.prefix(max(0, limit)))
  }

  private func suggestions(for target: Target, _ proofs: [Proof]) -> [Suggestion] {
    proofs.flatMap { proof in
      var search = CandidateSearch(target, proof, in: self)
      return search.suggestions()
    }
  }

  /// Returns whether a selector names a class of the app, for the element or one around it.
  private func namesApp(_ selector: ElementSelector) -> Bool {
    selector.steps.contains { step in
      if case .component(.name(let name), _) = step { origin(of: name) == .app } else { false }
    }
  }

  /// Returns the numbers of suggestions, the best first, with the best one without free row in the second place if the first has a
  /// free row.
  static func order(_ sorted: [Suggestion]) -> [Int] {
    var result = Array(sorted.indices)
    if let first = sorted.first, case .kind = first.uniqueness,
      let exact = sorted.firstIndex(where: { $0.uniqueness == .element })
    {
      result.insert(result.remove(at: exact), at: 1)
    }
    // A suggestion that needs captures comes right after the first one that selects only the element without captures.
    if let around = result.firstIndex(where: { sorted[$0].needsCaptures }),
      let exact = result.firstIndex(where: { sorted[$0].uniqueness == .element && !sorted[$0].needsCaptures }),
      around != exact + 1
    {
      let number = result.remove(at: around)
      result.insert(number, at: around < exact ? exact : exact + 1)
    }
    return result
  }
}
