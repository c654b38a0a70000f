import Foundation

// `localizedDescription` says what the tool prints. The conformances are here, and not with the errors, because Foundation
// declares the protocol, and the modules of this package that need nothing else of it do not link it.

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
