import EncircleEvents
import EncircleRules
import EncircleText

/// A test in a condition that names a value, with its number among the values that rule files note.
struct ConditionLeaf {
  /// The kinds of tests that name values.
  enum Test {
    /// Is this value, of those of a list.
    case value(Scalar, fold: Bool, list: [Scalar])
    case text(Condition.TextTest, UTF8String, fold: Bool)
    case matches(RegularExpression)
    case number(Condition.Comparison, DecimalNumber)
    case version(VersionRange)
  }

  /// The number of the value, from 0.
  let index: Int
  let test: Test
  /// Says whether `not` reverses the test.
  let isNegated: Bool
}

extension Condition {
  /// The tests that name values, in the order in which they are written.
  var leaves: [ConditionLeaf] {
    var result: [ConditionLeaf] = []
    collect(&result, isNegated: false)
    return result
  }

  // Conditions nest no deeper than 32 levels.
  private func collect(_ leaves: inout [ConditionLeaf], isNegated: Bool) {
    func add(_ test: ConditionLeaf.Test) {
      leaves.append(ConditionLeaf(index: leaves.count, test: test, isNegated: isNegated))
    }
    switch self {
    case .all(let parts), .any(let parts):
      for part in parts { part.collect(&leaves, isNegated: isNegated) }
    case .not(let part): part.collect(&leaves, isNegated: !isNegated)
    case .isOneOf(let values, let fold): for value in values { add(.value(value, fold: fold, list: values)) }
    case .text(let test, let text, let fold): add(.text(test, text, fold: fold))
    case .matches(let expression): add(.matches(expression))
    case .number(let comparison, let number): add(.number(comparison, number))
    case .version(let range): add(.version(range))
    case .exists, .kindOf: return
    }
  }
}
