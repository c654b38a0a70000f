import EncircleIdentity
import EncircleRules
import EncircleLog

/// The configuration of a collector.
public struct CollectorConfiguration: Sendable {
  /// The functions that create the dictionary in which rules look up event IDs: one for the text of rules from the control plane, and
  /// one for compiled rules from disk.
  public struct Elements: Sendable {
    var ofRules: @Sendable (RuleSet) throws -> ElementDictionary
    var ofCompiled: @Sendable (CompiledRules) throws -> ElementDictionary

    public init(
      ofRules: @escaping @Sendable (RuleSet) throws -> ElementDictionary = { _ in ElementDictionary() },
      ofCompiled: @escaping @Sendable (CompiledRules) throws -> ElementDictionary = { _ in ElementDictionary() }
    ) {
      self.ofRules = ofRules
      self.ofCompiled = ofCompiled
    }
  }

  /// The address, the limits and all other settings that a collector shares with a service.
  public var service: ServiceConfiguration
  /// The source of rules.
  public var control: ControlPlane
  /// The names of the rule sets that decide; empty for `default` alone, with a warning if the control plane has others.
  public var ruleSets: [String] = []
  /// The folder for the last good rules, compiled.
  public var cache = "encircle-rules"
  /// The interval at which the control plane is asked for changes.
  public var pollInterval = Duration.seconds(1)
  /// The tokens of apps and operators. Without tokens, everybody may send events to a loopback address.
  public var tokens: CollectorTokens
  /// This is true if events are also logged as received, without a decision.
  public var logsRaw = false
  public var elements = Elements()

  public init(service: ServiceConfiguration, control: ControlPlane, tokens: CollectorTokens = CollectorTokens()) {
    self.service = service
    self.control = control
    self.tokens = tokens
  }

  /// Returns whether a text can name a rule set.
  public static func isRuleSetName(_ name: String) -> Bool { ServiceState.isRuleSetName(name) }
}
