import EncircleRuleFiles

/// What a kind of finding means, with an example that has it and one that does not.
public struct CheckDocumentation: Sendable {
  /// How much it matters, unless rules say otherwise.
  public let severity: Severity
  /// What it is, in a few words.
  public let title: String
  /// Why it matters, and what to do.
  public let explanation: String
  /// A rule file, without its `version`, that has the finding.
  public let wrong: String
  /// One that does not.
  public let right: String
  /// The views of a capture that both are checked with; nil if none is needed.
  public let capture: String?
  /// An event that both are checked with; nil if none is needed.
  public let event: String?

  init(
    _ severity: Severity, _ title: String, _ explanation: String, wrong: String, right: String, capture: String? = nil,
    event: String? = nil
  ) {
    self.severity = severity
    self.title = title
    self.explanation = explanation
    self.wrong = wrong
    self.right = right
    self.capture = capture
    self.event = event
  }
}

extension CheckCode {
  /// What the code means.
  public var documentation: CheckDocumentation {
    switch self {
    case .matchesNothing: Self.selectionOfNothing
    case .matchesMany: Self.selectionOfMuch
    case .otherPages: Self.selectionElsewhere
    case .sharedIdentity: Self.selectionOfTwins
    case .unknownClass: Self.nameOfClass
    case .unknownPage: Self.nameOfPage
    case .unknownProperty: Self.nameOfProperty
    case .unknownEvent: Self.nameOfEvent
    case .unknownAction: Self.nameOfAction
    case .contradiction: Self.meaningOfNothing
    case .emptyVersionRange: Self.meaningOfNoVersion
    case .neverSelects: Self.meaningExcluded
    case .sameMeaning: Self.meaningTwice
    case .coveredRule: Self.meaningCovered
    case .coveredClause: Self.meaningOfClause
    case .nearlyCovered: Self.meaningNearly
    case .outOfTime: Self.meaningOver
    case .fragileIndex: Self.stabilityOfIndex
    case .privateWrapper: Self.stabilityOfWrapper
    case .exactRow: Self.stabilityOfRow
    case .localisedText: Self.stabilityOfText
    case .bareEventID: Self.stabilityOfEventID
    case .osVersionClass: Self.stabilityOfSystem
    }
  }
}
