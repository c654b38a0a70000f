import EncircleIdentity
import EncircleRules
import EncircleTree

/// The element that a selector is wanted for: what is above it, and what has the same path.
struct Target {
  let element: ElementID
  /// The element and what is above it, innermost first.
  let trail: [Int32]
  /// By level: the step that matches exactly.
  let steps: [StepPattern]
  /// The level of the innermost cell whose index path is known; the element itself is level 0.
  let cellLevel: Int?
  /// Elements with the same path, itself included, in pre-order.
  let twins: [Int32]
  /// Elements with the same path but for the row of the innermost cell, itself included.
  let kind: Set<Int32>
  /// What tells the element from its twins, in ways of which each is enough.
  let proofs: [Proof]

  init(_ element: ElementID, in suggester: Suggester) {
    let index = suggester.index
    self.element = element
    var trail: [Int32] = []
    var current = element.rawValue
    while current >= 0 {
      trail.append(current)
      current = index.parents[Int(current)]
    }
    self.trail = trail
    let steps = trail.map {
      StepPattern(
        classNumber: index.classes[Int($0)], locator: .exactly(index.screen.locator(of: ElementID(rawValue: $0))))
    }
    self.steps = steps
    cellLevel = steps.firstIndex { $0.locator.freed != nil }
    twins = Self.elements(steps, index)
    if let cellLevel, let freed = steps[cellLevel].locator.freed {
      var free = steps
      free[cellLevel].locator = freed
      kind = Set(Self.elements(free, index))
    } else {
      kind = Set(twins)
    }
    proofs = Proof.all(of: element, among: twins, suggester)
  }

  /// The steps, with a free row if that is wanted.
  func steps(freeingRow: Bool) -> [StepPattern] {
    guard freeingRow, let cellLevel, let freed = steps[cellLevel].locator.freed else { return steps }
    var result = steps
    result[cellLevel].locator = freed
    return result
  }

  private static func elements(_ steps: [StepPattern], _ index: ElementIndex) -> [Int32] {
    var matches = SuffixMatches(steps[0], index)
    for step in steps.dropFirst() { matches.narrow(step) }
    matches.anchor()
    return matches.elements
  }
}

extension LocatorTest {
  /// The test of a cell's section alone; nil for anything but a cell's locator.
  var freed: LocatorTest? {
    switch self {
    case .exactly(.row(let section, _)): .anyRow(section: section)
    case .exactly(.item(let section, _)): .anyItem(section: section)
    default: nil
    }
  }
}

/// What tells an element from those with the same path.
struct Proof {
  /// Whether the page must be tested.
  let needsPage: Bool
  /// What else must be tested.
  let evidence: Suggestion.Evidence?
  /// Those that stay indistinguishable, the element included.
  let rest: Set<Int32>

  /// The ways to tell an element from its twins. If there is none: the page alone, with all that it leaves.
  static func all(of element: ElementID, among twins: [Int32], _ suggester: Suggester) -> [Proof] {
    let alone: Set<Int32> = [element.rawValue]
    if twins.count == 1 { return [Proof(needsPage: false, evidence: nil, rest: alone)] }
    let screen = suggester.index.screen
    let page = screen.page(of: element)
    let onPage = twins.filter { sameText(screen.page(of: ElementID(rawValue: $0)), page) }
    // An event without page is not told from others by a rule, which can only ask for a page that is there.
    if onPage.count == 1, page != nil { return [Proof(needsPage: true, evidence: nil, rest: alone)] }
    let others = page == nil ? twins : onPage
    var proofs: [Proof] = []
    for evidence in suggester.evidence(of: element) {
      func has(_ twin: Int32) -> Bool { suggester.has(evidence, ElementID(rawValue: twin)) }
      guard others.count(where: has) == 1 else { continue }
      proofs.append(Proof(needsPage: page != nil && twins.count(where: has) > 1, evidence: evidence, rest: alone))
    }
    if proofs.isEmpty {
      proofs.append(Proof(needsPage: others.count < twins.count, evidence: nil, rest: Set(others)))
    }
    return proofs
  }
}

extension Suggester {
  /// What events carry of an element beside path and page.
  func evidence(of element: ElementID) -> [Suggestion.Evidence] {
    var result: [Suggestion.Evidence] = []
    if let content = contents.content(of: element), !content.isEmpty { result.append(.content(Name(content))) }
    result.append(.eventID(index.screen.eventID(of: element)))
    if let id = developerID(of: element) { result.append(.developerID(id)) }
    return result
  }

  /// Whether events of an element carry that.
  func has(_ evidence: Suggestion.Evidence, _ element: ElementID) -> Bool {
    switch evidence {
    case .content(let text): contents.content(of: element).map { Name($0) == text } ?? false
    case .eventID(let id): index.screen.eventID(of: element) == id
    case .developerID(let id): developerID(of: element) == id
    }
  }

  private func developerID(of element: ElementID) -> Name? {
    guard !index.screen.holdsTypedText(element), let id = index.screen.tree.value(.identifier, of: element) else {
      return nil
    }
    return id.isEmpty ? nil : Name(id)
  }
}

/// Whether two texts have the same bytes, or are both absent.
func sameText(_ a: String?, _ b: String?) -> Bool {
  switch (a, b) {
  case (nil, nil): true
  case (let a?, let b?): a.utf8.elementsEqual(b.utf8)
  default: false
  }
}
