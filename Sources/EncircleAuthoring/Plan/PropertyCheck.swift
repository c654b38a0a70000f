import EncircleEvents
import EncircleRuleFiles
import EncircleRules
import EncircleText

/// Compares values with a planned property.
struct PropertyCheck: Sendable {
  let planned: PlannedProperty
  private let reference: PropertyReference
  private let values: Set<Scalar>

  init(_ planned: PlannedProperty) {
    self.planned = planned
    // As in rules, a key that begins with a slash is a place in the event.
    reference = PropertyReference(parsing: planned.property.text) ?? .property(planned.property)
    values = Set(planned.values)
  }

  /// Returns how the property of an event differs from the plan; nil if it does not.
  ///
  /// - Parameter given: The values that rules give the event, which take precedence over its own.
  /// - Complexity: O(size of the value).
  func violation(in event: AnalyticsEvent, given: [UTF8String: Scalar]) -> PlanReport.Violation? {
    if let value = given[planned.property] {
      return planned.isList ? .list : violation(value)
    }
    guard let value = event.value(at: reference), value != .null else { return planned.isRequired ? .missing : nil }
    if case .list(let items) = value {
      guard planned.isList else { return planned.type == nil || planned.type == .any ? nil : .list }
      return items.lazy.compactMap { violation($0) }.first
    }
    return planned.isList ? .list : violation(value)
  }

  private func violation(_ value: EventValue) -> PlanReport.Violation? {
    switch value {
    case .null: violation(Scalar.null)
    case .bool(let value): violation(Scalar.bool(value))
    case .number(let value): violation(Scalar.number(value))
    case .string(let value): violation(Scalar.string(UTF8String(value)))
    case .list, .object:
      planned.type != nil && planned.type != .any ? .wrongType : values.isEmpty ? nil : .value
    }
  }

  private func violation(_ value: Scalar) -> PlanReport.Violation? {
    if let type = planned.type, !type.takes(value) { return .wrongType }
    if !values.isEmpty, !values.contains(value) { return .value }
    guard let pattern = planned.pattern else { return nil }
    guard case .string(let text) = value else { return .pattern }
    return text.withUTF8(pattern.matches) ? nil : .pattern
  }
}
