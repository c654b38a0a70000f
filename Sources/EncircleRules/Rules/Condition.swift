import EncircleEvents
import EncircleText

/// A test of one value of an event.
///
/// A value that the event lacks fails every test, except `exists: false` and a ``not(_:)`` around a test that is false.
/// Values are never converted: a number is not a text, and true is not 1.
public indirect enum Condition: Sendable {
  /// All hold.
  case all([Condition])
  /// Any holds.
  case any([Condition])
  /// Does not hold.
  case not(Condition)
  /// Is one of these values; texts are compared by bytes, numbers by value.
  case isOneOf([Scalar], fold: Bool)
  /// Is a text that begins with, ends with or contains another one, or matches a pattern.
  case text(TextTest, UTF8String, fold: Bool)
  /// Is a text that the regular expression matches somewhere.
  case matches(RegularExpression)
  /// Tests whether the event has the value.
  case exists(Bool)
  /// Is a number that compares with another one as stated.
  case number(Comparison, DecimalNumber)
  /// Is a version in the range.
  case version(VersionRange)
  /// Is the name of one of these classes or of their subclasses.
  case kindOf([UTF8String])
  /// A list in which some items, or all, meet a condition. An empty list meets every `all`.
  case items(ListTest, Condition)
  /// Is a number that meets a condition, or a text whose first number does; see `NumberInText`.
  case numberInText(Condition)
  /// Belongs to a sample.
  case sample(ValueSample)

  /// The number of a list's items that must meet a condition.
  public enum ListTest: String, CaseIterable, Sendable {
    /// At least one.
    case any
    /// Each.
    case all
  }

  /// A kind of test on texts.
  public enum TextTest: String, CaseIterable, Sendable {
    case prefix, suffix, contains
    /// The whole text, `*` standing for any run of characters.
    case glob
  }

  /// A comparison of numbers.
  public enum Comparison: String, CaseIterable, Sendable {
    case less = "<"
    case lessOrEqual = "<="
    case greater = ">"
    case greaterOrEqual = ">="
  }
}

/// A value that rules can name.
public enum Scalar: Hashable, Sendable, CustomStringConvertible {
  case null
  case bool(Bool)
  case number(DecimalNumber)
  case string(UTF8String)

  /// The value as JSON.
  public var description: String {
    switch self {
    case .null: "null"
    case .bool(let value): String(value)
    case .number(let value): value.description
    case .string(let value): "\"\(value)\""
    }
  }
}
