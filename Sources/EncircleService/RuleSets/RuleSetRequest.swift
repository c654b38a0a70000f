import EncircleRuleFiles
import EncircleText
import Foundation
import Hummingbird

/// Helpers for all requests about rule sets.
extension ServiceState {
  private static let longestReason = 4_000

  /// Returns the name of the rule set in the path.
  ///
  /// - Throws: ``ServiceError`` with 404 if it cannot be the name of a rule set.
  func ruleSetName(_ context: ServiceContext) throws -> String {
    let name = context.parameters.get("name") ?? ""
    guard Self.isRuleSetName(name) else {
      throw ServiceError.notFound(
        """
        The name of a rule set has 1 to 64 characters: letters from A to Z and a to z, digits, dots, dashes and underscores. It does \
        not begin with a dot or a dash.
        """
      )
    }
    return name
  }

  static func isRuleSetName(_ name: String) -> Bool {
    guard let first = name.utf8.first, !".-".utf8.contains(first), name.utf8.count <= 64 else { return false }
    return name.utf8.allSatisfy(isFilenameByte)
  }

  /// Returns the reason in the query or the body.
  ///
  /// - Throws: ``ServiceError`` with 422 if it is too long.
  func reason(_ text: String?) throws -> String {
    let text = text ?? ""
    guard text.utf8.count <= Self.longestReason else {
      throw ServiceError.invalid(
        "A reason has no more than \(Self.longestReason) bytes.", code: "bad-value", location: .init(pointer: "/reason")
      )
    }
    return text
  }

  /// Returns the rule file in a body.
  ///
  /// - Throws: ``ServiceError`` with 422 if it is not UTF-8, or has NUL characters. No rule file has these, and SQLite would
  ///   end the text there.
  func ruleFile(in request: Request, name: String) async throws -> String {
    let body = try await request.plainBytes(limit: configuration.limits.bodyBytes, limits: configuration.limits)
    let bytes = Array(body.readableBytesView)
    func broken(_ problem: Diagnostic) -> ServiceError {
      let detail = ServiceError.Detail(problem)
      return .invalid(detail.message, code: "broken-rules", location: detail.location, details: [detail])
    }
    guard let text = String(validating: bytes, as: UTF8.self) else {
      throw broken(Diagnostic(notUTF8: bytes, file: name))
    }
    if let offset = bytes.firstIndex(of: 0) {
      throw broken(Diagnostic("the text has a NUL character", file: name, offset: offset, in: text))
    }
    return text
  }
}

extension Request {
  /// This is true if the client wants the answer as JSON rather than as a file.
  var wantsJSON: Bool {
    switch query("format") {
    case "json": true
    case nil: accepts("application/json") && !acceptedTypes.contains { $0.containsBytes(of: "yaml") }
    default: false
    }
  }
}
