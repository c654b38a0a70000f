import EncircleRules
import EncircleText

/// The result of one test.
public struct TestResult: Sendable {
  /// The test.
  public let test: RuleTest
  /// The events that were not as expected.
  public let failures: [Failure]
  /// The number of further events that were not as expected.
  public let moreFailures: Int
  /// The duration, in seconds.
  public let duration: Double
  /// The values that were found, if they are the same for all events of the test; `--update` writes them.
  let found: [ExpectedKey: ExpectedValue]

  /// This is true if the test expects something and everything was found.
  public var passed: Bool { failures.isEmpty && !isUnfinished }
  /// This is true if the test expects nothing yet.
  public var isUnfinished: Bool { test.expectation?.isEmpty ?? true }

  /// An event that was not as expected, or the selector.
  public struct Failure: Sendable {
    /// The description of the event; nil for a selector.
    public let label: String?
    /// The values that differ; not empty.
    public let mismatches: [Mismatch]
    /// The explanation why the event is or is not selected, by the rules that the failure is about; nil for a selector.
    public let explanation: Explanation?

    /// The rules that the failure is about.
    public var rules: [Explanation.RuleResult] { explanation?.rules ?? [] }
  }

  /// A value that differs from the expected one.
  public struct Mismatch: Sendable, Equatable {
    /// The key of the value.
    public let key: ExpectedKey
    /// The expected value.
    public let expected: ExpectedValue
    /// The value that was found.
    public let found: ExpectedValue
  }
}
