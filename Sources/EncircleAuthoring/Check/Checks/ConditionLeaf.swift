import EncircleEvents
import EncircleRules
import EncircleText

/// A test in a condition that names a value, with the value's number in the order of the rule file's record.
struct ConditionLeaf {
  /// The kinds of tests that name values.
  enum Test {
    /// The property equals this value, which is one of a list.
    case value(Scalar, fold: Bool, list: [Scalar])
    /// The page is this class or a subclass.
    case kind(UTF8String)
    case text(Condition.TextTest, UTF8String, fold: Bool)
    case matches(RegularExpression)
    case number(Condition.Comparison, DecimalNumber)
    case version(VersionRange)
  }

  /// The number of the value, from 0.
  let index: Int
  let test: Test
  /// This is true if `not` reverses the test.
  let isNegated: Bool
  /// The values in the same list that mean the same in another type, such as `"12"` in `[12, "12"]`. A list with both values
  /// accepts either type.
  let twins: [Scalar]
}

extension Condition {
  /// The tests that name values, in the order in which they are written.
  var leaves: [ConditionLeaf] {
    var result: [ConditionLeaf] = []
    var count = 0
    collect(&result, &count, isNegated: false)
    return result
  }

  // Conditions nest no deeper than 32 levels.
  private func collect(_ leaves: inout [ConditionLeaf], _ count: inout Int, isNegated: Bool) {
    func add(_ test: ConditionLeaf.Test, twins: [Scalar] = []) {
      leaves.append(ConditionLeaf(index: count, test: test, isNegated: isNegated, twins: twins))
      count += 1
    }
    switch self {
    case .all(let parts), .any(let parts):
      for part in parts { part.collect(&leaves, &count, isNegated: isNegated) }
    case .not(let part): part.collect(&leaves, &count, isNegated: !isNegated)
    case .isOneOf(let values, let fold):
      let all: Set<Scalar> = values.count > 1 ? Set(values) : []
      for value in values {
        add(
          .value(value, fold: fold, list: values),
          twins: all.isEmpty ? [] : value.inOtherTypes.filter { all.contains($0) })
      }
    case .kindOf(let names): for name in names { add(.kind(name)) }
    case .text(let test, let text, let fold): add(.text(test, text, fold: fold))
    case .matches(let expression): add(.matches(expression))
    case .number(let comparison, let number): add(.number(comparison, number))
    case .version(let range): add(.version(range))
    case .items(_, let part), .numberInText(let part):
      // These parts test something derived from the value, so they are left out. Their values are still counted, so that later
      // values keep their numbers.
      var others: [ConditionLeaf] = []
      part.collect(&others, &count, isNegated: isNegated)
    case .exists, .sample: return
    }
  }
}

extension Scalar {
  /// The values of other types that mean the same.
  fileprivate var inOtherTypes: [Scalar] {
    switch self {
    case .null: []
    case .bool(let flag): [.string(flag ? "true" : "false"), .number(flag ? 1 : 0)]
    case .number(1): [.string("1"), .bool(true)]
    case .number(0): [.string("0"), .bool(false)]
    case .number(let number): [.string(UTF8String(number.description))]
    case .string("true"): [.bool(true)]
    case .string("false"): [.bool(false)]
    case .string(let text): DecimalNumber(text.text).map { [Scalar.number($0)] } ?? []
    }
  }
}
