import EncircleIdentity
import EncircleTree

extension Clause {
  /// The clause, and what it becomes when the elements that it names may fill the same place in other rows.
  func withSameKind(_ dictionary: ElementDictionary, _ vocabulary: ClassVocabulary) -> [Clause] {
    var first = self
    first.selectors = selectors.map(\.inAnyRow)
    var result = [first]
    guard let wanted = requiredEventIDs else { return result }
    for eventID in wanted.sorted() {
      let identity = identities.first { EventID(identity: $0.text) == eventID }
      guard let (path, page) = Self.element(eventID, identity, dictionary, vocabulary) else { continue }
      var other = self
      other.eventIDs = []
      other.identities = []
      other.selectors.append(Selector(exactly: path).inAnyRow)
      if let page, other.page == nil { other.page = .isOneOf([.string(Name(page))], fold: false) }
      result.append(other)
    }
    return result
  }

  /// Path and page of an element: the dictionary's, or else what its identity string says.
  private static func element(
    _ eventID: EventID, _ identity: Name?, _ dictionary: ElementDictionary, _ vocabulary: ClassVocabulary
  ) -> (path: ElementPath, page: String?)? {
    if let entry = dictionary[eventID] { return (entry.path, entry.page) }
    guard let identity, let parts = IdentityString(parsing: identity.text),
      let path = try? ElementPath(parsing: parts.path, notation: .underscores, vocabulary: vocabulary)
    else { return nil }
    // In an alert the controller is not the page.
    return (path, parts.message == nil && parts.title == nil ? parts.controller : nil)
  }
}

extension Selector {
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
        return .component(.name(Name(component.className)), locator)
      })
  }

  /// The selector with any row or item of its innermost cell: what fills the same place in the other rows of the section.
  public var inAnyRow: Selector {
    var result = self
    for (i, step) in steps.enumerated().reversed() {
      guard case .component(let pattern, .fields(let tests)?) = step else { continue }
      guard tests.contains(where: { $0.field == .row || $0.field == .item }) else { continue }
      let freed = tests.map { $0.field == .row || $0.field == .item ? FieldTest($0.field, .any) : $0 }
      result.steps[i] = .component(pattern, .fields(freed))
      break
    }
    return result
  }
}
