import EncircleAuthoring
import EncircleEvents
import EncircleIdentity
import EncircleRules
import EncircleText
import EncircleTree

/// A suggestion as a clause of a rule, with the tests that it needs beside its selector.
struct SuggestedClause {
  let suggestion: Suggestion
  let clause: EventObject
  let rule: SelectionRule

  init(_ suggestion: Suggestion, _ settings: RuleSettings) {
    self.suggestion = suggestion
    let clause = ElementClause(suggestion, style: settings.ruleSet.style, fields: settings.ruleSet.fields)
    self.clause = clause.object
    rule = clause.rule
  }

  /// What it selects on its screen, in a sentence without a full stop.
  var summary: String {
    switch suggestion.uniqueness {
    case .element: "selects this element and nothing else on the screen"
    case .kind(let count):
      count == 1
        ? "selects this element in any row" : "selects this element in any row: \(count) of its kind on the screen"
    case .shared(let count): "selects \(count) elements of the screen that no rule can tell apart"
    }
  }

  /// The suggestions for an element, the best first; empty if the style has no path for it.
  static func all(
    for element: ElementID, in screen: IdentifiedTree, limit: Int, _ settings: RuleSettings
  ) -> [SuggestedClause] {
    let style = settings.ruleSet.style
    guard style.style.lack(of: screen) == nil else { return [] }
    let suggestions = TapSuggester(screen, settings.ruleSet).suggestions(for: element, limit: limit)
    return suggestions.map { SuggestedClause($0, settings) }
  }

  /// - Parameters:
  ///   - here: The elements of the screen that it selects.
  ///   - elsewhere: The number of elements of other stored captures that it selects.
  func write(here: Int, elsewhere: Int, to json: inout JSONBuilder) {
    json.object {
      $0.member("selector", suggestion.selector.description)
      $0.nullable("page", suggestion.page)
      $0.member("needs_page", suggestion.needsPage)
      $0.member("summary", summary)
      $0.member("unique", suggestion.isUnique)
      $0.member("stability", suggestion.stability.score)
      $0.array("reasons", suggestion.stability.reasons) { reason, json in
        json.object {
          $0.member("points", reason.penalty)
          $0.member("text", reason.description(of: suggestion.selector))
        }
      }
      $0.member("clause", .object(clause))
      $0.member("here", here)
      $0.member("elsewhere", elsewhere)
    }
  }
}
