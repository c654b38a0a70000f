import EncircleEvents
import EncircleIdentity
import EncircleRules
import EncircleText
import EncircleTree

/// The tap on an element of a capture as an event of a style, for trying rules.
package struct OwnTap: Sendable {
  private let settings: RuleSet
  private let dictionary: ElementDictionary
  /// The events that it may arrive as.
  let events: [AnalyticsEvent]

  /// Returns whether a rule selects the tap in every shape that its event may arrive in. Values that only a dictionary of the
  /// capture knows by the event ID count as well.
  ///
  /// - Complexity: O(size of the rule + depth + classes of the capture).
  package func isSelected(by rule: SelectionRule) -> Bool {
    var ruleSet = settings
    ruleSet.rules = [rule]
    var decider = Decider(Matcher(ruleSet, dictionary: dictionary), cacheLimit: 0)
    return events.allSatisfy { decider.selects($0) }
  }
}

extension OwnTap {
  /// The taps on all elements of a capture.
  package final class Source: Sendable {
    private let screen: IdentifiedTree
    private let settings: RuleSet
    private let events: ElementEvents
    private let contents: ElementContents
    private let tracked = LazyValue<[TrackedTap]>()

    // A tracked element and the event of a tap on it, which takes longer to make than to decide. For large captures, only the
    // first events are kept.
    private struct TrackedTap: Sendable {
      let element: ElementID
      let event: AnalyticsEvent?
    }

    private static let maximumKeptEvents = 20_000

    /// Prepares a capture, which the style must be able to serve.
    ///
    /// - Parameter settings: The rule set for new rules; its existing rules are ignored.
    /// - Complexity: O(elements).
    package init(_ screen: IdentifiedTree, _ settings: RuleSet) {
      self.screen = screen
      self.settings = settings.withoutRules
      events = ElementEvents(of: screen, style: settings.style, fields: settings.fields)
      contents = ElementContents(of: screen)
    }

    /// Returns the rule for a suggestion.
    func rule(_ suggestion: Suggestion, for element: ElementID) -> SelectionRule {
      ElementClause(suggestion, for: element, in: screen, style: settings.style, fields: settings.fields).rule
    }

    /// Returns the tap on an element.
    ///
    /// - Complexity: O(elements of the class × depth).
    package func tap(on element: ElementID) -> OwnTap {
      var dictionary = ElementDictionary(style: settings.style)
      if settings.style == .hubbleData { dictionary.insert(firstTwin(of: element), of: screen, contents) }
      return OwnTap(settings: settings, dictionary: dictionary, events: events.sentEvents(of: element))
    }

    /// Returns the tap on an element, with a dictionary that knows the surrounding elements.
    ///
    /// - Complexity: O(depth).
    func tap(on element: ElementID, knowing dictionary: ElementDictionary) -> OwnTap {
      OwnTap(settings: settings, dictionary: dictionary, events: events.sentEvents(of: element))
    }

    /// Returns the first element of the capture with the event ID of an element; dictionaries know only the first.
    private func firstTwin(of element: ElementID) -> ElementID {
      screen.tree.elements.prefix(element.index).first { screen.haveOneIdentity(element, $0) } ?? element
    }

    /// Returns the tracked elements whose taps a rule selects.
    ///
    /// - Parameters:
    ///   - dictionary: Further knowledge about the capture.
    ///   - candidates: The tracked elements to try; nil for all.
    /// - Complexity: O(elements × (size of the rule + depth)).
    func selected(
      by rule: SelectionRule, _ dictionary: ElementDictionary = ElementDictionary(),
      among candidates: [ElementID]? = nil
    ) -> [ElementID] {
      var ruleSet = settings
      ruleSet.rules = [rule]
      var decider = Decider(Matcher(ruleSet, dictionary: dictionary), cacheLimit: 0)
      var selected: [ElementID] = []
      for tap in candidates?.map({ TrackedTap(element: $0, event: nil) }) ?? tracked.get(trackedTaps) {
        // No decision is made, because its event ID takes as long as matching.
        _ = decider.selects(tap.event ?? events.event(of: tap.element))
        if decider.matchCount > 0 { selected.append(tap.element) }
      }
      return selected
    }

    private func trackedTaps() -> [TrackedTap] {
      let elements = screen.tree.elements.filter { events.trackingType(of: $0) != nil }
      return elements.enumerated().map { i, element in
        TrackedTap(element: element, event: i < Self.maximumKeptEvents ? events.event(of: element) : nil)
      }
    }
  }
}
