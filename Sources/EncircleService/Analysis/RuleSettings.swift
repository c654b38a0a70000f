import EncircleIdentity
import EncircleRules
import EncircleText

/// What a rule set says about events and captures besides its rules: with the same settings, captures make the same events.
struct RuleSettings: Sendable {
  /// What the events of a capture's elements depend on.
  struct Key: Hashable, Sendable {
    var style: PathStyleName
    var fields: EventFields
    var identity: IdentityOptions
  }

  /// The rule set without its rules; it excludes no pages.
  let ruleSet: RuleSet

  var key: Key { Key(style: ruleSet.style, fields: ruleSet.fields, identity: ruleSet.identity) }

  init(_ ruleSet: RuleSet) {
    var settings = ruleSet
    settings.rules = []
    settings.track = .selected
    settings.excludedPages = []
    settings.excludesDefaultPages = false
    self.ruleSet = settings
  }

  /// A matcher of rules for the same events, which selects what they say and nothing else.
  func matcher(of rules: [SelectionRule], _ dictionary: ElementDictionary) -> Matcher {
    var ruleSet = ruleSet
    ruleSet.rules = rules
    return Matcher(ruleSet, dictionary: dictionary)
  }
}

extension RuleSettings {
  /// A stored capture with identities as the rule set has them.
  func identified(_ screen: StoredScreen) -> IdentifiedTree {
    let identity = ruleSet.identity
    return identity == IdentityOptions()
      ? screen.identified : IdentifiedTree(screen.identified.tree, options: identity)
  }

  /// The style that a request names.
  static func style(_ body: JSONBody) throws -> PathStyleName {
    let name = try body.text
    guard let style = PathStyleName.allCases.first(where: { $0.rawValue.utf8.elementsEqual(name.utf8) }) else {
      throw body.error(
        "Unknown style: expected one of \(PathStyleName.allCases.map(\.rawValue).joined(separator: ", ")).")
    }
    return style
  }
}

extension Analysis {
  /// The settings by which a request is answered: those of the rule set that it names, else of the one called `default`;
  /// with a style of its own, that style's.
  ///
  /// - Throws: ``ServiceError`` with 404 for an unknown rule set, 422 for an unknown style.
  func settings(_ body: JSONBody) throws -> RuleSettings {
    let named = try body.member("ruleset")?.text
    let published = try ruleSets.published(named ?? "default")
    if named != nil, published == nil { throw Analysis.noRuleSet() }
    var ruleSet = published?.ruleSet ?? RuleSet()
    if let style = try body.member("style").map(RuleSettings.style), style != ruleSet.style {
      ruleSet.style = style
      ruleSet.fields = EventFields(style: style)
    }
    return RuleSettings(ruleSet)
  }

  static func noRuleSet() -> ServiceError {
    ServiceError(.notFound, code: "no-ruleset", message: "No rule set has the name that the request gives.")
  }
}
