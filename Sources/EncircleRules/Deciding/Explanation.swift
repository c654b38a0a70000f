import EncircleEvents
import EncircleIdentity
import EncircleText

/// Why an event is or is not selected: rule by rule, test by test.
public struct Explanation: Sendable {
  /// One test with what it found.
  public struct Test: Sendable {
    /// What is tested, such as `page` or the name of a property.
    public let subject: String
    /// What must hold of it, in words.
    public let expected: String
    /// What the event has.
    public let found: String
    /// Whether it holds.
    public let passed: Bool
  }

  /// The tests of one clause, all of which must hold.
  public struct ClauseResult: Sendable {
    /// The tests.
    public let tests: [Test]
    /// Whether all hold.
    public var holds: Bool { tests.allSatisfy(\.passed) }
  }

  /// What one rule says.
  public struct RuleResult: Sendable {
    /// The rule.
    public let rule: SelectionRule
    /// Whether the rule matches; a disabled rule never does.
    public let matches: Bool
    /// The clauses, of which one must hold.
    public let clauses: [ClauseResult]
    /// The tests that must hold besides, of app and time.
    public let besides: [Test]
    /// The clauses of `unless`, of which none may hold.
    public let unless: [ClauseResult]
    /// What would have to change for the rule to match, in words; nil if it does.
    public let change: String?
  }

  /// The decision.
  public let decision: Decision
  /// The element's path, in each of its readings, with slashes.
  public let paths: [String]
  /// The page, if it is known.
  public let page: String?
  /// The rules, in byte order of their ids.
  public let rules: [RuleResult]
  /// What of the rule set's `track` the decision follows from.
  public let track: RuleSet.Tracking
}
