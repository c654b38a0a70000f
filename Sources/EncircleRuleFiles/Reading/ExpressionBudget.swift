import EncircleRules
import EncircleText

/// The work that all regular expressions of a rule set together may cause. Equal expressions are compiled only once, and count only
/// once.
package struct ExpressionBudget {
  /// The expression that is too much.
  package struct Exceeded: Error, CustomStringConvertible {
    package init() {}

    package var description: String {
      "the regular expressions of the rules are together larger than the limit of \(ExpressionBudget.limit) instructions, "
        + "which is reached here; those that follow were not read"
    }
  }

  /// The limit on the compiled size of all expressions together, in instructions.
  package static let limit = 2_000_000
  // The cost of an expression that RE2 refuses as too large: about as much as the largest one that it accepts.
  private static let costOfRefused = 100_000

  private let limit: Int

  init(limit: Int = Self.limit) { self.limit = limit }

  /// The cost of the expressions so far.
  private(set) var used = 0
  private var isExceeded = false
  // The compiled expressions by text; the second table is for expressions that ignore case. Imported rules often repeat
  // a few expressions.
  private var compiled: [UTF8String: RegularExpression] = [:]
  private var compiledFolding: [UTF8String: RegularExpression] = [:]

  /// Compiles an expression.
  ///
  /// - Returns: Nil if the budget was already exhausted, which has been reported.
  /// - Throws: A `RegularExpression.SyntaxError`, or ``Exceeded`` for the expression that exhausts the budget.
  mutating func compile(_ text: String, foldsCase: Bool) throws -> RegularExpression? {
    guard !isExceeded else { return nil }
    let key = UTF8String(text)
    if let known = foldsCase ? compiledFolding[key] : compiled[key] { return known }
    let expression: RegularExpression
    do throws(RegularExpression.SyntaxError) {
      expression = try RegularExpression(text, foldsCase: foldsCase)
    } catch {
      try spend(error.message.contains("too large") ? Self.costOfRefused : 1)
      throw error
    }
    try spend(expression.size)
    if foldsCase { compiledFolding[key] = expression } else { compiled[key] = expression }
    return expression
  }

  private mutating func spend(_ cost: Int) throws {
    used += cost
    if used > limit {
      isExceeded = true
      throw Exceeded()
    }
  }
}
