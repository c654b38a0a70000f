import EncircleRules
import EncircleText

/// What two rule sets select differently.
struct DiffReport {
  /// The groups of one part that are printed for people; JSON has all.
  static let mostGroups = 50

  /// The result for events; nil if there were none to compare.
  var events: DecisionComparison.Report?
  /// The result for the elements of captures; nil if there were none to compare.
  var elements: DecisionComparison.Report?

  /// Whether there is any difference.
  var isDifferent: Bool { [events, elements].contains { ($0?.different ?? 0) > 0 } }

  /// The parts with what they count, in one and in many.
  var parts: [(report: DecisionComparison.Report, one: String, many: String)] {
    [(events, "event", "events"), (elements, "element of captures", "elements of captures")].compactMap {
      report, one, many in
      report.map { ($0, one, many) }
    }
  }
}

extension DecisionDifference.Kind {
  /// What becomes of the events, as a heading.
  var heading: String {
    switch self {
    case .selected: "now selected"
    case .noLongerSelected: "no longer selected"
    case .otherNames: "under other names"
    case .otherRules: "by other rules"
    }
  }
}

extension DecisionDifference {
  private static let mostNames = 5

  /// Returns what makes the difference: rules and pages that begin or cease to match.
  ///
  /// - Parameter written: Returns a name as it is to be written.
  func reasons(_ written: (UTF8String) -> String) -> [String] {
    func reason(_ what: String, _ names: [UTF8String], _ one: String, _ many: String) -> String? {
      guard !names.isEmpty else { return nil }
      return "\(what) \(Self.list(names, written)) \(names.count == 1 ? one : many)"
    }
    var reasons = [
      reason("include", includes.began, "begins to match", "begin to match"),
      reason("include", includes.ceased, "ceases to match", "cease to match"),
      reason("exclude", excludes.began, "begins to match", "begin to match"),
      reason("exclude", excludes.ceased, "ceases to match", "cease to match"),
      reason("page", pages.began, "is now excluded", "are now excluded"),
      reason("page", pages.ceased, "is no longer excluded", "are no longer excluded"),
    ].compactMap { $0 }
    if isByTracking { reasons.append("'track' is \(kind == .selected ? "'all'" : "'selected'") now") }
    if !renamed.isEmpty { reasons.append("'emit' of \(Self.list(renamed, written)) has changed") }
    return reasons
  }

  /// Returns the names under which the events are selected, before and now.
  func names(_ written: (UTF8String) -> String) -> String? {
    switch kind {
    case .selected: emitNow.isEmpty ? nil : "as " + Self.list(emitNow, written)
    case .noLongerSelected: emitBefore.isEmpty ? nil : "was " + Self.list(emitBefore, written)
    case .otherNames: "\(Self.list(emitBefore, written)) → \(Self.list(emitNow, written))"
    case .otherRules: emitNow.isEmpty ? nil : "as " + Self.list(emitNow, written)
    }
  }

  private static func list(_ names: [UTF8String], _ written: (UTF8String) -> String) -> String {
    if names.isEmpty { return "no name" }
    let more = names.count > mostNames ? " and \(names.count - mostNames) more" : ""
    return names.prefix(mostNames).map(written).joined(separator: ", ") + more
  }
}

extension DecisionComparison.Example {
  /// The file with the line, or the capture with the element.
  var place: String { line.map { "\(file):\($0)" } ?? "\(file) element \(element ?? 0)" }
}
