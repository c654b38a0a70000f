import EncircleIdentity
import EncircleText

/// Explanations for people and for programs.
package enum ExplanationText {
  /// - Parameter left: The number of omitted rules.
  package static func text(_ explanation: Explanation, _ rules: [Explanation.RuleResult], left: Int) -> String {
    let decision = explanation.decision
    var lines: [String] = []
    var verdict = decision.isSelected ? "selected" : "not selected"
    if decision.isSelected, !decision.emit.isEmpty { verdict += " as \(list(decision.emit))" }
    if !decision.excludedBy.isEmpty { verdict += "; excluded by \(list(decision.excludedBy))" }
    if !decision.pages.isEmpty {
      let pages = decision.pages.map { page in
        explanation.defaultPages.contains(page) ? "\(page) (excluded by default)" : page.text
      }
      verdict += "; on an excluded page: \(list(pages))"
    }
    if decision.isSelected, decision.rules.isEmpty { verdict += ", because the rule set tracks all events" }
    if !decision.isSelected, decision.rules.isEmpty, decision.excludedBy.isEmpty, decision.pages.isEmpty {
      verdict += ": no include rule matches"
    }
    lines.append(verdict)
    switch decision.resolution {
    case .none: lines.append("element: the event names none")
    case .unresolved:
      lines.append(
        "element: unresolved, \(decision.eventID.map { "unknown event ID \($0)" } ?? "its path cannot be read")")
    case .path, .dictionary, .ambiguous:
      let how =
        switch decision.resolution {
        case .dictionary: " (from the captures)"
        // An Android path can have several correct readings, because a place can be both an index and a row.
        case .ambiguous: " (ambiguous)"
        default: ""
        }
      for (i, path) in explanation.paths.enumerated() {
        lines.append(i == 0 ? "element\(how): \(path)" : "  or: \(path)")
      }
      if let eventID = decision.eventID { lines.append("event ID: \(eventID)") }
    }
    lines.append("page: \(explanation.page ?? "unknown")")
    if let styles = explanation.styleMismatch {
      lines.append(
        "style: \(styles.event.rawValue), but the rules are for events in style \(styles.rules.rawValue): "
          + "their selectors cannot match this path")
    }
    if let approximate = decision.approximate { lines += Self.lines(approximate) }
    for result in rules {
      let rule = result.rule
      lines.append("")
      lines.append(
        "\(result.matches ? "✓" : "✗") \(rule.effect.rawValue) \(rule.id)\(rule.name.map { " (\($0))" } ?? "")"
          + (result.matches ? " matches" : " does not match"))
      append(result.clauses, result.clauses.count > 1 ? "clause" : nil, to: &lines)
      for test in result.besides { append(test, indent: "    ", to: &lines) }
      append(result.unless, "unless", to: &lines)
      if let change = result.change { lines.append("    to match: \(change)") }
      for property in result.properties {
        let value = property.value?.description ?? "none, as \(property.reason ?? "")"
        lines.append("    property \(property.name): \(value) (\(property.source))")
      }
    }
    if left > 0 {
      lines.append("")
      lines.append(
        "\(left) other rule\(left == 1 ? " does" : "s do") not match; --all explains \(left == 1 ? "it" : "them"), too")
    }
    // Lines are escaped one by one, so that no value of an event can add a line.
    return lines.map { VisibleText.escaping($0) + "\n" }.joined()
  }

  /// Returns the lines about an approximate decision.
  private static func lines(_ approximation: Approximation) -> [String] {
    var lines = [
      "approximately, by tolerance: \(approximation.rule), confidence \(approximation.roundedConfidence): "
        + approximation.reasons.joined(separator: ", ")
    ]
    if !approximation.others.isEmpty { lines.append("  or: \(list(approximation.others))") }
    return lines
  }

  private static func append(_ clauses: [Explanation.ClauseResult], _ title: String?, to lines: inout [String]) {
    for (i, clause) in clauses.enumerated() {
      if let title { lines.append("    \(title) \(i + 1): \(clause.holds ? "holds" : "does not hold")") }
      for test in clause.tests { append(test, indent: title == nil ? "    " : "      ", to: &lines) }
    }
  }

  private static func append(_ test: Explanation.Test, indent: String, to lines: inout [String]) {
    lines.append("\(indent)\(test.passed ? "✓" : "✗") \(test.subject) \(test.expected)")
    if !test.passed { lines.append("\(indent)    found \(test.found)") }
  }

  private static func list(_ names: [some CustomStringConvertible]) -> String {
    names.map(\.description).joined(separator: ", ")
  }

  package static func json(_ explanation: Explanation, _ rules: [Explanation.RuleResult]) -> String {
    var json = JSONBuilder()
    json.object {
      $0.members(
        of: explanation.decision, defaultPages: explanation.defaultPages, track: explanation.track.rawValue)
      $0.member("paths", explanation.paths)
      $0.member("page", explanation.page)
      $0.member("event_style", explanation.styleMismatch?.event.rawValue)
      $0.member("rules_style", explanation.styleMismatch?.rules.rawValue)
      $0.array("explanations", rules) { result, json in
        json.object {
          $0.member("rule", result.rule.id.text)
          $0.member("effect", result.rule.effect.rawValue)
          $0.member("matches", result.matches)
          $0.member("origin", result.rule.location)
          $0.array("clauses", result.clauses, element: append)
          $0.array("besides", result.besides, element: append)
          $0.array("unless", result.unless, element: append)
          $0.member("change", result.change)
          if !result.properties.isEmpty { $0.array("properties", result.properties, element: append) }
        }
      }
    }
    return json.line
  }

  private static func append(_ clause: Explanation.ClauseResult, to json: inout JSONBuilder) {
    json.object {
      $0.member("holds", clause.holds)
      $0.array("tests", clause.tests, element: append)
    }
  }

  private static func append(_ property: Explanation.PropertyResult, to json: inout JSONBuilder) {
    json.object {
      $0.member("name", property.name)
      $0.member("source", property.source)
      if let value = property.value { $0.member("value") { $0.value(value) } }
      $0.member("reason", property.reason)
    }
  }

  private static func append(_ test: Explanation.Test, to json: inout JSONBuilder) {
    json.object {
      $0.member("subject", test.subject)
      $0.member("expected", test.expected)
      $0.member("found", test.found)
      $0.member("passed", test.passed)
    }
  }
}

extension [Explanation.RuleResult] {
  // The number of rules that are explained although they do not match.
  private static let nearestMisses = 3

  /// The rules that match, then the others, starting with those that fail the fewest tests.
  package var inOrderOfInterest: [Explanation.RuleResult] {
    let misses = filter { !$0.matches }.map { (result: $0, distance: $0.distance) }
    // The sort is stable, so rules with equal distance keep their order.
    return filter(\.matches) + misses.sorted { $0.distance < $1.distance }.map(\.result)
  }

  /// The rules that match and those that nearly do, and the number of the others.
  package var mostInteresting: (shown: [Explanation.RuleResult], left: Int) {
    let shown = inOrderOfInterest.prefix(count(where: \.matches) + Self.nearestMisses)
    return (Array(shown), count - shown.count)
  }
}

extension Explanation.RuleResult {
  /// How far the event is from matching. If two rules have equally many failed tests, the one with more passed tests is nearer.
  fileprivate var distance: (failed: Int, passed: Int) {
    let outside = besides.count { !$0.passed } + unless.count(where: \.holds)
    let clauses = clauses.map { clause in
      (failed: clause.tests.count { !$0.passed } + outside, passed: -clause.tests.count(where: \.passed))
    }
    return clauses.min { $0 < $1 } ?? (outside, 0)
  }
}
