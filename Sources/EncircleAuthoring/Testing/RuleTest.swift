import EncircleEvents
import EncircleIdentity
import EncircleRules
import EncircleText
import EncircleTree

/// One test of a test file.
public struct RuleTest: Sendable {
  /// The input of a test.
  public enum Subject: Sendable {
    /// Events, given as such or made up for elements of a capture; not empty. The expectation applies to each event.
    case events([TestEvent])
    /// A selector, and the capture to try it on.
    case selector(ElementSelector, TestCapture)
  }

  /// The name, unique in its file.
  public let name: String
  /// The file.
  public let file: String
  /// The place of the name in the file.
  public let location: SourceLocation
  /// The number of the test in the file, from 0.
  public let number: Int
  /// The events, or the selector, that the rules are tried on.
  public let subject: Subject
  /// The expected result; nil if the test does not have it yet.
  public let expectation: Expectation?
}

/// An event that rules are tried on.
public struct TestEvent: Sendable {
  /// A description for people: `element 17 of cart.xml`.
  public let label: String
  /// The event.
  public let event: AnalyticsEvent
}

/// A capture of a test.
public struct TestCapture: Sendable {
  /// Its path, as the test gives it.
  public let name: String
  /// The page that the test gives it; nil if it names its pages itself.
  let page: UTF8String?
  /// Its elements.
  public let screen: IdentifiedTree

  /// Returns the settings by which selectors are read and matched on it: those for its platform, if rules are in several styles.
  func settings(of ruleSet: RuleSet) -> SelectionSettings { SelectionSettings(ruleSet.withoutRules.part(for: screen)) }
}

/// A test file.
public struct RuleTestFile: Sendable {
  /// The path.
  public let name: String
  /// The text of the file.
  public let text: String
  /// The tests, in their order.
  public let tests: [RuleTest]
  /// The elements for resolving events that have only an event ID.
  public let dictionary: ElementDictionary
}
