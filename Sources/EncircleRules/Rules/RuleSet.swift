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
  /// This is true if the pages of ``ExcludedPage/defaults`` are excluded, too.
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

  /// The apps that the rules are for.
  ///
  /// - Complexity: O(rules).
  package var apps: RuleApps { RuleApps(rules) }

  /// The rule set without time limits. Elements of captures have no time, so a rule with a time limit would select none of them.
  package var atAnyTime: RuleSet {
    var ruleSet = self
    ruleSet.rules = rules.map(\.atAnyTime)
    return ruleSet
  }

  /// The excluded pages of the rule set, followed by the default ones if they apply.
  package var allExcludedPages: [ExcludedPage] { excludedPages + (excludesDefaultPages ? ExcludedPage.defaults : []) }

  /// This is true if some rule tests a field that an event may leave to its event ID. Then the dictionary must store
  /// texts.
  public var testsKnownTexts: Bool {
    let places = Set(style.eventShape.fieldsByEventID.compactMap { fields.places(of: $0).first })
    return rules.contains { rule in
      // With `sameKind`, an event ID becomes tests of the parts of its identity, such as actions.
      if rule.sameKind, rule.clauses.contains(where: { !$0.eventIDs.isEmpty }) { return true }
      return (rule.clauses + rule.unless).contains { $0.properties.contains { places.contains($0.property) } }
        || rule.properties.contains { property in property.references.contains { places.contains($0) } }
    }
  }

  /// This is true if some rule uses the texts of other elements on the screen, so that the dictionary must store them.
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

  /// Returns the page with its name as the pages of events are compared in a style: the path of a web page without escapes, and a
  /// page of GrowingIO's SDKs without the slash of events.
  package func read(in style: PathStyleName) -> ExcludedPage {
    var page = self
    page.name = UTF8String(style.isWeb ? WebAddress.decoded(name.text) : style.page(ofEvent: name.text))
    return page
  }
}
