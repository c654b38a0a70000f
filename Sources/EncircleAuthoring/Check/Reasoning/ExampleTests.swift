import EncircleEvents
import EncircleIdentity
import EncircleRules
import EncircleText
import EncircleTree

/// Tests whether rules match an example, without a search.
final class ExampleTests {
  private let hierarchy: ClassHierarchy
  private let fields: EventFields
  private var probes: [UTF8String: ConditionProbe] = [:]
  // The maximum number of conditions that are kept prepared; beyond these all are forgotten.
  private static let maximumProbes = 10_000

  init(_ hierarchy: ClassHierarchy, _ fields: EventFields) {
    self.hierarchy = hierarchy
    self.fields = fields
  }

  /// Returns whether a rule certainly does not match the event that has the values of the example and no others.
  func isMissed(_ example: EventExample, by rule: RuleBoxes, _ budget: WordClasses.Budget) -> Bool {
    guard !example.isUncertain else { return false }
    var values: [Dimension: EventExample.Value] = [:]
    for (dimension, value) in example.values { values[dimension] = value }
    budget.spend(4 * (rule.boxes.count + rule.unless.count))
    return rule.boxes.allSatisfy { isIn($0, values) == false } || rule.unless.contains { isIn($0, values) == true }
  }

  /// Returns whether an event is in a box; nil if that is not known.
  private func isIn(_ box: Box, _ values: [Dimension: EventExample.Value]) -> Bool? {
    var result: Bool? = true
    for dimension in box.dimensions {
      switch isMet(box.constraints[dimension], box.keys[dimension], dimension, values) {
      case true?: break
      case false?: return false
      case nil: result = nil
      }
    }
    return result
  }

  private func isMet(
    _ constraint: Constraint?, _ key: UTF8String?, _ dimension: Dimension, _ values: [Dimension: EventExample.Value]
  ) -> Bool? {
    var value = values[dimension]
    if value == nil, let place = dimension.firstPlace(fields), case .value(.value(let own))? = values[place] {
      // Rules compare pages in another form than some events have.
      if dimension == .page, case .string(let name) = own, !fields.style.page(ofEvent: name).hasSameBytes(as: name) {
        return nil
      }
      value = .value(.value(own))
    }
    switch (constraint, value) {
    case (.path(let lists)?, .path(let path)?):
      return lists.allSatisfy { list in list.contains { $0.matches(path, hierarchy: hierarchy) } }
    case (.eventID(let ids)?, .eventID(let id)?): return ids.contains(id)
    case (.value(let condition)?, .value(.value(let value))?): return probe(condition, key).holds(value)
    case (.value(let condition)?, nil), (.value(let condition)?, .value(.absent)?):
      return probe(condition, key).holds(nil)
    case (nil, _): return true
    default: return false
    }
  }

  private func probe(_ condition: Condition, _ key: UTF8String?) -> ConditionProbe {
    let key = key ?? UTF8String(condition.key)
    if let known = probes[key] { return known }
    if probes.count >= Self.maximumProbes { probes = [:] }
    let probe = ConditionProbe(condition, hierarchy: hierarchy)
    probes[key] = probe
    return probe
  }
}
