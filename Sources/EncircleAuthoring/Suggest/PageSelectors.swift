import EncircleIdentity
import EncircleRules
import EncircleText

/// Makes CSS selectors for an element of a web page from all facts in its events. Names that seem to be given by people come
/// before places, and places before names that tools generate.
struct PageSelectors {
  private typealias Step = ElementSelector.Step
  private typealias PageTest = ElementSelector.PageTest

  private let path: [WebFacts]
  /// The components that are rows of lists, by their number in the path: their places are left out where any row will do.
  private let rows: Set<Int>

  private static let maximumAnchors = 6
  private static let maximumClasses = 4
  private static let maximumAttributes = 4
  private static let longestValue = 80

  /// - Parameter path: The elements from the outermost one that events name down to the element.
  init(_ path: [WebFacts], rows: Set<Int> = []) {
    self.path = path
    self.rows = rows
  }

  /// All candidates, best first, without duplicates.
  ///
  /// - Complexity: O(depth + attributes), at most some hundred candidates.
  var candidates: [ElementSelector] {
    guard let last = path.last else { return [] }
    var result: [ElementSelector] = []
    var seen: Set<ElementSelector> = []
    func add(_ steps: [Step]) {
      let selector = ElementSelector(isAnchored: false, steps: steps, isCSS: true)
      if seen.insert(selector).inserted { result.append(selector) }
    }
    let strong = Self.namedSteps(last)
    let tag = Self.step(last, [])
    let placed = last.nthOfType.map { Self.step(last, [.nthOfType($0)]) }
    for step in strong { add([step]) }
    let anchors = anchors
    for (level, anchor) in anchors {
      for step in strong + [tag] {
        add(level == path.count - 2 ? [anchor, step] : [anchor, .recursiveWildcard, step])
      }
    }
    // Events may number the rows around the element.
    for row in rows.sorted(by: >) where row < path.count - 1 {
      guard let number = path[row].nthOfType else { continue }
      let step = Self.step(path[row], [.nthOfType(number)])
      for own in strong + [tag] + (placed.map { [$0] } ?? []) {
        for (level, anchor) in anchors where level < row {
          add([anchor, .recursiveWildcard, step, .recursiveWildcard, own])
        }
      }
    }
    for (level, anchor) in anchors {
      for isPlaced in [false, true] {
        for keepsRows in isPlaced ? [false, true] : [false] {
          add([anchor] + steps(below: level, isPlaced: isPlaced, keepsRows: keepsRows))
        }
      }
      if let placed { add(level == path.count - 2 ? [anchor, placed] : [anchor, .recursiveWildcard, placed]) }
    }
    add([tag])
    for isPlaced in [false, true] {
      for keepsRows in isPlaced ? [false, true] : [false] {
        add(steps(below: -1, isPlaced: isPlaced, keepsRows: keepsRows))
      }
    }
    return result
  }

  /// The selector of the whole path, with every place.
  var exact: ElementSelector {
    ElementSelector(isAnchored: false, steps: steps(below: -1, isPlaced: true, keepsRows: true), isCSS: true)
  }

  /// Returns the selector of a whole path, with all places except the places of rows. The tag of a surrounding element decides
  /// whether it may be one of several rows; an element that people have named is not a row.
  static func inAnyRow(_ path: [WebFacts]) -> ElementSelector {
    let rows = path.indices.filter { i in
      let tag = UTF8String(path[i].tag)
      let isNamed = path[i].id.map { PageName(ofValue: UTF8String($0)) == .people } ?? false
      return !isNamed && (isRow(tag) || i < path.count - 1 && isBlock(tag))
    }
    let steps = PageSelectors(path, rows: Set(rows)).steps(below: -1, isPlaced: true, keepsRows: false)
    return ElementSelector(isAnchored: false, steps: steps, isCSS: true)
  }

  /// Returns whether an element is a row of a list by its tag.
  static func isRow(_ tag: UTF8String) -> Bool { tag == "li" || tag == "tr" }

  /// Returns whether an element is of another tag that rows of lists have.
  static func isBlock(_ tag: UTF8String) -> Bool {
    ["div", "article", "section", "dd", "a", "figure", "tbody", "td"].contains(tag)
  }

  /// Returns the steps below a component down to the element; each is a direct child of the one before.
  private func steps(below level: Int, isPlaced: Bool, keepsRows: Bool) -> [Step] {
    (level + 1..<path.count).map { i in
      var tests: [PageTest] = []
      let facts = path[i]
      // The first component of a path is found by its id.
      if i == 0, let id = facts.id { tests.append(.id(UTF8String(id))) }
      if tests.isEmpty, isPlaced, keepsRows || !rows.contains(i), facts.tag != "body", let number = facts.nthOfType {
        tests.append(.nthOfType(number))
      }
      return Self.step(facts, tests)
    }
  }

  /// The components around the element that have a distinctive name, with a step for each such name; the nearest first.
  private var anchors: [(level: Int, step: Step)] {
    var result: [(level: Int, step: Step)] = []
    for level in path.indices.dropLast().reversed() where result.count < Self.maximumAnchors {
      for step in Self.namedSteps(path[level]).prefix(2) { result.append((level, step)) }
    }
    return result
  }

  private static func step(_ facts: WebFacts, _ tests: [PageTest]) -> Step {
    // If an event has only a selector, the tag of an element with an id is not known.
    let pattern: ElementSelector.ClassPattern = facts.tag == "*" ? .any : .name(UTF8String(facts.tag))
    return .component(pattern, tests.isEmpty ? nil : .conditions(tests))
  }

  // MARK: - Names

  /// Returns steps with names that people seem to have given an element, the best first.
  private static func namedSteps(_ facts: WebFacts) -> [Step] {
    var steps: [Step] = []
    if let id = facts.id.map({ UTF8String($0) }), PageName(ofValue: id) == .people {
      steps.append(.component(.any, .conditions([.id(id)])))
    }
    let attributes = facts.attributes.compactMap { name, value -> (rank: Int, name: UTF8String, value: UTF8String)? in
      guard let rank = rank(ofAttribute: name), value.utf8.count <= longestValue else { return nil }
      let value = UTF8String(value)
      if !value.text.isEmpty, name != "href", PageName(ofValue: value) != .people { return nil }
      return (rank, name, value)
    }.sorted { ($0.rank, $0.name) < ($1.rank, $1.name) }
    for (_, name, value) in attributes.prefix(maximumAttributes) {
      steps.append(step(facts, [value.text.isEmpty ? .hasAttribute(name) : .attribute(name, value)]))
    }
    let classes = (facts.classes ?? []).map { UTF8String($0) }.filter { PageName(ofClass: $0) == .people }.prefix(
      maximumClasses)
    if classes.count > 1 { steps.append(step(facts, classes.map { .hasClass($0) })) }
    for name in classes { steps.append(step(facts, [.hasClass(name)])) }
    return steps
  }

  /// Returns the rank of an attribute for naming an element, 0 being the best; nil for an attribute that is not stable.
  private static func rank(ofAttribute name: UTF8String) -> Int? {
    if testAttributes.contains(name) { return 0 }
    if PageName.isFrameworks(attribute: name) { return nil }
    if name.text.beginsWithBytes(of: "data-") { return 1 }
    switch name {
    case "name": return 2
    case "aria-label": return 4
    case "href": return 3
    case "role", "type": return 5
    default: return nil
    }
  }

  private static let testAttributes: Set<UTF8String> = [
    "data-testid", "data-test-id", "data-test", "data-qa", "data-cy", "data-track", "data-track-id", "data-attr",
    "data-action",
  ]
}
