import EncircleEvents
import EncircleText

/// A filter of PostHog on a property.
struct PostHogProperty {
  /// The test of a rule in its place.
  enum Test {
    /// A property of the event, by its name in `where`.
    case property(String, EventValue, [ImportReason])
    /// Expressions for the chain of elements; one must match, or none if negated.
    case chain([String], isNegated: Bool)
    /// A selector, which some element of the chain must match.
    case selector(PostHogSelector)
    /// No test, for this reason.
    case none(ImportReason)
  }

  /// A problem with one value.
  struct Problem: Error {
    let reason: ImportReason
  }

  /// A test of a text in the chain: of any element, or of the first that has one.
  struct ChainTest {
    let expression: String

    init(first: Bool, _ value: TextInChain.Value) {
      expression = first ? TextInChain.firstReference(value) : TextInChain.expression("text", value)
    }
  }

  private let property: DefinitionNode
  private let key: String
  private let operation: String

  init(_ property: DefinitionNode) {
    self.property = property
    key = property["key"]?.label ?? ""
    operation = property["operator"]?.words ?? "exact"
  }

  var test: Test {
    let isTyped = property.mistyped(texts: ["operator", "type"]) == nil
    guard property.isObject, !key.isEmpty, isTyped else { return none(.unknownForm, at: "") }
    switch property["type"]?.words ?? "event" {
    case "event": return ofEvent
    case "element": return ofElement
    case "person": return none(.personProperty, key, at: "/type")
    case "cohort", "static-cohort", "precalculated-cohort": return none(.cohort, key, at: "/type")
    case "group", "session": return none(.group, key, at: "/type")
    case "hogql": return none(.expression, key, at: "/type")
    case let other: return none(.unknownForm, other, at: "/type")
    }
  }

  private func none(_ code: ImportReason.Code, _ detail: String? = nil, at place: String) -> Test {
    .none(ImportReason(code, .skipped, property.pointer + place, detail))
  }

  // MARK: - Properties of events

  private var ofEvent: Test {
    let name = PropertyReference.text(ofKey: key)
    switch operation {
    case "is_set", "is_not_set":
      let reason = ImportReason(.nullIsSet, .unverified, property.pointer, key)
      return .property(name, ["exists": .bool(operation == "is_set")], [reason])
    case "exact", "in": return equal(name, isNegated: false)
    case "is_not", "not_in": return equal(name, isNegated: true)
    case "icontains", "not_icontains": return contains(name, isNegated: operation == "not_icontains")
    case "regex", "not_regex": return matches(name, isNegated: operation == "not_regex")
    case "gt", "gte", "min", "lt", "lte", "max", "between", "not_between": return compares(name)
    case "is_date_before", "is_date_after", "is_date_exact": return none(.dateOperator, key, at: "/operator")
    default:
      if operation.beginsWithBytes(of: "semver_") { return version(name) }
      return none(.unknownForm, operation, at: "/operator")
    }
  }

  /// The values; a single one may come without a list.
  private var values: [DefinitionNode] {
    guard let value = property["value"] else { return [] }
    return value.isList ? value.items : [value]
  }

  private static func negated(_ test: EventValue, _ isNegated: Bool) -> EventValue {
    isNegated ? ["not": test] : test
  }

  /// Returns the test for equality. The server compares values as texts, so a number and its digits are equal.
  private func equal(_ name: String, isNegated: Bool) -> Test {
    guard !values.isEmpty else { return none(.unknownForm, key, at: "/value") }
    var accepted: [EventValue] = []
    var reasons: [ImportReason] = []
    for value in values {
      switch value.value {
      case .string(let text):
        accepted.append(value.value)
        switch text {
        case "true", "false": accepted.append(.bool(text.hasSameBytes(as: "true")))
        default:
          guard let number = DecimalNumber(text) else { break }
          if number.description.hasSameBytes(as: text) {
            accepted.append(.number(number))
          } else {
            reasons.append(ImportReason(.cast, .unverified, value.pointer, text))
          }
        }
      case .number(let number): accepted += [.string(number.description), value.value]
      case .bool(let flag): accepted += [.string(String(flag)), value.value]
      default: return none(.unknownForm, key, at: "/value")
      }
    }
    let test: EventValue = accepted.count == 1 && !isNegated ? accepted[0] : ["in": .list(accepted)]
    return .property(name, Self.negated(plain(test), isNegated), reasons)
  }

  /// Shortens a test for one of several values to the list alone; other tests stay as they are.
  private func plain(_ test: EventValue) -> EventValue {
    guard case .object(let object) = test, let list = object["in"] else { return test }
    return list
  }

  private func contains(_ name: String, isNegated: Bool) -> Test {
    guard values.count == 1, let text = values[0].label else { return none(.unknownForm, key, at: "/value") }
    var reasons: [ImportReason] = []
    let like = LikeText(text)
    if like.hasWildcards { reasons.append(ImportReason(.wildcardInText, .exact, property.pointer + "/value", text)) }
    if ImportTests.hasOtherCase(text) {
      reasons.append(ImportReason(.letterCase, .unverified, property.pointer + "/value", text))
    }
    let isBoolean = ImportTests.booleans.contains(where: text.lowercased().hasSameBytes)
    if isBoolean || text.utf8.allSatisfy({ ImportTests.isInNumber($0) || "%_".utf8.contains($0) }) {
      reasons.append(ImportReason(.cast, .unverified, property.pointer + "/value", text))
    }
    return .property(name, Self.negated(.object(like.test(fold: true)), isNegated), reasons)
  }

  private func matches(_ name: String, isNegated: Bool) -> Test {
    guard values.count == 1, let text = values[0].text else { return none(.unknownForm, key, at: "/value") }
    let expression = "(?s)" + text
    if let refusal = ImportTests.refusal(of: expression) { return none(.refusedExpression, refusal, at: "/value") }
    // The server also matches the text of a number or a boolean.
    let reasons =
      ImportTests.matchesBoolean(expression) || ImportTests.mayMatchNumber(expression)
      ? [ImportReason(.cast, .unverified, property.pointer + "/value", text)] : []
    return .property(name, Self.negated(["matches": .string(expression)], isNegated), reasons)
  }

  private func compares(_ name: String) -> Test {
    let numbers = values.compactMap { $0.label.flatMap { DecimalNumber($0) } }
    let isRange = operation.endsWithBytes(of: "between")
    guard numbers.count == values.count, numbers.count == (isRange ? 2 : 1) else {
      return none(.cast, values.first?.label, at: "/value")
    }
    let signs: [String: String] = [
      "gt": ">", "gte": ">=", "min": ">=", "lt": "<", "lte": "<=", "max": "<=",
    ]
    let test: EventObject =
      isRange ? [">=": .number(numbers[0]), "<=": .number(numbers[1])] : [signs[operation] ?? ">": .number(numbers[0])]
    let reason = ImportReason(.cast, .unverified, property.pointer + "/value", key)
    return .property(name, Self.negated(.object(test), operation.beginsWithBytes(of: "not_")), [reason])
  }

  private func version(_ name: String) -> Test {
    let signs = [
      "semver_eq": "=", "semver_neq": "!=", "semver_gt": ">", "semver_gte": ">=", "semver_lt": "<", "semver_lte": "<=",
    ]
    guard let sign = signs[operation], values.count == 1, let text = values[0].text,
      !text.isEmpty, text.utf8.allSatisfy({ isDigit($0) || $0 == UInt8(ascii: ".") })
    else { return none(.unknownForm, operation, at: "/operator") }
    let reason = ImportReason(.cast, .unverified, property.pointer + "/value", key)
    return .property(name, ["version": .string(sign + text)], [reason])
  }

  // MARK: - Properties of elements

  private var ofElement: Test {
    let kinds = [
      "exact": "exact", "is_not": "exact", "icontains": "contains", "not_icontains": "contains", "regex": "regex",
      "not_regex": "regex",
    ]
    guard let kind = kinds[operation], !values.isEmpty else { return none(.unknownForm, operation, at: "/operator") }
    let isNegated = operation.beginsWithBytes(of: "not_") || operation.hasSameBytes(as: "is_not")
    var expressions: [String] = []
    for value in values {
      guard let text = value.label else { return none(.unknownForm, key, at: "/value") }
      switch key {
      case "tag_name" where kind == "exact": expressions.append(PostHogSelector.expression(ofTag: text))
      case "text", "href":
        switch Self.value(text, matching: kind, value.pointer) {
        case .success(let (value, found)):
          guard found.allSatisfy({ $0.effect == .exact }) else { return .none(found[0]) }
          expressions.append(ChainTest(first: key.hasSameBytes(as: "href"), value).expression)
        case .failure(let problem): return .none(problem.reason)
        }
      case "selector" where kind == "exact" && !isNegated && values.count == 1:
        return .selector(PostHogSelector(text, expression: nil, pointer: value.pointer))
      default: return none(.unknownForm, key, at: "/key")
      }
    }
    return .chain(expressions, isNegated: isNegated)
  }

  /// Returns the condition on a value in the chain.
  ///
  /// - Parameter matching: `exact`, `contains` or `regex`.
  static func value(
    _ text: String, matching: String, _ pointer: String
  ) -> Result<(TextInChain.Value, [ImportReason]), Problem> {
    func failure(_ code: ImportReason.Code, _ detail: String) -> Result<(TextInChain.Value, [ImportReason]), Problem> {
      .failure(Problem(reason: ImportReason(code, .skipped, pointer, detail)))
    }
    let any = ImportReason(.anyElement, .exact, pointer)
    switch matching {
    case "exact", "contains":
      if text.utf8.contains(UInt8(ascii: "\"")) { return failure(.quoteInText, text) }
      if matching.hasSameBytes(as: "exact") { return .success((.exact(text), [any])) }
      let like = LikeText(text)
      let reasons = like.hasWildcards ? [ImportReason(.wildcardInText, .exact, pointer, text)] : []
      return .success((.contains(like), [any] + reasons))
    case "regex":
      if let refusal = ImportTests.refusal(of: text) { return failure(.refusedExpression, refusal) }
      guard let value = TextInChain.Value.matches(text) else { return failure(.expressionInChain, text) }
      return .success((value, [any]))
    default: return failure(.unknownForm, matching)
    }
  }
}
