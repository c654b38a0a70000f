import EncircleRules
import EncircleText

/// The ways in which another tool compares a text.
package enum CircledText: Sendable {
  /// It is this text.
  case exact(UTF8String)
  /// An expression matches somewhere in it.
  case expression(RegularExpression)

  /// Creates a text that an expression must match somewhere; nil if the expression cannot be used.
  init?(matching expression: String) {
    guard let expression = try? RegularExpression(expression) else { return nil }
    self = .expression(expression)
  }

  /// Creates a text that must contain another one; nil if the other one is empty.
  init?(containing text: String) {
    guard !text.isEmpty else { return nil }
    self.init(matching: "(?s)" + RegularExpression.quoting(text))
  }

  /// The number of characters after which GrowingIO cuts texts.
  private static let cutLength = 100

  /// Returns the likeness of a text to this one, from 0 to 1.
  func likeness(_ own: UTF8String?) -> Double {
    guard let own else { return 0 }
    switch self {
    case .exact(let text):
      if text == own { return 1 }
      let isCut = text.text.unicodeScalars.count >= Self.cutLength && own.text.beginsWithBytes(of: text.text)
      return isCut ? 0.9 : 0
    case .expression(let expression):
      var text = own.text
      return text.withUTF8 { expression.matches($0) } ? 1 : 0
    }
  }
}
