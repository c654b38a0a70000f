import EncircleAuthoring
import EncircleEvents
import EncircleIdentity
import EncircleText
import Synchronization

/// The configurations for apps, made from the rules in force once for each version.
final class SDKConfigurations: Sendable {
  /// The configuration for one app.
  struct Document: Sendable {
    /// The rule set's name and a digest of the content.
    var version: String
    var value: EventValue
  }

  private struct Known {
    var tag: VersionTag
    var configuration: SDKConfiguration
    var documents: [App: Document] = [:]
  }

  /// An app of a project.
  private struct App: Hashable {
    var project: UTF8String
    var id: UTF8String
  }

  private static let maximumKnown = 64
  private static let maximumDocuments = 16
  private let ruleSets: RuleSetLibrary
  private let known = Mutex<[String: Known]>([:])

  init(ruleSets: RuleSetLibrary) { self.ruleSets = ruleSets }

  /// A configuration, and the rule set from which it was made.
  struct Current: Sendable {
    /// The name of the rule set.
    var name: String
    var tag: VersionTag
    var configuration: SDKConfiguration
    /// The style of the rule set's paths.
    var style: PathStyleName
  }

  /// Returns the configuration of a rule set in force; nil if the name is unknown.
  ///
  /// - Complexity: O(1), but O(rules) for a new version.
  func current(_ name: String) throws -> Current? {
    guard let rules = try ruleSets.published(name) else { return nil }
    let found = known.withLock { known -> SDKConfiguration? in
      guard let one = known[name], one.tag == rules.tag else { return nil }
      return one.configuration
    }
    let configuration = found ?? SDKConfiguration(rules.ruleSet)
    if found == nil {
      known.withLock { known in
        if known.count >= Self.maximumKnown { known.removeAll() }
        known[name] = Known(tag: rules.tag, configuration: configuration)
      }
    }
    return Current(name: name, tag: rules.tag, configuration: configuration, style: rules.ruleSet.style)
  }

  /// Returns an app's configuration from a rule set in force; nil if the name is unknown, or if nothing in it is for the app.
  ///
  /// - Complexity: O(1), but O(rules) for a new version, app or project.
  func document(_ name: String, project: String, appID: String) throws -> Document? {
    try current(name).flatMap { document(from: $0, project: project, appID: appID) }
  }

  /// Returns an app's configuration from a rule set; nil if nothing in it is for the app.
  func document(from current: Current, project: String, appID: String) -> Document? {
    guard !current.configuration.isEmpty(for: appID) else { return nil }
    let app = App(project: UTF8String(project), id: UTF8String(appID))
    if let document = known.withLock({ $0[current.name]?.documents[app] }) { return document }
    let (version, value) = current.configuration.document(name: current.name, project: project, appID: appID)
    let document = Document(version: version, value: value)
    known.withLock { known in
      // Another version may have come into force since. Its configurations must not become those of this one.
      guard var one = known[current.name], one.tag == current.tag else { return }
      if one.documents.count >= Self.maximumDocuments { one.documents.removeAll() }
      one.documents[app] = document
      known[current.name] = one
    }
    return document
  }
}
