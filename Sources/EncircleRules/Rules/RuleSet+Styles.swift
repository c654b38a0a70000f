import EncircleIdentity

// A rule set may have rules in several styles. It then stands for several rule sets: one for the events of each style, and one
// for events of none of them. ``EventStyles`` decides which one an event belongs to.

extension RuleSet {
  /// The styles that rules are in, the first one first.
  public var styles: [PathStyleName] { [style] + otherStyles }

  /// Returns the rule set for the events of one style, with the clauses for that style and the clauses for any style.
  ///
  /// - Parameter style: A style of the rule set; nil for events of other styles, to which only clauses for any style apply.
  /// - Complexity: O(size of the rules) if there are several styles.
  package func part(of style: PathStyleName?) -> RuleSet {
    guard !otherStyles.isEmpty else { return self }
    var part = self
    part.otherStyles = []
    part.style = style ?? .hubbleData
    part.fields = fields(of: style)
    part.rules = rules.compactMap { $0.part(of: style) }
    return part
  }

  /// Returns the places of the fields that rules test in events of one style.
  ///
  /// - Parameter style: A style of the rule set; nil for events of other styles.
  package func fields(of style: PathStyleName?) -> EventFields {
    guard !otherStyles.isEmpty else { return fields }
    var own = EventFields(style: style ?? .hubbleData)
    for field in EventFields.Field.allCases {
      let places = fields.places(of: field)
      if places != fields.style.eventShape.places[field], !places.isEmpty { own.set(field, places) }
    }
    return own
  }

  /// The same settings without rules.
  package var withoutRules: RuleSet {
    var settings = self
    settings.rules = []
    return settings
  }
}

extension RuleSet {
  /// Returns the part of the rule set that decides the events of a capture's elements, according to the style of these events.
  ///
  /// - Complexity: O(size of the rules) if there are several styles.
  package func part(for screen: IdentifiedTree) -> RuleSet {
    guard !otherStyles.isEmpty else { return self }
    return part(of: screen.eventStyle(among: styles))
  }
}

extension SelectionRule {
  /// Returns the rule with the clauses that apply to a style; nil if no clause does.
  func part(of style: PathStyleName?) -> SelectionRule? {
    var part = self
    part.clauses = clauses.compactMap { $0.part(of: style) }
    part.unless = unless.compactMap { $0.part(of: style) }
    return part.clauses.isEmpty ? nil : part
  }
}

extension RuleClause {
  /// Returns whether the clause applies to events of a style; nil stands for events of none of the rule set's styles.
  package func isFor(_ style: PathStyleName?) -> Bool {
    switch self.style {
    case .unstated, .any: true
    case .only(let own): own == style
    }
  }

  /// Returns the clause as one of a rule set in one style; nil if it is not for events of the style.
  func part(of style: PathStyleName?) -> RuleClause? {
    guard isFor(style) else { return nil }
    var part = self
    part.style = .unstated
    // Clauses for one style have already been read in that style.
    if self.style == .any || self.style == .unstated, let style { part.page = page?.readPage(in: style) }
    return part
  }
}
