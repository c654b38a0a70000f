import EncircleEvents
import EncircleIdentity
import EncircleRuleFiles
import EncircleRules
import EncircleText
import EncircleTree

/// A suggestion as a clause of a rule, with the tests that it needs beside its selector.
package struct SuggestedClause {
  package let suggestion: Suggestion
  package let clause: EventObject
  package let rule: SelectionRule

  package init(
    _ suggestion: Suggestion, for element: ElementID, in screen: IdentifiedTree, _ settings: SelectionSettings
  ) {
    self.suggestion = suggestion
    let clause = ElementClause(
      suggestion, for: element, in: screen, style: settings.style, fields: settings.fields)
    self.clause = clause.object
    rule = clause.rule
  }

  /// What it selects on its screen, in a sentence without a full stop.
  package var summary: String {
    switch suggestion.uniqueness {
    case .element: "selects this element and nothing else on the screen"
    case .kind(let count):
      count == 1
        ? "selects this element in any row" : "selects this element in any row: \(count) of its kind on the screen"
    case .shared(let count): "selects \(count) elements of the screen that no rule can tell apart"
    }
  }

  /// The suggestions for an element, the best first; empty if the style has no path for it.
  package static func all(
    for element: ElementID, in screen: IdentifiedTree, limit: Int, _ settings: SelectionSettings
  ) -> [SuggestedClause] {
    let style = settings.style
    guard style.style.unmetRequirement(for: screen) == nil else { return [] }
    let suggestions = TapSuggester(screen, settings.ruleSet).suggestions(for: element, limit: limit)
    return suggestions.map { SuggestedClause($0, for: element, in: screen, settings) }
  }
}
