import EncircleIdentity
import EncircleRules
import EncircleText

/// Determines the styles of a rule set's clauses. A clause has the style that it states itself, otherwise the style of its rule, then
/// of its file, and finally the one style that all files with a style have in common.
struct StyleResolution {
  private var fileStyles: [PathStyleName] = []
  // The first place that states each style.
  private var places: [PathStyleName: RuleFile.Placed<PathStyleName>] = [:]
  private var names: [PathStyleName: String] = [:]
  // Some of the rules that name elements although neither they nor their files state a style. The report needs only a few.
  private var unstated: [RuleFile.Placed<SelectionRule>] = []
  private var statesStyles = false
  // For each file, the number of rules up to and including its own, and its style.
  private var ends: [(ruleCount: Int, style: PathStyleName?)] = []

  private static let maximumReported = 20

  /// Adds the styles that a file, its rules and their clauses state.
  mutating func add(_ file: RuleFile) {
    if let style = file.style, !fileStyles.contains(style.value) { fileStyles.append(style.value) }
    for style in (file.style.map { [$0] } ?? []) + file.ownStyles where places[style.value] == nil {
      places[style.value] = style
      names[style.value] = file.name
    }
    if file.statesStyles { statesStyles = true }
  }

  /// Notes a rule of a file without a style.
  mutating func noteWithoutStyle(_ rule: RuleFile.Placed<SelectionRule>) {
    guard unstated.count < Self.maximumReported else { return }
    if (rule.value.clauses + rule.value.unless).contains(where: { $0.style == .unstated && $0.namesElements }) {
      unstated.append(rule)
    }
  }

  /// Records the number of rules up to the end of the last file.
  mutating func note(ruleCount: Int, in style: PathStyleName?) { ends.append((ruleCount, style)) }

  /// The style of clauses in files without a style; nil if files state several styles.
  private var common: PathStyleName? { fileStyles.count > 1 ? nil : fileStyles.first ?? .hubbleData }

  /// Returns the style for reading a selector.
  func style(of style: RuleClause.Style) -> PathStyleName? {
    switch style {
    case .only(let own): own
    case .any: nil
    case .unstated: common
    }
  }

  /// The styles that rules are in, in the order of their names' declaration.
  private var all: [PathStyleName] {
    var all = Set(places.keys)
    // The common style is one of them if some rule needs it.
    if let common, !unstated.isEmpty || all.isEmpty { all.insert(common) }
    return PathStyleName.allCases.filter { all.contains($0) }
  }

  /// The problems of the styles.
  var problems: [Diagnostic] {
    var problems: [Diagnostic] = []
    if fileStyles.count > 1 {
      let list = PathStyleName.allCases.filter { fileStyles.contains($0) }.map(\.rawValue).joined(separator: " and ")
      for rule in unstated {
        problems.append(
          rule.diagnostic(
            "files of the rule set have the styles \(list), and neither this rule nor its file says in which its "
              + "elements are: add 'style' to the rule or to the file"))
      }
    }
    if let exact = places[.sensorsExact], let other = places[.sensors] {
      var diagnostic = exact.diagnostic(
        "sensors and sensors-exact describe the same events, which can be read in only one style: use the same style for all rules"
      )
      diagnostic.notes = [
        Diagnostic.Note(message: "'style: sensors' is here", file: names[.sensors], location: other.location)
      ]
      problems.append(diagnostic)
    }
    return problems
  }

  /// Gives a rule set its styles, and its clauses theirs, if there are several.
  func apply(to ruleSet: inout RuleSet) {
    let all = all
    ruleSet.style = all.first ?? .hubbleData
    guard all.count > 1 else {
      // In one style every clause is for every event.
      guard statesStyles else { return }
      for i in ruleSet.rules.indices { ruleSet.rules[i].setStyles { _ in .unstated } }
      return
    }
    ruleSet.otherStyles = Array(all.dropFirst())
    var start = 0
    for (end, fileStyle) in ends {
      for i in start..<end {
        ruleSet.rules[i].setStyles { clause in
          guard clause.style == .unstated else { return clause.style }
          return (fileStyle ?? (clause.namesElements ? common : nil)).map { RuleClause.Style.only($0) } ?? .any
        }
      }
      start = end
    }
  }
}

extension RuleClause {
  fileprivate var namesElements: Bool {
    !selectors.isEmpty || !eventIDs.isEmpty || properties.contains(where: \.isOfTextsWithin)
  }
}

extension SelectionRule {
  fileprivate mutating func setStyles(_ style: (RuleClause) -> RuleClause.Style) {
    for i in clauses.indices { clauses[i].style = style(clauses[i]) }
    for i in unless.indices { unless[i].style = style(unless[i]) }
  }
}
