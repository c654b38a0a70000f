import EncircleEvents
import EncircleIdentity
import EncircleRules

/// The places of the fields in events of each style of a rule set.
struct FieldPlaces {
  private let ruleSet: RuleSet
  private let styleOfEvents: StyleOfEvents
  private let fields: [PathStyleName: EventFields]

  init(_ ruleSet: RuleSet) {
    self.ruleSet = ruleSet
    styleOfEvents = StyleOfEvents(ruleSet)
    fields = Dictionary(uniqueKeysWithValues: ruleSet.styles.map { ($0, ruleSet.fields(of: $0)) })
  }

  /// Returns the style of an event; for an event in none of the rule set's styles, the first of them.
  func style(of event: AnalyticsEvent) -> PathStyleName {
    ruleSet.otherStyles.isEmpty ? ruleSet.style : styleOfEvents.style(of: event) ?? ruleSet.style
  }

  func fields(of style: PathStyleName) -> EventFields { fields[style] ?? ruleSet.fields }
}
