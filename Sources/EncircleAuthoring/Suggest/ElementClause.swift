import EncircleEvents
import EncircleIdentity
import EncircleRules
import EncircleText
import EncircleTree

/// A clause about an element in the making: once as a rule file has it, once as a rule that decides.
package struct ElementClause: Sendable {
  /// The name of the event; nil for any.
  package var event: String?
  /// The page; nil for any, and always nil if a tap's event does not name its page.
  package var page: String?
  package var selector: ElementSelector?
  package var eventID: EventID?
  /// An identity string, which the file has instead of its event ID.
  package var identity: String?
  private var tests: [(property: PropertyReference, test: Test)] = []
  private var within: (selector: UTF8String, says: UTF8String)?
  private let fields: EventFields
  private let style: PathStyleName

  private enum Test {
    case equals(String)
    case begins(String)
    case isMissing
  }

  /// Creates a clause about a tap.
  ///
  /// - Parameter fields: The places in events that the clause tests.
  package init(style: PathStyleName, fields: EventFields) {
    self.style = style
    self.fields = fields
    event = style.eventShape.tapName
  }

  /// Creates a clause about the event that the SDK sends when somebody uses an element.
  package init(about element: ElementID, in screen: IdentifiedTree, style: PathStyleName, fields: EventFields) {
    self.init(style: style, fields: fields)
    event = style.tapName(of: element, in: screen)
  }

  /// Creates the clause of a suggestion for an element.
  package init(
    _ suggestion: Suggestion, for element: ElementID, in screen: IdentifiedTree, style: PathStyleName,
    fields: EventFields
  ) {
    self.init(about: element, in: screen, style: style, fields: fields)
    page = suggestion.page
    selector = suggestion.namesPlace ? suggestion.selector : nil
    for evidence in suggestion.evidence { add(evidence) }
    // People can read it, unlike the event ID.
    if eventID != nil { identity = screen.identity(of: element) }
  }

  /// Asks that a field has a text.
  package mutating func add(_ field: EventFields.Field, _ text: String) { add(field, .equals(text)) }

  /// Asks that a field is missing, where events of the style may have it.
  mutating func addMissing(_ field: EventFields.Field) { add(field, .isMissing) }

  /// Adds a test of a value that identifies the element.
  package mutating func add(_ evidence: Suggestion.Evidence) {
    switch evidence {
    case .content(let text): add(.content, text.text)
    case .noContent: add(.content, .isMissing)
    case .actions(let names): add(.actions, names.text)
    case .alertTitle(let text): add(.alertTitle, text.text)
    case .alertMessage(let text): add(.alertMessage, text.text)
    case .developerID(let id): tests.append((.property("$element_id"), .equals(id.text)))
    case .eventID(let id): eventID = id
    case .within(let selector, let says): within = (selector, says)
    }
  }

  /// Asks that a property is, or begins with, a text.
  package mutating func add(property name: String, equals text: String) {
    tests.append((.property(UTF8String(name)), .equals(text)))
  }

  package mutating func add(property name: String, begins text: String) {
    tests.append((.property(UTF8String(name)), .begins(text)))
  }

  private mutating func add(_ field: EventFields.Field, _ test: Test) {
    // A place is tested once.
    guard let place = fields.places(of: field).first, !tests.contains(where: { $0.property == place }) else { return }
    tests.append((place, test))
  }

  private var writtenPage: String? { style.eventShape.namesPages ? page : nil }

  /// This is true if the clause has no tests.
  package var isEmpty: Bool {
    event == nil && writtenPage == nil && selector == nil && eventID == nil && tests.isEmpty && within == nil
  }

  /// A rule that includes the events of the clause.
  package var rule: SelectionRule {
    func equals(_ text: String) -> Condition { .isOneOf([.string(UTF8String(text))], fold: false) }
    var clause = RuleClause()
    clause.event = event.map(equals)
    clause.page = writtenPage.map(equals)
    if let selector { clause.selectors = [selector] }
    if let eventID { clause.eventIDs = [ElementReference(eventID: eventID)] }
    clause.properties = tests.map { property, test in
      switch test {
      case .equals(let text): PropertyTest(property, equals(text))
      case .begins(let text): PropertyTest(property, .text(.prefix, UTF8String(text), fold: false))
      case .isMissing: PropertyTest(property, .exists(false))
      }
    }
    if let within {
      clause.properties.append(PropertyTest(.textsWithin(within.selector), equals(within.says.text).onTextsWithin))
    }
    var rule = SelectionRule("clause", .include, [clause])
    rule.readSelectors(in: style)
    return rule
  }

  /// The clause as a rule file has it.
  package var object: EventObject {
    var object = EventObject()
    if let event { object["event"] = .string(event) }
    if let page = writtenPage { object["page"] = .string(page) }
    if let selector { object["selector"] = .string(selector.description) }
    if let eventID {
      if let identity, EventID(identity: identity) == eventID {
        object["identity"] = .string(identity)
      } else {
        object["eventID"] = .string(eventID.description)
      }
    }
    if let within {
      object["within"] = .object(["selector": .string(within.selector.text), "says": .string(within.says.text)])
    }
    guard !tests.isEmpty else { return object }
    let members = tests.map { property, test in
      let written: EventObject =
        switch test {
        case .equals(let text): ["equals": .string(text)]
        case .begins(let text): ["prefix": .string(text)]
        case .isMissing: ["exists": false]
        }
      return EventObject.Member(name: property.description, value: .object(written))
    }
    object["where"] = .object(EventObject(members))
    return object
  }
}
