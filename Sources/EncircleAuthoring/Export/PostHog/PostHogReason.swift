import EncircleRuleFiles

/// The reason why an action of PostHog cannot equal a rule.
struct PostHogReason: Error {
  /// The stable names of reasons.
  enum Code: String, CaseIterable {
    // Reasons at rules.
    case disabled, exclude, unless
    case sameKind = "same-kind"
    case timeLimits = "time-limits"
    case tolerance
    case nameTooLong = "name-too-long"
    case tooManySteps = "too-many-steps"
    case propertyGiven = "property-given"
    case excludeRules = "exclude-rules"
    case excludedPages = "excluded-pages"
    case excludedPage = "excluded-page"
    case contradiction
    case matchesEverything = "matches-everything"
    // Reasons at clauses.
    case otherStyle = "other-style"
    case otherFields = "other-fields"
    case otherEvents = "other-events"
    case eventName = "event-name"
    case eventIDs = "event-ids"
    case otherPlace = "other-place"
    case within
    // Reasons at selectors.
    case anyElement = "any-element"
    case classPrefix = "class-prefix"
    case selectorCompiler = "selector-compiler"
    case anchored, wildcard, texts, position
    case unsupportedCSS = "unsupported-css"
    // Reasons at values.
    case cast
    case letterCase = "case"
    case escapes
    case nullValues = "null-values"
    case negatedNumber = "negated-number"
    case kindOf = "kind-of"
    case version, list, sample
    case numberInText = "number-in-text"
  }

  var code: Code
  var effect: ExportReport.Effect
  var text: String
  var part: RuleSource.Part?
  /// The pointer to a key of the rule that is not one of its parts.
  var key: String?

  init(_ code: Code, _ text: String) { self.init(code, .refused, text) }

  init(_ code: Code, _ effect: ExportReport.Effect, _ text: String, key: String? = nil) {
    (self.code, self.effect, self.text, self.key) = (code, effect, text, key)
  }

  /// Returns the reason with a part of the rule as its place, unless it has a place already.
  func at(_ part: RuleSource.Part) -> PostHogReason {
    var reason = self
    if reason.part == nil, key == nil { reason.part = part }
    return reason
  }
}
