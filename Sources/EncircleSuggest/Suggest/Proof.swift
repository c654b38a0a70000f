import EncircleIdentity
import EncircleText
import EncircleTree

/// A way to tell an element from those with the same path.
struct Proof {
  /// Whether the page must be tested.
  let needsPage: Bool
  /// The other values that must be tested.
  let evidence: [Suggestion.Evidence]
  /// The elements that stay indistinguishable, the element included.
  let rest: Set<Int32>

  /// Returns the ways to tell an element from its twins; if there is none, the page alone, with the elements that it
  /// leaves.
  static func all(of element: ElementID, among twins: [Int32], _ suggester: Suggester) -> [Proof] {
    let alone: Set<Int32> = [element.rawValue]
    if twins.count == 1 { return [Proof(needsPage: false, evidence: [], rest: alone)] }
    let screen = suggester.index.screen
    let page = screen.page(of: element)
    let onPage = twins.filter { sameText(screen.page(of: ElementID(rawValue: $0)), page) }
    // A rule can only ask for a page that is there, so it cannot tell an event without page from others.
    if onPage.count == 1, page != nil { return [Proof(needsPage: true, evidence: [], rest: alone)] }
    let others = page == nil ? twins : onPage
    let known = suggester.evidence(of: element)
    var proofs: [Proof] = []
    let sent = known.filter { if case .developerID = $0 { false } else { true } }
    // Each value by itself; if none is enough, first those together that every SDK sends, then also the developer's id.
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
  /// Returns the values that events of an element carry beside path and page.
  func evidence(of element: ElementID) -> [Suggestion.Evidence] {
    var result: [Suggestion.Evidence] = []
    let content = contents.content(of: element)
    if let content, !content.isEmpty { result.append(.content(UTF8String(content))) }
    result.append(.eventID(index.screen.eventID(of: element)))
    if content == nil { result.append(.noContent) }
    if let id = developerID(of: element) { result.append(.developerID(id)) }
    return result
  }

  /// Returns whether events of an element carry a value.
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

/// Returns whether two texts have the same bytes or are both nil.
func sameText(_ a: String?, _ b: String?) -> Bool {
  switch (a, b) {
  case (nil, nil): true
  case (let a?, let b?): a.utf8.elementsEqual(b.utf8)
  default: false
  }
}
