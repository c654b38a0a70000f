import EncircleIdentity
import EncircleText

extension SelectionRule {
  /// The clauses, and for a rule that takes elements of the same kind what they become in other rows.
  package func clausesOfAnyRow(_ dictionary: ElementDictionary, _ vocabulary: ClassVocabulary) -> [RuleClause] {
    sameKind ? clauses.flatMap { $0.withSameKind(dictionary, vocabulary) } : clauses
  }
}

extension RuleClause {
  /// A place that the element must have besides what the selectors say, in a clause made for elements of the same kind.
  package var samePlace: ElementSelector? { place }

  /// The clause, and what it becomes when the elements that it names may fill the same place in other rows.
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
  /// Path and page of the element: the dictionary's, or else what the identity string says.
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

  /// The selector with any section, row and item of its innermost cell: what fills the same place in the other rows of the
  /// list. Rows of lists around it stay.
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
