import EncircleIdentity
import EncircleRules
import EncircleText
import EncircleTree

/// The tests that distinguish an element from others with the same path.
struct Proof {
  /// This is true if the page must be tested.
  let needsPage: Bool
  /// The other values that must be tested.
  let evidence: [Suggestion.Evidence]
  /// The elements that stay indistinguishable, the element included.
  let rest: Set<Int32>
  /// This is true if the values alone name the element, as the texts of an alert and its option do, so that its index and the
  /// cell around it need not be tested.
  var isDistinctive = false

  /// Returns the ways to distinguish an element from its twins. If there is no way, returns one proof that tests at most the
  /// page, and whose `rest` has the remaining elements.
  static func all(of element: ElementID, among twins: [Int32], _ suggester: Suggester) -> [Proof] {
    let alone: Set<Int32> = [element.rawValue]
    let distinctive = suggester.distinctiveEvidence(of: element)
    guard distinctive.isEmpty else {
      let proofs = distinctive.map { Proof(needsPage: false, evidence: $0, rest: alone, isDistinctive: true) }
      // An alert's option is never named by its place, which options of other alerts share.
      return suggester.role(of: element) == .alertOption
        ? proofs + [
          Proof(needsPage: false, evidence: [.eventID(suggester.index.screen.eventID(of: element))], rest: alone)
        ]
        : proofs + byPlace(element, twins, suggester)
    }
    return byPlace(element, twins, suggester)
  }

  /// Returns the ways to distinguish an element from others by path and page, and by other values only if these are not enough.
  static func byPlace(_ element: ElementID, _ twins: [Int32], _ suggester: Suggester) -> [Proof] {
    let alone: Set<Int32> = [element.rawValue]
    if twins.count == 1 { return [Proof(needsPage: false, evidence: [], rest: alone)] }
    let screen = suggester.index.screen
    let page = screen.page(of: element)
    let onPage = twins.filter { sameText(screen.page(of: ElementID(rawValue: $0)), page) }
    // A rule cannot test for the absence of a page, so it cannot distinguish an event without a page from others.
    if onPage.count == 1, page != nil { return [Proof(needsPage: true, evidence: [], rest: alone)] }
    let others = page == nil ? twins : onPage
    let known = suggester.evidence(of: element)
    var proofs: [Proof] = []
    let sent = known.filter { if case .developerID = $0 { false } else { true } }
    // Tries each value alone. If none is enough, tries all values that every SDK sends together, and then these with the
    // developer's id.
    for evidence in known.map({ [$0] }) + [sent, known] where proofs.isEmpty || evidence.count == 1 {
      func has(_ twin: Int32) -> Bool {
        evidence.allSatisfy { suggester.has($0, ElementID(rawValue: twin), as: element) }
      }
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
  /// Returns the values that events of an element carry in addition to path and page.
  func evidence(of element: ElementID) -> [Suggestion.Evidence] {
    var result: [Suggestion.Evidence] = []
    let content = contents.content(of: element)
    let isName = !index.screen.showsState(element)
    if isName, let content, !content.isEmpty { result.append(.content(UTF8String(content))) }
    result.append(.eventID(index.screen.eventID(of: element)))
    if isName, content == nil { result.append(.noContent) }
    if let id = index.screen.developerID(of: element) { result.append(.developerID(UTF8String(id))) }
    return result
  }

  /// Returns whether events of another element also carry a value of an element's events. HubbleData's events have no texts;
  /// texts are looked up by the event ID, so all elements with one event ID have the text of one of them.
  func has(_ evidence: Suggestion.Evidence, _ other: ElementID, as element: ElementID) -> Bool {
    if evidence.holds(for: other, index.screen, contents) { return true }
    return switch evidence {
    case .content, .noContent: index.screen.haveOneIdentity(element, other)
    case .actions, .alertTitle, .alertMessage, .eventID, .developerID, .within: false
    }
  }
}

extension Suggestion.Evidence {
  /// Returns whether events of an element carry the value.
  func holds(for element: ElementID, _ screen: IdentifiedTree, _ contents: ElementContents) -> Bool {
    switch self {
    case .content(let text): contents.content(of: element).map { UTF8String($0) == text } ?? false
    case .noContent: contents.content(of: element) == nil
    case .actions(let names): screen.sentActions(of: element) == names
    case .alertTitle(let text): screen.alertTexts(of: element)?.title.map { UTF8String($0) } == text
    case .alertMessage(let text): screen.alertTexts(of: element)?.message.map { UTF8String($0) } == text
    case .eventID(let id): screen.eventID(of: element) == id
    case .developerID(let id): screen.developerID(of: element).map { UTF8String($0) } == id
    case .within(let selector, let says): screen.says(says, within: selector, around: element, contents)
    }
  }
}

extension IdentifiedTree {
  /// Returns whether two elements have the same identity.
  func haveOneIdentity(_ a: ElementID, _ b: ElementID) -> Bool {
    // Most elements differ in values that are quick to compare.
    tree.classID(of: a) == tree.classID(of: b) && locator(of: a) == locator(of: b)
      && UTF8String(identity(of: a)) == UTF8String(identity(of: b))
  }

  /// Returns whether a text is in the innermost ancestor that a selector of one class name matches, or inside it.
  fileprivate func says(
    _ text: UTF8String, within selector: UTF8String, around element: ElementID, _ contents: ElementContents
  ) -> Bool {
    guard let selector = try? ElementSelector(parsing: selector.text), selector.steps.count == 1,
      case .component(.name(let name), nil) = selector.steps[0]
    else { return false }
    let around = tree.ancestors(of: element).first { writtenNames(of: $0).contains { UTF8String($0) == name } }
    guard let around else { return false }
    return (around.index..<tree.subtreeEnd(of: around).index).contains { inner in
      contents.shownText(of: ElementID(inner), self).map { UTF8String($0) } == text
    }
  }
}
