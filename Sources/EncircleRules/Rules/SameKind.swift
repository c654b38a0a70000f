import EncircleIdentity
import EncircleText

extension SelectionRule {
  /// The clauses; those of a rule with `sameKind` are rewritten so that they match in any row.
  package func clausesOfAnyRow(_ dictionary: ElementDictionary, _ vocabulary: ClassVocabulary) -> [RuleClause] {
    sameKind ? clauses.flatMap { $0.withSameKind(dictionary, vocabulary) } : clauses
  }
}

extension RuleClause {
  /// A selector that the element must match besides the others, in a clause that was rewritten to match in any row.
  package var samePlace: ElementSelector? { place }

  /// The clause, rewritten so that it matches in any row, and one clause for each event ID with the element's place.
  func withSameKind(_ dictionary: ElementDictionary, _ vocabulary: ClassVocabulary) -> [RuleClause] {
    var first = self
    first.selectors = selectors.map(\.inAnyRow)
    var result = [first]
    for reference in eventIDs {
      guard let (path, page) = reference.element(dictionary, vocabulary) else { continue }
      var other = first
      other.eventIDs = []
      let place = ElementSelector(exactly: path).inAnyRow
      if other.selectors.isEmpty { other.selectors = [place] } else { other.place = place }
      if let page, other.page == nil { other.page = .isOneOf([.string(UTF8String(page))], fold: false) }
      result.append(other)
    }
    return result
  }
}

extension ElementReference {
  /// The path and page of the element, from the dictionary or else from the identity string.
  fileprivate func element(
    _ dictionary: ElementDictionary, _ vocabulary: ClassVocabulary
  ) -> (path: ElementPath, page: String?)? {
    if let entry = dictionary[eventID] { return (entry.path, entry.page) }
    guard let identity, let parts = IdentityString(parsing: identity.text),
      let path = try? ElementPath(parsing: parts.path, notation: .underscores, vocabulary: vocabulary)
    else { return nil }
    // In an alert the controller is not the page.
    return (path, parts.message == nil && parts.title == nil ? parts.controller : nil)
  }
}

extension ElementSelector {
  /// The selector that matches one path and no other.
  public init(exactly path: ElementPath) {
    self.init(
      isAnchored: true,
      steps: path.components.map { component in
        let locator: LocatorPattern =
          switch component.locator {
          case .none: .none
          case .index(let index): .index(.range(lower: index, upper: index))
          case .row, .item, .position:
            .fields(
              component.locator.fields.compactMap { name, value in
                Field(rawValue: name).map { FieldTest($0, .range(lower: value, upper: value)) }
              })
          }
        return .component(.name(UTF8String(component.className)), locator)
      })
  }

  /// The selector with any section, row and item in its innermost cell: it matches the same place in the other rows of the
  /// list. Rows of outer lists stay fixed.
  public var inAnyRow: ElementSelector {
    var result = self
    for (i, step) in steps.enumerated().reversed() {
      guard case .component(let pattern, .fields(let tests)?) = step else { continue }
      guard tests.contains(where: { $0.field == .row || $0.field == .item }) else { continue }
      let freed = tests.map { FieldTest($0.field, .any) }
      result.steps[i] = .component(pattern, .fields(freed))
      break
    }
    return result
  }
}
