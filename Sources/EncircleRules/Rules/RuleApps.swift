import EncircleText

/// The apps that rules are for.
package struct RuleApps: Sendable {
  /// The identifiers of the apps; nil if some rule is for every app, or if there are no rules.
  package let identifiers: Set<UTF8String>?

  init(_ rules: [SelectionRule]) {
    identifiers = rules.isEmpty || rules.contains { $0.apps.isEmpty } ? nil : Set(rules.flatMap(\.apps))
  }

  /// Returns whether rules may be for an app, as they may for an unknown one, whose identifier is nil or empty.
  package func mayInclude(_ app: String?) -> Bool {
    guard let identifiers, let app, !app.isEmpty else { return true }
    return identifiers.contains(UTF8String(app))
  }
}
