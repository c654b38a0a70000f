import EncircleRuleFiles
import EncircleRules
import EncircleText

/// A plan to compare rules with, and the names that rules of all styles emit.
struct PlanChecks: Sendable {
  let events: [PlannedEvent]
  /// This is true if there is a plan; then names that it lacks are reported.
  let hasPlan: Bool
  let emitted: EmittedNames
  private let numbers: [UTF8String: Int]

  init(_ plan: PlanFiles, _ ruleSet: RuleSet) {
    events = plan.events
    hasPlan = !plan.files.isEmpty
    emitted = EmittedNames(ruleSet)
    numbers = Dictionary(uniqueKeysWithValues: plan.events.enumerated().map { ($1.event, $0) })
  }

  func event(_ name: UTF8String) -> PlannedEvent? { numbers[name].map { events[$0] } }
}

extension FindingList {
  /// Reports events and properties that only the plan or only the rules have, tests whose type differs from the plan, and names
  /// that a destination refuses.
  mutating func checkPlan(_ plan: PlanChecks) {
    for event in plan.events where event.tracking == .circled && event.status == nil {
      let rules = plan.emitted.rules(emitting: event.event)
      if rules.contains(where: \.isEnabled) { continue }
      let disabled = rules.first.map { ": the rule '\($0.id)' is not enabled" } ?? ""
      add(
        .plannedWithoutRule, event.file, event.place,
        "'\(event.event)' is planned as circled, but no rule emits it\(disabled)")
    }
    for rule in rules.ruleSet.rules where rule.isEnabled && rule.effect == .include {
      let planned = rule.names.compactMap { plan.event(UTF8String($0)) }
      if plan.hasPlan {
        for name in rule.names where plan.event(UTF8String(name)) == nil {
          add(.emittedWithoutPlan, rule, .id, "emits '\(name)', which the plan does not mention")
        }
      }
      checkTypes(rule, planned)
      checkNames(of: rule)
    }
    checkNames(plan)
  }

  // MARK: - Types

  /// Reports tests of planned properties as another type.
  private mutating func checkTypes(_ rule: SelectionRule, _ planned: [PlannedEvent]) {
    var types: [UTF8String: PlannedProperty] = [:]
    for property in planned.flatMap(\.properties) where property.type != nil && !property.isList {
      types[property.property] = property
    }
    guard !types.isEmpty else { return }
    for (section, i, clause) in rule.numberedClauses {
      for (j, test) in clause.properties.enumerated() {
        guard case .property(let name) = test.property, let type = types[name]?.type,
          let asked = test.condition.leaves.lazy.compactMap({ Self.otherType(than: type, $0) }).first
        else { continue }
        add(
          .propertyType, rule, .property(section, i, j),
          "'\(name)' is tested as \(asked), but planned as \(Self.words(type))")
      }
    }
  }

  /// Returns, in words, the type that a test asks for if it is not the planned type. Returns nil if it is, or if the list of
  /// the test also has the value in the planned type.
  private static func otherType(than type: PlannedProperty.ValueType, _ leaf: ConditionLeaf) -> String? {
    guard type != .any, !leaf.twins.contains(where: { otherType(than: type, $0) == nil }) else { return nil }
    switch leaf.test {
    case .value(let value, _, _): return otherType(than: type, value)
    case .number: return type == .number || type == .datetime ? nil : "a number"
    case .kind: return nil
    case .text, .matches, .version: return type == .string || type == .datetime ? nil : "a text"
    }
  }

  private static func otherType(than type: PlannedProperty.ValueType, _ value: Scalar) -> String? {
    switch value {
    case .null: nil
    case .bool: type == .boolean ? nil : "true or false"
    case .number: type == .number || type == .datetime ? nil : "a number"
    case .string: type == .string || type == .datetime ? nil : "a text"
    }
  }

  private static func words(_ type: PlannedProperty.ValueType) -> String {
    switch type {
    case .string: "a text"
    case .number: "a number"
    case .boolean: "true or false"
    case .datetime: "a time"
    case .any: "anything"
    }
  }

  // MARK: - Names

  /// Reports the names that a rule gives, where its destinations refuse them.
  private mutating func checkNames(of rule: SelectionRule) {
    let destinations = setting(.refusedName, of: rule.id)?.destinations ?? []
    for destination in destinations {
      for name in rule.names {
        guard let refusal = NameRefusal.ofEvent(name, destination) else { continue }
        add(.refusedName, rule, .id, "\(destination.title) refuses '\(name)': \(refusal)")
      }
      for (i, property) in rule.properties.enumerated() {
        guard let refusal = NameRefusal.ofProperty(property.name.text, destination) else { continue }
        add(.refusedName, rule, .given(i), "\(destination.title) refuses '\(property.name)': \(refusal)")
      }
    }
  }

  /// Reports the names of the plan that the destinations of any file refuse. Names of events that rules emit are reported at the
  /// rules.
  private mutating func checkNames(_ plan: PlanChecks) {
    let destinations = anySetting(.refusedName)?.destinations ?? []
    for event in plan.events where event.status != .archived {
      for destination in destinations {
        if plan.emitted.rules[event.event] == nil, let refusal = NameRefusal.ofEvent(event.event.text, destination) {
          add(.refusedName, event.file, event.place, "\(destination.title) refuses '\(event.event)': \(refusal)")
        }
        for property in event.properties {
          guard let refusal = NameRefusal.ofProperty(property.property.text, destination) else { continue }
          add(
            .refusedName, event.file, property.place, "\(destination.title) refuses '\(property.property)': \(refusal)")
        }
      }
    }
  }
}
