import Foundation

// `localizedDescription` gives the text that the tool prints. The conformances are here rather than with the errors, because
// Foundation declares the protocol, and some modules of this package do not link Foundation.

extension CaptureError: LocalizedError {
  /// The description.
  public var errorDescription: String? { description }
}

extension CompiledRulesError: LocalizedError {
  /// The description.
  public var errorDescription: String? { description }
}

extension DictionaryError: LocalizedError {
  /// The description.
  public var errorDescription: String? { description }
}

extension InputError: LocalizedError {
  /// The description.
  public var errorDescription: String? { description }
}

extension JSONError: LocalizedError {
  /// The description.
  public var errorDescription: String? { description }
}

extension PathError: LocalizedError {
  /// The description.
  public var errorDescription: String? { description }
}

extension PathStyleError: LocalizedError {
  /// The description.
  public var errorDescription: String? { description }
}

extension RegularExpression.SyntaxError: LocalizedError {
  /// The description.
  public var errorDescription: String? { description }
}

extension Rejection: LocalizedError {
  /// The description.
  public var errorDescription: String? { description }
}

extension RuleFileErrors: LocalizedError {
  /// The description.
  public var errorDescription: String? { description }
}

extension SelectorError: LocalizedError {
  /// The description.
  public var errorDescription: String? { description }
}
