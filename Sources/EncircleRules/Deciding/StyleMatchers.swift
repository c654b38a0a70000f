import EncircleEvents
import EncircleIdentity
import EncircleText

/// The matchers of a rule set with rules in several styles: one for the events of each style, and one for the others.
///
/// They share one projection. The matcher that owns them numbers their rules consecutively. So a rule with clauses in several
/// styles has several numbers, and an event can match only one of them.
final class StyleMatchers: Sendable {
  let events: EventStyles
  /// The matcher of each style, by number; the last one is for events without a style.
  let parts: [Matcher]
  /// The number of each part's first rule.
  let ruleStarts: [Int]

  init(_ events: EventStyles, _ parts: [Matcher]) {
    self.events = events
    self.parts = parts
    ruleStarts = parts.reduce(into: [0]) { $0.append($0[$0.count - 1] + $1.ruleNumberLimit) }
  }

  /// The number of different ids.
  var ruleCount: Int {
    var ids: Set<UTF8String> = []
    for part in parts {
      for rule in 0..<part.ruleNumberLimit where !part.removed.contains(rule) { ids.insert(part.ruleID(rule)) }
    }
    return ids.count
  }
}

extension Matcher {
  /// Compiles a rule set with rules in several styles.
  ///
  /// - Parameter dictionary: The event IDs that are known, in one of the styles.
  init(styles ruleSet: RuleSet, dictionary: ElementDictionary, limits: IndexLimits) {
    let sets = (ruleSet.styles.map { Optional($0) } + [nil]).map { ruleSet.part(of: $0) }
    var properties = PropertyNumbers()
    let events = EventStyles(ruleSet.styles, fields: sets.map(\.fields), &properties)
    var parts: [Matcher] = []
    for (number, set) in sets.enumerated() {
      let dictionary = dictionary.inStyle(set.style, isKnown: number < ruleSet.styles.count)
      parts.append(Matcher(set, dictionary: dictionary, limits: limits, &properties))
    }
    self.init(events, parts, properties)
  }

  /// Joins the matchers for the events of several styles.
  ///
  /// - Parameter properties: The numbers of all parts' properties. A number that a part knows has the same meaning here.
  init(_ events: EventStyles, _ parts: [Matcher], _ properties: PropertyNumbers) {
    var keyPlaces: [Int] = []
    for number in parts.flatMap(\.fields.elementProperties) where !keyPlaces.contains(number) {
      keyPlaces.append(number)
    }
    var fallbacks: [EventProjection.KeyFallback] = []
    for fallback in parts.flatMap(\.fields.fallbacks) where !keyPlaces.contains(fallback.place) {
      if let other = fallbacks.firstIndex(where: { $0.place == fallback.place }) {
        guard fallbacks[other].first != fallback.first else { continue }
        // The place serves as a fallback for two different fields, so it becomes part of the key in any case.
        fallbacks.remove(at: other)
        keyPlaces.append(fallback.place)
      } else {
        fallbacks.append(fallback)
      }
    }
    let projection = EventProjection(properties.references, keyPlaces: keyPlaces, keyFallbacks: fallbacks)
    let parts = parts.map { part in
      Matcher(
        part.settings, part.dictionary, properties, part.fields, part.vocabulary, part.programs, sources: part.sources,
        removed: part.removed, projection: projection, defaultPages: part.defaultPages)
    }
    let styles = StyleMatchers(events, parts)
    var removed: Set<Int> = []
    for (part, start) in zip(parts, styles.ruleStarts) { removed.formUnion(part.removed.map { start + $0 }) }
    let first = parts[0]
    self.init(
      first.settings, first.dictionary, properties, first.fields, first.vocabulary, parts.flatMap(\.programs),
      sources: parts.flatMap(\.sources), removed: removed, projection: projection, defaultPages: first.defaultPages,
      styles: styles)
  }

  /// Returns the settings for the events of a capture's elements.
  func settings(for screen: IdentifiedTree) -> MatcherSettings {
    guard let styles, let style = screen.eventStyle(among: styles.events.styles) else { return settings }
    return styles.parts.lazy.map(\.settings).first { $0.style == style } ?? settings
  }

  /// Returns the matcher for the events of the style of an event: this one, unless rules are in several styles.
  func part(for event: borrowing ProjectedEvent) -> Matcher {
    styles.map { $0.parts[$0.events.number(of: event)] } ?? self
  }
}

extension ElementDictionary {
  /// Returns the dictionary for the part of a rule set in one style. Its elements are used only if their paths are in that
  /// style.
  ///
  /// - Parameter isKnown: False for the part for events that are in none of the styles.
  func inStyle(_ style: PathStyleName, isKnown: Bool) -> ElementDictionary {
    if isKnown {
      if self.style == style { return self }
      if let other = inOtherStyles.first(where: { $0.style == style }) { return other }
    }
    return ElementDictionary(hierarchy: hierarchy, style: style)
  }
}
