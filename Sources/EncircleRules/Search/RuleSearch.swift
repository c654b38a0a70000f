import EncircleEvents
import EncircleIdentity
import EncircleText
import EncircleTree

/// Finds the elements that rules select: each element's event is decided by all rules in one pass.
///
/// ```swift
/// let search = RuleSearch(rules, settings, dictionary)
/// var finder = search.finder()
/// let found = finder.rules(selecting: event)  // indices in `rules`
/// ```
package struct RuleSearch: Sendable {
  private let matcher: Matcher
  // The index of each rule in `rules`, by its number in the matcher, which numbers rules in the order of their IDs.
  private let indices: [Int]

  /// Compiles rules. Their IDs need not be unique.
  ///
  /// - Complexity: O(size of the rules), plus sorts.
  package init(_ rules: [SelectionRule], _ settings: SelectionSettings, _ dictionary: ElementDictionary) {
    matcher = settings.matcher(of: rules, dictionary)
    indices = rules.enabledByID
  }

  /// This is true if there are no rules.
  package var isEmpty: Bool { indices.isEmpty }

  /// Returns a finder of elements, for one thread or task.
  package func finder() -> Finder { Finder(decider: Decider(matcher), indices: indices) }

  /// Finds the elements that rules select, one after the other.
  package struct Finder: ~Copyable {
    fileprivate var decider: Decider
    fileprivate let indices: [Int]

    /// Returns the indices of the rules that select an event.
    ///
    /// - Complexity: As for a decision.
    package mutating func rules(selecting event: AnalyticsEvent) -> [Int] {
      decider.selects(event) ? decider.matchedRules.map { indices[$0] } : []
    }

    /// Calls `body` with each element of a capture and each rule that selects it, the elements in pre-order.
    ///
    /// - Parameter check: A function that is called now and then; an error that it throws ends the search.
    /// - Complexity: O(elements), with the cost of deciding one event for each.
    package mutating func forEachMatch(
      in events: ScreenEvents, check: () throws -> Void, _ body: (_ entry: Int, _ rule: Int) -> Void
    ) rethrows {
      try events.forEach { entry, json in
        if entry % 256 == 255 { try check() }
        // The JSON was made here, so it is valid.
        guard (try? decider.selects(json: json)) ?? false else { return }
        for number in decider.matchedRules { body(entry, indices[number]) }
      }
    }

    /// Returns, for each of `count` rules, the elements of a capture that it selects, in pre-order.
    package mutating func elements(of events: ScreenEvents, count: Int) -> [[ElementID]] {
      var found = Array(repeating: [ElementID](), count: count)
      forEachMatch(in: events, check: {}) { entry, rule in found[rule].append(events.elements[entry]) }
      return found
    }
  }
}

// MARK: - Selectors

extension SelectionSettings {
  /// Returns the elements of a capture that a selector matches as a part of a rule would, in pre-order. Elements that no SDK
  /// tracks count, too.
  ///
  /// - Parameter screen: A capture that the style can serve.
  /// - Complexity: As for ``SelectorMatcher/elements(of:)``; in other styles O(elements × depth).
  package func elements(matching selector: ElementSelector, in screen: IdentifiedTree) -> [ElementID] {
    guard style != .hubbleData else {
      var hierarchy = ClassHierarchy.builtIn
      hierarchy.add(ruleSet.classes)
      hierarchy.insertClasses(of: screen)
      return SelectorMatcher(selector, hierarchy: hierarchy).elements(of: screen)
    }
    // In other styles a selector is matched against the path that events carry.
    var clause = RuleClause()
    clause.selectors = selector.read(in: style)
    let rule = SelectionRule("selector", .include, [clause])
    var dictionary = ElementDictionary(style: style)
    dictionary.insert(screen)
    var finder = RuleSearch([rule], self, dictionary).finder()
    let events = ElementEvents(of: screen, style: style, fields: fields)
    // A cell whose row the capture lacks has two events, one with a row and one with the index that is listed.
    return screen.tree.elements.filter { element in
      events.sentEvents(of: element).contains { !finder.rules(selecting: $0).isEmpty }
    }
  }
}
