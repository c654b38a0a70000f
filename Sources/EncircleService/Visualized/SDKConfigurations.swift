import EncircleIdentity
import EncircleSDK
import Synchronization

/// The configurations for apps of the rules in force, made once for each version.
final class SDKConfigurations: Sendable {
  private struct Known {
    var version: Int
    var text: String
    var configuration: SDKConfiguration
  }

  private static let mostKnown = 64
  private let ruleSets: RuleSetLibrary
  private let known = Mutex<[String: Known]>([:])

  init(ruleSets: RuleSetLibrary) { self.ruleSets = ruleSets }

  /// A configuration and the name of its version.
  struct Current: Sendable {
    var version: String
    var configuration: SDKConfiguration
    /// The style of the rule set's paths.
    var style: PathStyleName
  }

  /// The configuration of a rule set in force; nil if the name is unknown.
  ///
  /// - Complexity: O(1), but O(rules) for a new version.
  func current(_ name: String) throws -> Current? {
    guard let rules = try ruleSets.published(name) else { return nil }
    let found = known.withLock { known -> SDKConfiguration? in
      guard let one = known[name], one.version == rules.version, one.text.utf8.elementsEqual(rules.text.utf8) else {
        return nil
      }
      return one.configuration
    }
    let configuration = found ?? SDKConfiguration(rules.ruleSet)
    if found == nil {
      known.withLock { known in
        if known.count >= Self.mostKnown { known.removeAll() }
        known[name] = Known(version: rules.version, text: rules.text, configuration: configuration)
      }
    }
    return Current(version: "\(name)-\(rules.version)", configuration: configuration, style: rules.ruleSet.style)
  }
}
