import EncircleRules
import EncircleText

/// The differences between the selections of two rule sets.
struct DiffReport {
  /// The maximum number of a part's groups in the text; JSON has all.
  static let maximumGroups = 50

  /// The result for events; nil if no events were compared.
  var events: DecisionComparison.Report?
  /// The result for the elements of captures; nil if no elements were compared.
  var elements: DecisionComparison.Report?

  /// This is true if there is any difference.
  var isDifferent: Bool { [events, elements].contains { ($0?.different ?? 0) > 0 } }

  /// The parts with the singular and plural of what they count.
  var parts: [(report: DecisionComparison.Report, one: String, many: String)] {
    [(events, "event", "events"), (elements, "element of captures", "elements of captures")].compactMap {
      report, one, many in
      report.map { ($0, one, many) }
    }
  }
}

extension DecisionDifference.Kind {
  /// A heading that states the change for the events.
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
  private static let maximumNames = 5

  /// Returns the reasons for the difference: rules and pages that begin or cease to match.
  ///
  /// - Parameter written: Returns the printed form of a name.
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
    names.isEmpty ? "no name" : NameList.text(names.map(written), atMost: maximumNames)
  }
}

extension DecisionComparison.Example {
  /// The file with the line, or the capture with the element.
  var place: String { line.map { "\(file):\($0)" } ?? "\(file) element \(element ?? 0)" }
}
