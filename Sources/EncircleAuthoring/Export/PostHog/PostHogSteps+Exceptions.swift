import EncircleRuleFiles
import EncircleRules
import EncircleText

/// The negation of a clause of `unless`: the clause does not hold if one of the alternatives does.
struct PostHogException {
  /// The events that the clause is about; nil for any.
  var events: [UTF8String]?
  var alternatives: PostHogAlternatives
}

extension PostHogSteps {
  /// Returns the negation of a clause of `unless`.
  mutating func exception(_ clause: RuleClause, _ number: Int) throws(PostHogReason) -> PostHogException {
    let part = RuleSource.Part.clause(.unless, number)
    guard clause.selectors.isEmpty, clause.eventIDs.isEmpty else {
      throw PostHogReason(.unless, "An action cannot leave out elements.").at(part)
    }
    var events: [UTF8String]?
    if let event = clause.event {
      events = SDKConfiguration.texts(event)
      guard events != nil else {
        throw PostHogReason(.unless, "An action cannot leave out events by a part of their name.").at(part)
      }
    }
    var alternatives: PostHogAlternatives = []
    if let page = clause.page {
      alternatives += try at(.page(.unless, number)) { (own) throws(PostHogReason) in
        var filters = PostHogFilters(try own.pageKey())
        let result = try filters.alternatives(own.asSent(page), negated: true)
        own.reasons += filters.reasons
        return result
      }
    }
    for (i, test) in clause.properties.enumerated() {
      alternatives += try at(.property(.unless, number, i)) { (own) throws(PostHogReason) in
        var filters = PostHogFilters(try Self.key(test.property))
        let result = try filters.alternatives(test.condition, negated: true)
        own.reasons += filters.reasons
        return result
      }
    }
    return PostHogException(events: events, alternatives: alternatives)
  }

  /// Returns the steps that take the events of a step, except the exceptions.
  func without(
    _ exceptions: [PostHogException], _ step: PostHogAction.Step
  ) throws(PostHogReason) -> [PostHogAction.Step] {
    var alternatives: PostHogAlternatives = [step.filters]
    for (number, exception) in exceptions.enumerated() {
      if let events = exception.events {
        guard let event = step.event else {
          throw PostHogReason(.unless, "An action cannot leave out an event by its name.")
            .at(.event(.unless, number))
        }
        if !events.contains(event) { continue }
      }
      alternatives = try PostHogFilters.product(alternatives, exception.alternatives)
    }
    return alternatives.map { filters in
      var step = step
      step.filters = filters
      return step
    }
  }
}
