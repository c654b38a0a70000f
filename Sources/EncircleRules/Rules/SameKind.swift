import EncircleEvents
import EncircleIdentity
import EncircleText

/// The known elements and events for rewriting a rule with `sameKind`.
package struct SameKindContext {
  let dictionary: ElementDictionary
  let vocabulary: ClassVocabulary
  let fields: EventFields

  /// - Parameter vocabulary: The class names that decide between the readings of an identity's path.
  package init(_ dictionary: ElementDictionary, _ vocabulary: ClassVocabulary, _ fields: EventFields) {
    self.dictionary = dictionary
    self.vocabulary = vocabulary
    self.fields = fields
  }
}

extension SelectionRule {
  /// Returns the clauses, rewritten to match in any row if the rule has `sameKind`.
  package func clausesOfAnyRow(_ context: SameKindContext) -> [RuleClause] {
    sameKind ? clauses.flatMap { $0.withSameKind(context) } : clauses
  }

  /// Returns a selector of the rule as it is matched: in any row if the rule has `sameKind`.
  package func asMatched(_ selector: ElementSelector) -> ElementSelector { sameKind ? selector.inAnyRow : selector }
}

extension RuleClause {
  /// The largest number of selectors that a clause with `sameKind` may expand to: each of its selectors for each of its event IDs.
  package static let maximumSameKindSelectors = 100_000

  /// An additional selector that the element must match, in a clause that was rewritten to match in any row.
  package var samePlace: ElementSelector? { place }

  /// Returns the clause, rewritten to match in any row, followed by a clause for the element of each event ID that is known.
  func withSameKind(_ context: SameKindContext) -> [RuleClause] {
    var first = self
    first.selectors = selectors.map(\.inAnyRow)
    var result = [first]
    for reference in eventIDs {
      guard let element = reference.element(context) else { continue }
      var other = first
      other.eventIDs = []
      let place = ElementSelector(exactly: element.path).inAnyRow
      if other.selectors.isEmpty { other.selectors = [place] } else { other.place = place }
      if let page = element.page {
        let condition = Condition.isOneOf([.string(UTF8String(page))], fold: false)
        if let own = other.page {
          if element.isOnPage { other.page = .all([condition, own]) }
        } else {
          other.page = condition
        }
      }
      result += other.requiring(element.fields, context.fields)
    }
    return result
  }

  /// Returns alternative clauses that require this clause and, for each of the given fields, one of the listed texts.
  ///
  /// If a field has several places, the first one with a value counts, so each place needs a clause.
  private func requiring(_ texts: [(field: EventFields.Field, texts: [String])], _ fields: EventFields) -> [RuleClause]
  {
    var result = [self]
    for (field, texts) in texts {
      let condition = Condition.isOneOf(texts.map { .string(UTF8String($0)) }, fold: false)
      result = result.flatMap { clause in
        var before: [PropertyTest] = []
        return fields.places(of: field).map { place in
          var clause = clause
          clause.properties += before + [PropertyTest(place, condition)]
          before.append(PropertyTest(place, .exists(false)))
          return clause
        }
      }
    }
    return result
  }
}

/// The conditions for an event to be of an element's kind.
private struct KindConditions {
  var path: ElementPath
  var page: String?
  /// This is true if the identity contains the page, which excludes all other pages.
  var isOnPage = false
  /// Other fields that the identity states, each with the texts that it may have.
  var fields: [(field: EventFields.Field, texts: [String])] = []
}

extension ElementReference {
  /// Returns the properties of the element, from the dictionary and from the identity string.
  fileprivate func element(_ context: SameKindContext) -> KindConditions? {
    let parts = identity.flatMap { IdentityString(parsing: $0.text) }
    var element: KindConditions
    if let entry = context.dictionary[eventID] {
      element = KindConditions(path: entry.path, page: entry.page)
      if parts == nil, let page = entry.page {
        // For an element on a page, the event ID follows from path and page; for one in an alert or a bar it does not.
        let identity = IdentityString(path: entry.path.written(.underscores), controller: page)
        element.isOnPage = EventID(identity: identity.written) == eventID
      }
    } else if let parts,
      let path = try? ElementPath(parsing: parts.path, notation: .underscores, vocabulary: context.vocabulary)
    {
      element = KindConditions(path: path)
    } else {
      return nil
    }
    guard let parts else { return element }
    let isInAlert = parts.message != nil || parts.title != nil
    if !isInAlert, let controller = parts.controller {
      // In an alert the controller is not the page.
      element.page = controller
      element.isOnPage = true
    }
    if !parts.actions.isEmpty {
      element.fields.append((.actions, [",", " ", ", "].map { parts.actions.joined(separator: $0) }))
    }
    if let message = parts.message { element.fields.append((.alertMessage, [message])) }
    if let title = parts.title { element.fields.append((.alertTitle, [title])) }
    if let title = parts.screenTitle { element.fields.append((.title, [title])) }
    return element
  }
}

extension ElementSelector {
  /// Creates the selector that matches exactly one path, except for indexes and rows that the path leaves open.
  public init(exactly path: ElementPath) {
    self.init(
      isAnchored: true,
      steps: path.components.map { component in
        let locator: LocatorPattern =
          switch component.locator {
          case .none: component.texts.map { LocatorPattern(exactly: $0) } ?? .none
          case .index(let index): .index(Self.test(of: index))
          case .row, .item, .position:
            .fields(
              component.locator.fields.compactMap { name, value in
                Field(rawValue: name).map { field in
                  let isPosition = field == .indexx || field == .indexy
                  return FieldTest(field, isPosition ? .exactly(value) : Self.test(of: value))
                }
              })
          }
        return .component(.name(UTF8String(component.className)), locator)
      })
  }

  /// Returns the test for an index, section, row or item; a number missing from the path matches any.
  private static func test(of number: Int) -> NumberTest { number == Locator.unknown ? .any : .exactly(number) }

  /// The selector with any section, row and item in its innermost cell, even if it states only a section: it matches the same place
  /// in the other rows of the list. Rows of outer lists stay as they are.
  public var inAnyRow: ElementSelector {
    var result = self
    for (i, step) in steps.enumerated().reversed() {
      guard case .component(let pattern, .fields(let tests)?) = step else { continue }
      guard tests.contains(where: { [.section, .row, .item].contains($0.field) }) else { continue }
      let freed = tests.map { FieldTest($0.field, .any) }
      result.steps[i] = .component(pattern, .fields(freed))
      break
    }
    return result
  }
}

extension ElementSelector.LocatorPattern {
  /// Creates the pattern that the texts of one component match, and no others.
  package init(exactly texts: ComponentTexts) {
    self = .texts([.init(.text, UTF8String(texts.text)), .init(.id, UTF8String(texts.id))])
  }
}
