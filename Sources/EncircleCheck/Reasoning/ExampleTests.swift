import EncircleEvents
import EncircleIdentity
import EncircleRules
import EncircleText
import EncircleTree

/// Tells whether rules match an example, without a search.
final class ExampleTests {
  private let hierarchy: ClassHierarchy
  private var probes: [UTF8String: ConditionProbe] = [:]
  // The most conditions that are kept prepared; beyond these all are forgotten.
  private static let mostProbes = 10_000

  init(_ hierarchy: ClassHierarchy) { self.hierarchy = hierarchy }

  /// Returns whether a rule certainly does not match the event that has the values of the example and no others.
  func isMissed(_ example: EventExample, by rule: RuleBoxes, _ budget: WordClasses.Budget) -> Bool {
    guard !example.isUncertain else { return false }
    var values: [Dimension: EventExample.Value] = [:]
    for (dimension, value) in example.values { values[dimension] = value }
    budget.spend(4 * (rule.boxes.count + rule.unless.count))
    return !rule.boxes.contains { isIn($0, values) } || rule.unless.contains { isIn($0, values) }
  }

  private func isIn(_ box: Box, _ values: [Dimension: EventExample.Value]) -> Bool {
    box.dimensions.allSatisfy { dimension in
      switch (box.constraints[dimension], values[dimension]) {
      case (.path(let lists)?, .path(let path)?):
        return lists.allSatisfy { list in list.contains { $0.matches(path, hierarchy: hierarchy) } }
      case (.eventID(let ids)?, .eventID(let id)?): return ids.contains(id)
      case (.value(let condition)?, .value(.value(let value))?):
        return probe(condition, box.keys[dimension]).holds(value)
      case (.value(let condition)?, nil), (.value(let condition)?, .value(.absent)?):
        return probe(condition, box.keys[dimension]).holds(nil)
      case (nil, _): return true
      default: return false
      }
    }
  }

  private func probe(_ condition: Condition, _ key: UTF8String?) -> ConditionProbe {
    let key = key ?? UTF8String(condition.key)
    if let known = probes[key] { return known }
    if probes.count >= Self.mostProbes { probes = [:] }
    let probe = ConditionProbe(condition, hierarchy: hierarchy)
    probes[key] = probe
    return probe
  }
}
