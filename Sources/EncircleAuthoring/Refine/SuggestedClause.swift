import EncircleEvents
import EncircleIdentity
import EncircleRuleFiles
import EncircleRules
import EncircleText
import EncircleTree

/// A suggestion as a clause of a rule, with the tests that it needs beside its selector.
package struct SuggestedClause {
  package let suggestion: Suggestion
  package let clause: EventObject
  package let rule: SelectionRule

  package init(_ suggestion: Suggestion, _ settings: SelectionSettings) {
    self.suggestion = suggestion
    var clause = ElementClause(settings)
    clause.page = suggestion.page
    clause.selector = suggestion.selector
    for evidence in suggestion.evidence { clause.add(evidence) }
    self.clause = clause.object
    rule = clause.rule
  }

  /// What it selects on its screen, in a sentence without a full stop.
  package var summary: String {
    switch suggestion.uniqueness {
    case .element: "selects this element and nothing else on the screen"
    case .kind(let count):
      count == 1
        ? "selects this element in any row" : "selects this element in any row: \(count) of its kind on the screen"
    case .shared(let count): "selects \(count) elements of the screen that no rule can tell apart"
    }
  }

  /// The suggestions for an element, the best first; empty if the style has no path for it.
  package static func all(
    for element: ElementID, in screen: IdentifiedTree, limit: Int, _ settings: SelectionSettings
  ) -> [SuggestedClause] {
    let style = settings.style
    guard style.style.lack(of: screen) == nil else { return [] }
    let suggestions =
      style == .hubbleData
      ? Suggester(screen).suggestions(for: element, limit: limit)
      : StyledSuggester(screen, style: style).suggestions(for: element, limit: limit)
    return suggestions.map { SuggestedClause($0, settings) }
  }
}

/// A clause about an element in the making, in the words of rule files.
package struct ElementClause {
  package var page: String?
  package var selector: ElementSelector?
  package var eventID: EventID?
  private var tests: [(property: PropertyReference, test: Test)] = []
  private let fields: EventFields
  private let style: PathStyleName

  private enum Test {
    case equals(String)
    case isMissing
  }

  package init(_ settings: SelectionSettings) {
    fields = settings.fields
    style = settings.style
  }

  /// Asks that a field has a text.
  package mutating func add(_ field: EventFields.Field, _ text: String) { add(field, .equals(text)) }

  /// Asks that a field is not there.
  package mutating func addMissing(_ field: EventFields.Field) { add(field, .isMissing) }

  package mutating func add(_ evidence: Suggestion.Evidence) {
    switch evidence {
    case .content(let text): add(.content, text.text)
    case .noContent: addMissing(.content)
    case .actions(let names): add(.actions, names.text)
    case .alertTitle(let text): add(.alertTitle, text.text)
    case .alertMessage(let text): add(.alertMessage, text.text)
    case .developerID(let id):
      tests.append((.property("$element_id"), .equals(id.text)))
    case .eventID(let id): eventID = id
    }
  }

  private mutating func add(_ field: EventFields.Field, _ test: Test) {
    // A place is tested once.
    guard let place = fields.places(of: field).first, !tests.contains(where: { $0.property == place }) else { return }
    tests.append((place, test))
  }

  /// A rule that includes what the clause selects.
  package var rule: SelectionRule {
    func equals(_ text: String) -> Condition { .isOneOf([.string(UTF8String(text))], fold: false) }
    var clause = RuleClause()
    clause.event = equals(style.tapName)
    if let page, style.namesPages { clause.page = equals(page) }
    if let selector { clause.selectors = [selector] }
    if let eventID { clause.eventIDs = [ElementReference(eventID: eventID)] }
    clause.properties = tests.map { property, test in
      switch test {
      case .equals(let text): PropertyTest(property, equals(text))
      case .isMissing: PropertyTest(property, .exists(false))
      }
    }
    var rule = SelectionRule(UTF8String(ClauseReader.ruleID), .include, [clause])
    rule.readSelectors(in: style)
    return rule
  }

  /// The clause as a rule file has it.
  package var object: EventObject {
    var object: EventObject = ["event": .string(style.tapName)]
    if let page, style.namesPages { object["page"] = .string(page) }
    if let selector { object["selector"] = .string(selector.description) }
    if let eventID { object["eventID"] = .string(eventID.description) }
    if !tests.isEmpty {
      object["where"] = .object(
        EventObject(
          tests.map { property, test in
            switch test {
            case .equals(let text): .init(name: property.description, value: ["equals": .string(text)])
            case .isMissing: .init(name: property.description, value: ["exists": false])
            }
          }))
    }
    return object
  }
}
