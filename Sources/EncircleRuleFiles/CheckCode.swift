/// The severity of a finding about a rule.
public enum Severity: String, CaseIterable, Comparable, Sendable {
  /// Worth knowing.
  case note
  /// The rule is probably a mistake, or will not last.
  case warning
  /// The rule must be a mistake.
  case error

  /// Orders severities by importance, notes first.
  public static func < (a: Severity, b: Severity) -> Bool { a.rank < b.rank }

  private var rank: Int {
    switch self {
    case .note: 0
    case .warning: 1
    case .error: 2
    }
  }
}

/// The kinds of findings about rules that parse but may be wrong, by their stable names.
public enum CheckCode: String, CaseIterable, Comparable, Sendable {
  // The selections of rules in captures.
  case matchesNothing = "matches-nothing"
  case matchesMany = "matches-many"
  case otherPages = "other-pages"
  case sharedIdentity = "shared-identity"
  case reusedID = "reused-id"
  case untrackedElement = "untracked-element"
  case neverTogether = "never-together"
  case unreadableProperty = "unreadable-property"
  // Names.
  case unknownClass = "unknown-class"
  case unknownPage = "unknown-page"
  case unknownProperty = "unknown-property"
  case unknownEvent = "unknown-event"
  case unknownAction = "unknown-action"
  case unknownApp = "unknown-app"
  case selectorNotation = "selector-notation"
  // Values.
  case unknownValue = "unknown-value"
  case wrongType = "wrong-type"
  case patternAsText = "pattern-as-text"
  // The meaning of rules.
  case contradiction
  case emptyVersionRange = "empty-version-range"
  case neverSelects = "never-selects"
  case idleException = "idle-exception"
  case sameMeaning = "same-meaning"
  case coveredRule = "covered-rule"
  case coveredClause = "covered-clause"
  case nearlyCovered = "nearly-covered"
  case outOfTime = "out-of-time"
  case uselessTolerance = "useless-tolerance"
  case uselessSameKind = "useless-same-kind"
  // The plan beside the rules.
  case plannedWithoutRule = "planned-without-rule"
  case emittedWithoutPlan = "emitted-without-plan"
  case propertyType = "property-type"
  case refusedName = "refused-name"
  // Conditions that will not last.
  case fragileIndex = "fragile-index"
  case privateWrapper = "private-wrapper"
  case exactRow = "exact-row"
  case localisedText = "localised-text"
  case bareEventID = "bare-event-id"
  case osVersionClass = "os-version-class"
  // The authors' decisions about findings.
  case uselessSuppression = "useless-suppression"

  /// Orders codes as they are declared, which is the order of the documentation.
  public static func < (a: CheckCode, b: CheckCode) -> Bool { a.order < b.order }

  private var order: Int { Self.allCases.firstIndex(of: self) ?? 0 }
}
