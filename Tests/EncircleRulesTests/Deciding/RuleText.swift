import EncircleEvents
import EncircleIdentity
import EncircleInput
import EncircleRuleFiles
import EncircleRules

/// Decides on JSON events by rules in YAML, as an event, as parsed JSON and by way of a reader; all must agree.
func decide(
  _ rules: String, _ event: String, dictionary: ElementDictionary = ElementDictionary()
) throws -> Decision {
  let matcher = Matcher(try RuleFiles(text: "version: 1\n" + rules).ruleSet(), dictionary: dictionary)
  var decider = Decider(matcher)
  let decision = decider.decide(try AnalyticsEvent(json: event))
  guard try AgreementTests.decide(event, &decider) == decision else { throw Disagreement() }

  var reader = EventReader(bytes: event.utf8)
  var read: [Decision] = []
  while let record = try reader.next() {
    guard case .event = record else { throw Disagreement() }
    read.append(reader.withParsedEvent { text, tape in decider.decide(tape, of: text) })
  }
  guard read == [decision] else { throw Disagreement() }
  return decision
}

/// A matcher with one rule, which selects what a selector matches.
func matcher(selecting selector: String) throws -> Matcher {
  var clause = RuleClause()
  clause.selectors = [try ElementSelector(parsing: selector)]
  var ruleSet = RuleSet()
  ruleSet.rules = [SelectionRule("rule", .include, [clause])]
  return Matcher(ruleSet)
}

/// The ways of an event's arrival lead to different decisions.
struct Disagreement: Error {}

extension Decision {
  /// The decision for people: `selected as a, b by c; excluded by d; pages e; path`.
  var summary: String {
    var text = isSelected ? "selected" : "not selected"
    if !emit.isEmpty { text += " as " + emit.map(\.text).joined(separator: ", ") }
    if !rules.isEmpty { text += " by " + rules.map(\.text).joined(separator: ", ") }
    if !excludedBy.isEmpty { text += "; excluded by " + excludedBy.map(\.text).joined(separator: ", ") }
    if !pages.isEmpty { text += "; pages " + pages.map(\.text).joined(separator: ", ") }
    return text + (resolution == .none ? "" : "; \(resolution.rawValue)")
  }
}
