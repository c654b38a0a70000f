import EncircleRuleFiles
import EncircleRules
import EncircleText

/// The planned events and the events that rules emit: one entry for each name.
///
/// ```swift
/// let plan = TrackingPlan(ruleSet, try PlanFiles(besides: ["Rules"], for: ruleSet))
/// for entry in plan.entries where !entry.isPlanned { print(entry.event) }
/// ```
public struct TrackingPlan: Sendable {
  /// An event, with its rules and its item in the plan.
  public struct Entry: Sendable {
    /// The name under which it is sent.
    public let event: UTF8String
    /// The item of the plan; nil if the plan does not mention the event.
    public let planned: PlannedEvent?
    /// The rules that emit it, in their order, including rules that are not in force.
    public let rules: [SelectionRule]

    /// This is true if the plan mentions the event.
    public var isPlanned: Bool { planned != nil }
    /// This is true if a rule that is in force emits the event.
    public var isEmitted: Bool { rules.contains(where: \.isEnabled) }
    /// The name for people, from the first rule that has one or else from the plan.
    public var name: String? { fact(\.name, \.name) }
    /// The description, likewise.
    public var summary: String? { fact(\.summary, \.summary) }
    /// The owner, likewise.
    public var owner: String? { fact(\.owner, \.owner) }
    /// The tags, likewise.
    public var tags: [String] { rules.first { !$0.tags.isEmpty }?.tags ?? planned?.tags ?? [] }

    private func fact(_ ofRule: KeyPath<SelectionRule, String?>, _ ofPlan: KeyPath<PlannedEvent, String?>) -> String? {
      rules.lazy.compactMap { $0[keyPath: ofRule] }.first ?? planned?[keyPath: ofPlan]
    }
  }

  /// The events of the plan in its order, then events that only rules emit, in the order of the rules.
  public let entries: [Entry]
  /// This is true if there is a plan, so that events that it does not mention are unexpected.
  public let hasPlan: Bool
  private let numbers: [UTF8String: Int]

  /// Joins rules and plans.
  ///
  /// - Complexity: O(rules + events).
  public init(_ ruleSet: RuleSet, _ files: PlanFiles) {
    let emitted = EmittedNames(ruleSet)
    var entries = files.events.map { event in
      Entry(event: event.event, planned: event, rules: emitted.rules(emitting: event.event))
    }
    let planned = Set(files.events.map(\.event))
    for name in emitted.names where !planned.contains(name) {
      entries.append(Entry(event: name, planned: nil, rules: emitted.rules(emitting: name)))
    }
    self.entries = entries
    hasPlan = !files.files.isEmpty
    numbers = Dictionary(uniqueKeysWithValues: entries.enumerated().map { ($1.event, $0) })
  }

  /// Returns the entry of a name; nil if neither rules nor the plan know it.
  public func entry(of event: UTF8String) -> Entry? { numbers[event].map { entries[$0] } }

  /// Returns the number of the entry with a name.
  func number(of event: UTF8String) -> Int? { numbers[event] }
}
