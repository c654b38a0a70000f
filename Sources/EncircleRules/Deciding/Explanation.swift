import EncircleEvents
import EncircleIdentity
import EncircleText

/// The reasons why an event is or is not selected: rule by rule, test by test.
public struct Explanation: Sendable {
  /// One test with the value that it found.
  public struct Test: Sendable {
    /// The subject of the test, such as `page` or the name of a property.
    public let subject: String
    /// The condition in words.
    public let expected: String
    /// The value of the event, in words.
    public let found: String
    public let passed: Bool
  }

  /// The tests of one clause, all of which must hold.
  public struct ClauseResult: Sendable {
    /// The tests.
    public let tests: [Test]
    /// This is true if all tests hold.
    public var holds: Bool { tests.allSatisfy(\.passed) }
  }

  /// A property that a rule gives the event.
  public struct PropertyResult: Sendable {
    /// The name.
    public let name: String
    /// The source of the value, in words.
    public let source: String
    /// The value; nil if the event gets none.
    public let value: Scalar?
    /// The reason why there is no value, in words; nil if there is one.
    public let reason: String?
  }

  /// The result for one rule.
  public struct RuleResult: Sendable {
    /// The rule.
    public let rule: SelectionRule
    /// This is true if the rule matches; a disabled rule never does.
    public let matches: Bool
    /// The clauses; at least one must hold.
    public let clauses: [ClauseResult]
    /// The tests of the app and the time, which must hold in addition.
    public let besides: [Test]
    /// The clauses of `unless`; none may hold.
    public let unless: [ClauseResult]
    /// The changes that would make the rule match, in words; nil if it matches.
    public let change: String?
    /// The properties that the rule gives the event; empty unless the rule selects it.
    public internal(set) var properties: [PropertyResult] = []
  }

  /// The style of an event, and the style of rules whose selectors cannot match its path, because another SDK has written it.
  public struct StyleMismatch: Sendable {
    /// The style of the event.
    public let event: PathStyleName
    /// The style of all rules.
    public let rules: PathStyleName
  }

  /// The decision.
  public let decision: Decision
  /// The excluded pages of the decision that are excluded by default, in byte order.
  public let defaultPages: [UTF8String]
  /// The element's path, in each of its readings, with slashes.
  public let paths: [String]
  /// The page, if it is known.
  public let page: String?
  /// The styles, if a selector does not match because all rules are for the events of another SDK; otherwise nil.
  public let styleMismatch: StyleMismatch?
  /// The rules, in byte order of their ids.
  public package(set) var rules: [RuleResult]
  /// The tracking mode of the rule set.
  public let track: RuleSet.Tracking
}
