import EncircleRuleFiles

/// The documentation of a kind of finding, with an example that has it and one that does not.
public struct CheckDocumentation: Sendable {
  /// The severity, unless rules set another one.
  public let severity: Severity
  /// The finding in a few words.
  public let title: String
  /// The reasons why it matters, and what to do.
  public let explanation: String
  /// A rule file, without its `version`, that has the finding.
  public let wrong: String
  /// A rule file that does not.
  public let right: String
  /// The views of a capture with which both files are checked; nil if none is needed.
  public let capture: String?
  /// The views of a capture of a later version of the app; nil if none is needed.
  public let laterCapture: String?
  /// An event with which both files are checked; nil if none is needed.
  public let event: String?
  /// A plan, without its `version`, with which both files are checked; nil if none is needed.
  public let plan: String?

  init(
    _ severity: Severity, _ title: String, _ explanation: String, wrong: String, right: String, capture: String? = nil,
    laterCapture: String? = nil, event: String? = nil, plan: String? = nil
  ) {
    self.severity = severity
    self.title = title
    self.explanation = explanation
    self.wrong = wrong
    self.right = right
    self.capture = capture
    self.laterCapture = laterCapture
    self.event = event
    self.plan = plan
  }
}

extension CheckCode {
  /// The documentation of the code.
  public var documentation: CheckDocumentation {
    switch self {
    case .matchesNothing: Self.selectionOfNothing
    case .matchesMany: Self.selectionOfMuch
    case .otherPages: Self.selectionElsewhere
    case .sharedIdentity: Self.selectionOfTwins
    case .reusedID: Self.selectionOfSuccessor
    case .untrackedElement: Self.selectionOfUntracked
    case .neverTogether: Self.selectionOfNeverTogether
    case .unreadableProperty: Self.selectionWithoutProperty
    case .unknownClass: Self.nameOfClass
    case .unknownPage: Self.nameOfPage
    case .unknownProperty: Self.nameOfProperty
    case .unknownEvent: Self.nameOfEvent
    case .unknownAction: Self.nameOfAction
    case .unknownApp: Self.nameOfApp
    case .selectorNotation: Self.notationOfOthers
    case .unknownValue: Self.valueThatNeverOccurs
    case .wrongType: Self.valueOfOtherType
    case .patternAsText: Self.valueThatIsPattern
    case .contradiction: Self.meaningOfNothing
    case .emptyVersionRange: Self.meaningOfNoVersion
    case .neverSelects: Self.meaningExcluded
    case .idleException: Self.meaningOfException
    case .sameMeaning: Self.meaningTwice
    case .coveredRule: Self.meaningCovered
    case .coveredClause: Self.meaningOfClause
    case .nearlyCovered: Self.meaningNearly
    case .outOfTime: Self.meaningOver
    case .uselessTolerance: Self.meaningOfTolerance
    case .uselessSameKind: Self.meaningOfSameKind
    case .plannedWithoutRule: Self.planWithoutRule
    case .emittedWithoutPlan: Self.ruleWithoutPlan
    case .propertyType: Self.planOfOtherType
    case .refusedName: Self.nameRefused
    case .fragileIndex: Self.stabilityOfIndex
    case .privateWrapper: Self.stabilityOfWrapper
    case .exactRow: Self.stabilityOfRow
    case .localisedText: Self.stabilityOfText
    case .bareEventID: Self.stabilityOfEventID
    case .osVersionClass: Self.stabilityOfSystem
    case .uselessSuppression: Self.suppressionOfNothing
    }
  }
}
