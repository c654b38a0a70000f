import EncircleEvents
import EncircleRuleFiles
import EncircleRules
import EncircleText

/// Decides events by both forms of imported rules, and records where the forms differ. This shows whether an import selects the
/// same events as the tool did.
///
/// ```swift
/// var comparison = try ImportComparison(report)
/// comparison.add(event, .init(file: name, line: line))
/// comparison.finish(&report)
/// ```
public struct ImportComparison: ~Copyable {
  /// The place of an event.
  public typealias Place = PlanReport.Place

  /// The numbers of events that the rules of a definition take.
  public struct Counts: Sendable {
    /// The events that the readable form takes; nil without one.
    public var readable: Int?
    /// The events that the literal form takes; nil without one.
    public var literal: Int?
    /// The first events that only the readable form takes.
    public var onlyReadable: [Place] = []
    /// The first events that only the literal form takes.
    public var onlyLiteral: [Place] = []

    /// This is true if some event was taken.
    public var isSeen: Bool { (readable ?? 0) + (literal ?? 0) > 0 }
    /// This is true if the forms differ.
    public var differs: Bool { !onlyReadable.isEmpty || !onlyLiteral.isEmpty }
  }

  /// The maximum number of events that are named for a difference.
  public static let maximumPlaces = 3

  private var readable: Decider
  private var literal: Decider
  private let hasUnfolding: Bool
  private var counts: [UTF8String: Counts] = [:]
  /// The number of events.
  public private(set) var read = 0
  /// The number of items of grouped events that were left out.
  package private(set) var itemsLeftOut = 0

  /// Compiles both forms of all converted rules, whether they are imported or not.
  ///
  /// - Parameter unfolds: True to unfold grouped events.
  /// - Throws: `RuleFileErrors` if the rules cannot be loaded together.
  /// - Complexity: O(size of the rules).
  public init(_ report: ImportReport, unfolds: Bool = false) throws(RuleFileErrors) {
    let definitions = report.entries.map(\.definition)
    let rules = (
      readable: try ImportLoading.ruleSet(definitions, .readable),
      literal: try ImportLoading.ruleSet(definitions, .literal)
    )
    hasUnfolding = unfolds
    readable = Decider(Matcher(rules.readable))
    literal = Decider(Matcher(rules.literal))
    for entry in report.entries {
      var own = Counts()
      for form in entry.definition.forms where !form.clauses.isEmpty {
        if form.kind == .readable { own.readable = 0 } else { own.literal = 0 }
      }
      if own.readable != nil || own.literal != nil { counts[UTF8String(entry.definition.ruleID)] = own }
    }
  }

  /// Adds an event.
  ///
  /// - Complexity: Twice the cost of a decision.
  public mutating func add(_ event: AnalyticsEvent, _ place: Place) {
    let events = hasUnfolding ? GroupedEvents.events(of: event) : [event]
    if hasUnfolding, let count = GroupedEvents.itemCount(of: event) { itemsLeftOut += count - events.count }
    for event in events {
      read += 1
      let first = readable.decide(event).rules
      let second = literal.decide(event).rules
      for rule in first { counts[rule]?.readable? += 1 }
      for rule in second { counts[rule]?.literal? += 1 }
      guard first != second else { continue }
      note(first, without: second, place, \.onlyReadable)
      note(second, without: first, place, \.onlyLiteral)
    }
  }

  private mutating func note(
    _ rules: [UTF8String], without others: [UTF8String], _ place: Place, _ places: WritableKeyPath<Counts, [Place]>
  ) {
    let others = Set(others)
    for rule in rules where !others.contains(rule) {
      guard var own = counts[rule], own.readable != nil, own.literal != nil else { continue }
      guard own[keyPath: places].count < Self.maximumPlaces else { continue }
      own[keyPath: places].append(place)
      counts[rule] = own
    }
  }

  /// Puts the counts into the report.
  public func finish(_ report: inout ImportReport) { report.setEvents(counts) }
}

extension ImportReport {
  fileprivate mutating func setEvents(_ counts: [UTF8String: ImportComparison.Counts]) {
    for i in entries.indices where !entries[i].definition.forms.isEmpty {
      entries[i].events = counts[UTF8String(entries[i].definition.ruleID)]
    }
  }
}
