import EncircleEvents
import EncircleText
import EncircleTree

/// Evaluates a condition on single values, without rules and events around it.
package final class ConditionProbe: Sendable {
  private let condition: CompiledCondition
  private let classes: ClassTable

  /// Prepares a condition.
  package init(_ condition: Condition, hierarchy: ClassHierarchy = .builtIn) {
    self.condition = CompiledCondition(condition)
    classes = ClassTable(hierarchy: hierarchy)
  }

  /// Returns whether the condition holds for a value; nil stands for a value that the event lacks.
  package func holds(_ value: EventValue?) -> Bool {
    var text = ""
    let kind: ProjectedValue.Kind
    switch value {
    case nil: kind = .missing
    case .null: kind = .null
    case .bool(let flag): kind = flag ? .true : .false
    case .number(let number):
      kind = .number
      text = number.description
    case .string(let string):
      kind = .string
      text = string
    case .list:
      kind = .composite
      text = value.map { String(decoding: $0.json, as: UTF8.self) } ?? ""
    case .object: kind = .composite
    }
    return text.withUTF8 { bytes in
      withUnsafePointer(to: UInt8(0)) { nothing in
        let value = ProjectedValue(kind: kind, length: Int32(bytes.count), start: bytes.baseAddress ?? nothing)
        return condition.holds(value, classes)
      }
    }
  }
}
