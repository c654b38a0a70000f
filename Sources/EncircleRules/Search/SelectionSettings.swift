import EncircleIdentity
import EncircleText

/// The settings of a rule set for events and captures. With equal settings, a capture has the same events.
package struct SelectionSettings: Sendable {
  /// The settings that determine the events of a capture's elements.
  package struct Key: Hashable, Sendable {
    package var style: PathStyleName
    package var fields: EventFields
    package var identity: IdentityOptions
    package var readsScreens: Bool
  }

  /// The rule set without its rules; it excludes no pages.
  package let ruleSet: RuleSet
  /// This is true if rules use the texts of other elements on the screen, for example in properties.
  package var readsScreens = false

  package var style: PathStyleName { ruleSet.style }
  package var fields: EventFields { ruleSet.fields }
  package var key: Key { Key(style: style, fields: fields, identity: ruleSet.identity, readsScreens: readsScreens) }

  /// Returns the style in which rules see the elements of a capture: the rule set's style or, for a capture recorded from a running
  /// app, the style of that app's events.
  package func style(for screen: IdentifiedTree) -> PathStyleName { style.isSensors ? style : screen.sdkStyle ?? style }

  /// Creates the settings of a rule set.
  package init(_ ruleSet: RuleSet) {
    var settings = ruleSet.withoutRules
    settings.otherStyles = []
    settings.track = .selected
    settings.excludedPages = []
    settings.excludesDefaultPages = false
    self.ruleSet = settings
    readsScreens = ruleSet.readsScreens
  }

  /// Creates the settings of a style, with the fields that its SDK sends.
  package init(style: PathStyleName) {
    var ruleSet = RuleSet()
    ruleSet.style = style
    ruleSet.fields = EventFields(style: style)
    self.init(ruleSet)
  }

  /// Returns a capture with identities as the rule set has them.
  ///
  /// - Parameter screen: A capture with the identities that are computed without options.
  package func identified(_ screen: IdentifiedTree) -> IdentifiedTree {
    ruleSet.identity == IdentityOptions() ? screen : IdentifiedTree(screen.tree, options: ruleSet.identity)
  }

  /// Returns a matcher of these rules for the same events. It selects only events that the rules include.
  package func matcher(of rules: [SelectionRule], _ dictionary: ElementDictionary) -> Matcher {
    var ruleSet = ruleSet
    ruleSet.rules = rules
    return Matcher(ruleSet, dictionary: dictionary)
  }
}
