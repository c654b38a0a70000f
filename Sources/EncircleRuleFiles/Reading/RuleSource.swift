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
    case id, from, to, tolerance
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
  }

  /// A place in a file.
  public struct Place: Hashable, Sendable {
    /// Where it begins.
    public var location: SourceLocation
    /// The line that it is in; of a long line only the part around the place.
    public var sourceLine: String
    /// The column at which ``sourceLine`` begins, counted from 1.
    public var sourceColumn = 1
    /// The scalar as it is written, with its quotes; nil if it goes over several lines, or if the part is not a scalar.
    public var written: String?
  }

  /// The file.
  public let file: String
  /// The rule's settings for findings.
  public var checks: [CheckCode: CheckSetting] = [:]
  /// Whether the file is JSON, or looks like it, so that all texts in it have quotes.
  package internal(set) var isJSON = false
  private var places: [Part: Place] = [:]
  // The values of conditions, by the part that the condition is.
  private var conditions: [Part: ConditionSource] = [:]
  /// The number of lines before the text in which the places are, if that is a part of the file.
  var line = 0

  init(file: String) { self.file = file }

  mutating func set(_ part: Part, _ place: Place) { places[part] = place }

  mutating func set(_ part: Part, _ condition: ConditionSource) { conditions[part] = condition }

  /// Returns where the values of a condition are written; the part is an event, a page or a property.
  package func condition(_ part: Part) -> ConditionSource? { conditions[part]?.moved(by: line) }

  /// Gives each selector that another one is read as in a style the place of that one.
  ///
  /// - Parameter rule: The rule with its selectors as they were written.
  mutating func spreadSelectors(of rule: SelectionRule, _ style: PathStyleName) {
    var result = places
    for (section, clauses) in [(Section.clauses, rule.clauses), (.unless, rule.unless)] {
      for (i, clause) in clauses.enumerated() {
        var next = 0
        for (j, selector) in clause.selectors.enumerated() {
          for _ in selector.read(in: style) {
            result[.selector(section, i, next)] = places[.selector(section, i, j)]
            next += 1
          }
        }
      }
    }
    places = result
  }

  /// Where a part is, or else what it lies in.
  public subscript(part: Part) -> Place {
    if var place = places[part] {
      place.location.line += line
      return place
    }
    let around: Part? =
      switch part {
      case .id: nil
      case .from, .to, .tolerance, .clause, .given: .id
      case .event(let section, let clause), .page(let section, let clause), .selector(let section, let clause, _),
        .element(let section, let clause, _), .property(let section, let clause, _):
        .clause(section, clause)
      }
    return around.map { self[$0] } ?? Place(location: SourceLocation(line: 1, column: 1), sourceLine: "")
  }
}

/// A rule set with the places of its rules.
public struct SourcedRuleSet: Sendable {
  /// The rules.
  public let ruleSet: RuleSet
  /// The sources of rules, by id.
  public let sources: [UTF8String: RuleSource]
  /// The settings for findings, by file.
  public let fileChecks: [String: [CheckCode: CheckSetting]]
  /// The comments that silence findings, by file; in the order of their places.
  public let suppressions: [UTF8String: [SuppressionComment]]
  /// The names that the files have outside their rules.
  package var names: [FileName] = []
}
