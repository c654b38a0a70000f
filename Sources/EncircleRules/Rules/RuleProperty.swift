import EncircleEvents
import EncircleText

/// A property that a rule gives the events that it selects (自定义属性).
///
/// It is read when an event has been selected, so it changes no decision.
public struct RuleProperty: Sendable {
  /// The source of a property's value.
  public enum Source: Sendable {
    /// A value that the rule states.
    case constant(Scalar)
    /// Another property of the event.
    case property(PropertyReference)
    /// A number in the path of the element.
    case path(PathNumber)
    /// The text of another element of the same screen or row. A property of this name in the event takes precedence, because the SDK
    /// has read it from the screen. Otherwise captures supply the text, if they agree.
    case element(RelativeSelector)
  }

  /// A number in the path of an element.
  public enum PathNumber: String, CaseIterable, Sendable {
    /// The row, or item, of the innermost cell.
    case row
    /// The section of the innermost cell.
    case section
    /// The index of the element itself.
    case index
  }

  /// The type of the converted value.
  public enum ValueType: String, CaseIterable, Sendable {
    case text, number
  }

  /// The name.
  public var name: UTF8String
  /// The source of the value.
  public var source: Source
  /// If set, the value is the first match of this expression in the text; nil takes the whole text.
  public var expression: RegularExpression?
  /// The type of the value; nil leaves it as it is read.
  public var type: ValueType?

  /// The largest number of properties that one rule may give.
  public static let maximumPerRule = 64

  /// Creates a property.
  public init(_ name: UTF8String, _ source: Source, expression: RegularExpression? = nil, type: ValueType? = nil) {
    self.name = name
    self.source = source
    self.expression = expression
    self.type = type
  }

  /// The source of the value, in words.
  package var origin: String {
    let source =
      switch source {
      case .constant: "a constant"
      case .property(let reference): "the property \(reference)"
      case .path(let number): "the \(number.rawValue) in the path"
      case .element(let selector): "the text of \(selector)"
      }
    return source + (expression.map { ", \($0)" } ?? "")
  }

  /// The places in events that the property reads.
  var references: [PropertyReference] {
    switch source {
    case .constant, .path: []
    case .property(let reference): [reference]
    case .element: [.property(name)]
    }
  }

  /// Converts the text or value that was read to the property's type; nil if that is not possible.
  ///
  /// - Complexity: O(length of the text).
  func value(of read: Scalar) -> Scalar? {
    var value = read
    if let expression {
      guard case .string(let text) = read, let match = expression.firstMatch(in: text.text) else { return nil }
      value = .string(UTF8String(match))
    }
    switch (type, value) {
    case (_, .null): return nil
    // Numbers in texts are found as the test `number` finds them.
    case (.number, .string(let text)):
      return text.withUTF8 { NumberInText.first(in: $0) }.flatMap { digits in
        digits.withUnsafeBufferPointer { DecimalNumber($0) }
      }.map { .number($0) }
    case (.number, .bool): return nil
    case (.text, .number(let number)): return .string(UTF8String(number.description))
    case (.text, .bool(let flag)): return .string(flag ? "true" : "false")
    default: return value
    }
  }
}

/// The value of a property that a rule gives an event.
public struct PropertyValue: Hashable, Sendable {
  public let name: UTF8String
  /// A text, a number or a truth value.
  public let value: Scalar

  /// Creates a value.
  public init(name: UTF8String, value: Scalar) {
    self.name = name
    self.value = value
  }
}

/// The properties that a rule gives an event.
public struct RulePropertyValues: Hashable, Sendable {
  /// The id of the rule.
  public let rule: UTF8String
  /// The properties with a value, in the order of the rule; not empty.
  public let values: [PropertyValue]

  /// Creates the values of a rule.
  public init(rule: UTF8String, values: [PropertyValue]) {
    self.rule = rule
    self.values = values
  }
}
