import EncircleEvents
import EncircleText
import EncircleTree

/// A condition that is tried on one value after the other, without rules and events around it.
package final class ConditionProbe {
  private let condition: CompiledCondition
  private var classes: ClassTable

  /// Prepares a condition.
  package init(_ condition: Condition, hierarchy: ClassHierarchy = .builtIn) {
    self.condition = CompiledCondition(condition)
    classes = ClassTable(hierarchy: hierarchy)
  }

  /// Whether a value meets the condition; nil is one that the event lacks.
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
    case .list, .object: kind = .composite
    }
    return text.withUTF8 { bytes in
      withUnsafePointer(to: UInt8(0)) { nothing in
        let value = ProjectedValue(kind: kind, length: Int32(bytes.count), start: bytes.baseAddress ?? nothing)
        return condition.holds(value, &classes)
      }
    }
  }
}
