import EncircleText

/// A named condition that includes or excludes events.
public struct SelectionRule: Sendable {
  /// The effect of a rule on the events that it matches.
  public enum Effect: String, Sendable {
    case include, exclude
  }

  /// The unique id.
  public var id: UTF8String
  public var effect: Effect
  /// The clauses, not empty; at least one must hold.
  public var clauses: [RuleClause]
  /// Clauses that prevent a match; none may hold.
  public var unless: [RuleClause] = []
  /// The name under which events are selected; by default the id.
  public var emit: String
  /// Further names under which events are selected.
  public var otherNames: [String] = []
  /// This is true if the rule is enabled.
  public var isEnabled = true
  /// This is true if the rule also matches the elements in the same place of other rows.
  public var sameKind = false
  /// The minimum confidence, 0 to 1, for treating an element as the successor of one that the rule selected in an earlier version.
  /// If it is nil, the caller decides; by default, no element qualifies. Only include rules have a tolerance.
  public var tolerance: Double?
  /// The first moment of the rule, in milliseconds since 1970; nil means no bound.
  public var from: Int64?
  /// The last moment of the rule, in milliseconds since 1970; nil means no bound.
  public var to: Int64?
  /// Properties that the rule gives the events that it selects. Only an include rule has some.
  public var properties: [RuleProperty] = []
  /// The time spans of a rule that has several, else empty. ``from`` and ``to`` then enclose all of them.
  public var windows: [Window] = []
  /// The apps whose events the rule is for; empty is any.
  public var apps: [UTF8String] = []
  /// A name for people.
  public var name: String?
  /// A description for people.
  public var summary: String?
  /// The person or team responsible for the rule.
  public var owner: String?
  /// Free words.
  public var tags: [String] = []
  /// The definition in another tool from which the rule was made.
  public var origin: RuleOrigin?
  /// The place in the rule files, `file:line:column`.
  public var location: String?

  /// The rule without its times.
  package var atAnyTime: SelectionRule {
    var rule = self
    (rule.from, rule.to, rule.windows) = (nil, nil, [])
    return rule
  }

  /// A span of time, in milliseconds since 1970; nil means no bound. Both bounds belong to it.
  public struct Window: Hashable, Sendable {
    public var from: Int64?
    public var to: Int64?

    /// Creates a span of time.
    public init(from: Int64?, to: Int64?) {
      self.from = from
      self.to = to
    }
  }

  /// The names under which events are selected.
  public var names: [String] { [emit] + otherNames }

  /// Creates a rule.
  public init(_ id: UTF8String, _ effect: Effect, _ clauses: [RuleClause]) {
    self.id = id
    self.effect = effect
    self.clauses = clauses
    emit = id.text
  }
}

extension SelectionRule {
  /// Calls `body` with the names of classes in all selectors.
  func forEachClassName(_ body: (UTF8String) -> Void) {
    for clause in clauses + unless {
      for selector in clause.selectors {
        for case .component(.name(let name), _) in selector.steps { body(name) }
      }
    }
  }

  /// This is true if some clause tests a text around the event's element, which only captures and dictionaries know.
  public var needsTextsWithin: Bool {
    (clauses + unless).contains { $0.properties.contains(where: \.isOfTextsWithin) }
  }
}
