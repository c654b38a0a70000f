import EncircleDrift
import EncircleEvents
import EncircleIdentity
import EncircleRuleFiles
import EncircleRules
import EncircleText
import EncircleTree

/// A change of a rule that makes it select the same elements on the new screens as on the old ones.
public struct RuleRepair: Sendable {
  /// The file of the rule.
  public let file: String
  /// `selector`, `eventID`, `identity`, the property `$element_id` or, where a page has another class, `page`.
  public let key: String
  /// The new values.
  public let values: [String]
  /// This is true if the new values replace the old ones, so that events of old versions are no longer selected; otherwise both
  /// are kept.
  public let isReplacing: Bool
  /// The first version of the app for which the new values count; nil if they always count. Old values that mean another
  /// element now count only for earlier versions.
  public let since: String?
  /// The probability that the elements are the right ones.
  public let confidence: Double
  /// The rule with the change, as its file has it.
  public let rule: EventObject
}

/// Repairs rules: adds selectors or IDs of the elements at their new places, and checks that the rule then selects these
/// elements and nothing else.
public struct RuleRepairer {
  private let files: RuleFiles
  private let ruleSet: RuleSet
  private let screens: [ScreenDrift]
  private let threshold: Double
  private var suggesters: [Int: AnySuggester] = [:]
  // The first repair prepares these, and the others use them again.
  private lazy var sources = Self.sources(of: files)
  private lazy var oldScreens = TappedScreens(screens.map(\.old.screen), for: ruleSet)
  private lazy var newScreens = TappedScreens(screens.map(\.new.screen), for: ruleSet)

  // If a rule has lost more elements than this, its author must decide.
  private static let maximumValues = 8

  /// Either kind of suggester, by the style of the rules.
  private enum AnySuggester {
    case plain(Suggester)
    case styled(StyledSuggester)

    func suggestions(for element: ElementID) -> [Suggestion] {
      switch self {
      case .plain(let suggester): suggester.suggestions(for: element, limit: 8)
      case .styled(let suggester): suggester.suggestions(for: element, limit: 8)
      }
    }
  }

  /// - Parameters:
  ///   - files: The rules, as YAML or JSON.
  ///   - ruleSet: The rules that these files contain.
  public init(
    _ files: RuleFiles, _ ruleSet: RuleSet, _ screens: [ScreenDrift], threshold: Double = DriftThreshold.usual
  ) {
    self.files = files
    self.ruleSet = ruleSet
    self.screens = screens
    self.threshold = threshold
  }

  /// Returns a repair of a rule; nil if none selects exactly the right elements.
  ///
  /// - Complexity: As for ``repairs(of:replaces:)``.
  public mutating func repair(_ drift: RuleDrift, replaces: Bool = false) -> RuleRepair? {
    repairs(of: [drift], replaces: replaces)[0]
  }

  /// Returns a repair of each rule; nil for a rule if none selects exactly the right elements.
  ///
  /// If the old values mean another element now, each clause becomes two: one with the old values for versions before the version of
  /// the new screens, and one with the new values from it on. If the new values meant another element before, the old ones stay, and
  /// the new ones count from that version on.
  ///
  /// - Parameters:
  ///   - drifts: One for each rule.
  ///   - replaces: True if new values replace old ones even if both could stay.
  /// - Complexity: O(clauses of a rule × (elements + bytes of the rules)), as the proposals for all rules are tried together.
  public mutating func repairs(of drifts: [RuleDrift], replaces: Bool = false) -> [RuleRepair?] {
    let proposals = drifts.map { self.proposals(for: $0, replaces) }
    var repairs = [RuleRepair?](repeating: nil, count: drifts.count)
    for round in 0..<(proposals.map(\.count).max() ?? 0) {
      let tried = drifts.indices.compactMap { i -> (drift: RuleDrift, repair: RuleRepair)? in
        guard repairs[i] == nil, round < proposals[i].count else { return nil }
        return repair(drifts[i], proposals[i][round]).map { (drifts[i], $0) }
      }
      let right = self.right(tried)
      for i in drifts.indices where repairs[i] == nil { repairs[i] = right[drifts[i].id] }
    }
    return repairs
  }

  /// The ways to treat the old values.
  private enum Strategy {
    case add, replace
    /// They count before a version, and the new ones from it on.
    case split
    /// They stay, and the new ones count beside them from a version on.
    case addSince

    /// This is true if the new values count from a version on.
    var hasVersion: Bool { self == .split || self == .addSince }
  }

  /// A change of a rule that may repair the rule.
  private struct Proposal {
    let strategy: Strategy
    /// The first version for which the new values count, of several platforms each; nil if they always count.
    let since: String?
    let effect: String
    let key: String
    let values: [String]
    /// The clauses that replace a clause, by its number.
    let clauses: [Int: [EventValue]]
  }

  /// Returns the changes of a rule that may repair it, the best first.
  private mutating func proposals(for drift: RuleDrift, _ replaces: Bool) -> [Proposal] {
    guard let missed = drift.missed.first, let rule = sources[drift.id]?.rule else { return [] }
    let settings = newScreens.settings[missed.place.pair]
    let version = newVersion(drift, in: settings.style)
    // In the old version, another element may have been in the new place.
    let strategies: [Strategy] = replaces ? [.replace] : drift.wrong.isEmpty ? [.add, .addSince] : [.split, .replace]
    var known: [String: [String]?] = [:]
    var proposals: [Proposal] = []
    for strategy in strategies {
      for effect in ["include", "exclude"] {
        for (number, clause) in Self.list(rule[effect]).enumerated() {
          guard case .object(let clause) = clause else { continue }
          var changes = [(key: "page", values: pages(of: drift, missingIn: clause))]
          for key in Self.keys where clause.values(of: key) != nil {
            let found = known[key] ?? self.values(for: key, drift)
            known[key] = .some(found)
            changes.append((key, found))
          }
          for (key, found) in changes {
            guard let values = found,
              let changed = changed(clause, key, values, strategy, since: version, settings.fields)
            else { continue }
            proposals.append(
              Proposal(
                strategy: strategy, since: strategy.hasVersion ? version : nil, effect: effect, key: key,
                values: values, clauses: [number: changed]))
          }
        }
        if let proposal = proposalByStyle(for: drift, rule, effect, strategy) { proposals.append(proposal) }
      }
    }
    return proposals
  }

  /// Returns a change of one clause for each of the styles in which elements are missed; nil if there is only one such style,
  /// or if a style has no clause that can be changed.
  private mutating func proposalByStyle(
    for drift: RuleDrift, _ rule: EventObject, _ effect: String, _ strategy: Strategy
  ) -> Proposal? {
    let settings = newScreens.settings
    var missed: [PathStyleName: SelectionSettings] = [:]
    for (place, _) in drift.missed { missed[settings[place.pair].style] = settings[place.pair] }
    guard missed.count > 1, let parsed = ruleSet.rules.first(where: { $0.id == drift.id }) else { return nil }
    var changes: [Int: [EventValue]] = [:]
    var (keys, values, versions): ([String], [String], [String]) = ([], [], [])
    for (style, settings) in missed.sorted(by: { $0.key.rawValue < $1.key.rawValue }) {
      let own = zip(Self.list(rule[effect]), parsed.clauses).enumerated().first { _, pair in
        pair.1.style == .only(style)
      }
      guard let own, case .object(let clause) = own.element.0,
        let key = Self.keys.first(where: { clause.values(of: $0) != nil }),
        let found = self.values(for: key, drift, in: style)
      else { return nil }
      let version = newVersion(drift, in: style)
      guard let changed = changed(clause, key, found, strategy, since: version, settings.fields) else { return nil }
      if let version, !versions.contains(where: { $0.hasSameBytes(as: version) }) { versions.append(version) }
      changes[own.offset] = changed
      keys.append(key)
      values += found
    }
    return Proposal(
      strategy: strategy, since: strategy.hasVersion ? versions.joined(separator: ", ") : nil, effect: effect,
      key: keys[0], values: values, clauses: changes)
  }

  private mutating func repair(_ drift: RuleDrift, _ proposal: Proposal) -> RuleRepair? {
    guard let (file, rule) = sources[drift.id], let written = rule[proposal.effect] else { return nil }
    let clauses = Self.list(written).enumerated().flatMap { proposal.clauses[$0.offset] ?? [$0.element] }
    return RuleRepair(
      file: file.name, key: proposal.key, values: proposal.values, isReplacing: proposal.strategy == .replace,
      since: proposal.since, confidence: drift.confidence,
      rule: rule.setting(
        proposal.effect, to: clauses.count == 1 && !Self.isList(written) ? clauses[0] : .list(clauses)))
  }

  /// Returns the clauses that replace a clause; nil if it cannot be changed in that way.
  private func changed(
    _ clause: EventObject, _ key: String, _ values: [String], _ strategy: Strategy, since version: String?,
    _ fields: EventFields
  ) -> [EventValue]? {
    guard let old = clause.values(of: key) else { return nil }
    let new = values.map { EventValue.string($0) }
    switch strategy {
    case .add: return [.object(clause.setting(key, toValues: old + new.filter { !old.contains($0) }))]
    case .replace: return [.object(clause.setting(key, toValues: new))]
    case .split:
      guard let version, let before = clause.before(version, fields),
        let now = clause.setting(key, toValues: new).since(version, fields)
      else { return nil }
      return [.object(before), .object(now)]
    case .addSince:
      guard let version, let now = clause.setting(key, toValues: new).since(version, fields) else { return nil }
      return [.object(clause), .object(now)]
    }
  }

  /// Returns the version of the new screens of a style on which a rule selects something else; nil unless they all have the same
  /// version and every old screen has an earlier one.
  private mutating func newVersion(_ drift: RuleDrift, in style: PathStyleName) -> String? {
    let settings = newScreens.settings
    let pairs = Set((drift.missed.map(\.place) + drift.wrong).map(\.pair)).filter { settings[$0].style == style }
    let screens = pairs.map { self.screens[$0] }
    let now = Set(screens.map(\.new.screen.tree.header.appVersion))
    guard now.count == 1, let text = now.first ?? nil, let version = VersionNumber(text) else { return nil }
    let isLater = screens.allSatisfy { screen in
      screen.old.screen.tree.header.appVersion.flatMap { VersionNumber($0) }.map { $0 < version } ?? false
    }
    return isLater ? text : nil
  }

  private static let keys = ["selector", "eventID", "identity", developerID]
  /// The property in which events of some SDKs have the id that developers gave the element.
  fileprivate static let developerID = "$element_id"

  fileprivate static func list(_ value: EventValue?) -> [EventValue] {
    switch value {
    case .list(let items)?: items
    case let value?: [value]
    case nil: []
    }
  }

  private static func isList(_ value: EventValue) -> Bool { if case .list = value { true } else { false } }

  /// Returns the rules by id as their files have them, each with its file. If several rules have an id, the first counts.
  private static func sources(of files: RuleFiles) -> [UTF8String: (file: RuleFileDocument, rule: EventObject)] {
    var sources: [UTF8String: (file: RuleFileDocument, rule: EventObject)] = [:]
    for name in files.names {
      guard let text = files.text(of: name), let document = try? RuleFileDocument(text, name: name) else { continue }
      sources.merge(document.rulesByID.mapValues { (document, $0) }) { first, _ in first }
    }
    return sources
  }

  /// Returns the pages of the missed elements; nil if a clause does not list pages by their names, or lists all of these.
  private mutating func pages(of drift: RuleDrift, missingIn clause: EventObject) -> [String]? {
    var named: Set<UTF8String> = []
    for page in Self.list(clause["page"]) {
      guard case .string(let name) = page else { return nil }
      named.insert(UTF8String(name))
    }
    guard !named.isEmpty else { return nil }
    var pages: [UTF8String] = []
    for (place, _) in drift.missed {
      let style = newScreens.settings[place.pair].style
      guard style.eventShape.namesPages,
        let page = screens[place.pair].new.screen.page(of: place.element, in: style).map({ UTF8String($0) })
      else { return nil }
      if !named.contains(page), !pages.contains(page) { pages.append(page) }
    }
    return (1...Self.maximumValues).contains(pages.count) ? pages.map(\.text) : nil
  }

  /// Returns the values of a key that name the missed elements; nil if there are none.
  ///
  /// - Parameter style: The style in which elements count; nil for any.
  private mutating func values(for key: String, _ drift: RuleDrift, in style: PathStyleName? = nil) -> [String]? {
    let settings = newScreens.settings
    let missed = drift.missed.map(\.place).filter { style == nil || settings[$0.pair].style == style }
    if key == Self.developerID { return developerIDs(of: missed) }
    guard key == "selector" else {
      guard missed.allSatisfy({ settings[$0.pair].style == .hubbleData }), missed.count <= Self.maximumValues else {
        return nil
      }
      let identified = newScreens.identified
      return missed.map { place in
        let screen = identified[place.pair]
        return key == "identity" ? screen.identity(of: place.element) : screen.eventID(of: place.element).description
      }
    }
    let allowed = Set(missed + drift.now.filter { !drift.wrong.contains($0) })
    var open = Set(missed)
    var selectors: [String] = []
    for place in missed where open.contains(place) {
      guard selectors.count < Self.maximumValues else { return nil }
      let choices = suggester(place.pair).suggestions(for: place.element).filter(\.evidence.isEmpty)
      func places(_ suggestion: Suggestion) -> Set<RuleDrift.Place> {
        Set(suggestion.elements.map { RuleDrift.Place(pair: place.pair, element: $0) })
      }
      // A selector with a free row selects too much for a rule that is about one row.
      let right = choices.filter { places($0).isSubset(of: allowed) }
      // A selector for several missed elements at once, such as all rows, is better than one for each.
      let best = (right.isEmpty ? choices.filter(\.isUnique) : right)
        .enumerated().max { a, b in
          let counts = (places(a.element).intersection(open).count, places(b.element).intersection(open).count)
          return counts.0 != counts.1 ? counts.0 < counts.1 : a.offset > b.offset
        }
      guard let best else { return nil }
      selectors.append(best.element.selector.description)
      open.subtract(places(best.element))
      open.remove(place)
    }
    return selectors
  }

  /// Returns the ids that developers gave elements, as their events have them; nil if an event has none that names its element, or if
  /// there are too many.
  private mutating func developerIDs(of places: [RuleDrift.Place]) -> [String]? {
    let events = newScreens.events
    var ids: [UTF8String] = []
    for place in places {
      let event = events[place.pair]?.event(of: place.element)
      guard case .string(let text)? = event?.value(at: .property(UTF8String(Self.developerID))),
        DeveloperID.isName(text)
      else { return nil }
      let id = UTF8String(text)
      if !ids.contains(id) { ids.append(id) }
    }
    return ids.count <= Self.maximumValues ? ids.map(\.text) : nil
  }

  private mutating func suggester(_ pair: Int) -> AnySuggester {
    if let known = suggesters[pair] { return known }
    let screen = screens[pair].new.screen
    let style = newScreens.settings[pair].style
    let suggester: AnySuggester =
      style == .hubbleData ? .plain(Suggester(screen)) : .styled(StyledSuggester(screen, style: style))
    suggesters[pair] = suggester
    return suggester
  }

  /// Returns the correct repairs by the id of the rule. With such a repair, the rules load, and the rule selects the right
  /// elements of the new screens and, unless old values are replaced, the same elements of the old screens as before.
  private mutating func right(_ tried: [(drift: RuleDrift, repair: RuleRepair)]) -> [UTF8String: RuleRepair] {
    guard !tried.isEmpty else { return [:] }
    guard let ruleSet = loaded(tried.map(\.repair)) else {
      // Some of them cannot be written or read.
      guard tried.count > 1 else { return [:] }
      let half = tried.count / 2
      return right(Array(tried[..<half])).merging(right(Array(tried[half...]))) { first, _ in first }
    }
    let before = RuleSelections(of: ruleSet, on: oldScreens).elements
    let now = RuleSelections(of: ruleSet, on: newScreens).elements
    let good = tried.filter { drift, repair in
      guard repair.isReplacing || before[drift.id] ?? [] == drift.before else { return false }
      let later = RuleDrift(drift.id, drift.before, now[drift.id] ?? [], screens, threshold)
      return later.map { $0.kind == .gone } ?? true
    }
    return Dictionary(good.map { ($0.drift.id, $0.repair) }) { first, _ in first }
  }

  /// Returns only the repaired rules, because rules match independently of each other; nil if the rules do not load with them.
  private mutating func loaded(_ repairs: [RuleRepair]) -> RuleSet? {
    var files = files
    var ids: Set<UTF8String> = []
    for (_, repairs) in Dictionary(grouping: repairs, by: { UTF8String($0.file) }) {
      let changes = repairs.compactMap { repair in repair.rule.ruleID.map { (id: $0, rule: repair.rule) } }
      ids.formUnion(changes.map { UTF8String($0.id) })
      guard let first = changes.first, let file = sources[UTF8String(first.id)]?.file,
        let edited = try? RuleListEdit.setting(changes, in: file)
      else { return nil }
      files = files.replacing(edited)
    }
    guard var ruleSet = try? files.ruleSet() else { return nil }
    ruleSet.rules.removeAll { !ids.contains($0.id) }
    return ruleSet
  }

  /// Returns the rules with repairs, and the files that have changed.
  ///
  /// - Throws: ``RuleFileErrors`` if a file cannot be changed without changing something else.
  public func applying(_ repairs: [RuleRepair]) throws(RuleFileErrors) -> [(
    file: String, before: String, after: String
  )] {
    var texts: [UTF8String: String] = [:]
    // All rules of a file are changed at once, because one may be an alias of a part of another that changes as well.
    for (file, repairs) in Dictionary(grouping: repairs, by: { UTF8String($0.file) }).sorted(by: { $0.key < $1.key }) {
      let rules = repairs.compactMap { repair in repair.rule.ruleID.map { (id: $0, rule: repair.rule) } }
      guard let text = files.text(of: file.text) else { continue }
      texts[file] = try RuleListEdit.setting(rules, in: text, name: file.text)
    }
    _ = try files.replacing(texts).ruleSet()
    return texts.sorted { $0.key < $1.key }.map { ($0.key.text, files.text(of: $0.key.text) ?? "", $0.value) }
  }
}

extension EventObject {
  /// Returns the object with another value for a member that it has.
  fileprivate func setting(_ name: String, to value: EventValue) -> EventObject {
    EventObject(members.map { $0.name.hasSameBytes(as: name) ? Member(name: name, value: value) : $0 })
  }

  /// Returns the values of a key of a clause; for `$element_id`, the values that a test in `where` accepts. Returns nil if the clause
  /// has none, or if the test is not one for equality.
  fileprivate func values(of key: String) -> [EventValue]? {
    guard key == RuleRepairer.developerID else { return self[key].map { RuleRepairer.list($0) } }
    guard case .object(let tests)? = self["where"], let written = tests[key] else { return nil }
    guard case .object(let test) = written else { return RuleRepairer.list(written) }
    guard test.members.count == 1, let values = test["equals"] ?? test["in"] else { return nil }
    return RuleRepairer.list(values)
  }

  /// Returns the clause with other values of a key, in the place where ``values(of:)`` finds them.
  fileprivate func setting(_ key: String, toValues values: [EventValue]) -> EventObject {
    let written = values.count == 1 ? values[0] : .list(values)
    guard key == RuleRepairer.developerID else { return setting(key, to: written) }
    guard case .object(let tests)? = self["where"] else { return self }
    guard case .object? = tests[key] else { return setting("where", to: .object(tests.setting(key, to: written))) }
    let test = EventObject([Member(name: values.count == 1 ? "equals" : "in", value: written)])
    return setting("where", to: .object(tests.setting(key, to: .object(test))))
  }

  /// Returns the clause for those of its events whose version is lower than another one.
  fileprivate func before(_ version: String, _ fields: EventFields) -> EventObject? {
    limitingVersions(fields) { $0.map { $0.before(version) } ?? "<" + version }
  }

  /// Returns the clause for those of its events whose version is another one or a later one.
  fileprivate func since(_ version: String, _ fields: EventFields) -> EventObject? {
    limitingVersions(fields) { $0.map { $0.since(version) } ?? ">=" + version }
  }

  /// Returns the clause with another range of versions, given the range that it has; nil if it tests the version in another way.
  private func limitingVersions(_ fields: EventFields, _ range: (VersionRange?) -> String) -> EventObject? {
    guard let place = fields.places(of: .appVersion).first?.description else { return nil }
    guard let properties = self["where"] else {
      var clause = self
      clause["where"] = .object([place: .object(["version": .string(range(nil))])])
      return clause
    }
    guard case .object(var tests) = properties else { return nil }
    var known: VersionRange?
    if let written = tests[place] {
      guard case .object(let test) = written, test.members.count == 1, case .string(let text)? = test["version"],
        let read = VersionRange(parsing: text)
      else { return nil }
      known = read
    }
    tests[place] = .object(["version": .string(range(known))])
    return setting("where", to: .object(tests))
  }
}
