import EncircleEvents
import EncircleIdentity
import EncircleRules
import EncircleSuggest
import EncircleText
import EncircleTree

/// A suggestion as a clause of a rule, with the tests that it needs beside its selector.
struct SuggestedClause {
  let suggestion: Suggestion
  let clause: EventObject
  let rule: SelectionRule

  /// - Throws: ``ServiceError`` where the clause does not load, which a suggestion's does.
  init(_ suggestion: Suggestion, _ settings: RuleSettings) throws {
    self.suggestion = suggestion
    var clause = ElementClause(settings)
    clause.page = suggestion.page
    clause.selector = suggestion.selector
    for evidence in suggestion.evidence { clause.add(evidence) }
    self.clause = clause.object
    rule = try ClauseReader.rule(JSONBody(.object(self.clause)), settings)
  }

  /// What it selects on its screen, in a sentence without a full stop.
  var summary: String {
    switch suggestion.uniqueness {
    case .element: "selects this element and nothing else on the screen"
    case .kind(let count):
      count == 1
        ? "selects this element in any row" : "selects this element in any row: \(count) of its kind on the screen"
    case .shared(let count): "selects \(count) elements of the screen that no rule can tell apart"
    }
  }

  /// The suggestions for an element, the best first; none where the style has no path for it.
  static func all(
    for element: ElementID, in screen: IdentifiedTree, limit: Int, _ settings: RuleSettings
  ) throws -> [SuggestedClause] {
    let style = settings.ruleSet.style
    guard style.style.lack(of: screen) == nil else { return [] }
    let suggestions =
      style == .hubbleData
      ? Suggester(screen).suggestions(for: element, limit: limit)
      : StyledSuggester(screen, style: style).suggestions(for: element, limit: limit)
    return try suggestions.map { try SuggestedClause($0, settings) }
  }

  /// - Parameters:
  ///   - here: The elements of the screen that it selects.
  ///   - elsewhere: The number of elements of other stored captures that it selects.
  func write(here: Int, elsewhere: Int, to json: inout JSONBuilder) {
    json.object {
      $0.member("selector", suggestion.selector.description)
      $0.nullable("page", suggestion.page)
      $0.member("needs_page", suggestion.needsPage)
      $0.member("summary", summary)
      $0.member("unique", suggestion.isUnique)
      $0.member("stability", suggestion.stability.score)
      $0.array("reasons", suggestion.stability.reasons) { reason, json in
        json.object {
          $0.member("points", reason.penalty)
          $0.member("text", reason.description(of: suggestion.selector))
        }
      }
      $0.member("clause", .object(clause))
      $0.member("here", here)
      $0.member("elsewhere", elsewhere)
    }
  }
}

/// A clause about an element in the making, in the words of rule files.
struct ElementClause {
  var page: String?
  var selector: ElementSelector?
  var eventID: EventID?
  private(set) var tests: [EventObject.Member] = []
  private let fields: EventFields
  private let style: PathStyleName

  init(_ settings: RuleSettings) {
    fields = settings.ruleSet.fields
    style = settings.ruleSet.style
  }

  /// Asks that a field has a text.
  mutating func add(_ field: EventFields.Field, _ text: String) { add(field, "equals", .string(text)) }

  /// Asks that a field is not there.
  mutating func addMissing(_ field: EventFields.Field) { add(field, "exists", false) }

  mutating func add(_ evidence: Suggestion.Evidence) {
    switch evidence {
    case .content(let text): add(.content, text.text)
    case .noContent: addMissing(.content)
    case .actions(let names): add(.actions, names.text)
    case .alertTitle(let text): add(.alertTitle, text.text)
    case .alertMessage(let text): add(.alertMessage, text.text)
    case .developerID(let id):
      tests.append(.init(name: "$element_id", value: ["equals": .string(id.text)]))
    case .eventID(let id): eventID = id
    }
  }

  private mutating func add(_ field: EventFields.Field, _ test: String, _ value: EventValue) {
    guard let place = fields.places(of: field).first?.description else { return }
    // One of each: a place is asked once.
    if tests.contains(where: { $0.name.utf8.elementsEqual(place.utf8) }) { return }
    tests.append(.init(name: place, value: .object(EventObject([.init(name: test, value: value)]))))
  }

  /// The clause as a rule file has it.
  var object: EventObject {
    var object: EventObject = ["event": .string(style.tapName)]
    if let page, style.namesPages { object["page"] = .string(page) }
    if let selector { object["selector"] = .string(selector.description) }
    if let eventID { object["eventID"] = .string(eventID.description) }
    if !tests.isEmpty { object["where"] = .object(EventObject(tests)) }
    return object
  }
}
