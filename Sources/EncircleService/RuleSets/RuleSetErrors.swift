import EncircleRuleFiles
import EncircleText
import Hummingbird

extension ServiceError {
  /// Creates an error with 422 and all errors in rule files.
  init(_ errors: RuleFileErrors, code: String = "broken-rules") {
    let details = errors.diagnostics.map { Detail($0) }
    let first = details.first?.message ?? "The rules cannot be read."
    self = .invalid(
      errors.count == 1 ? first : "The rules have \(errors.count) errors. The first: \(first)",
      code: code, location: details.first?.location, details: details)
  }

  /// Returns the result of `body`, and throws an error with 422 for texts that cannot be parsed or changed.
  static func explaining<Value>(code: String = "broken-rules", _ body: () throws -> Value) throws -> Value {
    do {
      return try body()
    } catch let errors as RuleFileErrors {
      throw ServiceError(errors, code: code)
    }
  }
}

extension ServiceError.Detail {
  init(_ diagnostic: Diagnostic) {
    let place = diagnostic.location.map {
      ServiceError.Location(file: diagnostic.file, line: $0.line, column: $0.column)
    }
    self.init(code: "broken-rules", message: diagnostic.messageWithSuggestion, location: place)
  }
}

extension RuleSetLibrary {
  /// Returns the errors in a draft's text, which need not be valid.
  static func draftErrors(in text: String, _ name: String) -> [ServiceError.Detail] {
    errors(in: text, name)?.diagnostics.map { ServiceError.Detail($0) } ?? []
  }

  static func unknown(_ name: String) -> ServiceError { .notFound("There is no rule set '\(name)'.") }

  static func noDraft(_ name: String) -> ServiceError {
    ServiceError(.notFound, code: "no-draft", message: "The rule set '\(name)' has no draft.")
  }

  static func notSubmitted(_ name: String) -> ServiceError {
    .conflict(
      "Nobody has asked for approval of this draft of '\(name)', or it was changed since.", code: "not-submitted")
  }

  static var notAccepted: ServiceError {
    ServiceError(.notFound, code: "not-accepted", message: "Nobody has accepted this release.")
  }

  static func stale(_ what: String, _ current: Int) -> ServiceError {
    let message =
      current == 0 && what != "version"
      ? "There is no \(what)." : "The \(what) has changed: its number is now \(current)."
    return ServiceError(.stale(current: current), code: "stale", message: message)
  }

  /// Returns the result of `body`, and converts the conflicts that it throws into errors for clients.
  static func explaining<Value>(
    _ name: String, what: String = "version", _ body: () throws -> Value
  ) throws -> Value {
    do {
      return try body()
    } catch let conflict as RuleSetConflict {
      switch conflict {
      case .unknown: throw unknown(name)
      case .stale(let current): throw stale(what, current)
      case .noDraft: throw noDraft(name)
      case .notSubmitted: throw notSubmitted(name)
      case .notAccepted: throw notAccepted
      }
    }
  }
}
