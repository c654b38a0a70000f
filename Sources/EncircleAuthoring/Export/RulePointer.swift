import EncircleEvents
import EncircleIdentity
import EncircleRuleFiles
import EncircleRules
import EncircleText

/// Locates parts of a rule: as JSON pointers into it, and in its file.
struct RulePointer {
  private let rule: SelectionRule
  private let source: RuleSource?
  /// The numbers that the clauses have in the rule, where it has clauses for other styles.
  private let clauses: [Int]
  private let unless: [Int]

  /// - Parameters:
  ///   - rule: The whole rule.
  ///   - style: The style whose part of the rule is used to count clauses.
  init(_ rule: SelectionRule, _ source: RuleSource?, style: PathStyleName) {
    self.rule = rule
    self.source = source
    clauses = rule.clauses.indices.filter { rule.clauses[$0].isFor(style) }
    unless = rule.unless.indices.filter { rule.unless[$0].isFor(style) }
  }

  /// Returns the pointer to a part, whose clause is counted within the style's part of the rule.
  func pointer(_ part: RuleSource.Part) -> String {
    switch part {
    case .id: "/id"
    case .from: "/from"
    case .to: "/to"
    case .sameKind: "/sameKind"
    case .tolerance: "/tolerance"
    case .given(let number):
      JSONPointer.member(rule.properties[safe: number]?.name.text ?? "\(number)", of: "/properties")
    case .clause(let section, let clause): start(section, clause)
    case .event(let section, let clause): start(section, clause) + "/event"
    case .page(let section, let clause): start(section, clause) + "/page"
    case .selector(let section, let clause, _): start(section, clause) + "/selector"
    case .element(let section, let clause, _): start(section, clause) + "/eventID"
    case .property(let section, let clause, let number): start(section, clause) + property(section, clause, number)
    }
  }

  /// Returns the place of a part in its file.
  func place(_ part: RuleSource.Part) -> ExportReport.Place? {
    guard let source else { return nil }
    let place = source[part.movingClause { number($0, $1) } ?? part]
    return ExportReport.Place(file: place.file ?? source.file, location: place.location)
  }

  private func start(_ section: RuleSource.Section, _ clause: Int) -> String {
    let (list, key) = section == .clauses ? (rule.clauses, rule.effect.rawValue) : (rule.unless, "unless")
    let isList = source?.listedSections.contains(section) ?? (list.count > 1)
    return isList ? "/\(key)/\(number(section, clause))" : "/\(key)"
  }

  private func number(_ section: RuleSource.Section, _ clause: Int) -> Int {
    (section == .clauses ? clauses : unless)[safe: clause] ?? clause
  }

  private func property(_ section: RuleSource.Section, _ clause: Int, _ property: Int) -> String {
    let list = section == .clauses ? rule.clauses : rule.unless
    guard let test = list[safe: number(section, clause)]?.properties[safe: property] else { return "/where" }
    if case .textsWithin = test.property { return "/within" }
    return JSONPointer.member(test.property.description, of: "/where")
  }
}

extension Array {
  /// The element at an index; nil if there is none.
  subscript(safe index: Int) -> Element? { indices.contains(index) ? self[index] : nil }
}
