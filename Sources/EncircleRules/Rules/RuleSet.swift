import EncircleEvents
import EncircleIdentity
import EncircleText
import EncircleTree

/// Validated rules: all names are known, and all expressions are valid.
///
/// A rule set is the meaning of rule files, independent of how they are written. A ``Matcher`` compiles it.
public struct RuleSet: Sendable {
  /// The events that are selected although no rule is about them.
  public enum Tracking: String, CaseIterable, Sendable {
    /// Only events that an include rule matches (指定埋点).
    case selected
    /// All events except excluded ones (排除埋点).
    case all
  }

  /// The events that are selected although no rule is about them.
  public var track = Tracking.selected
  /// The rules, in any order; their ids are unique.
  public var rules: [SelectionRule] = []
  /// Pages on which nothing is selected.
  public var excludedPages: [ExcludedPage] = []
  /// Whether the pages of ``ExcludedPage/defaults`` are excluded, too.
  public var excludesDefaultPages = true
  /// The options for identities, from which event IDs are computed.
  public var identity = IdentityOptions()
  /// Superclasses of the app's classes, for kind-of tests.
  public var classes: [UTF8String: UTF8String] = [:]
  /// The places where events have their fields.
  public var fields = EventFields()
  /// The path style of events and selectors, or the first of several.
  public var style = PathStyleName.hubbleData
  /// The other styles that rules are in, without duplicates. Each event is then decided by the rules for its style; see
  /// `part(of:)`.
  public var otherStyles: [PathStyleName] = []
  /// The names of the clauses that files define. The clauses' conditions are already part of the rules that use them.
  public var definedClauses: Set<UTF8String> = []
  /// The names of the values that files define, each with its condition in words.
  public var definedValues: [UTF8String: String] = [:]

  /// Creates an empty rule set, which selects nothing.
  public init() {}

  /// The apps that the rules are for; nil if some rule is for every app, or if there are no rules.
  package var apps: Set<UTF8String>? {
    rules.isEmpty || rules.contains { $0.apps.isEmpty } ? nil : Set(rules.flatMap(\.apps))
  }

  /// The rule set without time limits. Elements of captures have no time, so a rule with a time limit would select none of them.
  package var atAnyTime: RuleSet {
    var ruleSet = self
    ruleSet.rules = rules.map(\.atAnyTime)
    return ruleSet
  }

  /// The excluded pages of the rule set, followed by the default ones if they apply.
  package var allExcludedPages: [ExcludedPage] { excludedPages + (excludesDefaultPages ? ExcludedPage.defaults : []) }

  /// Whether some rule tests a field that an event may leave to its event ID. Then the dictionary must store texts.
  public var testsKnownTexts: Bool {
    let places = Set(style.eventShape.fieldsByEventID.compactMap { fields.places(of: $0).first })
    return rules.contains { rule in
      // With `sameKind`, an event ID becomes tests of the parts of its identity, such as actions.
      if rule.sameKind, rule.clauses.contains(where: { !$0.eventIDs.isEmpty }) { return true }
      return (rule.clauses + rule.unless).contains { $0.properties.contains { places.contains($0.property) } }
        || rule.properties.contains { property in property.references.contains { places.contains($0) } }
    }
  }

  /// Whether some rule uses the texts of other elements on the screen, so that the dictionary must store them.
  public var readsScreens: Bool {
    rules.contains { rule in
      rule.isEnabled
        && (rule.needsTextsWithin
          || rule.properties.contains { if case .element = $0.source { true } else { false } })
    }
  }

  /// Returns the class names from a dictionary, `classes` and selectors, which decide how paths in identities are read.
  package func vocabulary(_ dictionary: ElementDictionary = ElementDictionary()) -> ClassVocabulary {
    var vocabulary = MatcherSettings(self).vocabulary(dictionary)
    for rule in rules where rule.isEnabled { rule.forEachClassName { vocabulary.insert($0.text) } }
    return vocabulary
  }
}

extension ClassHierarchy {
  /// Adds the classes of a rule set, replacing known classes with the same names.
  package mutating func add(_ classes: [UTF8String: UTF8String]) {
    for (name, superclass) in classes.sorted(by: { $0.key < $1.key }) { add(name.text, superclass: superclass.text) }
  }
}

/// A page, with its subclasses, on which nothing is selected.
public struct ExcludedPage: Hashable, Sendable {
  /// The events that are not selected.
  public enum Scope: String, Sendable {
    /// All events on the page.
    case all
    /// Only that the page is viewed or left.
    case pageViews
  }

  /// The class of its view controller.
  public var name: UTF8String
  /// The app that the page belongs to; nil for any.
  public var app: UTF8String?
  /// The events that are not selected.
  package(set) public var scope = Scope.all

  /// Creates an excluded page.
  public init(_ name: UTF8String, app: UTF8String? = nil) {
    self.name = name
    self.app = app
  }
}

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
  /// Whether the rule is enabled.
  public var isEnabled = true
  /// Whether the rule also matches the elements in the same place of other rows.
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
}

extension SelectionRule {
  /// Whether some clause tests a text around the event's element, which only captures and dictionaries know.
  public var needsTextsWithin: Bool {
    (clauses + unless).contains { $0.properties.contains(where: \.isOfTextsWithin) }
  }
}

/// Conditions that must all hold.
public struct RuleClause: Sendable {
  /// On the event's name.
  public var event: Condition?
  /// On the page.
  public var page: Condition?
  /// Selectors; one must match the element. Empty means no condition.
  public var selectors: [ElementSelector] = []
  /// Event IDs, given as such or as identity strings; one must be the element's. Empty means no condition.
  public var eventIDs: [ElementReference] = []
  /// On properties.
  public var properties: [PropertyTest] = []
  /// The style of the events that the clause is for. It counts only where rules are in several styles.
  public var style = Style.unstated

  /// The style of the events that a clause is for.
  public enum Style: Hashable, Sendable {
    /// The clause states no style. It takes the style of its file or rule set; if they have none, it is for any style.
    case unstated
    /// Events of any style.
    case any
    /// Events of one style, in which the selectors are written.
    case only(PathStyleName)
  }

  /// A selector that the element must match in addition to `selectors`; it is made for a rule with `sameKind`.
  var place: ElementSelector?

  /// Creates a clause without conditions, which matches every event.
  public init() {}

  /// The event IDs that the element may have; nil for any.
  var requiredEventIDs: Set<EventID>? { eventIDs.isEmpty ? nil : Set(eventIDs.map(\.eventID)) }

  /// Whether the clause has no condition and would therefore match every event.
  public var isEmpty: Bool {
    event == nil && page == nil && selectors.isEmpty && eventIDs.isEmpty && properties.isEmpty
  }
}

/// An element named by its identity.
public struct ElementReference: Hashable, Sendable {
  /// The event ID.
  public var eventID: EventID
  /// The identity string, if the rule gives it.
  public var identity: UTF8String?

  /// An element named by its event ID.
  public init(eventID: EventID) { self.eventID = eventID }

  /// An element named by its identity string.
  public init(identity: String) {
    eventID = EventID(identity: identity)
    self.identity = UTF8String(identity)
  }
}

/// A condition on one property.
public struct PropertyTest: Sendable {
  /// The property.
  public var property: PropertyReference
  /// The condition on its value.
  public var condition: Condition

  /// Creates a test.
  public init(_ property: PropertyReference, _ condition: Condition) {
    self.property = property
    self.condition = condition
  }

  /// Whether the test is about the text of an element around the event's element.
  package var isOfTextsWithin: Bool { if case .textsWithin = property { true } else { false } }
}
