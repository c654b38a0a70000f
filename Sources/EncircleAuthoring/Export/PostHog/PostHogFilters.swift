import EncircleEvents
import EncircleRules
import EncircleText

/// Filters in disjunctive form: all filters of at least one list must hold.
typealias PostHogAlternatives = [[PostHogAction.Filter]]

/// Expresses a condition on a property as filters of an action.
///
/// PostHog compares values of any type as texts, and casts texts to compare numbers. Encircle casts nothing.
struct PostHogFilters {
  /// The maximum number of alternatives of a rule.
  static let maximumAlternatives = 100

  /// The maximum number of filters of a step.
  static let maximumFilters = 200

  let key: UTF8String
  /// The reasons why the filters may differ from the condition; a condition that cannot be expressed is thrown.
  private(set) var reasons: [PostHogReason] = []

  init(_ key: UTF8String) { self.key = key }

  /// Returns the filters that hold where the condition holds, or, negated, where it does not.
  ///
  /// Conditions are nested at most as deep as rule files may.
  mutating func alternatives(
    _ condition: Condition, negated: Bool = false
  ) throws(PostHogReason) -> PostHogAlternatives {
    switch condition {
    case .all(let conditions): return try joined(conditions, negated, every: !negated)
    case .any(let conditions): return try joined(conditions, negated, every: negated)
    case .not(let inner): return try alternatives(inner, negated: !negated)
    case .isOneOf(let values, let fold): return try oneOf(values, fold, negated)
    case .text(let test, let text, let fold): return try part(test, text, fold, negated)
    case .matches(let expression): return try matches(expression, negated)
    case .exists(let exists):
      note(.nullValues, .unsure, "PostHog may take a property that is null or empty for one that is missing.")
      return [[.init(key, exists != negated ? .isSet : .isNotSet)]]
    case .number(let comparison, let number): return try compared(comparison, number, negated)
    case .version: throw PostHogReason(.version, "PostHog compares versions in another way.")
    case .kindOf: throw PostHogReason(.kindOf, "PostHog does not know the classes of an app.")
    case .items: throw PostHogReason(.list, "An action cannot ask for the items of a list.")
    case .numberInText: throw PostHogReason(.numberInText, "An action cannot compare the number in a text.")
    case .sample: throw PostHogReason(.sample, "PostHog samples in another way.")
    }
  }

  /// Returns the filters for several conditions, all or any of which must hold.
  private mutating func joined(
    _ conditions: [Condition], _ negated: Bool, every: Bool
  ) throws(PostHogReason) -> PostHogAlternatives {
    var result: PostHogAlternatives = every ? [[]] : []
    for condition in conditions {
      let next = try alternatives(condition, negated: negated)
      result = every ? try Self.product(result, next) : result + next
      guard result.count <= Self.maximumAlternatives else { throw Self.tooMany }
    }
    return result
  }

  /// Returns all combinations of an alternative of one side with one of the other.
  static func product(
    _ a: PostHogAlternatives, _ b: PostHogAlternatives
  ) throws(PostHogReason) -> PostHogAlternatives {
    guard a.count * b.count <= maximumAlternatives else { throw tooMany }
    let longest = (a.map(\.count).max() ?? 0) + (b.map(\.count).max() ?? 0)
    guard longest <= maximumFilters else {
      throw PostHogReason(.tooManySteps, "It would take more than \(maximumFilters) filters in one step.")
    }
    return a.flatMap { first in b.map { first + $0.filter { !first.contains($0) } } }
  }

  static var tooMany: PostHogReason {
    PostHogReason(.tooManySteps, "It would take more than \(maximumAlternatives) steps.")
  }

  private mutating func note(_ code: PostHogReason.Code, _ effect: ExportReport.Effect, _ text: String) {
    if !reasons.contains(where: { $0.code == code && $0.effect == effect }) {
      reasons.append(PostHogReason(code, effect, text))
    }
  }

  // MARK: - Values

  private mutating func oneOf(
    _ values: [Scalar], _ fold: Bool, _ negated: Bool
  ) throws(PostHogReason) -> PostHogAlternatives {
    var texts: [UTF8String] = []
    var others: Set<UTF8String> = []
    for value in values {
      switch value {
      case .null: throw PostHogReason(.nullValues, "To PostHog, null is a property that is missing.")
      case .bool, .number: others.insert(UTF8String(value.description))
      case .string(let text): texts.append(text)
      }
    }
    if fold, texts.contains(where: { Self.hasCase($0.text) }) {
      guard others.isEmpty else {
        throw PostHogReason(.letterCase, "It mixes texts whatever their case with other values.")
      }
      try castable(texts.contains { Self.mayBeOtherValue($0.text) }, negated)
      return folded("^(?:\(texts.map { RegularExpression.quoting($0.text) }.joined(separator: "|")))$", negated)
    }
    // PostHog treats the text "12" and the number 12 alike, which makes no difference if the rule names both.
    let known = Set(texts)
    let isCast =
      texts.contains { Self.mayBeOtherValue($0.text) && !others.contains($0) }
      || others.contains { !known.contains($0) }
    try castable(isCast, negated)
    if texts.contains(where: { Self.hasEscapes($0.text) }) { noteEscapes() }
    let all = texts + others.subtracting(texts).sorted()
    guard !all.isEmpty else { return negated ? [[]] : [] }
    return [[.init(key, negated ? .isNot : .exact, .list(all.map { .string($0.text) }))]]
  }

  private mutating func compared(
    _ comparison: Condition.Comparison, _ number: DecimalNumber, _ negated: Bool
  ) throws(PostHogReason) -> PostHogAlternatives {
    guard !negated else {
      throw PostHogReason(
        .negatedNumber,
        "A negated comparison also takes values that are not numbers or are missing, which an action cannot do.")
    }
    note(.cast, .wider, "PostHog casts texts to numbers: \"12\" counts as 12.")
    let name: PostHogAction.Comparison =
      switch comparison {
      case .less: .less
      case .lessOrEqual: .lessOrEqual
      case .greater: .greater
      case .greaterOrEqual: .greaterOrEqual
      }
    return [[.init(key, name, .number(number))]]
  }

  /// Notes that values of other types are taken as well. A negated test is refused instead, because it would take fewer events.
  private mutating func castable(_ isCast: Bool, _ negated: Bool) throws(PostHogReason) {
    guard isCast else { return }
    guard !negated else {
      throw PostHogReason(
        .cast, "PostHog compares the text of a value: 12 and \"12\", true and \"true\" are the same to it.")
    }
    note(.cast, .wider, "PostHog compares the text of a value: 12 and \"12\", true and \"true\" are the same to it.")
  }

  // MARK: - Texts

  private mutating func part(
    _ test: Condition.TextTest, _ text: UTF8String, _ fold: Bool, _ negated: Bool
  ) throws(PostHogReason) -> PostHogAlternatives {
    let quoted = RegularExpression.quoting(text.text)
    let pattern =
      switch test {
      case .prefix: "^" + quoted
      case .suffix: quoted + "$"
      case .contains: quoted
      case .glob:
        "^"
          + text.text.splitBytes(at: "*", omittingEmptySubsequences: false).map { RegularExpression.quoting($0) }
          .joined(separator: ".*") + "$"
      }
    if Self.hasEscapes(text.text) { noteEscapes() }
    note(.cast, .unsure, "PostHog compares the text of a value, also of one that is a number, a list or an object.")
    guard fold, Self.hasCase(text.text) else { return [[.init(key, negated ? .notRegex : .regex, .string(pattern))]] }
    let isPlain = !text.text.utf8.contains {
      $0 == UInt8(ascii: "%") || $0 == UInt8(ascii: "_") || $0 == UInt8(ascii: "\\")
    }
    guard test == .contains, isPlain else { return folded(pattern, negated) }
    noteCase()
    return [[.init(key, negated ? .notIContains : .icontains, .string(text.text))]]
  }

  private mutating func folded(_ pattern: String, _ negated: Bool) -> PostHogAlternatives {
    noteCase()
    return [[.init(key, negated ? .notRegex : .regex, .string("(?i)" + pattern))]]
  }

  private mutating func matches(
    _ expression: RegularExpression, _ negated: Bool
  ) throws(PostHogReason) -> PostHogAlternatives {
    note(.cast, .unsure, "PostHog compares the text of a value, also of one that is a number, a list or an object.")
    let text = expression.description
    // In PostHog a dot also matches line breaks.
    var pattern = text
    if text.beginsWithBytes(of: "(?s)") {
      pattern = String(Substring(text.utf8.dropFirst("(?s)".utf8.count)))
    } else if text.utf8.contains(UInt8(ascii: ".")) {
      pattern = "(?-s:\(text))"
    }
    if expression.foldsCase { pattern = "(?i)" + pattern }
    return [[.init(key, negated ? .notRegex : .regex, .string(pattern))]]
  }

  private mutating func noteCase() {
    note(.letterCase, .unsure, "Letters whose case changes their number, such as ß, are compared in another way.")
  }

  private mutating func noteEscapes() {
    note(.escapes, .unsure, "PostHog may compare quotes, backslashes and control characters in their escaped form.")
  }

  /// Returns whether a text may represent a value of another type: a number, a truth value, null, a list or an object.
  static func mayBeOtherValue(_ text: String) -> Bool {
    guard let first = text.utf8.first else { return false }
    switch first {
    case 0x30...0x39, UInt8(ascii: "-"), UInt8(ascii: "["), UInt8(ascii: "{"): return true
    default: return ["true", "false", "null"].contains { $0.hasSameBytes(as: text) }
    }
  }

  private static func hasCase(_ text: String) -> Bool {
    text.unicodeScalars.contains { $0.properties.changesWhenCaseMapped }
  }

  private static func hasEscapes(_ text: String) -> Bool {
    text.utf8.contains { $0 < 0x20 || $0 == UInt8(ascii: "\"") || $0 == UInt8(ascii: "\\") }
  }
}
