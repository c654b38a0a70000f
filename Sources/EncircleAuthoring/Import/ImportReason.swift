/// The reason why a rule may decide unlike its definition, or a part of the definition that was left out.
public struct ImportReason: Hashable, Sendable {
  /// The stable codes.
  public enum Code: String, CaseIterable, Sendable {
    case personProperty = "person-property"
    case cohort
    case group
    case expression
    case anyElement = "any-element"
    case anyEvent = "any-event"
    case ignoredThere = "ignored-there"
    case letterCase = "case"
    case wildcardInText = "wildcard-in-text"
    case quoteInText = "quote-in-text"
    case expressionInChain = "regex-in-chain"
    case refusedExpression = "regex-refused"
    case cast
    case dateOperator = "date-operator"
    case nullIsSet = "null-is-set"
    case selectorGeneration = "selector-generation"
    case matchesEverything = "matches-everything"
    case unsupportedCSS = "unsupported-css"
    case webPath = "web-path"
    case urlGrammar = "url-grammar"
    case pageMissing = "page-missing"
    case position
    case propertyExtraction = "property-extraction"
    case screenshot = "screenshot-missing"
    case nativeWebJoint = "native-web-joint"
    case tagPart = "tag-part"
    case cutText = "cut-text"
    case unlimitedDiv = "unlimited-div"
    case screenOfPage = "screen-of-page"
    case anyRow = "any-row"
    case eventType = "event-type"
    case lookalike
    case nameInvalid = "name-invalid"
    case nameTaken = "name-taken"
    case inactive
    case settingsLeftOut = "settings-left-out"
    case unknownForm = "unknown-form"
    case noEventsSeen = "no-events-seen"
  }

  public var code: Code
  /// The grade that results from this reason alone; `exact` is a remark, `skipped` leaves out one of several alternatives.
  public var effect: ImportGrade
  /// Its place in the file, as a JSON Pointer.
  public var pointer: String
  /// The text in question, if there is one.
  public var detail: String?

  init(_ code: Code, _ effect: ImportGrade, _ pointer: String, _ detail: String? = nil) {
    self.code = code
    self.effect = effect
    self.pointer = pointer
    self.detail = detail
  }

  /// The reason for people who define events.
  public var sentence: String {
    let about = detail.map { " ('\($0)')" } ?? ""
    return switch code {
    case .personProperty: "It asks who the person is\(about), which events do not say."
    case .cohort: "It asks whether the person is in a cohort\(about), which events do not say."
    case .group: "It asks for a group or session\(about), which events do not say."
    case .expression: "It has a condition that only the other tool can compute\(about)."
    case .anyElement: "There, a tap on anything inside the element counts; here, too."
    case .anyEvent: "It names no event, so that events of any name count. That is mostly a mistake."
    case .ignoredThere:
      "The other tool looks at \(detail ?? "this") for $autocapture only, so it has no effect and was left out."
    case .letterCase: "The case of letters is ignored\(about), which may differ beyond English letters."
    case .wildcardInText: "There, % stands for any characters and _ for any one\(about); the rule takes them so, too."
    case .quoteInText: "A quotation mark\(about) ends a text in the other tool's events, so this has never taken any."
    case .expressionInChain: "The regular expression\(about) may reach beyond the one text that it is for."
    case .refusedExpression: "The regular expression cannot be used: \(detail ?? "it is not one")."
    case .cast:
      "There, a number or boolean is the same as its text\(about); here only values of the type that the rule names."
    case .dateOperator: "It compares dates\(about), which rules do not."
    case .nullIsSet: "Whether an empty value counts as set\(about) is not certain there; here it does."
    case .selectorGeneration:
      "Two generations of the other tool read this selector\(about) differently: your events show what counts."
    case .matchesEverything:
      "It has no condition, so that it would take every event. What it counted so far means nothing."
    case .unsupportedCSS: "The selector\(about) uses what rules do not know."
    case .webPath:
      "The other tool's own events do not carry elements; the rule is for events of PostHog's SDK for web pages\(about)."
    case .urlGrammar: "How the address\(about) is compared there is not documented in all details."
    case .pageMissing: "Addresses of its page\(about) are missing in the files, or written in a way that is not known."
    case .position: "The position\(about) cannot be translated as it stands."
    case .propertyExtraction: "It reads the property\(about) off the screen, which the rule does not."
    case .screenshot: "The picture of the element was left out."
    case .nativeWebJoint: "It is about a page within an app\(about), which is compared as a whole."
    case .tagPart:
      "The path has names that developers set\(about); the path without them counts as well, as it does there."
    case .cutText: "The text is cut or encoded in the other tool's events\(about), and compared so."
    case .unlimitedDiv: "The other tool widens this to further elements\(about) in a way that its file does not say."
    case .screenOfPage:
      "It asks for the app's screen\(about) around a page, whose own events may not name it."
    case .anyRow:
      "The selector takes rows however events number them; the other tool compares the path\(about) as it is written."
    case .eventType: "It counts events of a kind\(about) that is of no element and no page."
    case .lookalike: "It takes the same events as \(detail ?? "another definition")."
    case .nameInvalid: "The name\(about) cannot be used as it is."
    case .nameTaken: "There is another definition with the id\(about) already."
    case .inactive: "It is deleted or switched off there."
    case .settingsLeftOut: "\(detail ?? "Settings") were left out, as rules have none."
    case .unknownForm: "This is written in a way that is not known\(about)."
    case .noEventsSeen: "No event of the file was taken."
    }
  }
}
