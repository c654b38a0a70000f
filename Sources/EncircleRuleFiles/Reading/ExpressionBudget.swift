import EncircleRules
import EncircleText

/// The work that the regular expressions of a rule set may cost together.
package struct ExpressionBudget {
  /// The expression that is too much.
  package struct Exceeded: Error, CustomStringConvertible {
    package init() {}

    package var description: String {
      "the regular expressions of the rules are together larger than the limit of \(ExpressionBudget.limit) instructions, "
        + "which is reached here; those that follow were not read"
    }
  }

  /// The most instructions to which all expressions may be compiled.
  package static let limit = 2_000_000
  // What an expression costs that RE2 refuses because it would be too large: about as much as the largest that it takes.
  private static let costOfRefused = 100_000

  private let limit: Int

  init(limit: Int = Self.limit) { self.limit = limit }

  /// What the expressions so far have cost.
  private(set) var used = 0
  private var isExceeded = false
  // Clauses for several places of one value have one expression after another.
  private var last: RegularExpression?

  /// Compiles an expression.
  ///
  /// - Returns: Nil if the budget was used up before, which has been reported.
  /// - Throws: A `RegularExpression.SyntaxError`, or ``Exceeded`` for the expression with which the budget is used up.
  mutating func compile(_ text: String, foldsCase: Bool) throws -> RegularExpression? {
    guard !isExceeded else { return nil }
    if let last, last.foldsCase == foldsCase, last.description.hasSameBytes(as: text) {
      try spend(last.size)
      return last
    }
    let expression: RegularExpression
    do throws(RegularExpression.SyntaxError) {
      expression = try RegularExpression(text, foldsCase: foldsCase)
    } catch {
      try spend(error.message.contains("too large") ? Self.costOfRefused : 1)
      throw error
    }
    last = expression
    try spend(expression.size)
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
