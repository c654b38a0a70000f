import EncircleIdentity
import EncircleRules

/// The settings that a selector at a place of a file is read and matched with.
struct SelectorSettings {
  /// The settings of the rule set, without rules, for the style of the place: the one that the clause, the rule or the file around
  /// it names, else the first style of the rule set.
  let ruleSet: RuleSet
  private let styles: [PathStyleName]

  init(_ rules: RuleSet, at place: YAMLPlace) {
    let named = place.styles.compactMap { PathStyleName(rawValue: $0) }.last
    let style = named ?? rules.style
    var settings = rules.withoutRules
    // The rules may not have been loaded since the style was written.
    if !rules.styles.contains(style) { settings.otherStyles.append(style) }
    styles = settings.styles
    ruleSet = settings.part(of: style)
  }

  var style: PathStyleName { ruleSet.style }

  /// Returns whether SDKs of the style may send events of a capture's elements, as the check of the rules counts them.
  func areFor(_ screen: IdentifiedTree) -> Bool {
    screen.platformStyles(among: styles).contains(style) && style.style.unmetRequirement(for: screen) == nil
  }
}
