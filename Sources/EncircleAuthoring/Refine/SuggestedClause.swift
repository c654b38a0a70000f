import EncircleEvents
import EncircleIdentity
import EncircleRuleFiles
import EncircleRules
import EncircleText
import EncircleTree

/// A suggestion as a clause of a rule, with the tests that it needs in addition to its selector.
package struct SuggestedClause {
  package let suggestion: Suggestion
  package let clause: EventObject
  package let rule: SelectionRule

  package init(
    _ suggestion: Suggestion, for element: ElementID, in screen: IdentifiedTree, _ settings: SelectionSettings
  ) {
    self.init(
      suggestion, ElementClause(suggestion, for: element, in: screen, style: settings.style, fields: settings.fields))
  }

  init(_ suggestion: Suggestion, _ clause: ElementClause) {
    self.suggestion = suggestion
    self.clause = clause.object
    rule = clause.rule
  }

  /// Its selection on the screen, in a sentence without a full stop.
  package var summary: String {
    switch suggestion.uniqueness {
    case .element: "selects this element and nothing else on the screen"
    case .kind(let count):
      count == 1
        ? "selects this element in any row" : "selects this element in any row: \(count) of its kind on the screen"
    case .shared(let count): "selects \(count) elements of the screen that no rule can distinguish"
    }
  }

  /// The stable names of summaries, for translation by clients.
  package enum Code: String, CaseIterable, Sendable {
    case element, kind, shared
  }

  /// The name of the summary.
  package var code: Code {
    switch suggestion.uniqueness {
    case .element: .element
    case .kind: .kind
    case .shared: .shared
    }
  }

  /// The number of elements that the summary is about.
  package var count: Int {
    switch suggestion.uniqueness {
    case .element: 1
    case .kind(let count), .shared(let count): count
    }
  }

  /// Returns the suggestions for an element, best first; empty if the style has no path for it.
  package static func all(
    for element: ElementID, in screen: IdentifiedTree, limit: Int, _ settings: SelectionSettings
  ) -> [SuggestedClause] {
    Source(screen, settings).suggestions(for: element, limit: limit)
  }

  /// The suggestions for all elements of a capture.
  struct Source {
    private let screen: IdentifiedTree
    private let settings: SelectionSettings
    private let isServed: Bool
    private let suggester = LazyValue<TapSuggester>()

    init(_ screen: IdentifiedTree, _ settings: SelectionSettings) {
      self.screen = screen
      self.settings = settings
      isServed = settings.style.style.unmetRequirement(for: screen) == nil
    }

    /// Returns the suggestions for an element, best first; empty if the style has no path for it. In the `sensors` styles, a
    /// configuration of the SDK can express the best one.
    ///
    /// - Parameter prefersIDs: True if selectors with ids of developers come before all others.
    func suggestions(for element: ElementID, limit: Int, prefersIDs: Bool = true) -> [SuggestedClause] {
      if let clause = SensorsClause(of: element, in: screen, settings) {
        return [clause.suggestion(for: element, in: screen)]
      }
      guard isServed else { return [] }
      let suggester = self.suggester.get { TapSuggester(screen, settings.ruleSet) }
      var suggestions = suggester.suggestions(for: element, limit: limit, prefersIDs: prefersIDs)
      if settings.style.isSensors, let whole = suggester.wholePath(of: element) {
        suggestions.removeAll { $0.selector == whole.selector && $0.evidence.isEmpty }
        suggestions = [whole] + suggestions.prefix(max(0, limit - 1))
      }
      return suggestions.map { SuggestedClause($0, for: element, in: screen, settings) }
    }
  }
}
