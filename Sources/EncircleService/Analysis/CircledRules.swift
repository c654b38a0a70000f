import EncircleAuthoring
import EncircleEvents
import EncircleRuleFiles
import EncircleRules
import EncircleText

/// The rules of rule sets, in force and in drafts, compiled to find their elements on a screen.
///
/// Compiled rules are kept until the rules or the stored captures change, so that each screen costs only its own elements.
final class CircledRules: Sendable {
  /// The stage of a rule, from its state in force and in the draft.
  enum Stage: String, Sendable {
    /// In force, and unchanged in the draft.
    case published
    /// Only in the draft.
    case draft
    /// In force, and different in the draft.
    case changed
    /// In force, and no longer in the draft.
    case removed
  }

  /// A rule with elements on a screen.
  struct Rule: Sendable {
    let id: String
    let stage: Stage
    /// The rule as its file contains it: in the draft, unless it is removed there.
    let object: EventObject
    /// The numbers of the rule's elements, ascending: according to the draft, unless the draft removes the rule.
    var elements: [Int]
    /// The elements of the rule in force, if the draft changes the rule.
    var before: [Int]?
  }

  /// The circled elements of a screen.
  struct Answer: Sendable {
    let version: Int
    /// The revision of the draft; nil if the draft does not exist or cannot be read.
    let draft: Int?
    /// The rules in the order of the file, with rules that the draft removes at the end.
    let rules: [Rule]
  }

  private struct Compiled: Sendable {
    let key: String
    let text: String
    /// The revision of the captures for which the rules were compiled.
    let captures: Int
    let rules: [SelectionRule]
    let settings: SelectionSettings
    let search: RuleSearch
  }

  // This is enough for the rule sets that people work on, each in force and as a draft.
  private static let maximumCompiled = 8

  private let ruleSets: RuleSetLibrary
  private let captures: CaptureLibrary
  private let compiled = RuleValueCache<Compiled>(capacity: maximumCompiled)
  // The places of the same rules.
  private let places = RuleValueCache<RulePlaces>(capacity: maximumCompiled)

  init(ruleSets: RuleSetLibrary, captures: CaptureLibrary) {
    self.ruleSets = ruleSets
    self.captures = captures
  }

  /// Finds the rules with elements on a screen. Exclude rules count, too; disabled rules do not.
  ///
  /// - Throws: ``ServiceError`` with 404 for an unknown rule set.
  /// - Complexity: O(elements), each at a decider's cost for one event; O(rules) after they have changed.
  func rules(of name: String, on screen: StoredScreen, _ analysis: Analysis) throws -> Answer {
    guard let published = try ruleSets.published(name) else { throw RuleSetLibrary.unknown(name) }
    let old = try elements(by: try compile(published.rules, analysis, for: screen), on: screen, analysis)
    let oldObjects = try ruleSets.document(of: name, draft: false).rulesByID
    guard let draft = try ruleSets.compiledDraft(of: name) else {
      let order = try ruleSets.document(of: name, draft: false).rules.compactMap(\.ruleID)
      return Answer(
        version: published.version, draft: nil,
        rules: order.compactMap { id in
          let id = UTF8String(id)
          guard let elements = old[id], let object = oldObjects[id] else { return nil }
          return Rule(id: id.text, stage: .published, object: object, elements: elements)
        })
    }
    let new = try elements(by: try compile(draft.rules, analysis, for: screen), on: screen, analysis)
    let document = try ruleSets.document(draft.rules.text, of: name, key: draft.rules.key)
    let newObjects = document.rulesByID
    var rules: [Rule] = []
    for id in document.rules.compactMap(\.ruleID).map({ UTF8String($0) }) {
      guard let object = newObjects[id] else { continue }
      guard new[id] != nil || old[id] != nil else { continue }
      let stage: Stage =
        switch oldObjects[id] {
        case nil: .draft
        case let before? where EventValue.object(before).means(.object(object)): .published
        default: .changed
        }
      rules.append(
        Rule(
          id: id.text, stage: stage, object: object, elements: new[id] ?? [],
          before: stage == .changed ? old[id] ?? [] : nil))
    }
    for (id, elements) in old.sorted(by: { $0.key < $1.key }) where newObjects[id] == nil {
      guard let object = oldObjects[id] else { continue }
      rules.append(Rule(id: id.text, stage: .removed, object: object, elements: elements))
    }
    return Answer(version: published.version, draft: draft.revision, rules: rules)
  }

  /// Returns the places of the rules in force, or of the draft, on all stored screens; nil for a draft with errors.
  ///
  /// - Throws: ``ServiceError`` with 404 for an unknown rule set.
  /// - Complexity: O(captures); O(elements of all captures) after the rules or the captures have changed.
  func places(of name: String, draft isDraft: Bool, _ analysis: Analysis) throws -> RulePlaces? {
    guard let published = try ruleSets.published(name) else { throw RuleSetLibrary.unknown(name) }
    let found = try isDraft ? ruleSets.compiledDraft(of: name)?.rules : published.rules
    guard let rules = found else { return nil }
    guard !rules.ruleSet.otherStyles.isEmpty else { return try places(try compile(rules, analysis), analysis) }
    // Each screen belongs to one platform, so a rule in several styles has places on the screens of each platform.
    var all: RulePlaces?
    for style in rules.ruleSet.styles {
      let places = try places(try compile(rules.only(rules.ruleSet.part(of: style)), analysis), analysis)
      if all == nil { all = places } else { all?.merge(places) }
    }
    return all
  }

  private func places(_ compiled: Compiled, _ analysis: Analysis) throws -> RulePlaces {
    let pictures = try captures.records(CaptureTable.Filter()).records.filter(\.hasScreenshot).map(\.id)
    let key = "\(compiled.key) with \(pictures.count) pictures"
    return try places.value(of: key, compiled.text, captures: compiled.captures) {
      try RulePlaces(
        compiled.rules, compiled.search, try analysis.snapshot(compiled.settings), captures,
        withScreenshot: Set(pictures))
    }
  }

  /// Returns the elements of a screen by rule, without rules that have no elements there.
  private func elements(
    by compiled: Compiled, on screen: StoredScreen, _ analysis: Analysis
  ) throws -> [UTF8String: [Int]] {
    var found: [UTF8String: [Int]] = [:]
    guard !compiled.search.isEmpty else { return found }
    let snapshot = try analysis.snapshot(compiled.settings, with: screen)
    guard let indexed = snapshot.screens.first(where: { $0.id == screen.id }) else { return found }
    var finder = compiled.search.finder()
    try finder.forEachMatch(in: indexed.events, check: WorkBudget.check) { entry, rule in
      found[compiled.rules[rule].id, default: []].append(indexed.events.elements[entry].index)
    }
    return found
  }

  // MARK: - Compiling

  /// - Parameter screen: The screen in question. Of rules in several styles, only the rules for its events are compiled.
  private func compile(
    _ rules: RuleSetLibrary.NamedRules, _ analysis: Analysis, for screen: StoredScreen
  ) throws -> Compiled {
    guard !rules.ruleSet.otherStyles.isEmpty else { return try compile(rules, analysis) }
    return try compile(rules.only(rules.ruleSet.part(for: screen.identified)), analysis)
  }

  private func compile(_ named: RuleSetLibrary.NamedRules, _ analysis: Analysis) throws -> Compiled {
    let revision = captures.revision
    return try compiled.value(of: named.key, named.text, captures: revision) {
      let settings = SelectionSettings(named.ruleSet)
      // An exclude rule has elements, too: as an include rule, it selects them.
      let rules = named.ruleSet.rules.map { rule in
        var rule = rule.atAnyTime
        rule.effect = .include
        return rule
      }
      let dictionary = try analysis.snapshot(settings).dictionary
      return Compiled(
        key: named.key, text: named.text, captures: revision, rules: rules, settings: settings,
        search: RuleSearch(rules, settings, dictionary))
    }
  }
}

extension RuleSetLibrary.NamedRules {
  /// Returns the rules of one style, with a key of their own.
  fileprivate func only(_ part: RuleSet) -> Self {
    Self(key: "\(key) in \(part.style.rawValue)", text: text, ruleSet: part)
  }
}
