import EncircleRules
import EncircleText
import EncircleTree

/// The result that a test expects; a part that is nil is not compared.
public struct Expectation: Sendable, Equatable {
  /// This is true if each event must be selected, and false if none may be.
  public var selected: Bool?
  /// All include rules that match, in byte order.
  public var rules: [UTF8String]?
  /// Some of the include rules that match, in byte order.
  public var includes: [UTF8String]?
  /// All exclude rules that match, in byte order.
  public var excludedBy: [UTF8String]?
  /// All excluded pages that the event is on, in byte order.
  public var pages: [UTF8String]?
  /// All names under which the event is selected, in byte order.
  public var emit: [UTF8String]?
  /// Properties that rules give each event, by rule and name; null for a property that must be absent. Others are not compared.
  public var properties: [UTF8String: [UTF8String: Scalar]]?
  /// All elements that the selector matches, in pre-order.
  public var elements: [ElementID]?

  /// Creates an expectation without parts.
  public init() {}

  /// This is true if the expectation has no parts.
  public var isEmpty: Bool { self == Expectation() }

  /// The keys of the parts, in the order of a test file.
  var keys: [ExpectedKey] { ExpectedKey.allCases.filter { value(of: $0) != nil } }

  /// Returns the value of a part; nil if it is not compared.
  func value(of key: ExpectedKey) -> ExpectedValue? {
    switch key {
    case .selected: selected.map { .flag($0) }
    case .rules: rules.map { .names($0) }
    case .includes: includes.map { .names($0) }
    case .excludedBy: excludedBy.map { .names($0) }
    case .pages: pages.map { .names($0) }
    case .emit: emit.map { .names($0) }
    case .properties: properties.map { .properties($0) }
    case .elements: elements.map { .elements($0) }
    }
  }
}

/// The keys of an expectation in a test file.
public enum ExpectedKey: String, CaseIterable, Sendable {
  case selected, rules, includes, excludedBy, pages, emit, properties, elements

  /// This is true if the key names rules.
  var namesRules: Bool { self == .rules || self == .includes || self == .excludedBy }

  /// Returns the value that a decision has for this key. Decisions have no value for `elements`.
  func value(in decision: Decision) -> ExpectedValue {
    switch self {
    case .selected: .flag(decision.isSelected)
    case .rules, .includes: .names(decision.rules)
    case .excludedBy: .names(decision.excludedBy)
    case .pages: .names(decision.pages)
    case .emit: .names(decision.emit)
    case .properties:
      .properties(
        Dictionary(
          decision.properties.map { rule in
            (rule.rule, Dictionary(rule.values.map { ($0.name, $0.value) }) { first, _ in first })
          }
        ) { first, _ in first })
    case .elements: .elements([])
    }
  }
}

/// An expected or found value.
public enum ExpectedValue: Sendable, Hashable, CustomStringConvertible {
  /// `true` or `false`
  case flag(Bool)
  /// The ids of rules, or names of events or pages.
  case names([UTF8String])
  /// The numbers of elements.
  case elements([ElementID])
  /// Properties by rule and name.
  case properties([UTF8String: [UTF8String: Scalar]])

  /// The value as in a test file, on one line.
  public var description: String {
    switch self {
    case .flag(let flag): flag ? "true" : "false"
    case .names(let names): "[\(names.map(\.text).joined(separator: ", "))]"
    case .elements(let elements): "[\(elements.map(\.description).joined(separator: ", "))]"
    case .properties(let rules):
      Self.mapping(rules) { values in Self.mapping(values, \.description) }
    }
  }

  private static func mapping<Value>(_ values: [UTF8String: Value], _ text: (Value) -> String) -> String {
    let members = values.sorted { $0.key < $1.key }.map { "\($0.key): \(text($0.value))" }
    return members.isEmpty ? "{}" : "{ \(members.joined(separator: ", ")) }"
  }

  /// Returns whether a found value is as expected.
  func accepts(_ found: ExpectedValue, for key: ExpectedKey) -> Bool {
    if key == .includes, case .names(let wanted) = self, case .names(let names) = found {
      return Set(wanted).isSubset(of: names)
    }
    if case .properties(let wanted) = self, case .properties(let rules) = found {
      return wanted.allSatisfy { rule, values in
        values.allSatisfy { name, value in rules[rule]?[name] ?? .null == value }
      }
    }
    return self == found
  }
}
