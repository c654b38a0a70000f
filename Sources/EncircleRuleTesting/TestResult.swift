import EncircleRules
import EncircleText

/// What came of one test.
public struct TestResult: Sendable {
  /// The test.
  public let test: RuleTest
  /// What was not as expected, by event; empty if the test passed.
  public let failures: [Failure]
  /// How many events more were not as expected.
  public let moreFailures: Int
  /// How long it took, in seconds.
  public let duration: Double
  /// What was found, where it is the same for all events of the test: what `--update` writes.
  let found: [ExpectedKey: ExpectedValue]

  /// Whether all is as expected, and something is.
  public var passed: Bool { failures.isEmpty && !isUnfinished }
  /// Whether the test does not say yet what it expects.
  public var isUnfinished: Bool { test.expectation?.isEmpty ?? true }

  /// What was not as expected of one event, or of the selector.
  public struct Failure: Sendable {
    /// Which of the events it is; nil for a selector.
    public let label: String?
    /// What differs; not empty.
    public let mismatches: [Mismatch]
    /// Why the event is or is not selected; nil for a selector.
    public let explanation: Explanation?
    /// Of the explanation, the rules that the failure is about.
    public let rules: [Explanation.RuleResult]
  }

  /// One thing that differs.
  public struct Mismatch: Sendable, Equatable {
    /// What.
    public let key: ExpectedKey
    /// What was expected.
    public let expected: ExpectedValue
    /// What was found.
    public let found: ExpectedValue
  }
}
