import EncircleEvents
import EncircleIdentity
import EncircleRules
import EncircleText
import EncircleTree

/// One test of rules, as a test file has it.
public struct RuleTest: Sendable {
  /// What the rules are tried on.
  public enum Subject: Sendable {
    /// Events, given as such or made up for elements of a capture; not empty. What is expected is expected of each.
    case events([TestEvent])
    /// A selector, and the capture whose elements it is to match.
    case selector(ElementSelector, TestCapture)
  }

  /// The name, unique in its file.
  public let name: String
  /// The file.
  public let file: String
  /// Where its name is.
  public let location: SourceLocation
  /// Its number in the file, from 0.
  public let number: Int
  /// What the rules are tried on.
  public let subject: Subject
  /// What is expected; nil if the test does not say yet.
  public let expectation: Expectation?
}

/// An event that rules are tried on.
public struct TestEvent: Sendable {
  /// What it is, for people: `element 17 of cart.xml`.
  public let label: String
  /// The event.
  public let event: AnalyticsEvent
}

/// A capture of a test.
public struct TestCapture: Sendable {
  /// The path by which the test names it.
  public let name: String
  /// Its elements.
  public let screen: IdentifiedTree
}

/// What a test file holds.
public struct RuleTestFile: Sendable {
  /// The path.
  public let name: String
  /// What is written in it.
  public let text: String
  /// The tests, in their order.
  public let tests: [RuleTest]
  /// The elements by which events that have only an event ID are known.
  public let dictionary: ElementDictionary
}
