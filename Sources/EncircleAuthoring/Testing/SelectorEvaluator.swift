import EncircleEvents
import EncircleIdentity
import EncircleRules
import EncircleTree

/// Finds the elements of captures that selectors match, as the rules of a rule set would match them.
package struct SelectorEvaluator {
  private let ruleSet: RuleSet

  /// Creates an evaluator for selectors of a style, without rules.
  package init(style: PathStyleName) {
    var ruleSet = RuleSet()
    ruleSet.style = style
    ruleSet.fields = EventFields(style: style)
    self.init(ruleSet)
  }

  package init(_ ruleSet: RuleSet) { self.ruleSet = ruleSet }

  /// Returns the elements that a selector matches, in pre-order.
  func elements(matching selector: ElementSelector, in capture: TestCapture) -> [ElementID] {
    elements(matching: selector, in: capture.screen)
  }

  /// Returns the elements that a selector matches, in pre-order. The style of the rule set must be able to serve the screen.
  package func elements(matching selector: ElementSelector, in screen: IdentifiedTree) -> [ElementID] {
    guard ruleSet.style != .hubbleData else {
      var hierarchy = ClassHierarchy.builtIn
      hierarchy.add(ruleSet.classes)
      hierarchy.insertClasses(of: screen)
      return SelectorMatcher(selector, hierarchy: hierarchy).elements(of: screen)
    }
    // In other styles a selector is matched against the path that events carry.
    var clause = RuleClause()
    clause.selectors = [selector]
    var rule = SelectionRule("selector", .include, [clause])
    rule.readSelectors(in: ruleSet.style)
    var rules = ruleSet
    rules.rules = [rule]
    rules.track = .selected
    rules.excludedPages = []
    rules.excludesDefaultPages = false
    var dictionary = ElementDictionary(style: ruleSet.style)
    dictionary.insert(screen)
    let matcher = Matcher(rules, dictionary: dictionary)
    var decider = Decider(matcher)
    let events = ElementEvents(of: screen, style: ruleSet.style, fields: ruleSet.fields)
    return screen.tree.elements.filter { decider.decide(events.event(of: $0)).isSelected }
  }
}
