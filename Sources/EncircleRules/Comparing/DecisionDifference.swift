import EncircleText

/// The difference between the decisions of two rule sets about one event, with the rules that cause it.
public struct DecisionDifference: Hashable, Sendable {
  /// The effect of the change on the event.
  public enum Kind: String, CaseIterable, Sendable {
    /// It was not selected and now is.
    case selected
    /// It was selected and now is not.
    case noLongerSelected = "no_longer_selected"
    /// It is selected as before, under other names.
    case otherNames = "other_names"
    /// It is selected as before and under the same names, by other rules.
    case otherRules = "other_rules"
  }

  /// Rules or pages that match according to only one of the rule sets, in byte order.
  public struct Names: Hashable, Sendable {
    /// The names that match only by the new rules.
    public let began: [UTF8String]
    /// The names that match only by the old rules.
    public let ceased: [UTF8String]

    init(from old: [UTF8String], to new: [UTF8String]) {
      // Most lists have one entry.
      began = new.filter { !old.contains($0) }
      ceased = old.filter { !new.contains($0) }
    }

    /// This is true if both lists are empty.
    public var isEmpty: Bool { began.isEmpty && ceased.isEmpty }
  }

  /// The effect of the change on the event.
  public let kind: Kind
  /// The include rules that begin or cease to match.
  public let includes: Names
  /// The exclude rules that begin or cease to match.
  public let excludes: Names
  /// The excluded pages that begin or cease to be excluded.
  public let pages: Names
  /// The rules that match in both rule sets but have a different `emit` now, if that is the difference.
  public let renamed: [UTF8String]
  /// The names under which the event was selected.
  public let emitBefore: [UTF8String]
  /// The names under which the event is selected now.
  public let emitNow: [UTF8String]

  /// Compares two decisions on one event; nil if neither selects it, or if both select it by the same rules and under the same
  /// names.
  ///
  /// - Parameter renamed: The rules of both rule sets that have another `emit` now.
  public init?(from old: Decision, to new: Decision, renamed: Set<UTF8String> = []) {
    switch (old.isSelected, new.isSelected) {
    case (false, false): return nil
    case (false, true): kind = .selected
    case (true, false): kind = .noLongerSelected
    case (true, true):
      if old.emit != new.emit {
        kind = .otherNames
      } else if old.rules != new.rules {
        kind = .otherRules
      } else {
        return nil
      }
    }
    includes = Names(from: old.rules, to: new.rules)
    excludes = Names(from: old.excludedBy, to: new.excludedBy)
    pages = Names(from: old.pages, to: new.pages)
    self.renamed = kind == .otherNames ? new.rules.filter { renamed.contains($0) && old.rules.contains($0) } : []
    emitBefore = old.emit
    emitNow = new.emit
  }

  /// This is true if only `track` causes the change, and no rule or page does: the rule sets differ in whether they select events
  /// that no rule is about.
  public var isByTracking: Bool {
    switch kind {
    case .selected: includes.began.isEmpty && excludes.ceased.isEmpty && pages.ceased.isEmpty
    case .noLongerSelected: includes.ceased.isEmpty && excludes.began.isEmpty && pages.began.isEmpty
    case .otherNames, .otherRules: false
    }
  }

  /// The number of names of rules, pages and events in it.
  var nameCount: Int { sortKey.reduce(0) { $0 + $1.count } }

  /// Orders by kind, then by the rules and pages that explain the difference.
  static func areInOrder(_ a: DecisionDifference, _ b: DecisionDifference) -> Bool {
    for (a, b) in zip(a.sortKey, b.sortKey) where a != b {
      for (a, b) in zip(a, b) where a != b { return a < b }
      return a.count < b.count
    }
    return false
  }

  private var sortKey: [[UTF8String]] {
    [
      includes.began, includes.ceased, excludes.began, excludes.ceased, pages.began, pages.ceased, renamed, emitBefore,
      emitNow,
    ]
  }
}
