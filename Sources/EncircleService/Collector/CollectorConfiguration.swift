import EncircleIdentity
import EncircleRules
import EncircleLog

/// What a collector is started with.
public struct CollectorConfiguration: Sendable {
  /// Makes the dictionary in which rules look up event IDs, for rules that come as text from the control plane and for compiled
  /// ones from disk.
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

  /// The address, the limits and the rest that it shares with a service.
  public var service: ServiceConfiguration
  /// Where rules come from.
  public var control: ControlPlane
  /// The names of the rule sets that decide.
  public var ruleSets = ["default"]
  /// The folder in which the last good rules are kept, compiled.
  public var cache = "encircle-rules"
  /// How often the control plane is asked for changes.
  public var pollInterval = Duration.seconds(1)
  /// The tokens of apps and operators; everybody may send events to a loopback address if there are none.
  public var tokens: CollectorTokens
  /// Whether events are also logged as they came, without a decision.
  public var logsRaw = false
  public var elements = Elements()

  public init(service: ServiceConfiguration, control: ControlPlane, tokens: CollectorTokens = CollectorTokens()) {
    self.service = service
    self.control = control
    self.tokens = tokens
  }

  /// Whether a text can name a rule set.
  public static func isRuleSetName(_ name: String) -> Bool { ServiceState.isRuleSetName(name) }
}
