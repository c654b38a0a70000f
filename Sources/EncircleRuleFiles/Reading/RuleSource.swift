import EncircleIdentity
import EncircleRules
import EncircleText

/// The places of a rule and its parts in a file, and its author's settings for findings.
public struct RuleSource: Sendable {
  /// The lists of clauses of a rule.
  public enum Section: Hashable, Sendable {
    /// The clauses of `include` or `exclude`.
    case clauses
    /// The clauses of `unless`.
    case unless
  }

  /// A part of a rule that a diagnostic can point at. Clauses count from 0 in their section, elements and properties in
  /// their clause.
  public enum Part: Hashable, Sendable {
    case id, from, to, sameKind, tolerance
    case clause(Section, Int)
    case event(Section, Int)
    case page(Section, Int)
    case selector(Section, Int, Int)
    /// An entry of `eventID` or `identity`.
    case element(Section, Int, Int)
    /// A property of `where`.
    case property(Section, Int, Int)
    /// A property that the rule gives events.
    case given(Int)

    /// Returns the part with another number of its clause; nil if the clause gets none. A part outside of clauses stays as it is.
    ///
    /// - Parameter number: Returns the new number of a clause; nil if it gets none.
    package func movingClause(_ number: (Section, Int) -> Int?) -> Part? {
      switch self {
      case .id, .from, .to, .sameKind, .tolerance, .given: self
      case .clause(let section, let clause): number(section, clause).map { .clause(section, $0) }
      case .event(let section, let clause): number(section, clause).map { .event(section, $0) }
      case .page(let section, let clause): number(section, clause).map { .page(section, $0) }
      case .selector(let section, let clause, let i): number(section, clause).map { .selector(section, $0, i) }
      case .element(let section, let clause, let i): number(section, clause).map { .element(section, $0, i) }
      case .property(let section, let clause, let i): number(section, clause).map { .property(section, $0, i) }
      }
    }
  }

  /// A place in a file.
  public struct Place: Hashable, Sendable {
    /// The file, if it differs from the rule's file or if the place is in a definition; else nil.
    public var file: String?
    /// The location of the beginning.
    public var location: SourceLocation
    /// The line that contains the place; for a long line, only the part around the place.
    public var sourceLine: String
    /// The first column of ``sourceLine``, counted from 1.
    public var sourceColumn = 1
    /// The scalar as it is written, with its quotes; nil if it goes over several lines, or if the part is not a scalar.
    public var written: String?
    /// This is true if all texts in the file have quotes, because it is JSON or begins with a brace like JSON.
    package internal(set) var isJSON = false
  }

  /// The file.
  public let file: String
  /// The rule's settings for findings.
  public var checks: [CheckCode: CheckSetting] = [:]
  /// The sections that are written as a list of clauses.
  package internal(set) var listedSections: Set<Section> = []
  private var places: [Part: Place] = [:]
  // The values of conditions, by the part that the condition is.
  private var conditions: [Part: ConditionSource] = [:]
  /// The number of lines before the text that the places refer to, if it is a part of the file.
  var line = 0

  init(file: String) { self.file = file }

  mutating func set(_ part: Part, _ place: Place) { places[part] = place }

  mutating func set(_ part: Part, _ condition: ConditionSource) { conditions[part] = condition }

  /// Adds the places of a named clause to the clause that uses it.
  ///
  /// - Parameter move: Maps a part of the named clause to a part of the clause that uses it.
  mutating func add(_ other: RuleSource, _ move: (Part) -> Part?) {
    for (part, place) in other.places { if let part = move(part) { places[part] = place.inFile(other.file) } }
    for (part, condition) in other.conditions {
      guard let part = move(part) else { continue }
      var joined = conditions[part] ?? ConditionSource()
      joined.braces = nil
      joined.values += condition.inFile(other.file).values
      conditions[part] = joined
    }
  }

  /// Returns where the values of a condition are written; the part is an event, a page or a property.
  package func condition(_ part: Part) -> ConditionSource? { conditions[part]?.moved(by: line) }

  /// Gives all selectors that a style reads from one selector the place of the original.
  ///
  /// - Parameter rule: The rule with its selectors as they were written.
  mutating func spreadSelectors(of rule: SelectionRule, _ style: PathStyleName) {
    var result = places
    for (section, i, clause) in rule.numberedClauses {
      var next = 0
      for (j, selector) in clause.selectors.enumerated() {
        for _ in selector.read(in: clause.readingStyle(style) ?? style) {
          result[.selector(section, i, next)] = places[.selector(section, i, j)]
          next += 1
        }
      }
    }
    places = result
  }

  /// Returns the source of the rule with some of its clauses, whose numbers change.
  ///
  /// - Parameter isKept: Returns whether a clause stays.
  func keeping(_ rule: SelectionRule, _ isKept: (RuleClause) -> Bool) -> RuleSource {
    var numbers: [Section: [Int: Int]] = [:]
    for (section, i, clause) in rule.numberedClauses where isKept(clause) {
      numbers[section, default: [:]][i] = numbers[section]?.count ?? 0
    }
    func moved(_ part: Part) -> Part? { part.movingClause { section, clause in numbers[section]?[clause] } }
    var kept = self
    kept.places = [:]
    for (part, place) in places { if let part = moved(part) { kept.places[part] = place } }
    kept.conditions = [:]
    for (part, condition) in conditions { if let part = moved(part) { kept.conditions[part] = condition } }
    return kept
  }

  /// Returns the place of a part or, if it has none, of the part that contains it.
  public subscript(part: Part) -> Place {
    if var place = places[part] {
      if place.file == nil { place.location.line += line }
      return place
    }
    let around: Part? =
      switch part {
      case .id: nil
      case .from, .to, .sameKind, .tolerance, .clause, .given: .id
      case .event(let section, let clause), .page(let section, let clause), .selector(let section, let clause, _),
        .element(let section, let clause, _), .property(let section, let clause, _):
        .clause(section, clause)
      }
    return around.map { self[$0] } ?? Place(location: SourceLocation(line: 1, column: 1), sourceLine: "")
  }
}

extension SelectionRule {
  /// The clauses of the rule and then those of `unless`, each with its number in its section.
  package var numberedClauses: [(section: RuleSource.Section, number: Int, clause: RuleClause)] {
    var all: [(section: RuleSource.Section, number: Int, clause: RuleClause)] = []
    for (i, clause) in clauses.enumerated() { all.append((.clauses, i, clause)) }
    for (i, clause) in unless.enumerated() { all.append((.unless, i, clause)) }
    return all
  }
}

/// A rule set with the places of its rules.
public struct SourcedRuleSet: Sendable {
  /// The rules.
  public let ruleSet: RuleSet
  /// The sources of rules, by id.
  public let sources: [UTF8String: RuleSource]
  /// The settings for findings, by file.
  public let fileChecks: [UTF8String: [CheckCode: CheckSetting]]
  /// The comments that silence findings, by file; in the order of their places.
  public let suppressions: [UTF8String: [SuppressionComment]]
  /// The names that the files have outside their rules.
  package var names: [FileName] = []

  /// Returns a copy that also has the comments in the plan beside the rules that silence findings in the plan.
  package func withComments(of plan: PlanFiles) -> SourcedRuleSet {
    guard !plan.suppressions.isEmpty else { return self }
    return SourcedRuleSet(
      ruleSet: ruleSet, sources: sources, fileChecks: fileChecks,
      suppressions: suppressions.merging(plan.suppressions) { $0 + $1 }, names: names)
  }
}

extension SourcedRuleSet {
  /// Returns the rules for the events of a style, with the places of the clauses that remain; see ``RuleSet/part(of:)``.
  package func part(of style: PathStyleName) -> SourcedRuleSet {
    guard !ruleSet.otherStyles.isEmpty else { return self }
    let part = ruleSet.part(of: style)
    let ids = Set(part.rules.map(\.id))
    var kept: [UTF8String: RuleSource] = [:]
    for rule in ruleSet.rules where ids.contains(rule.id) {
      kept[rule.id] = sources[rule.id]?.keeping(rule) { $0.isFor(style) }
    }
    return SourcedRuleSet(
      ruleSet: part, sources: kept, fileChecks: fileChecks, suppressions: suppressions, names: names)
  }
}

extension RuleSource.Place {
  /// Returns the place with its file, unless it has one already.
  func inFile(_ file: String) -> RuleSource.Place {
    var place = self
    if place.file == nil { place.file = file }
    return place
  }
}
