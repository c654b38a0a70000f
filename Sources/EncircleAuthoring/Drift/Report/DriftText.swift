import EncircleDrift
import EncircleText
import EncircleTree

/// Writes changes between captures for people at a terminal.
package enum DriftText {
  package static func text(_ report: DriftReport) -> String {
    var lines: [String] = []
    for screen in report.screens { append(screen, report, to: &lines) }
    for name in report.onlyOld { lines.append("\(name): no counterpart among the new captures") }
    for name in report.onlyNew { lines.append("\(name): no counterpart among the old captures") }
    if let count = report.ruleCount { append(report.rules, count, report.screens, to: &lines) }
    return lines.map { VisibleText.escaping($0) + "\n" }.joined()
  }

  private static func append(_ screen: ScreenDrift, _ report: DriftReport, to lines: inout [String]) {
    let (old, new) = (screen.old, screen.new)
    lines.append("\(old.name) → \(new.name): \(summary(screen))")
    if screen.mapping.method == .keys {
      lines.append("  note: too many elements to compare each with each; found by equal attributes and places only")
    }
    for change in report.changes(screen) {
      let match = change.match
      let kinds = change.kinds.map(\.rawValue).joined(separator: ", ")
      lines.append(
        "  \(kinds): \(old.title(of: match.old))  element \(match.old) → \(match.new)  \(confidenceText(match.confidence))"
      )
      if change.kinds.contains(.moved) {
        let paths = pathDifference(old.screen.path(of: match.old), new.screen.path(of: match.new))
        lines.append("    \(paths.old) → \(paths.new)")
      }
      let differences = change.differences.map { words($0) }
      if !differences.isEmpty { lines.append("    " + differences.joined(separator: ", ")) }
      lines.append("    \(reasons(match))")
    }
    for element in report.gone(screen) {
      let candidate = screen.mapping.candidate(for: element).map {
        "; perhaps element \($0.new), \(confidenceText($0.confidence))"
      }
      lines.append("  gone: \(old.title(of: element))  element \(element)\(candidate ?? "")")
    }
    for element in report.added(screen) { lines.append("  added: \(new.title(of: element))  element \(element)") }
    for reuse in report.reusedIDs(screen) {
      let fate = reuse.movedTo.map { "now element \($0)" } ?? "gone"
      lines.append(
        "  another element under the old ID \("\(reuse.eventID)".prefix(12))…: \(new.title(of: reuse.new))  "
          + "element \(reuse.new); it was \(old.title(of: reuse.old))  element \(reuse.old), which is \(fate)")
    }
  }

  /// Returns the counts of all elements, listed or not.
  package static func summary(_ screen: ScreenDrift) -> String {
    let count = screen.unchangedCount
    var parts = ["\(count) element\(count == 1 ? " as it was" : "s as they were")"]
    for kind in ScreenDrift.Kind.allCases {
      let count = screen.changes.count { $0.kinds.contains(kind) }
      if count > 0 { parts.append("\(count) \(kind.rawValue)") }
    }
    if !screen.gone.isEmpty { parts.append("\(screen.gone.count) gone") }
    if !screen.added.isEmpty { parts.append("\(screen.added.count) added") }
    return parts.joined(separator: ", ")
  }

  private static let longestValue = 40

  /// Returns the words for a value that differs, such as `text Pay → Pay now`.
  static func words(_ difference: ScreenDrift.Difference) -> String {
    func shown(_ value: String?) -> String? {
      value.flatMap { $0.isEmpty ? nil : VisibleText.shortened($0, columns: longestValue) }
    }
    return switch (shown(difference.old), shown(difference.new)) {
    case (let old?, let new?): "\(difference.name) \(old) → \(new)"
    case (let old?, nil): "\(difference.name) \(old) lost"
    case (nil, let new?): "\(difference.name) \(new) added"
    case (nil, nil): difference.name
    }
  }

  /// Returns the strongest reasons for the match and the strongest reason against it, separated by commas.
  package static func reasons(_ match: ScreenMapping.Match) -> String {
    match.shownReasons.map(\.description).joined(separator: ", ")
  }

  private static func append(
    _ rules: [DriftReport.Rule], _ count: Int, _ screens: [ScreenDrift], to lines: inout [String]
  ) {
    lines.append(
      "\(counted(count, "rule")) compared, \(rules.isEmpty ? "none breaks" : "\(rules.count) broken")")
    for rule in rules {
      let drift = rule.drift
      lines.append("  \(drift.id): \(drift.kind.heading)")
      for (place, match) in drift.missed {
        let screen = screens[place.pair]
        lines.append(
          "    misses \(screen.new.title(of: place.element))  element \(match.old) → \(place.element)  "
            + "\(confidenceText(match.confidence)): \(reasons(match))")
      }
      for place in drift.wrong {
        let screen = screens[place.pair]
        lines.append("    selects \(screen.new.title(of: place.element))  element \(place.element), which it did not")
      }
      for place in drift.gone {
        let screen = screens[place.pair]
        let candidate = screen.mapping.candidate(for: place.element).map {
          "; perhaps element \($0.new), \(confidenceText($0.confidence))"
        }
        lines.append("    \(screen.old.title(of: place.element))  element \(place.element) is gone\(candidate ?? "")")
      }
      lines.append("    \(repair(rule))")
    }
  }

  package static func repair(_ rule: DriftReport.Rule) -> String {
    guard let repair = rule.repair else { return "review: no repair is known" }
    let verb = repair.isReplacing ? "replace" : "add"
    let state = rule.isApplied ? "repaired" : "repair"
    let values = repair.values.joined(separator: ", ")
    let since = repair.since.map { " from \($0) on" } ?? ""
    return "\(state) (\(confidenceText(repair.confidence))): \(verb) \(repair.key) \(values)\(since)"
  }
}
