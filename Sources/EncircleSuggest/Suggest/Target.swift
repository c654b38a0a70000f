import EncircleIdentity
import EncircleRules
import EncircleText
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
  /// Elements with the same path, itself included.
  let twins: Set<Int32>
  /// What of the innermost cell's place can be left open, the narrowest first; empty outside of such cells. What frees no
  /// more elements than another one does is left out.
  let freedoms: [Freedom]
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
    cellLevel = steps.firstIndex { !$0.locator.freed.isEmpty }
    let samePath = Self.elements(steps, index)
    twins = Set(samePath)
    var freedoms: [Freedom] = []
    for locator in cellLevel.map({ steps[$0].locator.freed }) ?? [] {
      var free = steps
      free[cellLevel ?? 0].locator = locator
      let kind = Set(Self.elements(free, index))
      if kind.count > freedoms.last?.kind.count ?? 0 { freedoms.append(Freedom(steps: free, kind: kind)) }
    }
    self.freedoms = freedoms
    proofs = Proof.all(of: element, among: samePath, suggester)
  }

  /// The path with a free row.
  struct Freedom {
    let steps: [StepPattern]
    /// The elements with that path, those with the element's own path included.
    let kind: Set<Int32>
  }

  private static func elements(_ steps: [StepPattern], _ index: ElementIndex) -> [Int32] {
    var matches = SuffixMatches(steps[0], index)
    for step in steps.dropFirst() { matches.narrow(step) }
    matches.anchor()
    return matches.elements
  }
}

extension LocatorTest {
  /// For a cell's locator, the tests of its section alone and of nothing but that it is a cell's; empty for others.
  var freed: [LocatorTest] {
    switch self {
    case .exactly(.row(let section, _)): [.anyRow(section: section), .anyRow(section: nil)]
    case .exactly(.item(let section, _)): [.anyItem(section: section), .anyItem(section: nil)]
    default: []
    }
  }
}

/// What tells an element from those with the same path.
struct Proof {
  /// Whether the page must be tested.
  let needsPage: Bool
  /// What else must be tested.
  let evidence: [Suggestion.Evidence]
  /// Those that stay indistinguishable, the element included.
  let rest: Set<Int32>

  /// The ways to tell an element from its twins. If there is none: the page alone, with all that it leaves.
  static func all(of element: ElementID, among twins: [Int32], _ suggester: Suggester) -> [Proof] {
    let alone: Set<Int32> = [element.rawValue]
    if twins.count == 1 { return [Proof(needsPage: false, evidence: [], rest: alone)] }
    let screen = suggester.index.screen
    let page = screen.page(of: element)
    let onPage = twins.filter { sameText(screen.page(of: ElementID(rawValue: $0)), page) }
    // An event without page is not told from others by a rule, which can only ask for a page that is there.
    if onPage.count == 1, page != nil { return [Proof(needsPage: true, evidence: [], rest: alone)] }
    let others = page == nil ? twins : onPage
    let known = suggester.evidence(of: element)
    var proofs: [Proof] = []
    let sent = known.filter { if case .developerID = $0 { false } else { true } }
    // Each by itself; where none is enough, what every SDK sends together, and with the developer's id.
    for evidence in known.map({ [$0] }) + [sent, known] where proofs.isEmpty || evidence.count == 1 {
      func has(_ twin: Int32) -> Bool { evidence.allSatisfy { suggester.has($0, ElementID(rawValue: twin)) } }
      guard others.count(where: has) == 1 else { continue }
      proofs.append(Proof(needsPage: page != nil && twins.count(where: has) > 1, evidence: evidence, rest: alone))
    }
    if proofs.isEmpty {
      proofs.append(Proof(needsPage: others.count < twins.count, evidence: [], rest: Set(others)))
    }
    return proofs
  }
}

extension Suggester {
  /// What events carry of an element beside path and page.
  func evidence(of element: ElementID) -> [Suggestion.Evidence] {
    var result: [Suggestion.Evidence] = []
    let content = contents.content(of: element)
    if let content, !content.isEmpty { result.append(.content(UTF8String(content))) }
    result.append(.eventID(index.screen.eventID(of: element)))
    if content == nil { result.append(.noContent) }
    if let id = developerID(of: element) { result.append(.developerID(id)) }
    return result
  }

  /// Whether events of an element carry that.
  func has(_ evidence: Suggestion.Evidence, _ element: ElementID) -> Bool {
    switch evidence {
    case .content(let text): contents.content(of: element).map { UTF8String($0) == text } ?? false
    case .noContent: contents.content(of: element) == nil
    case .eventID(let id): index.screen.eventID(of: element) == id
    case .developerID(let id): developerID(of: element) == id
    }
  }

  private func developerID(of element: ElementID) -> UTF8String? {
    guard !index.screen.holdsTypedText(element), let id = index.screen.tree.value(.identifier, of: element) else {
      return nil
    }
    return id.isEmpty ? nil : UTF8String(id)
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
