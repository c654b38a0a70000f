import EncircleRules
import EncircleText
import EncircleTree

/// What a test expects of the rules; what is nil is not asked.
public struct Expectation: Sendable, Equatable {
  /// Whether each event is selected.
  public var selected: Bool?
  /// Exactly the include rules that match, in byte order.
  public var rules: [UTF8String]?
  /// Include rules that match, perhaps among others, in byte order.
  public var includes: [UTF8String]?
  /// Exactly the exclude rules that match, in byte order.
  public var excludedBy: [UTF8String]?
  /// Exactly the excluded pages that the event is on, in byte order.
  public var pages: [UTF8String]?
  /// Exactly the names under which the event is selected, in byte order.
  public var emit: [UTF8String]?
  /// Exactly the elements that the selector matches, in pre-order.
  public var elements: [ElementID]?

  /// Expects nothing.
  public init() {}

  /// Whether nothing is expected.
  public var isEmpty: Bool { self == Expectation() }

  /// The keys of what is expected, in the order of a test file.
  var keys: [ExpectedKey] { ExpectedKey.allCases.filter { value(of: $0) != nil } }

  /// What a key expects.
  func value(of key: ExpectedKey) -> ExpectedValue? {
    switch key {
    case .selected: selected.map { .flag($0) }
    case .rules: rules.map { .names($0) }
    case .includes: includes.map { .names($0) }
    case .excludedBy: excludedBy.map { .names($0) }
    case .pages: pages.map { .names($0) }
    case .emit: emit.map { .names($0) }
    case .elements: elements.map { .elements($0) }
    }
  }
}

/// The keys of an expectation, as a test file has them.
public enum ExpectedKey: String, CaseIterable, Sendable {
  case selected, rules, includes, excludedBy, pages, emit, elements

  /// Whether the key names rules.
  var namesRules: Bool { self == .rules || self == .includes || self == .excludedBy }

  /// What a decision says for this key; of elements it says nothing.
  func value(in decision: Decision) -> ExpectedValue {
    switch self {
    case .selected: .flag(decision.isSelected)
    case .rules, .includes: .names(decision.rules)
    case .excludedBy: .names(decision.excludedBy)
    case .pages: .names(decision.pages)
    case .emit: .names(decision.emit)
    case .elements: .elements([])
    }
  }
}

/// What is expected or found.
public enum ExpectedValue: Sendable, Hashable, CustomStringConvertible {
  /// `true` or `false`
  case flag(Bool)
  /// Ids of rules, names of events or pages.
  case names([UTF8String])
  /// Numbers of elements.
  case elements([ElementID])

  /// As a test file has it, on one line.
  public var description: String {
    switch self {
    case .flag(let flag): flag ? "true" : "false"
    case .names(let names): "[\(names.map(\.text).joined(separator: ", "))]"
    case .elements(let elements): "[\(elements.map(\.description).joined(separator: ", "))]"
    }
  }

  /// Whether what was found is what this expects.
  func accepts(_ found: ExpectedValue, for key: ExpectedKey) -> Bool {
    if key == .includes, case .names(let wanted) = self, case .names(let names) = found {
      return Set(wanted).isSubset(of: names)
    }
    return self == found
  }
}
